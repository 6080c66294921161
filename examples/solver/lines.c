#include "lines.h"

#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MOST_LINES = 10000 }; /* a few aliases may stand for more than memory holds */

bool solver_lines_fail(const solver_lines *lines, const solver_line *line,
                       const char *format, ...)
{
    char message[1024], number[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (line && line->override) {
        return solver_fail(SOLVER_USAGE, "--set %s: %s", line->override, message);
    }
    if (line) {
        snprintf(number, sizeof number, ":%zu", line->number);
    }
    return solver_fail(SOLVER_USAGE, "%s%s: %s", lines->file, number, message);
}

/* ---- Lines ---- */

void solver_lines_clear(solver_lines *lines)
{
    for (int n = 0; n < lines->count; n++) {
        free(lines->lines[n].text);
    }
    free(lines->lines);
}

/* Whether a path is another one, or stands below it. */
static bool is_below(const char *path, const char *above)
{
    const size_t length = strlen(above);
    return strncmp(path, above, length) == 0 &&
           (path[length] == '\0' || path[length] == '.');
}

solver_line *solver_lines_find(const solver_lines *lines, const char *path)
{
    for (int n = 0; n < lines->count; n++) {
        if (is_below(lines->lines[n].path, path)) {
            return &lines->lines[n];
        }
    }
    return NULL;
}

/* Removes all lines at and below a path, and those above it that have no value. */
static void remove_lines(solver_lines *lines, const char *path)
{
    int left = 0;
    for (int n = 0; n < lines->count; n++) {
        solver_line *l = &lines->lines[n];
        if (is_below(l->path, path) || (!l->text && is_below(path, l->path))) {
            free(l->text);
        } else {
            lines->lines[left++] = *l;
        }
    }
    lines->count = left;
}

/* Adds a line, whose place is that of `here`. */
static bool add_line(solver_lines *lines, const yaml_node_t *node,
                     const solver_line *here, const char *path)
{
    const char *text = (const char *)node->data.scalar.value;
    const bool is_plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const bool is_null = is_plain && (text[0] == '\0' || strcmp(text, "~") == 0 ||
                                      strcmp(text, "null") == 0);
    const size_t bytes = ((size_t)lines->count + 1) * sizeof *lines->lines;
    solver_line *grown = realloc(lines->lines, bytes);
    lines->lines = grown ? grown : lines->lines;
    char *copy = is_null ? NULL : strdup(text);
    if (!grown || (!copy && !is_null)) {
        free(copy);
        return solver_fail_memory(bytes, "the config");
    }
    if (strlen(text) != node->data.scalar.length || lines->count == MOST_LINES) {
        free(copy);
        return solver_lines_fail(lines, here, "a config is a short text without bytes 0");
    }
    solver_line *line = &lines->lines[lines->count++];
    *line = *here;
    line->text = copy;
    snprintf(line->path, sizeof line->path, "%s", path);
    return true;
}

/* ---- YAML ---- */

/* A text that is being read: the file, or the value of an override. */
typedef struct reader {
    solver_lines *lines;
    const char *override;
    yaml_document_t document;
} reader;

static solver_line place_of(const reader *r, yaml_mark_t mark)
{
    return (solver_line){.number = mark.line + 1, .override = r->override};
}

static bool add_node(reader *r, int number, const char *path);

/* Adds a node below a path. Paths are short, so aliases cannot go round for ever. */
static bool add_below(reader *r, const solver_line *here, int number, const char *path,
                      const char *name)
{
    char below[SOLVER_KEY_SIZE];
    const int length =
        snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", name);
    return name[0] && length < SOLVER_KEY_SIZE
               ? add_node(r, number, below)
               : solver_lines_fail(r->lines, here, "a key has 1 to %d letters",
                                   SOLVER_KEY_SIZE - 1);
}

static bool add_node(reader *r, int number, const char *path)
{
    const yaml_node_t *node = yaml_document_get_node(&r->document, number);
    const solver_line here = place_of(r, node->start_mark);
    const solver_line *earlier = path[0] ? solver_lines_find(r->lines, path) : NULL;
    bool works = true;
    if (earlier) {
        return solver_lines_fail(r->lines, &here,
                                 "the key '%s' is there twice, first on line %zu", path,
                                 earlier->number);
    }
    if (node->type == YAML_MAPPING_NODE) {
        const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
        for (; works && pair < node->data.mapping.pairs.top; pair++) {
            const yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
            works = add_below(r, &here, pair->value, path,
                              key->type == YAML_SCALAR_NODE
                                  ? (const char *)key->data.scalar.value
                                  : "");
        }
        return works;
    }
    if (!path[0]) {
        return solver_lines_fail(r->lines, &here, "a config has keys such as 'grid:'");
    }
    if (node->type == YAML_SCALAR_NODE) {
        return add_line(r->lines, node, &here, path);
    }
    const yaml_node_item_t *items = node->data.sequence.items.start;
    for (int n = 0; works && items + n < node->data.sequence.items.top; n++) {
        char index[16];
        snprintf(index, sizeof index, "%d", n);
        works = add_below(r, &here, items[n], path, index);
    }
    return works;
}

/* Adds a text of YAML, one document, below a path. */
static bool parse(solver_lines *lines, const char *override, const char *path,
                  const char *text)
{
    reader r = {.lines = lines, .override = override};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return solver_fail_memory(0, "the config");
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    bool works = true, is_over = false;
    for (int n = 0; works && !is_over; n++) {
        if (!yaml_parser_load(&parser, &r.document)) {
            const solver_line here = place_of(&r, parser.problem_mark);
            works = solver_lines_fail(lines, &here, "not YAML: %s", parser.problem);
            break;
        }
        const solver_line here = place_of(&r, r.document.start_mark);
        is_over = !yaml_document_get_root_node(&r.document);
        works = is_over ||
                (n == 0 ? add_node(&r, 1, path)
                        : solver_lines_fail(lines, &here, "a second document begins"));
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
    return works;
}

bool solver_lines_parse(solver_lines *lines, const char *text)
{
    return parse(lines, NULL, "", text);
}

/* ---- Overrides ---- */

/* Replaces the index + in a path by the one behind the last entry of the list. */
static void number_entry(const solver_lines *lines, char path[SOLVER_KEY_SIZE])
{
    const char *plus = strstr(path, ".+");
    char entry[2 * SOLVER_KEY_SIZE];
    int n = 0, length = 0;
    while (plus && (n == 0 || solver_lines_find(lines, entry))) {
        length = snprintf(entry, sizeof entry, "%.*s.%d", (int)(plus - path), path, n++);
    }
    if (plus) {
        snprintf(entry + length, sizeof entry - (size_t)length, "%s", plus + 2);
        memcpy(path, entry, SOLVER_KEY_SIZE - 1);
    }
}

bool solver_lines_override(solver_lines *lines, const char *override)
{
    const char *equals = strchr(override, '=');
    const solver_line here = {.override = override};
    char path[SOLVER_KEY_SIZE];
    if (!equals || equals == override || equals - override >= SOLVER_KEY_SIZE ||
        equals[1 + strspn(equals + 1, " ")] == '\0') {
        return solver_lines_fail(lines, &here,
                                 "expected key=value, such as --set time.cfl=0.5");
    }
    snprintf(path, sizeof path, "%.*s", (int)(equals - override), override);
    number_entry(lines, path);
    remove_lines(lines, path);
    if (!parse(lines, override, path, equals + 1)) {
        return false;
    }
    const solver_line *set = solver_lines_find(lines, path);
    if (set && !set->text && strcmp(set->path, path) == 0) {
        remove_lines(lines, path);
    }
    return true;
}
