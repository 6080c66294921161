#include "parts.h"

#include <string.h>

status io_config_agree_added(bool is_added)
{
    return is_added ? STATUS_OK : base_fail_memory(0, "the config");
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

/* Turns scalar_bar: true into a mapping. */
static status normalise_bar(const io_section *annotations)
{
    io_document *document = annotations->document;
    int bar = io_section_value(annotations, "scalar_bar");
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
        return STATUS_OK;
    }
    return io_section_fail_type(annotations, "scalar_bar",
                                "true, false or a mapping such as {title: pressure}");
}

status io_config_normalise(io_document *document, const char *folder)
{
    const io_section annotations = io_section_at(document, "annotations");
    status result = io_config_normalise_layers(document, folder);
    if (result == STATUS_OK) {
        result = normalise_partition(document);
    }
    return result == STATUS_OK ? normalise_bar(&annotations) : result;
}
