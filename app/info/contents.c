#include "contents.h"

#include "base/parallel/parallel.h"

#include <math.h>
#include <stdlib.h>

/*
 * Chooses the steps (indices) for a field's range and returns their number. steps: [all].
 */
static int choose_steps(const io_source *source, int field, app_info_ranges which,
                        int *steps)
{
    int count = 0;
    for (int step = 0; step < io_source_step_count(source) && which != APP_INFO_NONE;
         step++) {
        if (io_source_has_field(source, step, field)) {
            steps[count++] = step;
        }
    }
    if (which == APP_INFO_ENDS && count > 2) {
        steps[1] = steps[count - 1];
        count = 2;
    }
    return count;
}

/* Grows the range of a field by its values at some steps. Collective. */
static status grow_range(MPI_Comm comm, const info *in, int field,
                         const io_load_series *steps, double range[2])
{
    /* The recipe of a field in the file does not use the gas. */
    const grid_terms terms = {.gamma = 1.4, .gas_constant = 1.0};
    const grid_field *fields = io_source_fields(in->source);
    io_load_series series = *steps;
    grid_recipe *recipe = NULL;
    double found[2] = {INFINITY, -INFINITY};
    status s = grid_recipe_create(fields[field].name, io_source_field_count(in->source),
                                  fields, terms, &recipe);
    s = parallel_agree(comm, s);
    series.recipe = recipe;
    s = s == STATUS_OK ? io_load_scan(comm, in->source, &series, found) : s;
    range[0] = fmin(range[0], found[0]);
    range[1] = fmax(range[1], found[1]);
    grid_recipe_destroy(&recipe);
    return s;
}

/* Finds the ranges of fields at one step, whose grid is read once. which: [fields], those
 * to find. Collective. */
static status find_at(MPI_Comm comm, const info *in, int step, const bool *which)
{
    const int here = io_source_grid_step(in->source);
    const bool is_other =
        io_source_grid(in->source, step) != io_source_grid(in->source, here);
    grid_layout *layout = NULL;
    status s = is_other ? io_load_grid_of(comm, in->source, step, &layout) : STATUS_OK;
    const io_load_series steps = {is_other ? layout : in->layout, NULL, &step, 1};
    for (int f = 0; f < io_source_field_count(in->source) && s == STATUS_OK; f++) {
        s = which[f] ? grow_range(comm, in, f, &steps, in->ranges[f].range) : STATUS_OK;
    }
    grid_layout_destroy(&layout);
    return s == STATUS_OK && is_other ? io_load_return(comm, in->source, here, in->layout)
                                      : s;
}

/* Finds the ranges of all fields step by step, as the grid moves. wanted:
 * [steps][fields]. Collective. */
static status find_moving(MPI_Comm comm, const info *in, const bool *wanted)
{
    const int nfields = io_source_field_count(in->source);
    status s = STATUS_OK;
    for (int step = 0; step < io_source_step_count(in->source) && s == STATUS_OK;
         step++) {
        const bool *its = wanted + (size_t)step * (size_t)nfields;
        bool any = false;
        for (int f = 0; f < nfields; f++) {
            any = any || its[f];
        }
        s = any ? find_at(comm, in, step, its) : s;
    }
    return s;
}

/* Chooses the steps of each field's range, and finds those of a grid at rest. steps:
 * [all]; wanted: [steps][fields]. Collective. */
static status find_each(MPI_Comm comm, app_info_ranges which, info *in, int *steps,
                        bool *wanted)
{
    const int nfields = io_source_field_count(in->source);
    status s = STATUS_OK;
    for (int field = 0; field < nfields && s == STATUS_OK; field++) {
        field_range *out = &in->ranges[field];
        const int count = choose_steps(in->source, field, which, steps);
        *out = (field_range){{INFINITY, -INFINITY}, -1, -1};
        if (count > 0) {
            out->first = steps[0];
            out->last = steps[count - 1];
        }
        for (int n = 0; n < count; n++) {
            wanted[(size_t)steps[n] * (size_t)nfields + (size_t)field] = true;
        }
        const io_load_series all = {in->layout, NULL, steps, count};
        s = count > 0 && !io_source_moves(in->source)
                ? grow_range(comm, in, field, &all, out->range)
                : STATUS_OK;
    }
    return s;
}

static status find_ranges(MPI_Comm comm, app_info_ranges which, info *in)
{
    const size_t nfields = (size_t)io_source_field_count(in->source);
    const size_t nsteps = (size_t)io_source_step_count(in->source);
    int *steps = malloc((nsteps + 1) * sizeof *steps);
    bool *wanted = calloc(nsteps * nfields + 1, sizeof *wanted);
    in->ranges = calloc(nfields + 1, sizeof *in->ranges);
    status s = steps && wanted && in->ranges
                   ? STATUS_OK
                   : base_fail_memory((nsteps + 1) * (nfields + sizeof *steps),
                                      "the ranges of the fields");
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? find_each(comm, which, in, steps, wanted) : s;
    if (s == STATUS_OK && io_source_moves(in->source)) {
        s = find_moving(comm, in, wanted);
    }
    free(steps);
    free(wanted);
    return s;
}

status info_find(MPI_Comm comm, app_info_ranges which, info *in)
{
    status s = io_load_layout(comm, in->source, &in->layout);
    return s == STATUS_OK ? find_ranges(comm, which, in) : s;
}

bool info_has_other_blocks(const io_source *source, int step)
{
    const grid_block *blocks;
    bool has = false;
    for (int b = 0; step > 0 && b < io_source_all_blocks(source, &blocks); b++) {
        has = has || io_source_has_block(source, step, b) !=
                         io_source_has_block(source, step - 1, b);
    }
    return has;
}

void info_release(info *in)
{
    free(in->ranges);
    grid_layout_destroy(&in->layout);
    io_source_close(&in->source);
}

box3 info_bounds(const grid_layout *layout)
{
    return (box3){vec3_add(layout->bounds.lo, layout->origin),
                  vec3_add(layout->bounds.hi, layout->origin)};
}

int64_t info_memory(const grid_layout *layout)
{
    return grid_layout_vertices(layout) * BYTES_PER_VERTEX;
}

int64_t info_nodes(const grid_layout *layout)
{
    const int64_t half = 32000000000;
    return 1 + (info_memory(layout) - 1) / half;
}
