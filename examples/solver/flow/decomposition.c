#include "decomposition.h"

#include "failure.h"

#include <stdlib.h>

static int64_t count_cells(const int64_t n[3])
{
    return n[0] * n[1] * n[2];
}

/* Chooses the number of boxes of each block. The block with the largest boxes gets one
 * more, until there is a box for each rank. */
static void share_boxes(const solver_grid *grid, int ranks, int *boxes)
{
    for (int b = 0; b < grid->nblocks; b++) {
        boxes[b] = 1;
    }
    for (int total = grid->nblocks; total < ranks; total++) {
        int largest = 0;
        double most = 0.0;
        for (int b = 0; b < grid->nblocks; b++) {
            double size = (double)count_cells(grid->blocks[b].cells) / boxes[b];
            if (size > most) {
                most = size;
                largest = b;
            }
        }
        boxes[largest]++;
    }
}

/* The axis to cut across: the longest one, k before j before i. Rows along i may be twice
 * as long as the other axes. */
static int cut_axis(const int64_t n[3])
{
    int axis = n[1] > n[2] ? 1 : 2;
    return n[0] > 2 * n[axis] ? 0 : axis;
}

/* Cuts a box into `boxes` boxes, or fewer if it has not enough cells. */
static void cut(solver_parts *parts, solver_part box, int boxes)
{
    int axis = cut_axis(box.n);
    if (boxes == 1 || box.n[axis] < 2) {
        parts->parts[parts->count++] = box;
        return;
    }
    int64_t low = box.n[axis] * (boxes / 2) / boxes;
    low = low < 1 ? 1 : low;
    solver_part above = box;
    above.lo[axis] += low;
    above.n[axis] -= low;
    box.n[axis] = low;
    cut(parts, box, boxes / 2);
    cut(parts, above, boxes - boxes / 2);
}

/* Gives each box to the rank with the fewest cells so far. */
static void assign(solver_parts *parts, int ranks, int64_t *cells, int *boxes)
{
    for (int p = 0; p < parts->count; p++) {
        int best = 0;
        for (int rank = 1; rank < ranks; rank++) {
            best = cells[rank] < cells[best] ? rank : best;
        }
        parts->parts[p].rank = best;
        parts->parts[p].local = boxes[best]++;
        cells[best] += count_cells(parts->parts[p].n);
    }
}

static void make_parts(const solver_grid *grid, const int *boxes, solver_parts *parts)
{
    for (int b = 0; b < grid->nblocks; b++) {
        const int64_t *n = grid->blocks[b].cells;
        parts->first[b] = parts->count;
        cut(parts, (solver_part){.block = b, .n = {n[0], n[1], n[2]}}, boxes[b]);
    }
    parts->first[grid->nblocks] = parts->count;
}

bool solver_parts_create(const solver_grid *grid, int ranks, solver_parts **out)
{
    size_t most = (size_t)(grid->nblocks > ranks ? grid->nblocks : ranks);
    solver_parts *parts = calloc(1, sizeof *parts);
    int64_t *cells = calloc((size_t)ranks, sizeof *cells);
    int *boxes = calloc(most, sizeof *boxes);
    if (parts) {
        parts->parts = calloc(most, sizeof *parts->parts);
        parts->first = calloc((size_t)grid->nblocks + 1, sizeof *parts->first);
    }
    bool fits = parts && cells && boxes && parts->parts && parts->first;
    if (fits) {
        share_boxes(grid, ranks, boxes);
        make_parts(grid, boxes, parts);
        for (size_t rank = 0; rank < most; rank++) {
            boxes[rank] = 0;
        }
        assign(parts, ranks, cells, boxes);
    }
    free(cells);
    free(boxes);
    if (!fits) {
        solver_parts_destroy(&parts);
        return solver_fail_memory(most * sizeof(solver_part), "the boxes of a grid");
    }
    *out = parts;
    return true;
}

void solver_parts_destroy(solver_parts **parts)
{
    if (*parts) {
        free((*parts)->parts);
        free((*parts)->first);
        free(*parts);
        *parts = NULL;
    }
}

const solver_part *solver_parts_find(const solver_parts *parts, int block,
                                     const int64_t at[3])
{
    const solver_part *box = &parts->parts[parts->first[block]];
    for (;; box++) {
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            int64_t from = at[axis] - box->lo[axis];
            inside = inside && from >= 0 && from < box->n[axis];
        }
        if (inside) {
            return box;
        }
    }
}
