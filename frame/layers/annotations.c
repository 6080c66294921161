#include "annotations.h"

#include "base/log.h"
#include "base/srgb.h"
#include "frame/insets/insets.h"
#include "io/file.h"
#include "io/view.h"
#include "places.h"
#include "render/annotate/annotate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bar and what it borrows. */
typedef struct owned_bar {
    annotate_bar bar;
    double (*points)[4]; /* [bar.ncolors]; NULL: there is no bar until a layer is shown */
    double *levels;      /* [bar.nlevels] */
    annotate_category *categories; /* [bar.ncategories] */
    bool is_volume;
} owned_bar;

struct frame_annotations {
    const frame_scene *scene;   /* borrowed */
    const frame_layers *layers; /* borrowed */
    annotate_overlay *overlay;
    int nowned;
    owned_bar *owned; /* [nowned] */
    annotate_bar *bars;
    marks marks;
    annotate_label labels[2 + IO_MAX_TEXTS]; /* of the step drawn last */
    frame_insets *insets;                    /* NULL: none */
    annotate_image *logo;                    /* NULL: none */
    char *time;                              /* the text of its time; NULL: none */
    annotation all;
};

/* ---- Scalar bars ------------------------------------------------------------------- */

/* Takes the colours of the volume, at positions in 0..1 of its range. */
static status take_volume(const frame_scene *scene, owned_bar *a)
{
    const io_volume_config *volume = scene->config->volume;
    size_t bytes = (size_t)volume->ncolors * sizeof *a->points;
    a->points = malloc(bytes);
    if (!a->points) {
        return base_fail_memory(bytes, "a scalar bar");
    }
    memcpy(a->points, volume->colors, bytes);
    const base_scale *scale = &scene->volume.scale;
    for (int n = 0; volume->positions_are_data && n < volume->ncolors; n++) {
        a->points[n][0] = base_scale_position(scale, a->points[n][0]);
    }
    a->bar.scale = *scale;
    a->bar.ncolors = volume->ncolors;
    a->bar.title = volume->field;
    a->is_volume = true;
    return STATUS_OK;
}

/* Takes the names of categories, and the colours of values that are missing or beyond the
 * range. */
static status take_paint(const io_paint_config *paint, owned_bar *a)
{
    const size_t bytes = ((size_t)paint->ncategories + 1) * sizeof *a->categories;
    memcpy(a->bar.nan_color, paint->nan_color, sizeof a->bar.nan_color);
    a->bar.has_beyond[0] = paint->has_below;
    a->bar.has_beyond[1] = paint->has_above;
    memcpy(a->bar.beyond[0], paint->below_color, sizeof a->bar.beyond[0]);
    memcpy(a->bar.beyond[1], paint->above_color, sizeof a->bar.beyond[1]);
    a->categories = malloc(bytes);
    if (!a->categories) {
        return base_fail_memory(bytes, "a scalar bar");
    }
    for (int n = 0; n < paint->ncategories; n++) {
        const io_category_config *one = &paint->categories[n];
        a->categories[n] = (annotate_category){one->value, one->name};
    }
    a->bar.ncategories = paint->ncategories;
    a->bar.categories = a->categories;
    return STATUS_OK;
}

/* Takes the levels of a contour. The bar shows their colours as the picture does. */
static status take_levels(const frame_layer *layer, owned_bar *a)
{
    const io_tool_config *tool = layer->config->tool;
    const int count = layer_count_levels(layer);
    a->levels = malloc((size_t)count * sizeof *a->levels);
    if (!a->levels) {
        return base_fail_memory((size_t)count * sizeof *a->levels, "a scalar bar");
    }
    for (int n = 0; n < count; n++) {
        a->levels[n] = layer_level(layer, n);
    }
    const bool lines = tool->style == IO_STYLE_LINES;
    a->bar.nlevels = count;
    a->bar.levels = a->levels;
    a->bar.levels_are = lines         ? ANNOTATE_LEVELS_LINES
                        : tool->bands ? ANNOTATE_LEVELS_BANDS
                                      : ANNOTATE_LEVELS_NONE;
    return STATUS_OK;
}

/* Bars show colours as displayed. */
static void show_colors(const frame_scene *scene, owned_bar *a)
{
    for (int c = 0; scene->config->is_linear && c < 3; c++) {
        for (int n = 0; n < a->bar.ncolors; n++) {
            a->points[n][1 + c] = base_srgb_encode(a->points[n][1 + c]);
        }
        a->bar.nan_color[c] = base_srgb_encode(a->bar.nan_color[c]);
        a->bar.beyond[0][c] = base_srgb_encode(a->bar.beyond[0][c]);
        a->bar.beyond[1][c] = base_srgb_encode(a->bar.beyond[1][c]);
    }
}

static status take_layer(const frame_layer *layer, owned_bar *a)
{
    size_t bytes = (size_t)layer->npoints * sizeof *a->points;
    a->points = malloc(bytes);
    if (!a->points) {
        return base_fail_memory(bytes, "a scalar bar");
    }
    memcpy(a->points, layer->points, bytes);
    a->bar.ncolors = layer->npoints;
    a->bar.title = layer->field;
    a->bar.scale = layer->scale;
    const io_layer_config *config = layer->config;
    const status s = take_paint(
        config->particles ? &config->particles->paint : &config->tool->paint, a);
    return s == STATUS_OK && config->kind == IO_LAYER_CONTOUR ? take_levels(layer, a) : s;
}

/* Whether a layer that is not shown may be the one whose colours are wanted: then there
 * is no bar until it is shown again. */
static bool waits_for_layer(const io_config *config, int wanted)
{
    bool waits = false;
    for (int n = 0; n < config->nlayers; n++) {
        waits = waits || ((wanted < 0 || n == wanted) && !config->layers[n].shown);
    }
    return waits;
}

/* Takes the colours of the config's layer `wanted`; if negative, of the first layer with
 * colours that is shown. */
static status take_colors(const frame_annotations *of, int wanted, owned_bar *a)
{
    const frame_scene *scene = of->scene;
    int tool = 0;
    for (int n = 0; n < scene->config->nlayers; n++) {
        bool is_volume = scene->config->layers[n].kind == IO_LAYER_VOLUME;
        if (!scene->config->layers[n].shown) {
            continue;
        }
        const frame_layer *layer = is_volume ? NULL : &of->layers->items[tool++];
        bool has_colors = is_volume || layer->npoints > 0;
        if (wanted < 0 ? has_colors : n == wanted) {
            return !has_colors ? base_fail(STATUS_USAGE,
                                           "annotations.scalar_bar.layer: layer %d has "
                                           "no colour map to show",
                                           n)
                   : is_volume ? take_volume(scene, a)
                               : take_layer(layer, a);
        }
    }
    return waits_for_layer(scene->config, wanted)
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "annotations.scalar_bar: no layer has a colour map to "
                           "show: leave it out, or colour a layer by a field");
}

/* The unit of a bar: the config's, else the field's as the file gives it, unless the
 * title seems to tell it. NULL: none. */
static const char *find_unit(const frame_scene *scene, const io_bar_config *config,
                             const char *field)
{
    if (config->unit || (config->title && strpbrk(config->title, "[("))) {
        return config->unit && config->unit[0] ? config->unit : NULL;
    }
    return field ? io_source_unit(scene->source, field) : NULL;
}

static status make_bar(const frame_annotations *of, const io_bar_config *config,
                       owned_bar *a)
{
    static const annotate_side sides[] = {[IO_BAR_RIGHT] = ANNOTATE_RIGHT,
                                          [IO_BAR_LEFT] = ANNOTATE_LEFT,
                                          [IO_BAR_TOP] = ANNOTATE_TOP,
                                          [IO_BAR_BOTTOM] = ANNOTATE_BOTTOM};
    static const annotate_panel panels[] = {[IO_PANEL_AUTO] = ANNOTATE_PANEL_AUTO,
                                            [IO_PANEL_ON] = ANNOTATE_PANEL_ON,
                                            [IO_PANEL_OFF] = ANNOTATE_PANEL_OFF};
    status s = take_colors(of, config->layer, a);
    if (s == STATUS_OK && a->points) {
        show_colors(of->scene, a);
    }
    if (s == STATUS_OK && config->missing && a->is_volume) {
        s = base_fail(STATUS_USAGE, "annotations.scalar_bar.missing: a volume is "
                                    "transparent where values are missing: leave it out");
    }
    a->bar.has_nan_color = config->missing != NULL;
    a->bar.nan_label = config->missing;
    a->bar.colors = (const double(*)[4])a->points;
    a->bar.side = sides[config->place];
    a->bar.panel = panels[config->panel];
    a->bar.ticks = config->ticks;
    a->bar.format = (annotate_format){config->format_letter, config->format_digits};
    a->bar.unit = find_unit(of->scene, config, a->bar.title);
    a->bar.title = config->title ? config->title : a->bar.title;
    return s;
}

/* Makes all bars of the config. */
static status make_bars(frame_annotations *a)
{
    const io_annotations_config *config = &a->scene->config->annotations;
    const int count = (config->scalar_bar ? 1 : 0) + config->nbars;
    a->owned = calloc((size_t)count + 1, sizeof *a->owned);
    a->bars = calloc((size_t)count + 1, sizeof *a->bars);
    status s = a->owned && a->bars ? STATUS_OK : base_fail_memory(0, "scalar bars");
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        const int further = n - (config->scalar_bar ? 1 : 0);
        owned_bar *own = &a->owned[a->nowned++];
        s = make_bar(a, further < 0 ? &config->bar : &config->bars[further], own);
        if (s == STATUS_OK && own->points) {
            a->bars[a->all.nbars++] = own->bar;
        }
    }
    a->all.bars = a->bars;
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

/* Letters have a part of the smaller side, at least some pixels. With the image's scale
 * they have what they would have without it, times the scale. */
static double find_size(const io_config *config)
{
    const double side = config->width < config->height ? config->width : config->height;
    const double least = ANNOTATE_LEAST_SIDE;
    return config->annotations.font_size * fmax(side, config->scale * least) /
           fmax(side, least);
}

/* A vector in terms of the directions of the data's axes, which a view turns. */
static vec3 along_axes(const io_source *source, vec3 vector)
{
    const grid_view *view = io_source_common_view(source);
    vec3 out = vector;
    for (int axis = 0; view && view->on && axis < 3; axis++) {
        const double(*m)[3] = (const double(*)[3])view->matrix;
        const vec3 way = vec3_make(m[0][axis], m[1][axis], m[2][axis]);
        out.v[axis] = vec3_dot(vector, way) / vec3_length(way);
    }
    return out;
}

static void find_style(frame_annotations *a)
{
    const io_config *config = a->scene->config;
    const io_annotations_config *wanted = &config->annotations;
    const render_camera *camera = &a->scene->camera;
    const io_source *source = a->scene->source;
    float background[3];
    io_config_background(config, background);
    a->all.style =
        (annotate_style){.has_text_color = wanted->has_color, .size = find_size(config)};
    for (int c = 0; c < 3; c++) {
        /* Pictures without a background mostly go onto white paper. */
        a->all.style.background[c] = config->is_transparent ? 1.0 : (double)background[c];
        a->all.style.text_color[c] = wanted->color[c];
    }
    a->all.triad = (annotate_triad){.shown = wanted->axes,
                                    .right = along_axes(source, camera->right),
                                    .up = along_axes(source, camera->up),
                                    .forward = along_axes(source, camera->forward),
                                    .anchor = ANNOTATE_BOTTOM_LEFT};
}

static const annotate_anchor anchors[] = {
    [IO_TOP_LEFT] = ANNOTATE_TOP_LEFT,    [IO_TOP] = ANNOTATE_TOP_CENTER,
    [IO_TOP_RIGHT] = ANNOTATE_TOP_RIGHT,  [IO_BOTTOM_LEFT] = ANNOTATE_BOTTOM_LEFT,
    [IO_BOTTOM] = ANNOTATE_BOTTOM_CENTER, [IO_BOTTOM_RIGHT] = ANNOTATE_BOTTOM_RIGHT};

static status read_logo(frame_annotations *a)
{
    const io_logo_config *logo = &a->scene->config->annotations.logo;
    status s = logo->file ? annotate_image_read(logo->file, &a->logo) : STATUS_OK;
    a->all.logo = (annotate_logo){a->logo, anchors[logo->place], logo->height};
    return s != STATUS_OK ? io_config_blame(a->scene->config, "annotations.logo.file", s)
                          : s;
}

static status make(frame_annotations *a)
{
    const io_config *config = a->scene->config;
    find_style(a);
    a->all.scene = places_find_hull(a->scene);
    status s = make_bars(a);
    s = s == STATUS_OK ? read_logo(a) : s;
    s = s == STATUS_OK ? frame_insets_create(a->scene, &a->insets) : s;
    return s == STATUS_OK
               ? annotate_overlay_create(config->width, config->height, &a->overlay)
               : s;
}

status frame_annotations_create(const frame_scene *scene, const frame_layers *layers,
                                frame_annotations **out)
{
    *out = NULL;
    if (!scene->config->has_annotations && !places_are_wanted(scene->config)) {
        return STATUS_OK;
    }
    if (!annotate_is_available()) {
        base_log_warning("this karman was built without cairo: pictures have no "
                         "annotations");
        return STATUS_OK;
    }
    frame_annotations *a = calloc(1, sizeof *a);
    if (!a) {
        return base_fail_memory(sizeof *a, "annotations");
    }
    a->scene = scene;
    a->layers = layers;
    status s = make(a);
    if (s != STATUS_OK) {
        frame_annotations_destroy(&a);
        return s;
    }
    *out = a;
    return STATUS_OK;
}

void frame_annotations_destroy(frame_annotations **annotations)
{
    frame_annotations *a = *annotations;
    if (!a) {
        return;
    }
    annotate_overlay_destroy(&a->overlay);
    for (int n = 0; n < a->nowned; n++) {
        free(a->owned[n].points);
        free(a->owned[n].levels);
        free(a->owned[n].categories);
    }
    frame_insets_destroy(&a->insets);
    annotate_image_destroy(&a->logo);
    free(a->owned);
    free(a->bars);
    marks_free(&a->marks);
    free(a->time);
    free(a);
    *annotations = NULL;
}

status frame_annotations_load(frame_annotations *annotations, int step)
{
    return annotations && annotations->insets
               ? frame_insets_load(annotations->insets, step)
               : STATUS_OK;
}

status frame_annotations_draw(frame_annotations *annotations, int64_t step, double time)
{
    const io_annotations_config *config = &annotations->scene->config->annotations;
    annotate_label *labels = annotations->labels;
    annotations->all.labels = labels;
    annotations->all.nlabels = 0;
    free(annotations->time);
    annotations->time = NULL;
    if (config->title) {
        labels[annotations->all.nlabels++] = (annotate_label){
            .text = config->title, .anchor = ANNOTATE_TOP_CENTER, .size = 1.3};
    }
    if (config->time_text) {
        annotations->time = io_config_expand_time(config->time_text, step, time);
        if (!annotations->time) {
            return base_fail_memory(0, "the text of a picture");
        }
        labels[annotations->all.nlabels++] =
            (annotate_label){.text = annotations->time, .anchor = ANNOTATE_TOP_LEFT};
    }
    for (int n = 0; n < config->ntexts; n++) {
        const io_text_config *text = &config->texts[n];
        labels[annotations->all.nlabels++] =
            (annotate_label){text->text, anchors[text->place], text->size};
    }
    frame_insets_show(annotations->insets, &annotations->all);
    marks_free(&annotations->marks);
    status s = places_mark(annotations->scene, annotations->layers, &annotations->marks);
    if (s == STATUS_OK) {
        marks_show(&annotations->marks, &annotations->all);
        s = annotate_draw(annotations->overlay, &annotations->all);
    }
    return s;
}

/* A figure and its annotations, for io_file_make. */
typedef struct figure_file {
    const annotate_figure *figure;
    const annotation *what;
    status result;
} figure_file;

static bool write_figure(FILE *file, const void *context)
{
    figure_file *work = *(figure_file *const *)context;
    work->result = annotate_figure_write(work->figure, work->what, file);
    return work->result == STATUS_OK;
}

status frame_annotations_write(const frame_annotations *annotations,
                               const annotate_figure *figure, const char *path)
{
    const annotation nothing = {0};
    figure_file work = {figure, annotations ? &annotations->all : &nothing, STATUS_OK};
    const figure_file *context = &work;
    return io_file_make(path, write_figure, &context);
}

void frame_annotations_blend(const frame_annotations *annotations, io_png_format format,
                             io_png_range range, uint8_t *pixels)
{
    typedef void blend(const annotate_overlay *, int64_t, int64_t, uint8_t *);
    static blend *const blends[2][2] = {{annotate_blend_rgb8, annotate_blend_rgb16},
                                        {annotate_blend_rgba8, annotate_blend_rgba16}};
    if (annotations) {
        blends[format.has_alpha][format.is_deep](annotations->overlay, range.pix0,
                                                 range.npix, pixels);
    }
}
