/* The point under the pointer, the values of fields there, and histograms. */
#include "frame/probe/probe.h"
#include "base/parallel/parallel.h"
#include "frame/auto/sample.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/shown/pick.h"
#include "run/steer/parameters.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 16, BINS = 128 };

/* ---- Values ------------------------------------------------------------------------ */

static void add_name(const char *names[MOST_FIELDS], int *count, const char *name)
{
    bool is_known = name == NULL || *count == MOST_FIELDS;
    for (int n = 0; n < *count && !is_known; n++) {
        is_known = strcmp(names[n], name) == 0;
    }
    if (!is_known) {
        names[(*count)++] = name;
    }
}

/* The fields that layers show, or are made of. */
static int list_shown(const io_config *config, const char *names[MOST_FIELDS])
{
    int count = 0;
    for (int n = 0; n < config->nlayers; n++) {
        const io_layer_config *layer = &config->layers[n];
        if (!layer->shown) {
            continue;
        }
        add_name(names, &count, layer->volume ? layer->volume->field : NULL);
        add_name(names, &count, layer->tool ? layer->tool->field : NULL);
        add_name(names, &count,
                 layer->tool && !layer->tool->paint.has_color ? layer->tool->paint.field
                                                              : NULL);
        add_name(names, &count, layer->particles ? layer->particles->paint.field : NULL);
    }
    return count;
}

static status read_value(const frame_scene *scene, frame_probe *probe, const char *field,
                         int step, double *value)
{
    grid_recipe *recipe = NULL;
    status s = grid_recipe_create(field, io_source_field_count(scene->source),
                                  io_source_fields(scene->source),
                                  scene->config->data.terms, &recipe);
    s = s == STATUS_OK ? frame_probe_values(probe, recipe, step, value) : s;
    grid_recipe_destroy(&recipe);
    return s;
}

/* Collective. */
static status read_values(const view_state *state, frame_probe *probe, int step,
                          json_t *values)
{
    const frame_scene *scene = &state->job->scene;
    const char *names[MOST_FIELDS];
    const int count = list_shown(scene->config, names);
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        double value = NAN;
        s = read_value(scene, probe, names[n], step, &value);
        json_object_set_new(values, names[n], steer_number(value));
    }
    return s;
}

static json_t *describe(const frame_scene *scene, const frame_probe_point *point,
                        int layer, json_t *values)
{
    const grid_block *block = &scene->layout->blocks[point->block];
    return json_pack("{s:[f, f, f], s:b, s:o, s:[I, I, I], s:i, s:O}", "x", point->x[0],
                     point->x[1], point->x[2], "inside", point->is_inside, "block",
                     steer_string(block->name), "at", (json_int_t)point->at[0],
                     (json_int_t)point->at[1], (json_int_t)point->at[2], "layer", layer,
                     "values", values);
}

/* Collective. */
static status probe_at(view_state *state, const frame_probe_wish *wish, int layer,
                       int step, view_result *result)
{
    const frame_scene *scene = &state->job->scene;
    frame_probe *probe = NULL;
    json_t *values = json_object();
    status s =
        frame_probe_create(scene->comm, scene->source, scene->layout, 1, wish, &probe);
    s = s == STATUS_OK ? read_values(state, probe, step, values) : s;
    if (s == STATUS_OK && state->rank == 0) {
        s = view_result_json(
            describe(scene, &frame_probe_points(probe)[0], layer, values), result);
    }
    frame_probe_destroy(&probe);
    json_decref(values);
    return s;
}

status view_order_probe(view_state *state, const json_t *order, view_result *result)
{
    const json_t *at = json_object_get(order, "at"), *point = json_object_get(order, "x");
    double place[3] = {NAN, NAN, NAN};
    for (size_t n = 0; n < 3; n++) {
        place[n] = json_number_value(json_array_get(point ? point : at, n));
    }
    if (!state->job) {
        return base_fail(STATUS_USAGE, "there is no picture");
    }
    const frame_scene *scene = &state->job->scene;
    const int step = scene->steps[0];
    if (point) {
        const frame_probe_wish wish = {.x = {place[0], place[1], place[2]}, .block = -1};
        return probe_at(state, &wish, -1, step, result);
    }
    frame_pick found;
    status s = frame_job_pick(state->job, place, &found);
    if (s != STATUS_OK || !found.is_there) {
        return s != STATUS_OK || state->rank != 0
                   ? s
                   : view_result_json(json_pack("{s:n}", "x"), result);
    }
    const frame_probe_wish wish = {.x = {found.x[0], found.x[1], found.x[2]},
                                   .block = -1};
    return probe_at(state, &wish, found.layer, step, result);
}

/* ---- Histograms -------------------------------------------------------------------- */

static json_t *describe_bins(const double range[2], const double clip[2],
                             const int64_t bins[AUTO_BINS])
{
    json_t *list = json_array();
    for (int n = 0; n < BINS; n++) {
        int64_t sum = 0;
        for (int i = n * (AUTO_BINS / BINS); i < (n + 1) * (AUTO_BINS / BINS); i++) {
            sum += bins[i];
        }
        json_array_append_new(list, json_integer(sum));
    }
    return json_pack("{s:[f, f], s:[f, f], s:o}", "range", range[0], range[1], "middle",
                     clip[0], clip[1], "bins", list);
}

status view_order_histogram(view_state *state, const json_t *order, view_result *result)
{
    const char *field = json_string_value(json_object_get(order, "field"));
    if (!state->job || !field) {
        return base_fail(STATUS_USAGE, "a histogram needs a field and a picture");
    }
    const frame_scene *scene = &state->job->scene;
    const frame_auto_data data = {.comm = scene->comm,
                                  .source = scene->source,
                                  .config = &scene->config->data,
                                  .layout = scene->layout,
                                  .nsteps = 1,
                                  .steps = scene->steps};
    const auto_query all = {.axis = -1, .beyond = -1.0};
    auto_sample *sample = NULL;
    status s = auto_sample_create(&data, field, false, &sample);
    if (s != STATUS_OK) {
        return s;
    }
    double range[2], middle[2];
    int64_t bins[AUTO_BINS] = {0};
    auto_sample_extremes(sample, &all, range);
    auto_sample_quantiles(sample, &all, (const double[2]){0.01, 0.99}, middle);
    if (range[0] <= range[1]) {
        auto_sample_count(sample, &all, range, bins);
    }
    auto_sample_destroy(&sample);
    if (state->rank != 0) {
        return STATUS_OK;
    }
    return range[0] <= range[1]
               ? view_result_json(describe_bins(range, middle, bins), result)
               : view_result_json(json_pack("{s:n}", "range"), result);
}
