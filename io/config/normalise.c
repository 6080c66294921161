#include "io/config/document/scalar.h"
#include "parts.h"

#include <string.h>

status io_config_agree_added(bool is_added)
{
    return is_added ? STATUS_OK : base_fail_memory(0, "the config");
}

/* ---- data ---- */

/* Replaces data.steps by {first, last, stride}; their nodes are shared, for messages. */
static status set_steps(io_document *document, int first, int last, int stride)
{
    int data = io_document_find(document, "data");
    int steps = io_document_add_mapping(document, first);
    if (stride == 0) {
        stride = io_document_add_scalar(document, first, "1");
    }
    return io_config_agree_added(io_document_set(document, steps, "first", first) &&
                                 io_document_set(document, steps, "last", last) &&
                                 io_document_set(document, steps, "stride", stride) &&
                                 io_document_set(document, data, "steps", steps));
}

static status set_all_steps(io_document *document, int node)
{
    int data = io_document_find(document, "data");
    int steps = io_document_add_mapping(document, node);
    int all = io_document_add_scalar(document, node, "true");
    return io_config_agree_added(io_document_set(document, steps, "all", all) &&
                                 io_document_set(document, data, "steps", steps));
}

static status normalise_steps(io_document *document)
{
    int node = io_document_find(document, "data.steps");
    const char *text = io_document_text(document, node);
    int count = io_document_count(document, node);
    int64_t step = 0;
    if (node == 0) {
        return STATUS_OK;
    }
    if (text != NULL && strcmp(text, "all") == 0) {
        return set_all_steps(document, node);
    }
    if (text != NULL && io_scalar_integer(text, &step)) {
        return set_steps(document, node, node, 0);
    }
    if (io_document_is_sequence(document, node) && (count == 2 || count == 3)) {
        int stride = count == 3 ? io_document_item(document, node, 2) : 0;
        return set_steps(document, io_document_item(document, node, 0),
                         io_document_item(document, node, 1), stride);
    }
    return io_document_fail_type(
        document, node, "data.steps",
        "all, a step's number, [first, last] or [first, last, stride]");
}

/* Appends {name, path} for one pair of data.fields. */
static status add_field(io_document *document, int fields, int list, int index)
{
    yaml_node_pair_t pair = io_document_pair(document, fields, index);
    const char *name = io_document_text(document, pair.key);
    for (int i = 0; i < index; i++) {
        yaml_node_pair_t earlier = io_document_pair(document, fields, i);
        if (strcmp(io_document_text(document, earlier.key), name) == 0) {
            return io_document_fail(document, pair.key,
                                    "the key '%.60s' is there twice in data.fields",
                                    name);
        }
    }
    if (io_document_text(document, pair.value) == NULL) {
        return io_document_fail_type(document, pair.value, "data.fields",
                                     "the path of a data set");
    }
    int field = io_document_add_mapping(document, pair.key);
    return io_config_agree_added(io_document_set(document, field, "name", pair.key) &&
                                 io_document_set(document, field, "path", pair.value) &&
                                 io_document_append(document, list, field));
}

/* Turns data.fields into a list: libcyaml knows no keys that the user chooses. */
static status normalise_fields(io_document *document)
{
    int data = io_document_find(document, "data");
    int fields = io_document_value(document, data, "fields");
    if (fields == 0) {
        return STATUS_OK;
    }
    if (!io_document_is_mapping(document, fields)) {
        return io_document_fail_type(document, fields, "data.fields",
                                     "a mapping such as {density: /flow/density}");
    }
    int list = io_document_add_sequence(document, fields);
    int count = io_document_count(document, fields);
    status result = io_config_agree_added(list != 0);
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        result = add_field(document, fields, list, i);
    }
    if (result != STATUS_OK) {
        return result;
    }
    return io_config_agree_added(io_document_set(document, data, "fields", list));
}

/* Turns a single value of data.fill into a list. */
static status normalise_fill(io_document *document)
{
    int data = io_document_find(document, "data");
    int fill = io_document_value(document, data, "fill");
    if (fill == 0 || io_document_is_sequence(document, fill)) {
        return STATUS_OK;
    }
    if (io_document_text(document, fill) == NULL) {
        return io_document_fail_type(document, fill, "data.fill",
                                     "a number or a list of numbers");
    }
    int list = io_document_add_sequence(document, fill);
    return io_config_agree_added(list != 0 && io_document_append(document, list, fill) &&
                                 io_document_set(document, data, "fill", list));
}

/* ---- partition ---- */

/* Turns a kind into {kind}. */
static status normalise_partition(io_document *document)
{
    int node = io_document_find(document, "partition");
    const char *text = io_document_text(document, node);
    if (io_document_is_mapping(document, node)) {
        return STATUS_OK;
    }
    if (text == NULL || (strcmp(text, "object") != 0 && strcmp(text, "screen") != 0)) {
        return io_document_fail_type(document, node, "partition",
                                     "object, screen or a mapping such as {kind: screen, "
                                     "balance: area}");
    }
    int partition = io_document_add_mapping(document, node);
    return io_config_agree_added(
        io_document_set(document, partition, "kind", node) &&
        io_document_set(document, IO_DOCUMENT_ROOT, "partition", partition));
}

/* ---- annotations ---- */

static const char time_text[] = "step {step}, t = {time}";

/* Turns scalar_bar: true into a mapping, and false into no key. */
static status normalise_bar(const io_config_section *annotations)
{
    io_document *document = annotations->document;
    int bar = io_config_section_value(annotations, "scalar_bar");
    const char *text = io_document_text(document, bar);
    if (bar == 0 || io_document_is_mapping(document, bar)) {
        return STATUS_OK;
    }
    if (text != NULL && strcmp(text, "true") == 0) {
        int mapping = io_document_add_mapping(document, bar);
        return io_config_agree_added(
            io_document_set(document, annotations->node, "scalar_bar", mapping));
    }
    if (text != NULL && strcmp(text, "false") == 0) {
        io_document_remove(document, annotations->node, "scalar_bar");
        return STATUS_OK;
    }
    return io_config_section_fail_type(
        annotations, "scalar_bar", "true, false or a mapping such as {title: pressure}");
}

/* Turns time: true into its text, and false into no key. */
static status normalise_time(const io_config_section *annotations)
{
    io_document *document = annotations->document;
    int node = io_config_section_value(annotations, "time");
    const char *text = io_document_text(document, node);
    if (text != NULL && strcmp(text, "false") == 0) {
        io_document_remove(document, annotations->node, "time");
    } else if (text != NULL && strcmp(text, "true") == 0) {
        int added = io_document_add_scalar(document, node, time_text);
        return io_config_agree_added(
            io_document_set(document, annotations->node, "time", added));
    }
    return STATUS_OK;
}

static status normalise_annotations(io_document *document)
{
    io_config_section annotations = io_config_section_at(document, "annotations");
    status result = normalise_bar(&annotations);
    return result == STATUS_OK ? normalise_time(&annotations) : result;
}

status io_config_normalise(io_document *document, const char *folder)
{
    status result = normalise_steps(document);
    if (result == STATUS_OK) {
        result = normalise_fields(document);
    }
    if (result == STATUS_OK) {
        result = normalise_fill(document);
    }
    if (result == STATUS_OK) {
        result = io_config_normalise_layers(document, folder);
    }
    if (result == STATUS_OK) {
        result = normalise_partition(document);
    }
    return result == STATUS_OK ? normalise_annotations(document) : result;
}
