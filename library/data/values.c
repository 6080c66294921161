/* What data hold: lists, ranges, arrays, values at points. */
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "data.h"
#include "frame/entry.h"
#include "frame/probe/probe.h"
#include "io/load/load.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists ------------------------------------------------------------------------- */

/* The box of a whole array. A flat block has one layer, as its data have. */
static io_box whole_box(const io_source *source, int block, int array)
{
    const grid_block *of = &io_source_blocks(source)[block];
    const bool is_cells =
        array >= 0 && io_source_fields(source)[array].location == GRID_CELL;
    const int flat = io_source_flat_axis_of(source, block);
    io_box box = {{0, 0, 0}, {0, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        box.n[axis] = axis == flat ? 1 : of->n[axis] - is_cells;
    }
    return box;
}

/* NULL: the text is no UTF-8. */
static json_t *text_of(const char *text)
{
    json_t *json = json_string(text);
    return json ? json : json_string("?");
}

static json_t *list_blocks(const io_source *source)
{
    json_t *list = json_array();
    for (int b = 0; b < io_source_block_count(source); b++) {
        const grid_block *block = &io_source_blocks(source)[b];
        const io_box box = whole_box(source, b, IO_ARRAY_X);
        json_array_append_new(
            list, json_pack("{s:o, s:[I, I, I], s:b}", "name", text_of(block->name), "n",
                            (json_int_t)box.n[0], (json_int_t)box.n[1],
                            (json_int_t)box.n[2], "iblank", block->has_iblank));
    }
    return list;
}

static json_t *list_fields(const io_source *source)
{
    json_t *list = json_array();
    for (int f = 0; f < io_source_field_count(source); f++) {
        const grid_field *field = &io_source_fields(source)[f];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:s, s:b}", "name", text_of(field->name), "alias",
                            text_of(field->alias), "at",
                            field->location == GRID_CELL ? "cells" : "vertices", "single",
                            io_source_is_single(source, f)));
    }
    return list;
}

static json_t *list_derived(const io_source *source)
{
    const int count = io_source_field_count(source);
    const char *name;
    json_t *list = json_array();
    for (int n = 0;
         count > 0 && (name = grid_recipe_derivable(count, io_source_fields(source), n));
         n++) {
        json_array_append_new(list, text_of(name));
    }
    return list;
}

static json_t *list_steps(const io_source *source)
{
    json_t *list = json_array();
    for (int n = 0; n < io_source_step_count(source); n++) {
        const io_step *step = &io_source_steps(source)[n];
        json_array_append_new(list,
                              json_pack("[I, f]", (json_int_t)step->number, step->time));
    }
    return list;
}

status insitu_data_describe(insitu_session *session, const char **json)
{
    io_source *source = NULL;
    status s = insitu_data_source(session, &source);
    if (s != STATUS_OK) {
        return s;
    }
    json_t *all = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "path",
                            text_of(io_source_path(source)), "notes",
                            text_of(io_source_notes(source)), "blocks",
                            list_blocks(source), "fields", list_fields(source), "derived",
                            list_derived(source), "steps", list_steps(source));
    free(session->data->description);
    session->data->description = all ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    *json = session->data->description;
    return parallel_agree(session->comm,
                          *json ? STATUS_OK : base_fail_memory(0, "a list of fields"));
}

/* ---- Bounds and ranges ------------------------------------------------------------- */

/* Work on the grid of a step. */
typedef struct place {
    io_source *source;
    const grid_layout *layout;
    int step; /* index */
    frame_threads threads;
} place;

/* Finds the source, the step and its grid. Call leave() in any case. Collective. */
static status enter(insitu_session *session, int64_t step, place *p)
{
    const int neighbours = parallel_node_size(session->comm);
    p->threads = frame_threads_begin(frame_threads_choose(neighbours, session->threads));
    status s = insitu_data_source(session, &p->source);
    s = s == STATUS_OK ? insitu_data_step(p->source, step, &p->step) : s;
    return s == STATUS_OK ? insitu_data_layout(session, p->source, p->step, &p->layout)
                          : s;
}

static void leave(const place *p)
{
    frame_threads_end(&p->threads);
}

status insitu_data_bounds(insitu_session *session, int64_t step, double bounds[6])
{
    place p = {0};
    const status s = enter(session, step, &p);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        const double origin = p.layout->origin.v[axis];
        bounds[2 * axis] = p.layout->bounds.lo.v[axis] + origin;
        bounds[2 * axis + 1] = p.layout->bounds.hi.v[axis] + origin;
    }
    leave(&p);
    return s;
}

/* The recipe of a field of these data. Collective. */
static status make_recipe(const insitu_session *session, const io_source *source,
                          const char *field, grid_recipe **recipe)
{
    return parallel_agree(session->comm,
                          grid_recipe_create(field, io_source_field_count(source),
                                             io_source_fields(source),
                                             session->data->config->data.terms, recipe));
}

status insitu_data_range(insitu_session *session, const char *field, int64_t step,
                         double range[2])
{
    place p = {0};
    grid_recipe *recipe = NULL;
    status s = enter(session, step, &p);
    s = s == STATUS_OK ? make_recipe(session, p.source, field, &recipe) : s;
    if (s == STATUS_OK) {
        const io_load_series series = {p.layout, recipe, &p.step, 1};
        s = io_load_range(session->comm, p.source, &series, range);
    }
    grid_recipe_destroy(&recipe);
    leave(&p);
    return s;
}

/* ---- Arrays ------------------------------------------------------------------------ */

static status find_array(const io_source *source, const char *name, int *array)
{
    static const char *const own[] = {"x", "y", "z", "iblank"};
    for (int f = 0; f < io_source_field_count(source); f++) {
        const grid_field *field = &io_source_fields(source)[f];
        if (strcmp(field->name, name) == 0 || strcmp(field->alias, name) == 0) {
            *array = f;
            return STATUS_OK;
        }
    }
    for (int n = 0; n < 4; n++) {
        if (strcmp(own[n], name) == 0) {
            *array = IO_ARRAY_X + n;
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_USAGE,
                     "'%s' is no array of %s: arrays are x, y, z, iblank and the fields "
                     "that it stores; values of derived fields are probed",
                     name, io_source_path(source));
}

static status check_wish(const io_source *source, const insitu_wish *wish, int *array)
{
    status s = find_array(source, wish->array, array);
    if (s != STATUS_OK) {
        return s;
    }
    const int type = *array == IO_ARRAY_IBLANK ? KARMAN_INT32
                     : *array < 0              ? KARMAN_FLOAT64
                                               : wish->type;
    if (wish->block < 0 || wish->block >= io_source_block_count(source)) {
        return base_fail(STATUS_USAGE, "there is no block %d: %s has blocks 0 to %d",
                         wish->block, io_source_path(source),
                         io_source_block_count(source) - 1);
    }
    return wish->type == type && (*array < 0 || type != KARMAN_INT32)
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "'%s' is read in another type: coordinates as float64, fields "
                           "as float32 or float64, iblank as int32",
                           wish->array);
}

status insitu_data_read(insitu_session *session, const insitu_wish *wish, void *values)
{
    io_source *source = NULL;
    int array = 0, step = 0;
    status s = insitu_data_source(session, &source);
    s = s == STATUS_OK ? insitu_data_step(source, wish->step, &step) : s;
    if (s == STATUS_OK && io_source_grid(source, step) !=
                              io_source_grid(source, io_source_grid_step(source))) {
        grid_layout_destroy(&session->data->layout);
        s = io_source_choose_grid(source, step);
    }
    s = parallel_agree(session->comm,
                       s == STATUS_OK ? check_wish(source, wish, &array) : s);
    if (s != STATUS_OK) {
        return s;
    }
    const io_box box = whole_box(source, wish->block, array);
    s = array >= 0 && wish->type == KARMAN_FLOAT64
            ? io_source_read_doubles(source, step, wish->block, array, &box, values)
            : io_source_read(source, step, wish->block, array, &box, values);
    return parallel_agree(session->comm, s);
}

/* ---- Points ------------------------------------------------------------------------ */

static status make_probe(insitu_session *session, const place *p,
                         const karman_points *points, frame_probe **probe)
{
    const size_t bytes = ((size_t)points->npoints + 1) * sizeof(frame_probe_wish);
    frame_probe_wish *wishes = malloc(bytes);
    status s = parallel_agree(session->comm,
                              wishes ? STATUS_OK : base_fail_memory(bytes, "the points"));
    for (int64_t n = 0; n < points->npoints && s == STATUS_OK; n++) {
        const double *at = points->points[n];
        wishes[n] = (frame_probe_wish){.x = {at[0], at[1], at[2]}, .block = -1};
    }
    s = s == STATUS_OK ? frame_probe_create(session->comm, p->source, p->layout,
                                            points->npoints, wishes, probe)
                       : s;
    free(wishes);
    return s;
}

/* Collective. */
static status find_values(insitu_session *session, const place *p,
                          const karman_points *points, frame_probe *probe, double *values)
{
    status s = STATUS_OK;
    for (int f = 0; f < points->nfields && s == STATUS_OK; f++) {
        grid_recipe *recipe = NULL;
        s = make_recipe(session, p->source, points->fields[f], &recipe);
        s = s == STATUS_OK
                ? frame_probe_values(probe, recipe, p->step, values + f * points->npoints)
                : s;
        grid_recipe_destroy(&recipe);
    }
    return s;
}

status insitu_data_probe(insitu_session *session, const karman_points *points,
                         int *blocks, double *values)
{
    place p = {0};
    frame_probe *probe = NULL;
    status s = enter(session, points->step, &p);
    s = s == STATUS_OK ? make_probe(session, &p, points, &probe) : s;
    s = s == STATUS_OK ? find_values(session, &p, points, probe, values) : s;
    for (int64_t n = 0; n < points->npoints && s == STATUS_OK; n++) {
        const frame_probe_point *point = &frame_probe_points(probe)[n];
        blocks[n] = point->is_inside ? point->block : -1;
    }
    frame_probe_destroy(&probe);
    leave(&p);
    return s;
}
