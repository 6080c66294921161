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

static status find_range(MPI_Comm comm, const info *in, int field, app_info_ranges which,
                         int *steps, field_range *out)
{
    int count = choose_steps(in->source, field, which, steps);
    *out = (field_range){{INFINITY, -INFINITY}, -1, -1};
    if (count == 0) {
        return STATUS_OK;
    }
    out->first = steps[0];
    out->last = steps[count - 1];
    /* The recipe of a field in the file does not use the gas. */
    const grid_gas gas = {1.4, 1.0};
    const grid_field *fields = io_source_fields(in->source);
    grid_recipe *recipe = NULL;
    status s = grid_recipe_create(fields[field].name, io_source_field_count(in->source),
                                  fields, gas, &recipe);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = io_load_scan(comm, in->source,
                         &(io_load_series){in->layout, recipe, steps, count}, out->range);
    }
    grid_recipe_destroy(&recipe);
    return s;
}

static status find_ranges(MPI_Comm comm, app_info_ranges which, info *in)
{
    int nfields = io_source_field_count(in->source);
    size_t nsteps = (size_t)io_source_step_count(in->source);
    int *steps = malloc((nsteps + 1) * sizeof *steps);
    in->ranges = calloc((size_t)nfields + 1, sizeof *in->ranges);
    status s = STATUS_OK;
    if (!steps || !in->ranges) {
        s = base_fail_memory((nsteps + 1) * sizeof *steps, "the ranges of the fields");
    }
    s = parallel_agree(comm, s);
    for (int field = 0; field < nfields && s == STATUS_OK; field++) {
        s = find_range(comm, in, field, which, steps, &in->ranges[field]);
    }
    free(steps);
    return s;
}

status info_find(MPI_Comm comm, app_info_ranges which, info *in)
{
    status s = io_load_layout(comm, in->source, &in->layout);
    return s == STATUS_OK ? find_ranges(comm, which, in) : s;
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
