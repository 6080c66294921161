#include "document.h"

#include "base/status.h"
#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than any config; it bounds recursion over a document. */
enum { MAX_DEPTH = 32 };

static status fail_memory(void)
{
    base_fail_memory(0, "the config");
    return STATUS_MEMORY;
}

/* ---- Reading ---- */

/* The line of an invalid byte. libyaml gives only its offset. */
static size_t unreadable_line(const yaml_parser_t *parser)
{
    const unsigned char *text = parser->input.string.start;
    size_t size = (size_t)(parser->input.string.end - text);
    size_t line = 0;
    for (size_t i = 0; i < size && i < parser->problem_offset; i++) {
        line += text[i] == '\n' ? 1 : 0;
    }
    return line;
}

/* Whether the white space at the beginning of a line has a tab. */
static bool is_indented_by_tab(const yaml_parser_t *parser, size_t line)
{
    const char *text = (const char *)parser->input.string.start;
    const char *end = (const char *)parser->input.string.end;
    for (size_t n = 0; n < line && text < end; text++) {
        n += *text == '\n' ? 1 : 0;
    }
    while (text < end && *text == ' ') {
        text++;
    }
    return text < end && *text == '\t';
}

static status fail_parser(const io_document *document, const yaml_parser_t *parser,
                          const char *prefix)
{
    const char *problem = parser->problem != NULL ? parser->problem : "unreadable";
    if (parser->error == YAML_MEMORY_ERROR) {
        return fail_memory();
    }
    if (prefix != NULL) {
        return base_fail(
            STATUS_USAGE,
            "--set %s: not YAML: %s; quote a text that has special characters", prefix,
            problem);
    }
    size_t line = parser->error == YAML_READER_ERROR ? unreadable_line(parser)
                                                     : parser->problem_mark.line;
    if (is_indented_by_tab(parser, line)) {
        return base_fail(STATUS_USAGE,
                         "%s:%zu: a tab indents this line: YAML wants spaces",
                         document->path, line + 1);
    }
    const size_t begin = parser->context_mark.line;
    char context[64] = "";
    if (parser->context != NULL && begin < line) {
        snprintf(context, sizeof context, ", in what begins on line %zu", begin + 1);
    }
    return base_fail(STATUS_USAGE, "%s:%zu: not YAML: %s%s", document->path, line + 1,
                     problem, context);
}

/* Fails if anything follows the document that was just read. */
static status check_single(io_document *document, yaml_parser_t *parser,
                           const char *prefix)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        return fail_parser(document, parser, prefix);
    }
    bool is_end = yaml_document_get_root_node(&next) == NULL;
    size_t line = next.start_mark.line + 1;
    yaml_document_delete(&next);
    if (is_end) {
        return STATUS_OK;
    }
    if (prefix != NULL) {
        return base_fail(STATUS_USAGE, "--set %s: one value is expected", prefix);
    }
    return base_fail(STATUS_USAGE,
                     "%s:%zu: a second YAML document begins: a config is one",
                     document->path, line);
}

/* Sets the origin of all nodes. */
static void mark_origin(io_document *document, size_t origin)
{
    for (yaml_node_t *node = document->yaml.nodes.start; node < document->yaml.nodes.top;
         node++) {
        node->start_mark.index = origin;
    }
}

static bool holds_zero_byte(io_document *document, int node)
{
    const char *text = io_document_text(document, node);
    return text != NULL &&
           strlen(text) != io_document_node(document, node)->data.scalar.length;
}

static const char *check_keys(io_document *document, int node)
{
    const int count =
        io_document_is_mapping(document, node) ? io_document_count(document, node) : 0;
    for (int i = 0; i < count; i++) {
        if (io_document_text(document, io_document_pair(document, node, i).key) == NULL) {
            return "a key must be a text, not a list or mapping";
        }
    }
    return holds_zero_byte(document, node) ? "a text holds a zero byte" : NULL;
}

static status check_nodes(io_document *document, size_t origin, const char *prefix)
{
    const int count = (int)(document->yaml.nodes.top - document->yaml.nodes.start);
    mark_origin(document, origin);
    for (int node = 1; node <= count; node++) {
        const char *problem = check_keys(document, node);
        if (problem != NULL) {
            return prefix != NULL
                       ? base_fail(STATUS_USAGE, "--set %s: %s", prefix, problem)
                       : io_document_fail(document, node, "%s", problem);
        }
    }
    return STATUS_OK;
}

/* The change of depth that an event brings. */
static int depth_change(yaml_event_type_t type)
{
    return type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT ? 1
           : type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT   ? -1
                                                                                 : 0;
}

/*
 * Looks at the events of a text before a document is built of them, for libyaml takes
 * hours for 100,000 nested lists. Aliases are refused: one override could change two
 * places, a document could contain itself, and a few lines could expand to gigabytes.
 * Errors of syntax are left to the loading.
 */
static status check_events(io_document *document, yaml_parser_t *parser,
                           const char *prefix)
{
    const char *problem = NULL;
    size_t line = 0;
    int depth = 0;
    for (bool goes_on = true; goes_on && problem == NULL;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            return STATUS_OK;
        }
        depth += depth_change(event.type);
        line = event.start_mark.line + 1;
        problem = event.type == YAML_ALIAS_EVENT
                      ? "aliases (*name) are not supported: write the value again"
                  : depth > MAX_DEPTH ? "lists and mappings are nested too deeply"
                                      : NULL;
        goes_on = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    if (problem == NULL) {
        return STATUS_OK;
    }
    return prefix != NULL
               ? base_fail(STATUS_USAGE, "--set %s: %s", prefix, problem)
               : base_fail(STATUS_USAGE, "%s:%zu: %s", document->path, line, problem);
}

static status load_document(io_document *document, yaml_parser_t *parser,
                            const char *prefix)
{
    if (!yaml_parser_load(parser, &document->yaml)) {
        return fail_parser(document, parser, prefix);
    }
    return yaml_document_get_root_node(&document->yaml) != NULL
               ? check_single(document, parser, prefix)
               : STATUS_OK;
}

/* Parses `text` from its beginning. */
static status parse_by(status (*parse)(io_document *, yaml_parser_t *, const char *),
                       io_document *document, const char *text, size_t size,
                       const char *prefix)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return fail_memory();
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const status result = parse(document, &parser, prefix);
    yaml_parser_delete(&parser);
    return result;
}

/* Loads the one document of `text` into document->yaml. `prefix`: the override that has
 * the text, or NULL. */
static status load(io_document *document, const char *text, size_t size, size_t origin,
                   const char *prefix)
{
    status s = parse_by(check_events, document, text, size, prefix);
    s = s == STATUS_OK ? parse_by(load_document, document, text, size, prefix) : s;
    return s == STATUS_OK ? check_nodes(document, origin, prefix) : s;
}

static status create(const char *path, io_document **out)
{
    io_document *document = calloc(1, sizeof *document);
    if (document == NULL || (document->path = strdup(path)) == NULL) {
        free(document);
        return fail_memory();
    }
    *out = document;
    return STATUS_OK;
}

void io_document_destroy(io_document **document)
{
    if (*document == NULL) {
        return;
    }
    yaml_document_delete(&(*document)->yaml);
    for (int i = 0; i < (*document)->noverrides; i++) {
        free((*document)->overrides[i]);
    }
    for (int i = 0; i < (*document)->nlater; i++) {
        free((*document)->later[i]);
    }
    free((*document)->later);
    free((*document)->overrides);
    free((*document)->path);
    free(*document);
    *document = NULL;
}

/* Adds a copy of a text to a list; false if memory is short. */
static bool add_text(const char *text, int *count, char ***list)
{
    char **grown = realloc(*list, ((size_t)*count + 1) * sizeof *grown);
    *list = grown != NULL ? grown : *list;
    char *copy = grown != NULL ? strdup(text) : NULL;
    if (copy != NULL) {
        grown[(*count)++] = copy;
    }
    return copy != NULL;
}

static status copy_overrides(const io_document *from, io_document *to)
{
    bool works = true;
    for (int n = 0; n < from->noverrides && works; n++) {
        works = add_text(from->overrides[n], &to->noverrides, &to->overrides);
    }
    for (int n = 0; n < from->nlater && works; n++) {
        works = add_text(from->later[n], &to->nlater, &to->later);
    }
    return works ? STATUS_OK : fail_memory();
}

status io_document_duplicate(io_document *document, io_document **out)
{
    io_document *copy = NULL;
    status result = create(document->path, &copy);
    if (result != STATUS_OK) {
        return result;
    }
    if (!yaml_document_initialize(&copy->yaml, NULL, NULL, NULL, 1, 1) ||
        io_document_copy(copy, document, IO_DOCUMENT_ROOT) != IO_DOCUMENT_ROOT) {
        result = fail_memory();
    } else {
        result = copy_overrides(document, copy);
    }
    if (result != STATUS_OK) {
        io_document_destroy(&copy);
        return result;
    }
    *out = copy;
    return STATUS_OK;
}

/* Replaces an empty text by an empty config, so that messages list the missing keys. */
static status replace_nothing(io_document *document)
{
    if (io_document_node(document, IO_DOCUMENT_ROOT) != NULL &&
        !io_document_is_null(document, IO_DOCUMENT_ROOT)) {
        return STATUS_OK;
    }
    yaml_document_delete(&document->yaml);
    if (!yaml_document_initialize(&document->yaml, NULL, NULL, NULL, 1, 1) ||
        io_document_add_mapping(document, 0) != IO_DOCUMENT_ROOT) {
        return fail_memory();
    }
    io_document_node(document, IO_DOCUMENT_ROOT)->start_mark.index = IO_ORIGIN_DEFAULT;
    return STATUS_OK;
}

static status check_root(io_document *document)
{
    if (!io_document_is_mapping(document, IO_DOCUMENT_ROOT)) {
        return io_document_fail_type(document, IO_DOCUMENT_ROOT, "config",
                                     "a mapping of keys such as 'data:'");
    }
    return STATUS_OK;
}

status io_document_parse(const char *path, const char *text, size_t size,
                         io_document **out)
{
    io_document *document = NULL;
    status result = create(path, &document);
    if (result != STATUS_OK) {
        return result;
    }
    result = load(document, text, size, IO_ORIGIN_FILE, NULL);
    if (result == STATUS_OK) {
        result = replace_nothing(document);
    }
    if (result == STATUS_OK) {
        result = check_root(document);
    }
    if (result != STATUS_OK) {
        io_document_destroy(&document);
        return result;
    }
    *out = document;
    return STATUS_OK;
}

/* ---- Overriding ---- */

/* Parses `text` on its own and copies it into document; *node is 0 for an empty text. */
static status graft(io_document *document, const char *text, size_t origin,
                    const char *prefix, int *node)
{
    io_document *twig = NULL;
    status result = create(document->path, &twig);
    if (result != STATUS_OK) {
        return result;
    }
    result = load(twig, text, strlen(text), origin, prefix);
    if (result == STATUS_OK && io_document_node(twig, IO_DOCUMENT_ROOT) != NULL) {
        *node = io_document_copy(document, twig, IO_DOCUMENT_ROOT);
        result = *node != 0 ? STATUS_OK : fail_memory();
    }
    io_document_destroy(&twig);
    return result;
}

/* Sets the child of `node` with the name or index `part`. */
static status set_child(io_document *document, int node, const char *part, int value,
                        const char *assignment)
{
    if (io_document_is_sequence(document, node)) {
        int count = io_document_count(document, node);
        if (strcmp(part, "+") == 0) {
            return io_document_append(document, node, value) ? STATUS_OK : fail_memory();
        }
        int index = io_document_index(part, count);
        if (index < 0) {
            return base_fail(
                STATUS_USAGE,
                "--set %s: '%s' is no index of a list of %d (they start at 0)",
                assignment, part, count);
        }
        io_document_node(document, node)->data.sequence.items.start[index] = value;
        return STATUS_OK;
    }
    if (!io_document_is_mapping(document, node)) {
        return base_fail(STATUS_USAGE,
                         "--set %s: there is nothing below the value before '%s'",
                         assignment, part);
    }
    return io_document_set(document, node, part, value) ? STATUS_OK : fail_memory();
}

/* Whether a mapping may replace a node: it is missing, null, or the word auto, beside
 * which keys of a section may be given. */
static bool gives_way(io_document *document, int node)
{
    const char *text = io_document_text(document, node);
    return node == 0 || io_document_is_null(document, node) ||
           (text != NULL && strcmp(text, "auto") == 0);
}

/* Moves to the child with the name or index `part`; adds it if it is a missing key. */
static status step_down(io_document *document, int *node, const char *part, int value,
                        const char *assignment)
{
    int child = io_document_child(document, *node, part);
    if (gives_way(document, child)) {
        child = io_document_add_mapping(document, value);
        if (child == 0) {
            return fail_memory();
        }
        status result = set_child(document, *node, part, child, assignment);
        if (result != STATUS_OK) {
            return result;
        }
    }
    *node = child;
    return STATUS_OK;
}

/* Sets the node at the dotted `path`, which is modified. */
static status set_path(io_document *document, char *path, int value,
                       const char *assignment)
{
    int node = IO_DOCUMENT_ROOT;
    int depth = 0;
    char *part = path;
    for (char *dot = strchr(part, '.'); dot != NULL; dot = strchr(part, '.')) {
        if (++depth >= MAX_DEPTH) {
            return base_fail(STATUS_USAGE, "--set %.60s…: the key has too many parts",
                             assignment);
        }
        *dot = '\0';
        status result = step_down(document, &node, part, value, assignment);
        if (result != STATUS_OK) {
            return result;
        }
        part = dot + 1;
    }
    return set_child(document, node, part, value, assignment);
}

/* Keeps an override for messages, as one line. *shown is borrowed. */
static status remember_override(io_document *document, const char *assignment,
                                const char **shown)
{
    if (!add_text(assignment, &document->noverrides, &document->overrides)) {
        return fail_memory();
    }
    char *kept = document->overrides[document->noverrides - 1];
    base_words_flatten(kept);
    *shown = kept;
    return STATUS_OK;
}

/* Applies an override whose key ends before `equals`. */
static status apply_override(io_document *document, const char *assignment,
                             const char *equals, const char *shown)
{
    int value = 0;
    size_t origin = IO_ORIGIN_OVERRIDE + (size_t)document->noverrides - 1;
    status result = graft(document, equals + 1, origin, shown, &value);
    if (result != STATUS_OK) {
        return result;
    }
    if (value == 0) {
        return base_fail(STATUS_USAGE, "--set %s: there is no value after '='", shown);
    }
    char *path = strndup(assignment, (size_t)(equals - assignment));
    if (path == NULL) {
        return fail_memory();
    }
    result = set_path(document, path, value, shown);
    free(path);
    return result;
}

status io_document_keep(io_document *document, const char *assignment, bool *kept)
{
    static const char layers[] = "layers.";
    const char number = assignment[strncmp(assignment, layers, sizeof layers - 1) == 0
                                       ? sizeof layers - 1
                                       : strlen(assignment)];
    *kept = number >= '0' && number <= '9' &&
            gives_way(document, io_document_find(document, "layers"));
    return !*kept || add_text(assignment, &document->nlater, &document->later)
               ? STATUS_OK
               : fail_memory();
}

status io_document_override(io_document *document, const char *assignment)
{
    const char *shown = NULL;
    status result = remember_override(document, assignment, &shown);
    if (result != STATUS_OK) {
        return result;
    }
    const char *equals = strchr(assignment, '=');
    if (equals == NULL || equals == assignment) {
        return base_fail(STATUS_USAGE,
                         "--set %s: expected key=value, such as --set image.width=512",
                         shown);
    }
    return apply_override(document, assignment, equals, shown);
}

/* ---- Completing ---- */

/* Adds to the mapping `node` the keys of the mapping `defaults` that it lacks. */
static bool merge(io_document *document, int node, int defaults)
{
    int count = io_document_count(document, defaults);
    for (int i = 0; i < count; i++) {
        yaml_node_pair_t pair = io_document_pair(document, defaults, i);
        const char *key = io_document_text(document, pair.key);
        int value = io_document_value(document, node, key);
        if (value == 0 && !yaml_document_append_mapping_pair(&document->yaml, node,
                                                             pair.key, pair.value)) {
            return false;
        }
        if (io_document_is_mapping(document, value) &&
            io_document_is_mapping(document, pair.value) &&
            !merge(document, value, pair.value)) {
            return false;
        }
    }
    return true;
}

status io_document_complete(io_document *document, int node, const char *defaults)
{
    if (!io_document_is_mapping(document, node)) {
        return STATUS_OK;
    }
    int added = 0;
    status result = graft(document, defaults, IO_ORIGIN_DEFAULT, "the defaults", &added);
    if (result == STATUS_OK && !merge(document, node, added)) {
        result = fail_memory();
    }
    return result;
}
