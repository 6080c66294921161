/* What the page shows beside the picture: the data, the config with its settings, and the
 * config that is taken away. */
#include "base/parallel/parallel.h"
#include "base/version.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "io/picture/pixels.h"
#include "run/steer/parameters.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 1000, MOST_CHANGES = 64 };

status view_result_json(json_t *document, view_result *result)
{
    char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    if (!text) {
        return base_fail_memory(0, "an answer");
    }
    *result = (view_result){.bytes = text, .size = strlen(text)};
    return STATUS_OK;
}

/* ---- Settings ---------------------------------------------------------------------- */

/* settings_take */
static status add_setting(void *table, const steer_parameter *setting,
                          const steer_value *value)
{
    return steer_table_add(table, setting, value, NULL, NULL);
}

/* The settings as the array of parameters.json: a new reference, or NULL. */
static json_t *list_settings(view_state *state)
{
    const io_source *source = state->job->scene.source;
    steer_table table = {0};
    state->offers.nfields = io_source_field_count(source);
    state->offers.fields = io_source_fields(source);
    const status s = settings_list(frame_job_config(state->job)->canonical,
                                   &state->offers, add_setting, &table);
    json_t *list = s == STATUS_OK ? steer_table_write(&table) : NULL;
    steer_table_clear(&table);
    return list;
}

/* ---- The data ---------------------------------------------------------------------- */

static json_t *list_steps(const view_state *state)
{
    const frame_scene *scene = &state->job->scene;
    const int count =
        state->keeps_steps ? scene->nsteps : io_source_step_count(scene->source);
    const io_step *steps = io_source_steps(scene->source);
    json_t *list = json_array();
    for (int n = 0; n < count; n++) {
        const io_step *step = &steps[state->keeps_steps ? scene->steps[n] : n];
        json_array_append_new(list, json_pack("[I, o]", (json_int_t)step->number,
                                              steer_number(step->time)));
    }
    return list;
}

static json_t *list_blocks(const frame_scene *scene)
{
    json_t *list = json_array();
    for (int n = 0; n < scene->layout->nblocks && n < MOST_BLOCKS; n++) {
        const grid_block *block = &scene->layout->blocks[n];
        json_array_append_new(
            list, json_pack("{s:o, s:[I, I, I]}", "name", steer_string(block->name), "n",
                            (json_int_t)block->n[0], (json_int_t)block->n[1],
                            (json_int_t)block->n[2]));
    }
    return list;
}

static int64_t count_cells(const grid_layout *layout)
{
    int64_t sum = 0;
    for (int64_t n = 0; n < layout->nbricks; n++) {
        sum += layout->bricks[n].cells;
    }
    return sum;
}

/* The fields of the data, and those that can be derived. */
static json_t *list_fields(const io_source *source)
{
    const int count = io_source_field_count(source);
    const grid_field *fields = io_source_fields(source);
    const char *derived;
    json_t *list = json_array();
    for (int n = 0; n < count; n++) {
        json_array_append_new(list, steer_string(fields[n].name));
    }
    for (int n = 0; count > 0 && (derived = grid_recipe_derivable(count, fields, n));
         n++) {
        json_array_append_new(list, steer_string(derived));
    }
    return list;
}

static json_t *list_bounds(const grid_layout *layout)
{
    const vec3 lo = vec3_add(layout->bounds.lo, layout->origin);
    const vec3 hi = vec3_add(layout->bounds.hi, layout->origin);
    return json_pack("[[f, f, f], [f, f, f]]", lo.v[0], lo.v[1], lo.v[2], hi.v[0],
                     hi.v[1], hi.v[2]);
}

static json_t *describe_data(const view_state *state)
{
    const frame_scene *scene = &state->job->scene;
    return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o}", "file",
                     steer_string(io_source_path(scene->source)), "steps",
                     list_steps(state), "blocks", list_blocks(scene), "cells",
                     (json_int_t)count_cells(scene->layout), "fields",
                     list_fields(scene->source), "bounds", list_bounds(scene->layout));
}

/* Orders that need a job get one of the config that they bring. Collective. */
static status expect_job(const view_state *state)
{
    return state->job ? STATUS_OK
                      : base_fail(STATUS_USAGE, "the last order has failed: draw first");
}

status view_order_about(view_state *state, const json_t *order, view_result *result)
{
    status s = expect_job(state);
    (void)order;
    if (s != STATUS_OK || state->rank != 0) {
        return s;
    }
    const int64_t step =
        frame_job_step(state->job, frame_job_frame_count(state->job) - 1)->number;
    return view_result_json(
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:i, s:i, s:b, s:b}", "version",
                  base_version(), "data", describe_data(state), "config",
                  view_config_read(frame_job_config(state->job), true), "parameters",
                  list_settings(state), "kinds", settings_kinds(), "step",
                  (json_int_t)step, "ranks", state->job->scene.ranks, "threads",
                  state->job->scene.threads, "jpeg", io_jpeg_is_available(), "other",
                  state->other_data != NULL),
        result);
}

/* ---- Changes ----------------------------------------------------------------------- */

/* Applies the order's "changes" (io_config_change) to its config. */
static status apply(const json_t *order, io_config **config)
{
    const json_t *list = json_object_get(order, "changes");
    const char *changes[MOST_CHANGES];
    const size_t count = json_array_size(list);
    io_config *made = NULL;
    for (size_t n = 0; n < count && n < MOST_CHANGES; n++) {
        changes[n] = json_string_value(json_array_get(list, n));
        if (!changes[n]) {
            return base_fail(STATUS_USAGE, "a change is a text");
        }
    }
    if (count > MOST_CHANGES) {
        return base_fail(STATUS_USAGE, "an order may have %d changes", MOST_CHANGES);
    }
    status s = io_config_change(*config, NULL, (int)count, changes, &made);
    if (s == STATUS_OK) {
        io_config_destroy(config);
        *config = made;
    }
    return s;
}

status view_order_change(view_state *state, const json_t *order, view_result *result)
{
    io_config *config = NULL;
    status s = view_config_make(state, order, 1.0, &config);
    s = s == STATUS_OK ? apply(order, &config) : s;
    s = parallel_agree(state->comm, s);
    s = s == STATUS_OK ? view_config_take(state, &config) : s;
    io_config_destroy(&config);
    if (s != STATUS_OK || state->rank != 0) {
        return s;
    }
    return view_result_json(
        json_pack("{s:o, s:o}", "config",
                  view_config_read(frame_job_config(state->job), true), "parameters",
                  list_settings(state)),
        result);
}

/* ---- Taking away ------------------------------------------------------------------- */

/* Keys that are required stand first in YAML; JSON has the order of the document. */
static char *print_json(const io_config *config)
{
    json_t *all = view_config_read(config, false);
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(all);
    return text;
}

status view_order_take(view_state *state, const json_t *order, view_result *result)
{
    const char *form = json_string_value(json_object_get(order, "form"));
    const bool is_json = form && strcmp(form, "json") == 0;
    io_config *config = NULL;
    status s = view_config_make(state, order, 1.0, &config);
    if (s == STATUS_OK && state->rank == 0) {
        *result = is_json ? (view_result){.bytes = print_json(config)}
                          : (view_result){.type = "application/yaml",
                                          .bytes = view_config_print(config)};
        s = result->bytes ? s : base_fail_memory(0, "a config");
        result->size = result->bytes ? strlen(result->bytes) : 0;
    }
    io_config_destroy(&config);
    return parallel_agree(state->comm, s);
}
