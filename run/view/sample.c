/* The values of shown fields at points, along a line, at vertices, and at several steps.
 */
#include "sample.h"

#include "base/parallel/parallel.h"
#include "frame/job_state.h"
#include "run/steer/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 4096, MOST_STEPS = 64 };

/* ---- Values ------------------------------------------------------------------------ */

static void add_name(const char *names[VIEW_MOST_FIELDS], int *count, const char *name)
{
    bool is_known = name == NULL || *count == VIEW_MOST_FIELDS;
    for (int n = 0; n < *count && !is_known; n++) {
        is_known = strcmp(names[n], name) == 0;
    }
    if (!is_known) {
        names[(*count)++] = name;
    }
}

int view_sample_fields(const io_config *config, const char *names[VIEW_MOST_FIELDS])
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

status view_sample_values(const view_state *state, frame_probe *probe, const char *field,
                          int step, double *values)
{
    const frame_scene *scene = &state->job->scene;
    grid_recipe *recipe = NULL;
    status s = grid_recipe_create(field, io_source_field_count(scene->source),
                                  io_source_fields(scene->source),
                                  scene->config->data.terms, &recipe);
    s = s == STATUS_OK ? frame_probe_values(probe, recipe, step, values) : s;
    grid_recipe_destroy(&recipe);
    return s;
}

status view_sample_create(view_state *state, const json_t *order, const char *what,
                          auto_sample **out)
{
    const char *field = json_string_value(json_object_get(order, "field"));
    const status s = field ? view_config_aim(state, order)
                           : base_fail(STATUS_USAGE, "%s needs a field", what);
    if (s != STATUS_OK) {
        return s;
    }
    frame_auto_data data = frame_job_data(state->job);
    data.nsteps = 1;
    return auto_sample_create(&data, field, false, out);
}

/* ---- What is asked for ------------------------------------------------------------- */

typedef struct sampling {
    int64_t npoints;
    frame_probe_wish *wishes; /* [npoints] */
    int nsteps;
    int steps[MOST_STEPS]; /* [nsteps]: indices */
} sampling;

static status read_place(const json_t *json, double x[3])
{
    for (size_t n = 0; n < 3; n++) {
        const json_t *number = json_array_get(json, n);
        if (!json_is_number(number)) {
            return base_fail(STATUS_USAGE, "a point has three numbers: [x, y, z]");
        }
        x[n] = json_number_value(number);
    }
    return STATUS_OK;
}

/* "points": [[x, y, z], …] */
static status read_points(const json_t *list, sampling *out)
{
    status s = STATUS_OK;
    for (int64_t n = 0; n < out->npoints && s == STATUS_OK; n++) {
        out->wishes[n].block = -1;
        s = read_place(json_array_get(list, (size_t)n), out->wishes[n].x);
    }
    return s;
}

/* "line": [from, to], "count": n; as karman line */
static status read_line(const json_t *line, sampling *out)
{
    double ends[2][3];
    status s = read_place(json_array_get(line, 0), ends[0]);
    s = s == STATUS_OK ? read_place(json_array_get(line, 1), ends[1]) : s;
    for (int64_t n = 0; n < out->npoints && s == STATUS_OK; n++) {
        const double part = (double)n / (double)(out->npoints - 1);
        out->wishes[n].block = -1;
        for (int axis = 0; axis < 3; axis++) {
            out->wishes[n].x[axis] =
                ends[0][axis] + part * (ends[1][axis] - ends[0][axis]);
        }
    }
    return s;
}

/* "vertices": [[block, i, j, k], …], block: its number */
static status read_vertices(const grid_layout *layout, const json_t *list, sampling *out)
{
    for (int64_t n = 0; n < out->npoints; n++) {
        const json_t *vertex = json_array_get(list, (size_t)n);
        const json_int_t block = json_integer_value(json_array_get(vertex, 0));
        if (json_array_size(vertex) != 4 || block < 0 || block >= layout->nblocks) {
            return base_fail(STATUS_USAGE, "a vertex has four numbers: [block, i, j, k]");
        }
        out->wishes[n].block = (int)block;
        for (size_t axis = 0; axis < 3; axis++) {
            out->wishes[n].at[axis] =
                json_integer_value(json_array_get(vertex, axis + 1));
        }
    }
    return STATUS_OK;
}

static status read_wishes(const view_state *state, const json_t *order, sampling *out)
{
    const json_t *points = json_object_get(order, "points");
    const json_t *line = json_object_get(order, "line");
    const json_t *vertices = json_object_get(order, "vertices");
    out->npoints = points ? (int64_t)json_array_size(points)
                   : line ? json_integer_value(json_object_get(order, "count"))
                          : (int64_t)json_array_size(vertices);
    if (out->npoints < (line ? 2 : 1) || out->npoints > MOST_POINTS) {
        return base_fail(STATUS_USAGE,
                         "values are found at 1 to %d points, along a line "
                         "at 2 or more",
                         (int)MOST_POINTS);
    }
    out->wishes = calloc((size_t)out->npoints, sizeof *out->wishes);
    return !out->wishes ? base_fail_memory(0, "points")
           : points     ? read_points(points, out)
           : line       ? read_line(line, out)
                        : read_vertices(state->job->scene.layout, vertices, out);
}

/* "steps": [number, …]; otherwise the shown step. */
static status read_steps(const view_state *state, const json_t *order, sampling *out)
{
    const frame_scene *scene = &state->job->scene;
    const json_t *list = json_object_get(order, "steps");
    const int count = io_source_step_count(scene->source);
    out->nsteps = list ? (int)json_array_size(list) : 1;
    out->steps[0] = scene->steps[0];
    if (out->nsteps < 1 || out->nsteps > MOST_STEPS) {
        return base_fail(STATUS_USAGE, "values are found at 1 to %d steps at a time",
                         (int)MOST_STEPS);
    }
    if (list && io_source_moves(scene->source)) {
        return base_fail(STATUS_USAGE, "the grid moves: a place has values at the shown "
                                       "step alone");
    }
    for (int n = 0; list && n < out->nsteps; n++) {
        const json_int_t number = json_integer_value(json_array_get(list, (size_t)n));
        int at = 0;
        while (at < count && io_source_steps(scene->source)[at].number != number) {
            at++;
        }
        if (at == count) {
            return base_fail(STATUS_USAGE, "there is no step %lld", (long long)number);
        }
        out->steps[n] = at;
    }
    return STATUS_OK;
}

/* ---- The answer -------------------------------------------------------------------- */

static json_t *list_points(const frame_scene *scene, const sampling *asked,
                           const frame_probe *probe)
{
    json_t *list = json_array();
    for (int64_t n = 0; n < asked->npoints; n++) {
        const frame_probe_point *p = &frame_probe_points(probe)[n];
        const grid_block *block = &scene->layout->blocks[p->block];
        json_array_append_new(
            list,
            json_pack("{s:[o, o, o], s:b, s:o, s:[f, f, f]}", "x", steer_number(p->x[0]),
                      steer_number(p->x[1]), steer_number(p->x[2]), "inside",
                      p->is_inside, "block", steer_string(block->name), "at",
                      (double)p->at[0] + p->local[0], (double)p->at[1] + p->local[1],
                      (double)p->at[2] + p->local[2]));
    }
    return list;
}

/* The values of a field, [step][point]. Collective. */
static status list_values(const view_state *state, const sampling *asked,
                          frame_probe *probe, const char *field, json_t *out)
{
    double *values = calloc((size_t)asked->npoints, sizeof *values);
    status s =
        parallel_agree(state->comm, values ? STATUS_OK : base_fail_memory(0, "values"));
    for (int step = 0; step < asked->nsteps && s == STATUS_OK; step++) {
        json_t *list = json_array();
        s = view_sample_values(state, probe, field, asked->steps[step], values);
        for (int64_t n = 0; n < asked->npoints; n++) {
            json_array_append_new(list, steer_number(values[n]));
        }
        json_array_append_new(out, list);
    }
    free(values);
    return s;
}

/* Collective. */
static status find(const view_state *state, const sampling *asked, view_result *result)
{
    const frame_scene *scene = &state->job->scene;
    const char *names[VIEW_MOST_FIELDS];
    const int count = view_sample_fields(scene->config, names);
    frame_probe *probe = NULL;
    json_t *values = json_object();
    status s = frame_probe_create(scene->comm, scene->source, scene->layout,
                                  asked->npoints, asked->wishes, &probe);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        json_t *list = json_array();
        s = list_values(state, asked, probe, names[n], list);
        json_object_set_new(values, names[n], list);
    }
    if (s == STATUS_OK && state->rank == 0) {
        s = view_result_json(json_pack("{s:o, s:O}", "points",
                                       list_points(scene, asked, probe), "values",
                                       values),
                             result);
    }
    frame_probe_destroy(&probe);
    json_decref(values);
    return s;
}

status view_order_sample(view_state *state, const json_t *order, view_result *result)
{
    sampling asked = {0};
    status s = view_config_aim(state, order);
    s = s == STATUS_OK ? read_wishes(state, order, &asked) : s;
    s = s == STATUS_OK ? read_steps(state, order, &asked) : s;
    s = parallel_agree(state->comm, s);
    s = s == STATUS_OK ? find(state, &asked, result) : s;
    free(asked.wishes);
    return s;
}
