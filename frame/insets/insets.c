#include "insets.h"

#include "base/parallel/parallel.h"
#include "frame/integrals/fields.h"
#include "frame/probe/probe.h"
#include "io/load/load.h"
#include "io/view.h"
#include "render/annotate/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A plot. */
typedef struct inset {
    const io_plot_config *config; /* borrowed */
    frame_fields fields;
    const char **units;       /* [fields.count]; NULL, or borrowed from the source */
    double *x;                /* [config->count]: distances */
    double *values;           /* [fields.count][config->count] */
    frame_probe_wish *wishes; /* [config->count] */
    plot plot;
} inset;

struct frame_insets {
    const frame_scene *scene; /* borrowed */
    int count;
    int loaded;            /* 1 + the step (index) of the values; 0: none */
    inset *items;          /* [count] */
    annotate_inset *drawn; /* [count] */
};

/* ---- Making ------------------------------------------------------------------------ */

/* plot_value */
static double value_at(const void *context, int quantity, int curve, int64_t n)
{
    const inset *its = context;
    (void)curve;
    return its->values[quantity * its->config->count + n];
}

/* Places the points, given in the coordinates of the data. */
static void place_points(const frame_scene *scene, inset *its)
{
    const io_plot_config *config = its->config;
    const grid_view *view = io_source_common_view(scene->source);
    const vec3 way = vec3_sub(config->to, config->from);
    for (int n = 0; n < config->count; n++) {
        const double share = (double)n / (config->count - 1);
        vec3 at = vec3_add(config->from, vec3_scale(way, share));
        its->x[n] = share * vec3_length(way);
        at = view ? grid_view_point(view, at) : at;
        its->wishes[n] = (frame_probe_wish){{at.v[0], at.v[1], at.v[2]}, -1, {0}};
    }
}

/* Finds the fields, which must exist. */
static status find_fields(const frame_scene *scene, int number, inset *its)
{
    const io_source *source = scene->source;
    const int nfields = io_source_field_count(source);
    char key[64];
    status s =
        frame_fields_find(its->config->fields, false, nfields, io_source_fields(source),
                          &scene->config->data.terms, &its->fields);
    for (int f = 0; f < its->fields.count && s == STATUS_OK; f++) {
        grid_recipe *recipe = NULL;
        s = grid_recipe_create(its->fields.names[f], nfields, io_source_fields(source),
                               its->fields.terms, &recipe);
        grid_recipe_destroy(&recipe);
    }
    snprintf(key, sizeof key, "annotations.plots.%d.fields", number);
    return s == STATUS_OK ? s : io_config_blame(scene->config, key, s);
}

static status make(const frame_scene *scene, int number, inset *its)
{
    its->config = &scene->config->annotations.plots[number];
    const status s = find_fields(scene, number, its);
    if (s != STATUS_OK) {
        return s;
    }
    const size_t count = (size_t)its->config->count, fields = (size_t)its->fields.count;
    its->units = calloc(fields + 1, sizeof *its->units);
    its->x = calloc(count, sizeof *its->x);
    its->values = calloc(count * fields + 1, sizeof *its->values);
    its->wishes = calloc(count, sizeof *its->wishes);
    if (!its->units || !its->x || !its->values || !its->wishes) {
        return base_fail_memory(count * fields * sizeof *its->values, "a plot");
    }
    for (int f = 0; f < its->fields.count; f++) {
        its->units[f] = io_source_unit(scene->source, its->fields.names[f]);
    }
    place_points(scene, its);
    its->plot = (plot){.title = its->config->title,
                       .across = "distance",
                       .count = its->config->count,
                       .x = its->x,
                       .nquantities = its->fields.count,
                       .quantities = (const char *const *)its->fields.names,
                       .units = its->units,
                       .ncurves = 1,
                       .value = value_at,
                       .context = its};
    return STATUS_OK;
}

static const annotate_anchor anchors[] = {
    [IO_TOP_LEFT] = ANNOTATE_TOP_LEFT,    [IO_TOP] = ANNOTATE_TOP_CENTER,
    [IO_TOP_RIGHT] = ANNOTATE_TOP_RIGHT,  [IO_BOTTOM_LEFT] = ANNOTATE_BOTTOM_LEFT,
    [IO_BOTTOM] = ANNOTATE_BOTTOM_CENTER, [IO_BOTTOM_RIGHT] = ANNOTATE_BOTTOM_RIGHT};

status frame_insets_create(const frame_scene *scene, frame_insets **out)
{
    const size_t count = (size_t)scene->config->annotations.nplots;
    *out = NULL;
    if (count == 0) {
        return STATUS_OK;
    }
    frame_insets *made = calloc(1, sizeof *made);
    if (made) {
        *made = (frame_insets){.scene = scene,
                               .items = calloc(count, sizeof *made->items),
                               .drawn = calloc(count, sizeof *made->drawn)};
    }
    status s = made && made->items && made->drawn
                   ? STATUS_OK
                   : base_fail_memory(count * sizeof(inset), "plots");
    for (int n = 0; n < (int)count && s == STATUS_OK; n++) {
        inset *its = &made->items[n];
        made->count++;
        s = make(scene, n, its);
        made->drawn[n] =
            (annotate_inset){anchors[its->config->place], its->config->width,
                             its->config->height, plot_draw_inset, &its->plot};
    }
    if (s != STATUS_OK) {
        frame_insets_destroy(&made);
    }
    *out = made;
    return s;
}

void frame_insets_destroy(frame_insets **insets)
{
    frame_insets *all = *insets;
    for (int n = 0; all && n < all->count; n++) {
        frame_fields_clear(&all->items[n].fields);
        free(all->items[n].units);
        free(all->items[n].x);
        free(all->items[n].values);
        free(all->items[n].wishes);
    }
    if (all) {
        free(all->items);
        free(all->drawn);
        free(all);
    }
    *insets = NULL;
}

/* ---- Values ------------------------------------------------------------------------ */

/* Finds the values of a field; missing ones if the step lacks it. Collective. */
static status load_field(const frame_scene *scene, frame_probe *probe, inset *its,
                         int field, int step)
{
    double *values = its->values + field * its->config->count;
    grid_recipe *recipe = NULL;
    status s =
        grid_recipe_create(its->fields.names[field], io_source_field_count(scene->source),
                           io_source_fields(scene->source), its->fields.terms, &recipe);
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK && io_load_has(scene->source, recipe, step)) {
        s = frame_probe_values(probe, recipe, step, values);
    } else {
        for (int n = 0; n < its->config->count; n++) {
            values[n] = (double)NAN;
        }
    }
    grid_recipe_destroy(&recipe);
    return s;
}

status frame_insets_load(frame_insets *insets, int step)
{
    const frame_scene *scene = insets->scene;
    status s = STATUS_OK;
    if (insets->loaded == step + 1 && !scene->is_from_memory) {
        return STATUS_OK;
    }
    insets->loaded = 0;
    for (int n = 0; n < insets->count && s == STATUS_OK; n++) {
        inset *its = &insets->items[n];
        frame_probe *probe = NULL; /* the grid may have moved */
        s = frame_probe_create(scene->comm, scene->source, scene->layout,
                               its->config->count, its->wishes, &probe);
        for (int f = 0; f < its->fields.count && s == STATUS_OK; f++) {
            s = load_field(scene, probe, its, f, step);
        }
        frame_probe_destroy(&probe);
    }
    insets->loaded = s == STATUS_OK ? step + 1 : 0;
    return s;
}

void frame_insets_show(const frame_insets *insets, annotation *out)
{
    out->ninsets = insets ? insets->count : 0;
    out->insets = insets ? insets->drawn : NULL;
}
