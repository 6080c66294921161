#include "document.h"

#include "scalar.h"

#include <math.h>
#include <string.h>

/* Integers are written alike whether the user typed 2, 2.0 or 2e0. */
static json_t *number_json(double value)
{
    if (value == floor(value) && fabs(value) < 0x1p53) {
        return json_integer((json_int_t)value);
    }
    return json_real(value);
}

static json_t *scalar_json(io_document *document, int node)
{
    const char *text = io_document_text(document, node);
    int64_t integer = 0;
    double number = 0.0;
    if (io_document_node(document, node)->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        return json_string(text);
    }
    if (io_document_is_null(document, node)) {
        return json_null();
    }
    if (io_scalar_integer(text, &integer)) {
        return json_integer(integer);
    }
    if (io_scalar_number(text, &number)) {
        return number_json(number);
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return json_boolean(text[0] == 't');
    }
    return json_string(text);
}

static json_t *node_json(io_document *document, int node);

static json_t *sequence_json(io_document *document, int node)
{
    json_t *array = json_array();
    int count = io_document_count(document, node);
    for (int i = 0; i < count && array != NULL; i++) {
        json_t *item = node_json(document, io_document_item(document, node, i));
        if (item == NULL || json_array_append_new(array, item) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *mapping_json(io_document *document, int node)
{
    json_t *object = json_object();
    int count = io_document_count(document, node);
    for (int i = 0; i < count && object != NULL; i++) {
        yaml_node_pair_t pair = io_document_pair(document, node, i);
        const char *key = io_document_text(document, pair.key);
        json_t *value = node_json(document, pair.value);
        if (value == NULL || json_object_set_new(object, key, value) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *node_json(io_document *document, int node)
{
    if (io_document_is_sequence(document, node)) {
        return sequence_json(document, node);
    }
    if (io_document_is_mapping(document, node)) {
        return mapping_json(document, node);
    }
    return scalar_json(document, node);
}

json_t *io_document_json(io_document *document)
{
    return node_json(document, IO_DOCUMENT_ROOT);
}

char *io_document_json_text(io_document *document, int node)
{
    json_t *json = node != 0 ? node_json(document, node) : NULL;
    char *text =
        json ? json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15))
             : NULL;
    json_decref(json);
    return text;
}
