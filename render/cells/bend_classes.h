/* Marks cells whose scalar may bend under a transfer function, in their classes, if there
 * are classes. Beside them stand the bounds on bends.
 *
 * No way through a cell is longer than the diagonal of its bounds. So a cell that is not
 * marked has no way that bends, to the last bit: rays cross it without its other corners.
 * The marks hold for one step of the data. */
#ifndef RENDER_CELLS_BEND_CLASSES_H
#define RENDER_CELLS_BEND_CLASSES_H

#include "bend_lanes.h"
#include "classify.h"

/* The length of the diagonal of the cells' bounds. */
IN_LOOP vfloat bend_diagonal(const vfloat corner[4][CROSS_CORNERS])
{
    vfloat sum = lanes_float(0.0f);
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        vfloat least = corner[axis][0], most = least;
#pragma GCC unroll 8
        for (int n = 1; n < CROSS_CORNERS; n++) {
            least = lanes_min(least, corner[axis][n]);
            most = lanes_max(most, corner[axis][n]);
        }
        sum += (most - least) * (most - least);
    }
    return lanes_sqrt(sum);
}

static uint8_t mark_class(uint8_t class, bool is_bent)
{
    const int plain = 1 << CLASS_PLAIN, straight = 1 << CLASS_STRAIGHT;
    if (class == 0) {
        return 0;
    }
    if (class & plain) {
        return (uint8_t)(is_bent ? class & ~straight : class | straight);
    }
    return (uint8_t)(is_bent ? 1 << CLASS_BENT : straight);
}

/* Marks the cells i to i + LANES - 1 of a row, as many as it has. lowest: the vertex of
 * the row's first cell. off: a length, more than rounding adds to ways. */
static void mark_bent_cells(const march_grid *grid, const march_brick *brick, int lowest,
                            int i, const transfer_table *table, vfloat off)
{
    vfloat corner[4][CROSS_CORNERS];
    class_load(grid, brick, lowest, i, corner);
    bend_cells cells;
    bend_look_at(corner[3], table, &cells);
    const vfloat longest = bend_diagonal(corner) + off;
    unsigned bent = lanes_mask_bits(bend_is_possible(&cells, longest));
    _Alignas(64) int32_t bounds[LANES];
    if (bent) {
        bend_find_twists((const vfloat(*)[CROSS_CORNERS])corner, &cells);
        const vint all = bend_bounds(&cells);
        bent &= lanes_mask_bits(bend_is_visible(bend_any_bound(all), longest));
        lanes_store_int(bounds, all);
    }
    for (int lane = 0; lane < LANES && i + lane < brick->n[0]; lane++) {
        const int cell = lowest + i + lane;
        if (grid->classes) {
            grid->classes[cell] = mark_class(grid->classes[cell], bent >> lane & 1);
        }
        grid->bends[cell] = bent >> lane & 1 ? (uint16_t)bounds[lane] : 0;
    }
}

static void mark_bends(const march_grid *grid, const march_brick *brick,
                       const render_transfer *transfer)
{
    const transfer_table *table = &transfer->table;
    const vfloat off = lanes_float(CLASS_OFF * brick->farthest);
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const int lowest = march_vertex_index(brick, (const int[]){0, j, k});
            for (int i = 0; i < brick->n[0]; i += LANES) {
                mark_bent_cells(grid, brick, lowest, i, table, off);
            }
        }
    }
    lanes_leave();
}

#endif
