#include "base/srgb.h"
#include "io/config/colors/linear.h"
#include "io/config/keys/path.h"
#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Volumes ---- */

/* The range of all positions, for data positions without a given range. */
static void span_positions(io_volume_config *volume)
{
    int colors = volume->ncolors, opacities = volume->nopacities;
    volume->range[0] = fmin(volume->colors[0][0], volume->opacities[0][0]);
    volume->range[1] =
        fmax(volume->colors[colors - 1][0], volume->opacities[opacities - 1][0]);
}

static void derive_volume(const io_section *section, io_volume_config *volume)
{
    bool has_range = io_section_has(section, "range");
    volume->opacities_are_extinction = io_section_has(section, "extinction");
    volume->auto_unit_length = !io_section_has(section, "unit_length");
    volume->auto_range =
        !has_range && (!volume->positions_are_data || volume->nopacities == 0);
    volume->shade.on = io_section_has(section, "shade");
    if (!has_range && volume->positions_are_data && volume->nopacities > 0) {
        span_positions(volume);
    }
}

/* ---- Paint ---- */

/* The number of a paint's colours, if they lie at equal distances and
 * `map_range` leaves them there; else 0. */
static int count_even(const io_paint_config *paint)
{
    const int count = paint->part[0] == 0.0 && paint->part[1] == 1.0 ? paint->ncolors : 0;
    for (int n = 0; n < count; n++) {
        if (fabs(paint->colors[n][0] * (count - 1) - n) > 1e-9) {
            return 0;
        }
    }
    return count;
}

/* Categories stand in the middles of equal parts of the range. */
static void derive_categories(const io_section *section, io_paint_config *paint)
{
    const int last = paint->ncategories - 1;
    for (int n = 0; n <= last; n++) {
        const io_section one = io_section_item(section, "categories", n);
        paint->categories[n].has_color = io_section_has(&one, "color");
    }
    if (last >= 0) {
        paint->auto_range = false;
        paint->range[0] = paint->categories[0].value - 0.5;
        paint->range[1] = paint->categories[last].value + 0.5;
    }
}

static void derive_paint(const io_section *section, io_paint_config *paint)
{
    paint->has_color = io_section_has(section, "color");
    paint->auto_range = !io_section_has(section, "range");
    paint->shade.on = paint->lit;
    if (!io_section_has(section, "map_range")) {
        paint->part[0] = 0.0;
        paint->part[1] = 1.0;
    }
    paint->neven = count_even(paint);
    paint->has_below = io_section_has(section, "below_color");
    paint->has_above = io_section_has(section, "above_color");
    derive_categories(section, paint);
}

/* ---- Tools ---- */

static void derive_index(const io_section *section, io_tool_config *tool)
{
    static const char *const keys[] = {"i", "j", "k"};
    tool->axis = -1;
    for (int axis = 2; axis >= 0; axis--) {
        if (io_section_has(section, keys[axis])) {
            tool->axis = axis;
        }
    }
}

/* A plane, given as such or by its place along x, y or z. */
static void derive_across(const io_section *section, io_tool_config *tool)
{
    static const char *const keys[] = {"x", "y", "z"};
    tool->has_plane = io_section_has(section, "plane");
    for (int axis = 0; axis < 3; axis++) {
        if (io_section_has(section, keys[axis])) {
            tool->has_plane = true;
            tool->normal.v[axis] = 1.0;
        }
    }
}

/* Several isosurfaces coloured by their values cover the whole map. */
static void derive_values(const io_section *section, io_tool_config *tool)
{
    io_paint_config *paint = &tool->paint;
    if (io_section_has(section, "value")) {
        tool->nvalues = 1;
    }
    if (!paint->has_color && paint->field == NULL && paint->auto_range &&
        tool->nvalues > 1) {
        paint->auto_range = false;
        paint->range[0] = tool->values[0];
        paint->range[1] = tool->values[tool->nvalues - 1];
    }
}

/* Limits that are not given; a threshold has no colours. */
static void derive_limits(const io_section *section, io_tool_config *tool)
{
    if (!io_section_has(section, "above")) {
        tool->limits.above = -INFINITY;
    }
    if (!io_section_has(section, "below")) {
        tool->limits.below = INFINITY;
    }
    tool->paint.has_color = true;
    tool->paint.opacity = 1.0;
}

static void derive_tool(const io_section *section, io_layer_kind kind,
                        io_tool_config *tool)
{
    derive_index(section, tool);
    derive_across(section, tool);
    derive_paint(section, &tool->paint);
    tool->has_box = io_section_has(section, "from") && io_section_has(section, "to");
    tool->has_line_color = io_section_has(section, "line_color");
    tool->has_bounds = io_section_has(section, "bounds");
    if (kind == IO_LAYER_ISOSURFACE) {
        derive_values(section, tool);
    }
    if (kind == IO_LAYER_THRESHOLD) {
        derive_limits(section, tool);
    }
}

/* ---- Particles ---- */

static void derive_seeds(const io_section *entry, io_seed_config *seeds)
{
    static const char *const keys[] = {"points", "line", "plane", "box"};
    for (int kind = IO_SEED_KINDS - 1; kind >= 0; kind--) {
        if (io_section_has(entry, keys[kind])) {
            seeds->kind = (io_seed_kind)kind;
        }
    }
}

/* The words age and seed are never fields, even if the file has fields of these names. */
static void derive_particle_paint(io_particles_config *particles)
{
    io_paint_config *paint = &particles->paint;
    particles->color_what = IO_PAINT_CONSTANT;
    if (paint->field == NULL) {
        return;
    }
    particles->color_what = strcmp(paint->field, "age") == 0    ? IO_PAINT_AGE
                            : strcmp(paint->field, "seed") == 0 ? IO_PAINT_SEED
                                                                : IO_PAINT_FIELD;
    if (particles->color_what != IO_PAINT_FIELD) {
        free(paint->field);
        paint->field = NULL;
    }
}

static void derive_particles(const io_section *section, io_particles_config *particles)
{
    derive_paint(section, &particles->paint);
    derive_particle_paint(particles);
    particles->auto_seeds = !io_section_has(section, "seeds");
    if (!io_section_has(section, "trail")) {
        particles->trail = -1;
    }
    for (int i = 0; i < particles->nseeds; i++) {
        io_section entry = io_section_item(section, "seeds", i);
        derive_seeds(&entry, &particles->seeds[i]);
    }
}

/* ---- Layers ---- */

/* The kind of an entry, which has exactly one key of a kind. */
static io_layer_kind kind_of(io_document *document, int index)
{
    int kind = 0;
    while (io_config_layer_section(document, index, (io_layer_kind)kind).node == 0) {
        kind++;
    }
    return (io_layer_kind)kind;
}

static void derive_clips(io_document *document, io_config *config)
{
    const io_section root = io_section_root(document);
    for (int i = 0; i < config->nclips; i++) {
        const io_section entry = io_section_item(&root, "clip", i);
        config->clips[i].has_box = io_section_has(&entry, "box");
    }
}

static void derive_layers(io_document *document, io_config *config)
{
    for (int i = 0; i < config->nlayers; i++) {
        io_layer_config *layer = &config->layers[i];
        layer->kind = kind_of(document, i);
        io_section section = io_config_layer_section(document, i, layer->kind);
        if (layer->kind == IO_LAYER_VOLUME) {
            config->volume = layer->shown ? layer->volume : NULL;
            derive_volume(&section, layer->volume);
        } else if (layer->kind == IO_LAYER_PARTICLES) {
            derive_particles(&section, layer->particles);
        } else {
            derive_tool(&section, layer->kind, layer->tool);
        }
    }
}

bool io_config_wants_floats(const io_config *config)
{
    return config->output.floats || config->output.figure;
}

const char *io_config_pictures(const io_config *config)
{
    const io_output_config *output = &config->output;
    return output->frames     ? output->frames
           : output->figure   ? output->figure
           : output->floats   ? output->floats
           : output->extracts ? output->extracts
                              : output->movie;
}

int io_config_shown(const io_config *config)
{
    int count = 0;
    for (int i = 0; i < config->nlayers; i++) {
        count += config->layers[i].shown ? 1 : 0;
    }
    return count;
}

/* ---- The rest ---- */

/* Sets the kind of each light; io_config_check refuses entries without one. */
static void derive_lights(io_document *document, io_config *config)
{
    int lights = io_document_find(document, "lights");
    for (int i = 0; i < config->nlights; i++) {
        int light = io_document_item(document, lights, i);
        bool has_direction = io_document_value(document, light, "direction") != 0;
        bool has_position = io_document_value(document, light, "position") != 0;
        config->lights[i].kind = has_direction  ? IO_LIGHT_DIRECTION
                                 : has_position ? IO_LIGHT_POSITION
                                                : IO_LIGHT_HEAD;
    }
}

static void derive_lighting(io_document *document, io_lighting_config *lighting)
{
    io_cue_config *cue = &lighting->cue;
    lighting->shadows.on = io_document_find(document, "lighting.shadows") != 0;
    lighting->occlusion.on = io_document_find(document, "lighting.occlusion") != 0;
    cue->on = io_document_find(document, "lighting.distance_cue") != 0;
    cue->has_color = io_document_find(document, "lighting.distance_cue.color") != 0;
    cue->has_range = io_document_find(document, "lighting.distance_cue.range") != 0;
    lighting->silhouettes.on = io_document_find(document, "lighting.silhouettes") != 0;
}

/* The node of annotations.KEY, and of the entry `index` of annotations.KEY. */
static io_section bar_section(io_document *document, const char *key, int index)
{
    const io_section annotations = io_section_at(document, "annotations");
    return index < 0 ? io_section_below(&annotations, key)
                     : io_section_item(&annotations, key, index);
}

static void derive_bar(const io_section *section, io_bar_config *bar)
{
    if (section->node != 0 && !io_section_has(section, "layer")) {
        bar->layer = -1;
    }
}

static void derive_annotations(io_document *document, io_config *config)
{
    io_annotations_config *annotations = &config->annotations;
    io_section bar = bar_section(document, "scalar_bar", -1);
    config->has_annotations = io_document_find(document, "annotations") != 0;
    annotations->scalar_bar = bar.node != 0;
    annotations->has_color = io_document_find(document, "annotations.color") != 0;
    derive_bar(&bar, &annotations->bar);
    for (int n = 0; n < annotations->nbars; n++) {
        bar = bar_section(document, "scalar_bars", n);
        derive_bar(&bar, &annotations->bars[n]);
    }
    for (int n = 0; n < annotations->nmarks; n++) {
        const io_section mark = bar_section(document, "marks", n);
        annotations->marks[n].is_arrow = io_section_has(&mark, "to");
        annotations->marks[n].has_color = io_section_has(&mark, "color");
    }
}

static void derive_camera(io_document *document, io_camera_config *camera)
{
    camera->auto_position = io_document_find(document, "camera.position") == 0;
    camera->auto_look_at = io_document_find(document, "camera.look_at") == 0;
    camera->auto_up = io_document_find(document, "camera.up") == 0;
    camera->auto_height =
        camera->orthographic && io_document_find(document, "camera.height") == 0;
    /* A config cannot contain infinity, so the table has no default for it. */
    if (io_document_find(document, "camera.far") == 0) {
        camera->far = INFINITY;
    }
}

/* ---- Linear light ---- */

static status linearise_paint(io_paint_config *paint)
{
    io_color_linearise(paint->color);
    io_color_linearise(paint->nan_color);
    io_color_linearise(paint->below_color);
    io_color_linearise(paint->above_color);
    for (int n = 0; n < paint->ncategories; n++) {
        io_color_linearise(paint->categories[n].color);
    }
    return io_colors_linearise(&paint->ncolors, &paint->colors);
}

static status linearise_layer(const io_layer_config *layer)
{
    if (layer->volume) {
        return io_colors_linearise(&layer->volume->ncolors, &layer->volume->colors);
    }
    if (layer->particles) {
        return linearise_paint(&layer->particles->paint);
    }
    io_color_linearise(layer->tool->line_color);
    return linearise_paint(&layer->tool->paint);
}

status io_config_linearise(io_config *config)
{
    double background[3];
    for (int c = 0; c < 3; c++) {
        background[c] = (double)config->background[c];
    }
    io_color_linearise(background);
    for (int c = 0; c < 3; c++) {
        config->background[c] = (float)background[c];
    }
    for (int n = 0; n < config->nlights; n++) {
        io_color_linearise(config->lights[n].color);
    }
    io_color_linearise(config->lighting.cue.color);
    io_color_linearise(config->lighting.silhouettes.color);
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < config->nlayers; n++) {
        s = linearise_layer(&config->layers[n]);
    }
    return s;
}

void io_config_background(const io_config *config, float rgb[3])
{
    for (int c = 0; c < 3; c++) {
        const double light = (double)config->background[c];
        rgb[c] =
            config->is_linear ? (float)base_srgb_encode(light) : config->background[c];
    }
}

static int scale_pixels(int pixels, double scale)
{
    const double scaled = round(pixels * scale);
    return scaled > 1.0 ? (int)scaled : 1;
}

/* Applies the scale to all lengths in pixels. */
static void scale_image(io_config *config)
{
    config->width = scale_pixels(config->width, config->scale);
    config->height = scale_pixels(config->height, config->scale);
    for (int i = 0; i < config->nlayers; i++) {
        const io_layer_config *layer = &config->layers[i];
        if (layer->tool) {
            layer->tool->line_width *= config->scale;
            if (layer->tool->lic) {
                layer->tool->lic->length *= config->scale;
            }
        }
        if (layer->particles) {
            layer->particles->line_width *= config->scale;
        }
    }
    config->lighting.silhouettes.width *= config->scale;
}

/* The pictures of a Cinema database lie in its folder. Without memory there are none,
 * which the checks find. */
static void derive_cinema(io_output_config *output)
{
    char *folder =
        output->cinema && !output->frames ? io_path_pattern(output->cinema) : NULL;
    const size_t size = folder ? strlen(folder) + 16 : 0;
    output->frames = folder ? malloc(size) : output->frames;
    if (folder && output->frames) {
        snprintf(output->frames, size, "%s/%%06d.png", folder);
    }
    free(folder);
}

void io_config_derive(io_document *document, io_config *config)
{
    config->data.file = config->data.files[0];
    config->data.terms.has_other = config->data.other != NULL;
    if (config->data.other && io_document_find(document, "data.other.step") == 0) {
        config->data.other->step = -1;
    }
    config->is_transparent = io_document_find(document, "image.background") == 0;
    derive_camera(document, &config->camera);
    derive_clips(document, config);
    derive_layers(document, config);
    derive_lights(document, config);
    derive_lighting(document, &config->lighting);
    derive_annotations(document, config);
    scale_image(config);
    derive_cinema(&config->output);
}
