/* Overrides: "image.width=512", and what options of a command line stand for. */
#include "base/status.h"
#include "base/words.h"
#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status fail_memory(void)
{
    return base_fail_memory(0, "the config");
}

/* ---- Values ------------------------------------------------------------------------ */

/* Parses `text` on its own and copies it into document; *node is 0 for an empty text. */
static status graft(io_document *document, const char *text, size_t origin,
                    const char *place, int *node)
{
    io_document *twig = NULL;
    status result = io_document_create(document->path, &twig);
    if (result != STATUS_OK) {
        return result;
    }
    result = io_document_load(twig, text, strlen(text), origin, place);
    if (result == STATUS_OK && io_document_node(twig, IO_DOCUMENT_ROOT) != NULL) {
        *node = io_document_copy(document, twig, IO_DOCUMENT_ROOT);
        result = *node != 0 ? STATUS_OK : fail_memory();
    }
    io_document_destroy(&twig);
    return result;
}

/* Sets the child of `node` with the name or index `part`. */
static status set_child(io_document *document, int node, const char *part, int value,
                        const char *place)
{
    if (io_document_is_sequence(document, node)) {
        int count = io_document_count(document, node);
        if (strcmp(part, "+") == 0) {
            return io_document_append(document, node, value) ? STATUS_OK : fail_memory();
        }
        int index = io_document_index(part, count);
        if (index < 0) {
            return base_fail(STATUS_USAGE,
                             "%s: '%s' is no index of a list of %d: they go from 0 to "
                             "%d, and + adds an entry",
                             place, part, count, count - 1);
        }
        io_document_node(document, node)->data.sequence.items.start[index] = value;
        return STATUS_OK;
    }
    if (!io_document_is_mapping(document, node)) {
        return base_fail(STATUS_USAGE, "%s: there is nothing below the value before '%s'",
                         place, part);
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
                        const char *place)
{
    int child = io_document_child(document, *node, part);
    if (gives_way(document, child)) {
        child = io_document_add_mapping(document, value);
        if (child == 0) {
            return fail_memory();
        }
        status result = set_child(document, *node, part, child, place);
        if (result != STATUS_OK) {
            return result;
        }
    }
    *node = child;
    return STATUS_OK;
}

/* Sets the node at the dotted `path`, which is modified. */
static status set_path(io_document *document, char *path, int value, const char *place)
{
    int node = IO_DOCUMENT_ROOT;
    int depth = 0;
    char *part = path;
    for (char *dot = strchr(part, '.'); dot != NULL; dot = strchr(part, '.')) {
        if (++depth >= IO_DOCUMENT_DEPTH) {
            return base_fail(STATUS_USAGE, "%.60s…: the key has too many parts", place);
        }
        *dot = '\0';
        status result = step_down(document, &node, part, value, place);
        if (result != STATUS_OK) {
            return result;
        }
        part = dot + 1;
    }
    return set_child(document, node, part, value, place);
}

/* ---- Overrides --------------------------------------------------------------------- */

/* Keeps the place of an override for messages, as one line: "--set KEY=VALUE", or the
 * words before a '\v'. *place is borrowed. */
static status remember(io_document *document, const char *override,
                       const char *assignment, const char **place)
{
    const int length = assignment > override ? (int)(assignment - override) - 1 : 0;
    const size_t size = strlen(override) + 8;
    char *text = malloc(size);
    bool works = text != NULL;
    if (works) {
        snprintf(text, size, length > 0 ? "%.*s" : "--set %.*s",
                 length > 0 ? length : (int)strlen(override), override);
        base_words_flatten(text);
        works = io_document_add_text(text, &document->noverrides, &document->overrides);
    }
    free(text);
    *place = works ? document->overrides[document->noverrides - 1] : NULL;
    return works ? STATUS_OK : fail_memory();
}

/* Makes the node of a value. A '#' at its beginning begins a colour, not a comment. */
static status make_value(io_document *document, const char *text, const char *place,
                         int *value)
{
    const size_t origin = IO_ORIGIN_OVERRIDE + (size_t)document->noverrides - 1;
    if (text[0] == '#') {
        *value = io_document_add_scalar(document, 0, text);
        if (*value != 0) {
            io_document_node(document, *value)->start_mark.index = origin;
        }
        return *value != 0 ? STATUS_OK : fail_memory();
    }
    status s = graft(document, text, origin, place, value);
    return s == STATUS_OK && *value == 0
               ? base_fail(STATUS_USAGE, "%s: there is no value after '='", place)
               : s;
}

/* Applies an override of the key at `path`, which is modified. */
static status apply(io_document *document, char *path, const char *text,
                    const char *place)
{
    int value = 0;
    status s = make_value(document, text, place, &value);
    if (s == STATUS_OK && io_document_is_null(document, value)) {
        return io_document_find(document, path) != 0 ? io_document_drop(document, path)
                                                     : STATUS_OK;
    }
    return s == STATUS_OK ? set_path(document, path, value, place) : s;
}

/* Whether an override belongs to layers that are to be found. */
static bool is_for_later(io_document *document, const char *assignment)
{
    static const char layers[] = "layers.";
    const size_t length = sizeof layers - 1;
    const char next =
        strncmp(assignment, layers, length) == 0 ? assignment[length] : '\0';
    return ((next >= '0' && next <= '9') || next == '+') &&
           gives_way(document, io_document_find(document, "layers"));
}

status io_document_override(io_document *document, const char *override)
{
    const char *end = strchr(override, '\v');
    const char *assignment = end != NULL ? end + 1 : override, *place = NULL;
    if (is_for_later(document, assignment)) {
        return io_document_add_text(override, &document->nlater, &document->later)
                   ? STATUS_OK
                   : fail_memory();
    }
    status s = remember(document, override, assignment, &place);
    const char *equals = strchr(assignment, '=');
    if (s == STATUS_OK && (equals == NULL || equals == assignment)) {
        return base_fail(STATUS_USAGE,
                         "%s: expected key=value, such as --set image.width=512", place);
    }
    const bool is_default = s == STATUS_OK && equals[-1] == '?';
    char *path =
        s == STATUS_OK
            ? strndup(assignment, (size_t)(equals - assignment) - (is_default ? 1 : 0))
            : NULL;
    s = s == STATUS_OK && path == NULL ? fail_memory() : s;
    if (s == STATUS_OK &&
        !(is_default && !gives_way(document, io_document_find(document, path)))) {
        s = apply(document, path, equals + 1, place);
    }
    free(path);
    return s;
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
