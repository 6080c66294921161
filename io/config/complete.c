#include "parts.h"

#include <stdio.h>
#include <string.h>

/* ---- The defaults, as YAML ---- */

static const char root_defaults[] =
    "data: {steps: all, gamma: 1.4, gas_constant: 1.0}\n"
    "image: {width: 1024, height: 1024, background: [0, 0, 0]}\n"
    "camera: {up: [0, 0, 1], projection: perspective, fov: 30}\n"
    "partition: object\n"
    "composite: {algorithm: auto}\n";

static const char light_defaults[] = "{color: [1, 1, 1], intensity: 1}\n";

#define SHADE "{ambient: 0.3, diffuse: 0.7, specular: 0.2, shininess: 20}"
static const char shade_defaults[] = SHADE "\n";
static const char lit_defaults[] = "{shade: " SHADE "}\n";

static const char *const kind_defaults[] = {
    [IO_LAYER_VOLUME] =
        "{colors: viridis, positions: fraction, method: auto, interpolation: linear}\n",
    [IO_LAYER_OBJECT] = "{style: surface, line_width: 1.5, smooth: true, opacity: 1}\n",
    [IO_LAYER_CONTOUR] =
        "{levels: 10, bands: true, style: fringes, line_width: 1.5, smooth: true, "
        "opacity: 1}\n",
    [IO_LAYER_ISOSURFACE] = "{opacity: 1}\n",
    [IO_LAYER_PARTICLES] =
        "{mode: stream, velocity: [velocity_x, velocity_y, velocity_z], trail: all, "
        "tolerance: 1e-6, radius: auto, line_width: 1.5, opacity: 1}\n",
    [IO_LAYER_GRID] = "{line_width: 1.5, opacity: 1}\n",
    [IO_LAYER_OUTLINE] = "{line_width: 1.5, opacity: 1}\n",
};

/* By the mode of particles. */
static const char stream_defaults[] =
    "{style: tubes, direction: forward, max_steps: 2000}\n";
static const char streak_defaults[] = "{style: tubes, every: 1}\n";
static const char path_defaults[] = "{style: spheres, every: 0}\n";

static const char constant_color[] = "{color: [0.75, 0.75, 0.75]}\n";
static const char map_defaults[] = "{colors: viridis, map_range: [0, 1]}\n";

static const char annotation_defaults[] =
    "{scalar_bar: false, axes: false, time: false, font_size: 1}\n";

/* ---- Layers ---- */

static bool is_text(const io_config_section *section, const char *key, const char *word)
{
    const char *text =
        io_document_text(section->document, io_config_section_value(section, key));
    return text != NULL && strcmp(text, word) == 0;
}

static status complete_section(const io_config_section *section, const char *defaults)
{
    return io_document_complete(section->document, section->node, defaults);
}

/* Whether a layer that does not say its colour is coloured by its own values. */
static bool has_own_values(const io_config_section *section, io_layer_kind kind)
{
    int values = io_config_section_value(section, "values");
    return kind == IO_LAYER_CONTOUR ||
           (kind == IO_LAYER_ISOSURFACE &&
            (io_document_count(section->document, values) > 1 ||
             io_config_section_has(section, "colors") ||
             io_config_section_has(section, "range")));
}

static status complete_paint(const io_config_section *section, io_layer_kind kind)
{
    bool has_field = io_config_section_has(section, "color_by");
    if (!has_field && !has_own_values(section, kind)) {
        return complete_section(section, constant_color);
    }
    if (has_field || !io_config_section_has(section, "color")) {
        return complete_section(section, map_defaults);
    }
    return STATUS_OK;
}

/* A layer that has the key shade is lit, unless it says that it is not. */
static status complete_light(const io_config_section *section, io_layer_kind kind)
{
    if (kind == IO_LAYER_GRID || kind == IO_LAYER_OUTLINE) {
        return STATUS_OK;
    }
    bool is_lit = kind != IO_LAYER_CONTOUR || io_config_section_has(section, "shade");
    status result = complete_section(section, is_lit ? "{lit: true}" : "{lit: false}");
    if (result == STATUS_OK && is_text(section, "lit", "true")) {
        return complete_section(section, lit_defaults);
    }
    io_config_section shade = io_config_section_below(section, "shade");
    return result == STATUS_OK ? complete_section(&shade, shade_defaults) : result;
}

static status complete_mode(const io_config_section *section)
{
    const char *defaults = is_text(section, "mode", "path")     ? path_defaults
                           : is_text(section, "mode", "streak") ? streak_defaults
                                                                : stream_defaults;
    return complete_section(section, defaults);
}

static status complete_layer(io_document *document, int index, io_layer_kind kind)
{
    io_config_section section = io_config_section_of_layer(document, index, kind);
    status result = complete_section(&section, kind_defaults[kind]);
    if (kind == IO_LAYER_VOLUME) {
        io_config_section shade = io_config_section_below(&section, "shade");
        return result == STATUS_OK ? complete_section(&shade, shade_defaults) : result;
    }
    if (result == STATUS_OK && kind == IO_LAYER_PARTICLES) {
        result = complete_mode(&section);
    }
    if (result == STATUS_OK) {
        result = complete_paint(&section, kind);
    }
    return result == STATUS_OK ? complete_light(&section, kind) : result;
}

static status complete_layers(io_document *document)
{
    int layers = io_document_find(document, "layers");
    int count = io_document_is_sequence(document, layers)
                    ? io_document_count(document, layers)
                    : 0;
    status result = STATUS_OK;
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        for (int kind = 0; kind < IO_LAYER_KINDS && result == STATUS_OK; kind++) {
            result = complete_layer(document, i, (io_layer_kind)kind);
        }
    }
    return result;
}

/* ---- The rest ---- */

static status complete_lights(io_document *document)
{
    int lights = io_document_find(document, "lights");
    int count = io_document_is_sequence(document, lights)
                    ? io_document_count(document, lights)
                    : 0;
    status result = STATUS_OK;
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        result = io_document_complete(document, io_document_item(document, lights, i),
                                      light_defaults);
    }
    return result;
}

status io_config_complete(io_document *document)
{
    status result = io_document_complete(document, IO_DOCUMENT_ROOT, root_defaults);
    if (result == STATUS_OK) {
        result = complete_layers(document);
    }
    if (result == STATUS_OK) {
        result = complete_lights(document);
    }
    int annotations = io_document_find(document, "annotations");
    return result == STATUS_OK
               ? io_document_complete(document, annotations, annotation_defaults)
               : result;
}
