#include "check.h"

#include "base/words.h"
#include "scalar.h"

#include <stdio.h>
#include <string.h>

enum { MAX_KEYS = 32 };

/* ---- Scalars ---- */

static status check_integer(io_document *document, const char *path,
                            const cyaml_schema_value_t *schema, int node)
{
    const char *text = io_document_text(document, node);
    int64_t value = 0;
    if (text == NULL || !io_scalar_integer(text, &value)) {
        return io_document_fail_type(document, node, path, "a whole number");
    }
    int64_t limit = (int64_t)(UINT64_MAX >> (65 - 8 * schema->data_size));
    if (value > limit || value < -limit - 1) {
        return io_document_fail(document, node, "%s: %s is too large", path, text);
    }
    return STATUS_OK;
}

static status check_number(io_document *document, const char *path, int node)
{
    const char *text = io_document_text(document, node);
    double value = 0.0;
    if (text == NULL || !io_scalar_number(text, &value)) {
        return io_document_fail_type(document, node, path, "a finite number");
    }
    return STATUS_OK;
}

static status check_bool(io_document *document, const char *path, int node)
{
    const char *text = io_document_text(document, node);
    if (text == NULL || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)) {
        return io_document_fail_type(document, node, path, "true or false");
    }
    return STATUS_OK;
}

static status check_string(io_document *document, const char *path, int node)
{
    const char *text = io_document_text(document, node);
    if (text == NULL || io_document_is_null(document, node)) {
        return io_document_fail_type(document, node, path, "a text");
    }
    if (text[0] == '\0') {
        return io_document_fail(document, node, "%s must not be empty", path);
    }
    return STATUS_OK;
}

static status check_enum(io_document *document, const char *path,
                         const cyaml_schema_value_t *schema, int node)
{
    const char *words[MAX_KEYS];
    char expected[256];
    int count = (int)schema->enumeration.count;
    const char *text = io_document_text(document, node);
    for (int i = 0; i < count; i++) {
        words[i] = schema->enumeration.strings[i].str;
        if (text != NULL && strcmp(text, words[i]) == 0) {
            return STATUS_OK;
        }
    }
    base_words_list(count, words, sizeof expected, expected);
    return io_document_fail_type(document, node, path, expected);
}

/* ---- Lists and mappings ---- */

static status check_value(io_document *document, const char *path,
                          const cyaml_schema_value_t *schema, int node);

static status check_length(io_document *document, const char *path,
                           const cyaml_schema_value_t *schema, int node)
{
    uint32_t count = (uint32_t)io_document_count(document, node);
    uint32_t min = schema->sequence.min, max = schema->sequence.max;
    if (count >= min && count <= max) {
        return STATUS_OK;
    }
    if (min == max) {
        return io_document_fail(document, node, "%s: expected a list of %u, found %u",
                                path, min, count);
    }
    return io_document_fail(document, node, "%s: expected %s %u entries, found %u", path,
                            count < min ? "at least" : "at most", count < min ? min : max,
                            count);
}

static status check_sequence(io_document *document, const char *path,
                             const cyaml_schema_value_t *schema, int node)
{
    if (!io_document_is_sequence(document, node)) {
        return io_document_fail_type(document, node, path, "a list");
    }
    status result = check_length(document, path, schema, node);
    int count = io_document_count(document, node);
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        char entry[IO_DOCUMENT_PATH_SIZE];
        snprintf(entry, sizeof entry, "%s.%d", path, i);
        int item = io_document_item(document, node, i);
        result = check_value(document, entry, schema->sequence.entry, item);
    }
    return result;
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_value_t *schema,
                                              const char *key)
{
    const cyaml_schema_field_t *field = schema->mapping.fields;
    while (field->key != NULL && strcmp(field->key, key) != 0) {
        field++;
    }
    return field->key != NULL ? field : NULL;
}

static status fail_unknown(io_document *document, const char *path,
                           const cyaml_schema_value_t *schema, int node)
{
    const char *words[MAX_KEYS];
    int count = 0;
    for (; count < MAX_KEYS && schema->mapping.fields[count].key != NULL; count++) {
        words[count] = schema->mapping.fields[count].key;
    }
    const char *key = io_document_text(document, node);
    const char *where = path[0] != '\0' ? path : "the config";
    const char *nearest = base_words_nearest(key, count, words);
    if (nearest != NULL) {
        return io_document_fail(document, node,
                                "unknown key '%.60s' in %s: did you mean '%s'?", key,
                                where, nearest);
    }
    char known[512];
    base_words_list(count, words, sizeof known, known);
    return io_document_fail(document, node, "unknown key '%.60s' in %s, which has: %s",
                            key, where, known);
}

/* Fails where pair `index` has a key that an earlier pair has. */
static status check_duplicate(io_document *document, const char *path, int node,
                              int index)
{
    int key = io_document_pair(document, node, index).key;
    const char *text = io_document_text(document, key);
    for (int i = 0; i < index; i++) {
        int earlier = io_document_pair(document, node, i).key;
        if (strcmp(io_document_text(document, earlier), text) == 0) {
            return io_document_fail(
                document, key, "the key '%.60s' is there twice in %s, first on line %zu",
                text, path[0] != '\0' ? path : "the config",
                io_document_node(document, earlier)->start_mark.line + 1);
        }
    }
    return STATUS_OK;
}

static status check_pair(io_document *document, const char *path,
                         const cyaml_schema_value_t *schema, int node, int index)
{
    yaml_node_pair_t pair = io_document_pair(document, node, index);
    const cyaml_schema_field_t *field =
        find_field(schema, io_document_text(document, pair.key));
    if (field == NULL) {
        return fail_unknown(document, path, schema, pair.key);
    }
    status result = check_duplicate(document, path, node, index);
    if (result != STATUS_OK) {
        return result;
    }
    char child[IO_DOCUMENT_PATH_SIZE];
    snprintf(child, sizeof child, "%s%s%s", path, path[0] != '\0' ? "." : "", field->key);
    return check_value(document, child, &field->value, pair.value);
}

static status check_missing(io_document *document, const char *path,
                            const cyaml_schema_value_t *schema, int node)
{
    const cyaml_schema_field_t *field = schema->mapping.fields;
    for (; field->key != NULL; field++) {
        if ((field->value.flags & CYAML_FLAG_OPTIONAL) == 0 &&
            io_document_value(document, node, field->key) == 0) {
            return io_document_fail(document, node, "%s%s%s is missing", path,
                                    path[0] != '\0' ? "." : "", field->key);
        }
    }
    return STATUS_OK;
}

static status check_mapping(io_document *document, const char *path,
                            const cyaml_schema_value_t *schema, int node)
{
    if (!io_document_is_mapping(document, node)) {
        return io_document_fail_type(document, node, path, "a mapping of keys");
    }
    status result = STATUS_OK;
    int count = io_document_count(document, node);
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        result = check_pair(document, path, schema, node, i);
    }
    return result == STATUS_OK ? check_missing(document, path, schema, node) : result;
}

static status check_value(io_document *document, const char *path,
                          const cyaml_schema_value_t *schema, int node)
{
    switch (schema->type) {
    case CYAML_INT:
        return check_integer(document, path, schema, node);
    case CYAML_FLOAT:
        return check_number(document, path, node);
    case CYAML_BOOL:
        return check_bool(document, path, node);
    case CYAML_ENUM:
        return check_enum(document, path, schema, node);
    case CYAML_STRING:
        return check_string(document, path, node);
    case CYAML_MAPPING:
        return check_mapping(document, path, schema, node);
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED:
        return check_sequence(document, path, schema, node);
    case CYAML_IGNORE:
        return STATUS_OK;
    default:
        return base_fail(STATUS_INTERNAL, "the schema has an unknown type at %s", path);
    }
}

status io_document_check(io_document *document, const cyaml_schema_value_t *schema)
{
    return check_value(document, "", schema, IO_DOCUMENT_ROOT);
}
