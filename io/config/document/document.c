#include "document.h"

#include "base/status.h"
#include "base/words.h"
#include "scalar.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Looking ---- */

yaml_node_t *io_document_node(io_document *document, int node)
{
    return yaml_document_get_node(&document->yaml, node);
}

static bool has_type(io_document *document, int node, yaml_node_type_t type)
{
    const yaml_node_t *found = io_document_node(document, node);
    return found != NULL && found->type == type;
}

bool io_document_is_mapping(io_document *document, int node)
{
    return has_type(document, node, YAML_MAPPING_NODE);
}

bool io_document_is_sequence(io_document *document, int node)
{
    return has_type(document, node, YAML_SEQUENCE_NODE);
}

const char *io_document_text(io_document *document, int node)
{
    if (!has_type(document, node, YAML_SCALAR_NODE)) {
        return NULL;
    }
    return (const char *)io_document_node(document, node)->data.scalar.value;
}

static bool is_plain(io_document *document, int node)
{
    return io_document_node(document, node)->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

bool io_document_is_null(io_document *document, int node)
{
    const char *text = io_document_text(document, node);
    return text != NULL && is_plain(document, node) &&
           (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

int io_document_count(io_document *document, int node)
{
    const yaml_node_t *found = io_document_node(document, node);
    if (io_document_is_mapping(document, node)) {
        return (int)(found->data.mapping.pairs.top - found->data.mapping.pairs.start);
    }
    if (io_document_is_sequence(document, node)) {
        return (int)(found->data.sequence.items.top - found->data.sequence.items.start);
    }
    return 0;
}

int io_document_item(io_document *document, int node, int index)
{
    return io_document_node(document, node)->data.sequence.items.start[index];
}

yaml_node_pair_t io_document_pair(io_document *document, int node, int index)
{
    return io_document_node(document, node)->data.mapping.pairs.start[index];
}

/* The index of the pair with this key, or -1. */
static int find_pair(io_document *document, int node, const char *key)
{
    int count =
        io_document_is_mapping(document, node) ? io_document_count(document, node) : 0;
    for (int i = 0; i < count; i++) {
        const char *text =
            io_document_text(document, io_document_pair(document, node, i).key);
        if (text != NULL && strcmp(text, key) == 0) {
            return i;
        }
    }
    return -1;
}

int io_document_value(io_document *document, int node, const char *key)
{
    int index = find_pair(document, node, key);
    return index < 0 ? 0 : io_document_pair(document, node, index).value;
}

int io_document_index(const char *part, int count)
{
    int64_t index = 0;
    bool is_index = io_scalar_integer(part, &index) && index >= 0 && index < count;
    return is_index ? (int)index : -1;
}

int io_document_child(io_document *document, int node, const char *part)
{
    if (io_document_is_sequence(document, node)) {
        int index = io_document_index(part, io_document_count(document, node));
        return index < 0 ? 0 : io_document_item(document, node, index);
    }
    return io_document_value(document, node, part);
}

int io_document_below(io_document *document, int node, const char *path)
{
    char parts[IO_DOCUMENT_PATH_SIZE];
    snprintf(parts, sizeof parts, "%s", path);
    char *rest = NULL;
    for (char *part = strtok_r(parts, ".", &rest); part != NULL && node != 0;
         part = strtok_r(NULL, ".", &rest)) {
        node = io_document_child(document, node, part);
    }
    return node;
}

int io_document_find(io_document *document, const char *path)
{
    return io_document_below(document, IO_DOCUMENT_ROOT, path);
}

/* ---- Failing ---- */

void io_document_place(const io_document *document, int node, size_t size, char *place)
{
    const yaml_node_t *start = document->yaml.nodes.start;
    size_t origin = node > 0 ? start[node - 1].start_mark.index : IO_ORIGIN_DEFAULT;
    if (origin >= IO_ORIGIN_OVERRIDE) {
        snprintf(place, size, "%s", document->overrides[origin - IO_ORIGIN_OVERRIDE]);
    } else if (origin == IO_ORIGIN_DEFAULT) {
        snprintf(place, size, "%s", document->path);
    } else {
        size_t line = start[node - 1].start_mark.line + 1;
        snprintf(place, size, "%s:%zu", document->path, line);
    }
}

status io_document_fail(const io_document *document, int node, const char *format, ...)
{
    char message[1024], place[IO_DOCUMENT_PLACE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    base_words_flatten(message);
    io_document_place(document, node, sizeof place, place);
    return base_fail(STATUS_USAGE, "%s: %s", place, message);
}

status io_document_fail_type(io_document *document, int node, const char *key,
                             const char *expected)
{
    if (io_document_is_mapping(document, node)) {
        return io_document_fail(document, node, "%s: expected %s, found a mapping", key,
                                expected);
    }
    if (io_document_is_sequence(document, node)) {
        return io_document_fail(document, node, "%s: expected %s, found a list", key,
                                expected);
    }
    if (io_document_is_null(document, node)) {
        return io_document_fail(document, node, "%s: expected %s, found nothing", key,
                                expected);
    }
    return io_document_fail(document, node, "%s: expected %s, found '%.60s'", key,
                            expected, io_document_text(document, node));
}

/* ---- Changing ---- */

/* Gives a new node the place of another node. */
static int mark(io_document *document, int node, int from)
{
    if (node != 0 && from != 0) {
        yaml_mark_t place = io_document_node(document, from)->start_mark;
        io_document_node(document, node)->start_mark = place;
    }
    return node;
}

int io_document_add_scalar(io_document *document, int from, const char *text)
{
    const yaml_char_t *value = (const yaml_char_t *)text;
    int node = yaml_document_add_scalar(&document->yaml, NULL, value, (int)strlen(text),
                                        YAML_PLAIN_SCALAR_STYLE);
    return mark(document, node, from);
}

int io_document_add_sequence(io_document *document, int from)
{
    int node =
        yaml_document_add_sequence(&document->yaml, NULL, YAML_FLOW_SEQUENCE_STYLE);
    return mark(document, node, from);
}

int io_document_add_mapping(io_document *document, int from)
{
    int node = yaml_document_add_mapping(&document->yaml, NULL, YAML_FLOW_MAPPING_STYLE);
    return mark(document, node, from);
}

bool io_document_append(io_document *document, int sequence, int item)
{
    return sequence != 0 && item != 0 &&
           yaml_document_append_sequence_item(&document->yaml, sequence, item) != 0;
}

bool io_document_set(io_document *document, int mapping, const char *key, int value)
{
    if (mapping == 0 || value == 0) {
        return false;
    }
    int index = find_pair(document, mapping, key);
    if (index >= 0) {
        io_document_node(document, mapping)->data.mapping.pairs.start[index].value =
            value;
        return true;
    }
    int name = io_document_add_scalar(document, value, key);
    return name != 0 &&
           yaml_document_append_mapping_pair(&document->yaml, mapping, name, value) != 0;
}

void io_document_remove(io_document *document, int mapping, const char *key)
{
    int index = find_pair(document, mapping, key);
    if (index < 0) {
        return;
    }
    yaml_node_t *node = io_document_node(document, mapping);
    yaml_node_pair_t *pair = node->data.mapping.pairs.start + index;
    size_t after = (size_t)(node->data.mapping.pairs.top - pair - 1);
    memmove(pair, pair + 1, after * sizeof *pair);
    node->data.mapping.pairs.top--;
}

static void remove_item(io_document *document, int sequence, int index)
{
    yaml_node_t *node = io_document_node(document, sequence);
    yaml_node_item_t *item = node->data.sequence.items.start + index;
    const size_t after = (size_t)(node->data.sequence.items.top - item - 1);
    memmove(item, item + 1, after * sizeof *item);
    node->data.sequence.items.top--;
}

status io_document_drop(io_document *document, const char *path)
{
    char above[IO_DOCUMENT_PATH_SIZE];
    snprintf(above, sizeof above, "%s", path);
    char *dot = strrchr(above, '.');
    const char *last = dot != NULL ? dot + 1 : path;
    if (dot != NULL) {
        *dot = '\0';
    }
    const int node =
        dot != NULL ? io_document_find(document, above) : (int)IO_DOCUMENT_ROOT;
    if (node == 0 || io_document_child(document, node, last) == 0) {
        return base_fail(STATUS_USAGE, "%s: there is no such key that could be removed",
                         path);
    }
    if (io_document_is_sequence(document, node)) {
        remove_item(document, node,
                    io_document_index(last, io_document_count(document, node)));
    } else {
        io_document_remove(document, node, last);
    }
    return STATUS_OK;
}

void io_document_forget_lines(io_document *document)
{
    for (int node = IO_DOCUMENT_ROOT; io_document_node(document, node) != NULL; node++) {
        io_document_node(document, node)->start_mark.index = IO_ORIGIN_DEFAULT;
    }
}

void io_document_forget_overrides(io_document *document)
{
    for (int node = IO_DOCUMENT_ROOT; io_document_node(document, node) != NULL; node++) {
        yaml_mark_t *mark = &io_document_node(document, node)->start_mark;
        if (mark->index >= IO_ORIGIN_OVERRIDE) {
            mark->index = IO_ORIGIN_DEFAULT;
        }
    }
    for (int n = 0; n < document->noverrides; n++) {
        free(document->overrides[n]);
    }
    document->noverrides = 0;
}

static int copy_sequence(io_document *to, io_document *from, int node)
{
    int copy = io_document_add_sequence(to, 0);
    int count = io_document_count(from, node);
    for (int i = 0; i < count && copy != 0; i++) {
        int item = io_document_copy(to, from, io_document_item(from, node, i));
        copy = io_document_append(to, copy, item) ? copy : 0;
    }
    return copy;
}

/* Copies a mapping. Pairs are appended, not set, so that a later check finds duplicate
 * keys. */
static int copy_mapping(io_document *to, io_document *from, int node)
{
    int copy = io_document_add_mapping(to, 0);
    int count = io_document_count(from, node);
    for (int i = 0; i < count && copy != 0; i++) {
        yaml_node_pair_t pair = io_document_pair(from, node, i);
        int key = io_document_copy(to, from, pair.key);
        int value = key == 0 ? 0 : io_document_copy(to, from, pair.value);
        if (value == 0 ||
            !yaml_document_append_mapping_pair(&to->yaml, copy, key, value)) {
            return 0;
        }
    }
    return copy;
}

int io_document_copy(io_document *to, io_document *from, int node)
{
    int copy = 0;
    if (io_document_is_sequence(from, node)) {
        copy = copy_sequence(to, from, node);
    } else if (io_document_is_mapping(from, node)) {
        copy = copy_mapping(to, from, node);
    } else {
        copy = io_document_add_scalar(to, 0, io_document_text(from, node));
    }
    if (copy != 0) {
        const yaml_node_t *original = io_document_node(from, node);
        yaml_node_t *made = io_document_node(to, copy);
        made->start_mark = original->start_mark;
        if (original->type == YAML_SCALAR_NODE) {
            made->data.scalar.style = original->data.scalar.style;
        }
    }
    return copy;
}
