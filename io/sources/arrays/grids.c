/* The grids of steps: which blocks they have, and which of these rest. */
#include "builder.h"

#include <stdlib.h>
#include <string.h>

enum { IS_THERE = 1, CHANGES = 2 };

/* Fills in [steps][blocks]: whether a step has a block, and whether its grid is another
 * one than before. Blocks without marks are always there. */
static void find_changes(const io_array_builder *builder, int32_t *out)
{
    const int64_t blocks = builder->catalog->nblocks, steps = builder->catalog->nsteps;
    for (int64_t n = 0; n < blocks * steps; n++) {
        out[n] = IS_THERE;
    }
    for (int64_t n = 0; n < builder->nmarks; n++) {
        const int block = builder->marks[n].block;
        const bool is_done = steps > 0 && out[block] == 0;
        for (int64_t step = 0; step < steps && !is_done; step++) {
            out[step * blocks + block] = 0;
        }
    }
    for (int64_t n = 0; n < builder->nmarks; n++) {
        const io_array_mark *mark = &builder->marks[n];
        out[mark->step * blocks + mark->block] |= mark->step < steps ? IS_THERE : 0;
    }
    for (int64_t n = 0; n < builder->count; n++) {
        const io_array_item *item = &builder->items[n];
        if (item->array < 0 && item->step < steps) {
            out[item->step * blocks + item->block] |= CHANGES;
        }
    }
}

/* Turns changes into numbers: of the step that a block's grid is of, or -1. */
static void number_geometry(int64_t steps, int64_t blocks, int32_t *changes)
{
    for (int64_t b = 0; b < blocks; b++) {
        int32_t latest = 0;
        for (int64_t step = 0; step < steps; step++) {
            int32_t *at = &changes[step * blocks + b];
            latest = *at & CHANGES ? (int32_t)step : latest;
            *at = *at & IS_THERE ? latest : -1;
        }
    }
}

/* Numbers the grids of steps; keeps a row of each. Returns the number of grids. */
static int number_grids(int steps, int64_t blocks, int32_t *geometry, int *grids)
{
    const size_t row = (size_t)blocks * sizeof *geometry;
    int last = 0;
    for (int step = 0; step < steps; step++) {
        int32_t *its = geometry + step * blocks;
        const bool is_new = memcmp(its, geometry + last * blocks, row) != 0;
        last += is_new;
        grids[step] = last;
        if (is_new) {
            memmove(geometry + last * blocks, its, row);
        }
    }
    return last + 1;
}

status io_array_builder_find_grids(const io_array_builder *builder, int *ngrids,
                                   int32_t **geometry)
{
    io_catalog *catalog = builder->catalog;
    const int64_t blocks = catalog->nblocks;
    const size_t count = (size_t)catalog->nsteps * (size_t)blocks + 1;
    int32_t *rows = calloc(count, sizeof *rows);
    int *grids = calloc((size_t)catalog->nsteps + 1, sizeof *grids);
    *ngrids = 1;
    *geometry = NULL;
    if (!rows || !grids) {
        free(rows);
        free(grids);
        return base_fail_memory(count * sizeof *rows, "the grids of the steps");
    }
    find_changes(builder, rows);
    number_geometry(catalog->nsteps, blocks, rows);
    *ngrids = number_grids(catalog->nsteps, blocks, rows, grids);
    if (*ngrids > 1) {
        catalog->grids = grids;
        *geometry = rows;
        return STATUS_OK;
    }
    free(rows);
    free(grids);
    return STATUS_OK;
}

void io_array_builder_drop_blocks(io_array_builder *builder)
{
    free(builder->known);
    free(builder->marks);
    builder->known = NULL;
    builder->marks = NULL;
    base_lookup_clear(&builder->by[0]);
    base_lookup_clear(&builder->by[1]);
    base_lookup_clear(&builder->names);
}
