/* From the text of an expression to its tree, by recursive descent. */
#include "base/words.h"
#include "expression.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that is being parsed. Functions return a node, or -1 after a failure. */
typedef struct parser {
    const char *text;
    int at, depth;
    expression *tree;
    status status;
} parser;

status expression_fail(const expression *tree, int at, const char *format, ...)
{
    enum { SHOWN = 40 };
    char reason[400], rest[SHOWN + 8];
    const char *from = tree->text + at;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    snprintf(rest, sizeof rest, "%.*s%s", SHOWN, from, strlen(from) > SHOWN ? "…" : "");
    base_words_flatten(rest);
    return rest[0] == '\0' ? base_fail(STATUS_USAGE, "%s: after '%s': %s", tree->name,
                                       tree->text, reason)
                           : base_fail(STATUS_USAGE, "%s: at '%s' (column %d): %s",
                                       tree->name, rest, at + 1, reason);
}

static int fail(parser *p, int at, const char *reason)
{
    if (p->status == STATUS_OK) {
        p->status = expression_fail(p->tree, at, "%s", reason);
    }
    return -1;
}

static int add_node(parser *p, const expression_node *node)
{
    expression *tree = p->tree;
    if (tree->count == EXPRESSION_NODES) {
        return fail(p, node->at,
                    "the expression is too long: divide it into several "
                    "derived fields");
    }
    tree->nodes[tree->count] = *node;
    return tree->count++;
}

static int add_call(parser *p, expression_function function, int at, int a, int b)
{
    const expression_node node = {
        .kind = EXPRESSION_CALL, .at = at, .function = function, .arguments = {a, b, -1}};
    return p->status == STATUS_OK ? add_node(p, &node) : -1;
}

/* ---- Tokens ------------------------------------------------------------------------ */

static void skip_space(parser *p)
{
    while (isspace((unsigned char)p->text[p->at])) {
        p->at++;
    }
}

/* Takes a token if it is next. */
static bool take(parser *p, const char *token)
{
    skip_space(p);
    const size_t length = strlen(token);
    const bool is_next = strncmp(p->text + p->at, token, length) == 0;
    p->at += is_next ? (int)length : 0;
    return is_next;
}

static bool expect(parser *p, const char *token)
{
    if (take(p, token)) {
        return true;
    }
    char reason[32];
    snprintf(reason, sizeof reason, "'%s' is missing", token);
    fail(p, p->at, reason);
    return false;
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Takes a plain or quoted name; false if none is next. */
static bool take_name(parser *p, char name[EXPRESSION_NAME], bool *is_quoted)
{
    skip_space(p);
    const char *start = p->text + p->at;
    size_t length = 0;
    *is_quoted = *start == '\'' || *start == '`' || *start == '"';
    if (*is_quoted) {
        const char *end = strchr(start + 1, *start);
        if (!end) {
            fail(p, p->at, "the quote has no end");
            return false;
        }
        length = (size_t)(end - start) - 1;
        p->at += (int)length + 2;
        start++;
    } else if (begins_name(*start)) {
        while (begins_name(start[length]) || isdigit((unsigned char)start[length])) {
            length++;
        }
        p->at += (int)length;
    }
    if (length >= EXPRESSION_NAME) {
        fail(p, (int)(start - p->text), "the name is too long");
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    return length > 0;
}

/* ---- Operands ---------------------------------------------------------------------- */

static int parse_choice(parser *p);

static int parse_number(parser *p)
{
    char *end;
    const int at = p->at;
    const expression_node node = {
        .kind = EXPRESSION_NUMBER, .at = at, .number = strtod(p->text + at, &end)};
    p->at = (int)(end - p->text);
    return begins_name(*end) ? fail(p, at, "is no number") : add_node(p, &node);
}

/* The arguments of a function, after its parenthesis. */
static int parse_call(parser *p, expression_function function, int at)
{
    const char *types = expression_words[function].arguments;
    const int wanted = (int)strlen(types);
    expression_node node = {.kind = EXPRESSION_CALL, .at = at, .function = function};
    bool is_left_out = false;
    for (int n = 0; n < wanted && p->status == STATUS_OK; n++) {
        skip_space(p);
        is_left_out = is_left_out || (types[n] == '.' && p->text[p->at] == ')');
        if (n > 0 && !is_left_out) {
            expect(p, ",");
        }
        const bool is_there = p->status == STATUS_OK && !is_left_out;
        node.arguments[n] = is_there ? parse_choice(p) : -1;
    }
    if (p->status == STATUS_OK && take(p, ",")) {
        char reason[80];
        snprintf(reason, sizeof reason, "%s takes %d %s", expression_words[function].name,
                 wanted, wanted == 1 ? "argument" : "arguments");
        return fail(p, p->at, reason);
    }
    return p->status == STATUS_OK && expect(p, ")") ? add_node(p, &node) : -1;
}

static int fail_function(parser *p, int at, const char *name)
{
    const char *names[EXPRESSION_FUNCTIONS];
    char hint[EXPRESSION_NAME + 32], reason[3 * EXPRESSION_NAME];
    int count = 0;
    for (int f = 0; f < EXPRESSION_FUNCTIONS; f++) {
        if (expression_words[f].name) {
            names[count++] = expression_words[f].name;
        }
    }
    base_words_hint(name, count, names, sizeof hint, hint);
    snprintf(reason, sizeof reason, "there is no function %s%s", name, hint);
    return fail(p, at, reason);
}

static int parse_name(parser *p)
{
    expression_node node = {.kind = EXPRESSION_FIELD};
    bool is_quoted;
    skip_space(p);
    node.at = p->at;
    if (!take_name(p, node.name, &is_quoted)) {
        return fail(p, node.at,
                    p->text[node.at] ? "a field, a number or '(' is missing"
                                     : "something is missing");
    }
    if (is_quoted || !take(p, "(")) {
        return add_node(p, &node);
    }
    const expression_function function = expression_find(node.name);
    return function == EXPRESSION_FUNCTIONS ? fail_function(p, node.at, node.name)
                                            : parse_call(p, function, node.at);
}

static int parse_primary(parser *p)
{
    skip_space(p);
    const int at = p->at;
    const char c = p->text[at];
    int node;
    if (isdigit((unsigned char)c) ||
        (c == '.' && isdigit((unsigned char)p->text[at + 1]))) {
        node = parse_number(p);
    } else if (take(p, "[")) {
        node = parse_choice(p);
        expression_node vector = {
            .kind = EXPRESSION_CALL, .at = at, .function = EXPRESSION_VEC};
        vector.arguments[0] = node;
        for (int n = 1; n < 3 && p->status == STATUS_OK; n++) {
            expect(p, ",");
            vector.arguments[n] = p->status == STATUS_OK ? parse_choice(p) : -1;
        }
        node = p->status == STATUS_OK && expect(p, "]") ? add_node(p, &vector) : -1;
    } else if (take(p, "(")) {
        node = parse_choice(p);
        if (p->status == STATUS_OK) {
            expect(p, ")");
        }
    } else {
        node = parse_name(p);
    }
    return p->status == STATUS_OK ? node : -1;
}

/* An operand, and the components that are taken of it: v.x. */
static int parse_postfix(parser *p)
{
    int node = parse_primary(p);
    while (p->status == STATUS_OK && take(p, ".")) {
        const char c = p->text[p->at], next = c ? p->text[p->at + 1] : '\0';
        expression_node component = {.kind = EXPRESSION_COMPONENT,
                                     .at = p->at,
                                     .axis = c - 'x',
                                     .arguments = {node}};
        if (c < 'x' || c > 'z' || begins_name(next) || isdigit((unsigned char)next)) {
            return fail(p, p->at, "a component is .x, .y or .z");
        }
        p->at++;
        node = add_node(p, &component);
    }
    return node;
}

/* ---- Operators --------------------------------------------------------------------- */

static int parse_sign(parser *p);

static int parse_power(parser *p)
{
    const int node = parse_postfix(p), at = p->at;
    if (p->status == STATUS_OK && (take(p, "^") || take(p, "**"))) {
        const int power = parse_sign(p);
        return add_call(p, EXPRESSION_POWER, at, node, power);
    }
    return node;
}

static int parse_sign(parser *p)
{
    skip_space(p);
    const int at = p->at;
    if (++p->depth > EXPRESSION_DEPTH) {
        return fail(p, at, "too many parentheses lie within each other");
    }
    int node;
    if (take(p, "-")) {
        const int of = parse_sign(p);
        node = add_call(p, EXPRESSION_NEGATE, at, of, -1);
    } else if (p->text[at] == '!' && p->text[at + 1] != '=' && take(p, "!")) {
        const int of = parse_sign(p);
        node = add_call(p, EXPRESSION_NOT, at, of, -1);
    } else {
        take(p, "+");
        node = parse_power(p);
    }
    p->depth--;
    return node;
}

/* An operator, and the level at which it binds: the higher, the tighter. */
typedef struct infix {
    const char *token;
    int level;
    expression_function function;
    bool is_swapped; /* a > b is b < a */
} infix;

static const infix infixes[] = {
    {"||", 0, EXPRESSION_OR, false},         {"&&", 1, EXPRESSION_AND, false},
    {"==", 2, EXPRESSION_EQUAL, false},      {"!=", 2, EXPRESSION_UNEQUAL, false},
    {"<=", 2, EXPRESSION_LESS_EQUAL, false}, {">=", 2, EXPRESSION_LESS_EQUAL, true},
    {"<", 2, EXPRESSION_LESS, false},        {">", 2, EXPRESSION_LESS, true},
    {"+", 3, EXPRESSION_ADD, false},         {"-", 3, EXPRESSION_SUBTRACT, false},
    {"*", 4, EXPRESSION_MULTIPLY, false},    {"/", 4, EXPRESSION_DIVIDE, false},
};

enum { LEVELS = 5, INFIXES = sizeof infixes / sizeof infixes[0] };

/* Takes an operator of this level; NULL if none is next. */
static const infix *take_infix(parser *p, int level)
{
    for (int n = 0; n < INFIXES; n++) {
        if (infixes[n].level == level && take(p, infixes[n].token)) {
            return &infixes[n];
        }
    }
    return NULL;
}

static int parse_level(parser *p, int level)
{
    if (level == LEVELS) {
        return parse_sign(p);
    }
    int node = parse_level(p, level + 1);
    while (p->status == STATUS_OK) {
        const int at = p->tree->nodes[node].at;
        const infix *found = take_infix(p, level);
        if (!found) {
            break;
        }
        const int other = parse_level(p, level + 1);
        node = found->is_swapped ? add_call(p, found->function, at, other, node)
                                 : add_call(p, found->function, at, node, other);
    }
    return node;
}

static int parse_choice(parser *p)
{
    return parse_level(p, 0);
}

status expression_parse(const char *name, const char *text, expression **out)
{
    expression *tree = calloc(1, sizeof *tree);
    if (!tree) {
        return base_fail_memory(sizeof *tree, "an expression");
    }
    tree->name = name;
    tree->text = text;
    parser p = {.text = text, .tree = tree};
    tree->root = parse_choice(&p);
    skip_space(&p);
    if (p.status == STATUS_OK && text[p.at] != '\0') {
        fail(&p, p.at, "an operator is missing");
    }
    if (p.status != STATUS_OK) {
        free(tree);
        return p.status;
    }
    *out = tree;
    return STATUS_OK;
}

void expression_destroy(expression **tree)
{
    if (*tree) {
        free(*tree);
        *tree = NULL;
    }
}
