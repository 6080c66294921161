#include "grids.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/load/load.h"

#include <stdlib.h>

/* Bounds of a grid, relative to the origin of another one. */
static box3 bounds_of(const grid_layout *layout, const grid_layout *other)
{
    const vec3 shift = vec3_sub(layout->origin, other->origin);
    return (box3){vec3_add(layout->bounds.lo, shift), vec3_add(layout->bounds.hi, shift)};
}

/* The number of steps whose grids are cheap to read. */
static int count_steps(const frame_auto_data *data)
{
    const int64_t bytes =
        grid_layout_vertices(data->layout) * 3 * (int64_t)sizeof(double);
    const int64_t cheap = AUTO_MOST_BYTES / (bytes > 0 ? bytes : 1);
    return data->nsteps <= cheap     ? data->nsteps
           : cheap >= AUTO_FEW_STEPS ? AUTO_FEW_STEPS
                                     : 1;
}

static void say_partial(const frame_auto_data *data, int count)
{
    if (count < data->nsteps && parallel_rank(data->comm) == 0) {
        base_log_note(
            "the grid moves: view and ranges that are found fit %d of %d steps, "
            "as reading the grids of all takes more than %d MiB",
            count, data->nsteps, AUTO_MOST_BYTES >> 20);
    }
}

/* Chooses evenly spaced steps, and lists their grids. Local. */
static status list(const frame_auto_data *data, auto_grids *out)
{
    const int wanted = count_steps(data);
    const size_t bytes = (size_t)wanted * sizeof *out->grids;
    out->steps = malloc((size_t)wanted * sizeof *out->steps);
    out->grids = calloc(1, bytes);
    if (!out->steps || !out->grids) {
        return base_fail_memory(bytes, "the grids of steps");
    }
    for (int n = 0; n < wanted; n++) {
        const int step =
            data->steps[wanted > 1 ? n * (int64_t)(data->nsteps - 1) / (wanted - 1) : 0];
        const int number = io_source_grid(data->source, step);
        out->steps[out->nsteps++] = step;
        if (out->count == 0 || out->grids[out->count - 1].number != number) {
            out->grids[out->count++] = (auto_grid){number, step, NULL};
        }
    }
    return STATUS_OK;
}

status auto_grids_find(const frame_auto_data *data, bool is_open, auto_grids *out)
{
    const int here = io_source_grid_step(data->source);
    *out = (auto_grids){.count = 0};
    if (!is_open || !io_source_moves(data->source) || data->nsteps < 2) {
        return STATUS_OK;
    }
    status s = parallel_agree(data->comm, list(data, out));
    out->bounds = data->layout->bounds;
    for (int n = 0; n < out->count && s == STATUS_OK; n++) {
        auto_grid *grid = &out->grids[n];
        if (grid->number != io_source_grid(data->source, here)) {
            s = io_load_grid_of(data->comm, data->source, grid->step, &grid->layout);
        }
        if (s == STATUS_OK && grid->layout) {
            out->bounds = box3_union(out->bounds, bounds_of(grid->layout, data->layout));
        }
    }
    s = s == STATUS_OK ? io_load_return(data->comm, data->source, here, data->layout) : s;
    if (s == STATUS_OK) {
        say_partial(data, out->nsteps);
    } else {
        auto_grids_clear(out);
    }
    return s;
}

void auto_grids_clear(auto_grids *grids)
{
    for (int n = 0; n < grids->count; n++) {
        grid_layout_destroy(&grids->grids[n].layout);
    }
    free(grids->grids);
    free(grids->steps);
    *grids = (auto_grids){.count = 0};
}

status auto_grids_choose(const frame_auto_data *data, int step,
                         const grid_layout **layout)
{
    const auto_grids *grids = data->grids;
    const int number = io_source_grid(data->source, step);
    *layout = data->layout;
    for (int n = 0; n < grids->count; n++) {
        const auto_grid *grid = &grids->grids[n];
        *layout = grid->number == number && grid->layout ? grid->layout : *layout;
    }
    return io_load_return(data->comm, data->source, step, *layout);
}

box3 auto_grids_bounds(const frame_auto_data *data)
{
    return data->grids ? data->grids->bounds : data->layout->bounds;
}
