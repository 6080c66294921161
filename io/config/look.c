/* Looks: sets of defaults for colours and lines. A key that is given wins. */
#include "steps.h"

#include <stdio.h>
#include <string.h>

/* The keys of a look, as YAML; of layers, those of each kind. */
typedef struct look_keys {
    const char *name;
    const char *image, *annotations;
    const char *layers[IO_LAYER_KINDS];
} look_keys;

#define THIN "{line_width: 1}"

static const look_keys looks[] = {
    {"paper", .image = "{background: [1, 1, 1]}", .annotations = "{color: [0, 0, 0]}",
     .layers = {[IO_LAYER_OBJECT] = "{line_width: 0.75}",
                [IO_LAYER_CONTOUR] = THIN,
                [IO_LAYER_PARTICLES] = THIN,
                [IO_LAYER_GRID] = "{line_width: 0.75, color: [0.35, 0.35, 0.35]}",
                [IO_LAYER_OUTLINE] = "{line_width: 1, color: [0.25, 0.25, 0.25]}",
                [IO_LAYER_AXES_BOX] = "{line_width: 1, color: [0.35, 0.35, 0.35]}"}},
    {"screen", .image = "{background: [0.32, 0.34, 0.43]}",
     .annotations = "{color: [1, 1, 1]}",
     .layers = {[IO_LAYER_OUTLINE] = "{color: [0.9, 0.9, 0.9]}",
                [IO_LAYER_AXES_BOX] = "{line_width: 1, color: [0.85, 0.85, 0.85]}"}},
    {"dark", .image = "{background: [0.055, 0.06, 0.075]}",
     .annotations = "{color: [0.9, 0.9, 0.9]}",
     .layers = {[IO_LAYER_GRID] = "{line_width: 1, color: [0.5, 0.5, 0.55]}",
                [IO_LAYER_OUTLINE] = "{line_width: 1, color: [0.55, 0.57, 0.62]}",
                [IO_LAYER_AXES_BOX] = "{line_width: 1, color: [0.5, 0.52, 0.57]}"}},
};

/* The keys of a look; NULL: it is none, or the table will refuse it. */
static const look_keys *find_look(io_document *document)
{
    const char *name = io_document_text(document, io_document_find(document, "look"));
    for (size_t n = 0; name != NULL && n < sizeof looks / sizeof looks[0]; n++) {
        if (strcmp(looks[n].name, name) == 0) {
            return &looks[n];
        }
    }
    return NULL;
}

/* Adds the keys that a mapping lacks. A layer that a field colours takes no colour. */
static status complete_layer(io_document *document, int node, const char *keys)
{
    const bool is_colored = io_document_value(document, node, "color_by") != 0;
    const bool had_color = io_document_value(document, node, "color") != 0;
    status s = io_document_complete(document, node, keys);
    if (s == STATUS_OK && is_colored && !had_color) {
        io_document_remove(document, node, "color");
    }
    return s;
}

static status complete_layers(io_document *document, const look_keys *look)
{
    const int layers = io_document_find(document, "layers");
    status s = STATUS_OK;
    for (int n = 0; n < io_document_count(document, layers) && s == STATUS_OK; n++) {
        for (int kind = 0; kind < IO_LAYER_KINDS && s == STATUS_OK; kind++) {
            const int node =
                io_config_layer_section(document, n, (io_layer_kind)kind).node;
            if (look->layers[kind] != NULL && io_document_is_mapping(document, node)) {
                s = complete_layer(document, node, look->layers[kind]);
            }
        }
    }
    return s;
}

status io_config_apply_look(io_document *document)
{
    const look_keys *look = find_look(document);
    if (look == NULL) {
        return STATUS_OK;
    }
    char image[128];
    snprintf(image, sizeof image, "{image: %s}", look->image);
    status s = io_document_complete(document, IO_DOCUMENT_ROOT, image);
    const int annotations = io_document_find(document, "annotations");
    if (s == STATUS_OK && io_document_is_mapping(document, annotations)) {
        s = io_document_complete(document, annotations, look->annotations);
    }
    return s == STATUS_OK ? complete_layers(document, look) : s;
}
