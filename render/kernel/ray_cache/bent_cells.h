/* Lists the cells whose scalar may bend (kept.h), once for all ways through them: with
 * kept ways, that is most of what a bend takes. */
#ifndef RENDER_KERNEL_RAY_CACHE_BENT_CELLS_H
#define RENDER_KERNEL_RAY_CACHE_BENT_CELLS_H

#include "ray_cache.h"
#include "render/cells/bend_classes.h"

/* What is known of LANES cells, field by field. */
typedef struct bent_lanes {
    _Alignas(64) float rest[4][LANES];
    float warp[4][LANES], least[LANES], most[LANES], steepness[LANES];
} bent_lanes;

static void store_twist(const bend_twist *twist, float out[4][LANES])
{
    for (int n = 0; n < 3; n++) {
        lanes_store(out[n], twist->mean[n]);
    }
    lanes_store(out[3], twist->change);
}

static kept_bent bent_of_lane(const bent_lanes *all, int lane)
{
    kept_bent out = {.least = all->least[lane],
                     .most = all->most[lane],
                     .steepness = all->steepness[lane]};
    for (int n = 0; n < 4; n++) {
        out.rest[n] = all->rest[n][lane];
        out.warp[n] = all->warp[n][lane];
    }
    return out;
}

static bool has_bends(const uint16_t *bends, int count)
{
    unsigned any = 0;
    for (int n = 0; n < count; n++) {
        any |= bends[n];
    }
    return any != 0;
}

/* Lists the marked ones of the cells i to i + LANES - 1 of a row. lowest: the vertex of
 * the row's first cell. Returns their number. */
static int list_bent_cells(const march_grid *grid, const march_brick *brick, int lowest,
                           int i, const transfer_table *table, kept_bent *out)
{
    const uint16_t *bends = grid->bends + lowest + i;
    const int count = brick->n[0] - i < LANES ? brick->n[0] - i : LANES;
    if (!has_bends(bends, count)) {
        return 0;
    }
    vfloat corner[4][CROSS_CORNERS];
    class_load(grid, brick, lowest, i, corner);
    const bend_cells cells = bend_know((const vfloat(*)[CROSS_CORNERS])corner, table);
    bent_lanes all;
    store_twist(&cells.rest, all.rest);
    store_twist(&cells.warp, all.warp);
    lanes_store(all.least, cells.least);
    lanes_store(all.most, cells.most);
    lanes_store(all.steepness, cells.steepness);
    int listed = 0;
    for (int lane = 0; lane < count; lane++) {
        if (bends[lane]) {
            kept_bent *cell = &out[listed++];
            *cell = bent_of_lane(&all, lane);
            cell->lowest = 2 * (lowest + i + lane);
            cell->row = 2 * brick->stride[1];
            cell->plane = 2 * brick->stride[2];
        }
    }
    return listed;
}

static void list_bent(const march_grid *grid, const march_brick *brick,
                      const render_transfer *transfer, kept_bent *out)
{
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const int lowest = march_vertex_index(brick, (const int[]){0, j, k});
            for (int i = 0; i < brick->n[0]; i += LANES) {
                out += list_bent_cells(grid, brick, lowest, i, &transfer->table, out);
            }
        }
    }
    lanes_leave();
}

#endif
