#include "base/status.h"
#include "base/words.h"
#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Words of libyaml, and ours. */
typedef struct translation {
    const char *theirs, *ours;
} translation;

static const translation translations[] = {
    {"did not find expected ',' or '}'", "a ',' or a '}' is missing"},
    {"did not find expected ',' or ']'", "a ',' or a ']' is missing"},
    {"did not find expected key",
     "this line stands neither below the key above it nor beside it: look at its blanks"},
    {"did not find expected '-' indicator",
     "this line stands in a list, whose entries begin with '- '"},
    {"could not find expected ':'", "a key lacks its ': '"},
    {"mapping values are not allowed in this context",
     "a ': ' stands where no key can be: quote a text that has one, or look at the "
     "blanks before this line"},
    {"found unexpected end of stream", "a quote is not closed"},
    {"found character that cannot start any token",
     "a text that begins with % @ or ` needs quotes"},
    {"did not find expected <document start>",
     "a list or mapping ends before this: look at its brackets"}};

static const char *translate(const char *problem)
{
    for (size_t n = 0; n < sizeof translations / sizeof translations[0]; n++) {
        if (strcmp(translations[n].theirs, problem) == 0) {
            return translations[n].ours;
        }
    }
    return problem;
}

/* A colour without quotes, which is a comment, on lines `from` to `to`; its length, or 0.
 * *line: of the colour. */
static size_t find_bare_color(const yaml_parser_t *parser, size_t from, size_t to,
                              const char **color, size_t *line)
{
    const char *text = (const char *)parser->input.string.start;
    const char *end = (const char *)parser->input.string.end;
    *line = 0;
    for (; text < end && *line <= to; text++) {
        *line += *text == '\n' ? 1 : 0;
        const size_t digits =
            *text == '#' ? strspn(text + 1, "0123456789abcdefABCDEF") : 0;
        if (*line >= from && (digits == 3 || digits == 6) && text[-1] == ' ') {
            *color = text;
            return digits + 1;
        }
    }
    return 0;
}

static status fail_parser(const io_document *document, const yaml_parser_t *parser,
                          const char *place)
{
    const char *problem =
        parser->problem != NULL ? translate(parser->problem) : "it cannot be read";
    const char *color = NULL;
    if (parser->error == YAML_MEMORY_ERROR) {
        return fail_memory();
    }
    size_t line = parser->error == YAML_READER_ERROR ? unreadable_line(parser)
                                                     : parser->problem_mark.line;
    const size_t begin = parser->context_mark.line;
    size_t at = 0;
    const size_t length =
        find_bare_color(parser, begin < line ? begin : line, line, &color, &at);
    char where[IO_DOCUMENT_PLACE_SIZE];
    snprintf(where, sizeof where, place != NULL ? "%s" : "%s:%zu",
             place != NULL ? place : document->path, (length > 0 ? at : line) + 1);
    if (length > 0) {
        return base_fail(STATUS_USAGE,
                         "%s: '%.*s' begins a comment: write a colour in quotes, "
                         "\"%.*s\"",
                         where, (int)length, color, (int)length, color);
    }
    if (place != NULL) {
        return base_fail(STATUS_USAGE,
                         "%s: not YAML: %s; quote a text that has special characters",
                         where, problem);
    }
    if (is_indented_by_tab(parser, line)) {
        return base_fail(STATUS_USAGE, "%s: a tab indents this line: YAML wants spaces",
                         where);
    }
    char context[64] = "";
    if (parser->context != NULL && begin < line) {
        snprintf(context, sizeof context, ", in what begins on line %zu", begin + 1);
    }
    return base_fail(STATUS_USAGE, "%s: not YAML: %s%s", where, problem, context);
}

/* Fails if anything follows the document that was just read. */
static status check_single(io_document *document, yaml_parser_t *parser,
                           const char *place)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        return fail_parser(document, parser, place);
    }
    bool is_end = yaml_document_get_root_node(&next) == NULL;
    size_t line = next.start_mark.line + 1;
    yaml_document_delete(&next);
    if (is_end) {
        return STATUS_OK;
    }
    if (place != NULL) {
        return base_fail(STATUS_USAGE, "%s: one value is expected", place);
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

static status check_nodes(io_document *document, size_t origin, const char *place)
{
    const int count = (int)(document->yaml.nodes.top - document->yaml.nodes.start);
    mark_origin(document, origin);
    for (int node = 1; node <= count; node++) {
        const char *problem = check_keys(document, node);
        if (problem != NULL) {
            return place != NULL ? base_fail(STATUS_USAGE, "%s: %s", place, problem)
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
                           const char *place)
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
                  : depth > IO_DOCUMENT_DEPTH ? "lists and mappings are nested too deeply"
                                              : NULL;
        goes_on = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    if (problem == NULL) {
        return STATUS_OK;
    }
    return place != NULL
               ? base_fail(STATUS_USAGE, "%s: %s", place, problem)
               : base_fail(STATUS_USAGE, "%s:%zu: %s", document->path, line, problem);
}

static status load_document(io_document *document, yaml_parser_t *parser,
                            const char *place)
{
    if (!yaml_parser_load(parser, &document->yaml)) {
        return fail_parser(document, parser, place);
    }
    return yaml_document_get_root_node(&document->yaml) != NULL
               ? check_single(document, parser, place)
               : STATUS_OK;
}

/* Parses `text` from its beginning. */
static status parse_by(status (*parse)(io_document *, yaml_parser_t *, const char *),
                       io_document *document, const char *text, size_t size,
                       const char *place)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return fail_memory();
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const status result = parse(document, &parser, place);
    yaml_parser_delete(&parser);
    return result;
}

status io_document_load(io_document *document, const char *text, size_t size,
                        size_t origin, const char *place)
{
    status s = parse_by(check_events, document, text, size, place);
    s = s == STATUS_OK ? parse_by(load_document, document, text, size, place) : s;
    return s == STATUS_OK ? check_nodes(document, origin, place) : s;
}

status io_document_create(const char *path, io_document **out)
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

bool io_document_add_text(const char *text, int *count, char ***list)
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
        works = io_document_add_text(from->overrides[n], &to->noverrides, &to->overrides);
    }
    for (int n = 0; n < from->nlater && works; n++) {
        works = io_document_add_text(from->later[n], &to->nlater, &to->later);
    }
    return works ? STATUS_OK : fail_memory();
}

status io_document_duplicate(io_document *document, io_document **out)
{
    io_document *copy = NULL;
    status result = io_document_create(document->path, &copy);
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
    status result = io_document_create(path, &document);
    if (result != STATUS_OK) {
        return result;
    }
    result = io_document_load(document, text, size, IO_ORIGIN_FILE, NULL);
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
