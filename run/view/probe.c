/* The point under the pointer, or that of an extreme, and the values of fields there. */
#include "base/parallel/parallel.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/shown/pick.h"
#include "run/steer/parameters.h"
#include "sample.h"

#include <math.h>
#include <string.h>

/* ---- The answer -------------------------------------------------------------------- */

/* Collective. */
static status read_values(const view_state *state, frame_probe *probe, int step,
                          json_t *values)
{
    const char *names[VIEW_MOST_FIELDS];
    const int count = view_sample_fields(state->job->scene.config, names);
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        double value = NAN;
        s = view_sample_values(state, probe, names[n], step, &value);
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
    status s = view_config_aim(state, order);
    if (s != STATUS_OK) {
        return s;
    }
    const frame_scene *scene = &state->job->scene;
    const int step = scene->steps[0];
    if (point) {
        const frame_probe_wish wish = {.x = {place[0], place[1], place[2]}, .block = -1};
        return probe_at(state, &wish, -1, step, result);
    }
    frame_pick found;
    s = frame_job_pick(state->job, place, &found);
    if (s != STATUS_OK || !found.is_there) {
        return s != STATUS_OK || state->rank != 0
                   ? s
                   : view_result_json(json_pack("{s:n}", "x"), result);
    }
    const frame_probe_wish wish = {.x = {found.x[0], found.x[1], found.x[2]},
                                   .block = -1};
    return probe_at(state, &wish, found.layer, step, result);
}

/* ---- Extremes ---------------------------------------------------------------------- */

/* A value with its place; of equal values the one whose place comes first. */
typedef struct extreme {
    double key, x[3]; /* key: the value, or its opposite for the least one */
} extreme;

static bool is_before(const double a[3], const double b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

static void find_own(const auto_sample *sample, double sign, extreme *best)
{
    best->key = -INFINITY;
    for (int64_t n = 0; n < sample->count; n++) {
        const double key = sign * (double)sample->values[n];
        const double x[3] = {(double)sample->place[n][0], (double)sample->place[n][1],
                             (double)sample->place[n][2]};
        if (sample->cells[n] > 0 &&
            (key > best->key || (key == best->key && is_before(x, best->x)))) {
            best->key = key;
            memcpy(best->x, x, sizeof x);
        }
    }
}

/* The extreme of all ranks: the first coordinate decides among equal ones, and so on.
 * Collective. */
static void share_extreme(MPI_Comm comm, extreme *best)
{
    double all = -INFINITY;
    parallel_allreduce(&best->key, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    bool is_mine = best->key == all;
    for (int axis = 0; axis < 3; axis++) {
        double mine = is_mine ? best->x[axis] : INFINITY, first = INFINITY;
        parallel_allreduce(&mine, &first, 1, MPI_DOUBLE, MPI_MIN, comm);
        is_mine = is_mine && best->x[axis] == first;
        best->x[axis] = first;
    }
    best->key = all;
}

status view_order_extreme(view_state *state, const json_t *order, view_result *result)
{
    const bool is_least = json_is_true(json_object_get(order, "least"));
    auto_sample *sample = NULL;
    extreme best;
    const status s = view_sample_create(state, order, "an extreme", &sample);
    if (s != STATUS_OK) {
        return s;
    }
    const frame_scene *scene = &state->job->scene;
    find_own(sample, is_least ? -1.0 : 1.0, &best);
    auto_sample_destroy(&sample);
    share_extreme(scene->comm, &best);
    if (!isfinite(best.key)) {
        return base_fail(STATUS_USAGE, "'%s' has no values at this step",
                         json_string_value(json_object_get(order, "field")));
    }
    const double *o = scene->layout->origin.v;
    const frame_probe_wish wish = {
        .x = {best.x[0] + o[0], best.x[1] + o[1], best.x[2] + o[2]}, .block = -1};
    return probe_at(state, &wish, -1, scene->steps[0], result);
}
