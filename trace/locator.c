#include "locator.h"

#include <math.h>
#include <stdlib.h>

/* Cells along the sides of a group. */
enum { GROUP = 4 };

static int groups_along(int cells)
{
    return (cells + GROUP - 1) / GROUP;
}

static int64_t group_count(const grid_brick_place *place)
{
    return (int64_t)groups_along(place->n[0]) * groups_along(place->n[1]) *
           groups_along(place->n[2]);
}

void trace_group_cells(const grid_brick_place *place, int64_t group, int lo[3], int hi[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int along = groups_along(place->n[axis]);
        lo[axis] = (int)(group % along) * GROUP;
        hi[axis] = lo[axis] + GROUP < place->n[axis] ? lo[axis] + GROUP : place->n[axis];
        group /= along;
    }
}

bool trace_group_cell(const grid_brick_place *place, const int lo[3], const int hi[3],
                      int n, trace_cell *cell)
{
    const int ni = hi[0] - lo[0], nj = hi[1] - lo[1];
    *cell = trace_cell_of_brick(place, lo[0] + n % ni, lo[1] + n / ni % nj,
                                lo[2] + n / ni / nj);
    return lo[2] + n / ni / nj < hi[2];
}

static trace_group find_group(const grid_store *store, const grid_brick_place *place,
                              int64_t group)
{
    trace_group bounds = {{INFINITY, INFINITY, INFINITY},
                          {-INFINITY, -INFINITY, -INFINITY}};
    int lo[3], hi[3];
    trace_cell cell;
    trace_corners corners;
    trace_group_cells(place, group, lo, hi);
    for (int n = 0; trace_group_cell(place, lo, hi, n, &cell); n++) {
        if (trace_cell_look(store, &cell, &corners) != TRACE_PRESENT) {
            continue;
        }
        for (int v = 0; v < 24; v++) {
            const int axis = v % 3;
            const float x = store->vertex[corners.vertex[v / 3]][axis];
            bounds.lo[axis] = fminf(bounds.lo[axis], x);
            bounds.hi[axis] = fmaxf(bounds.hi[axis], x);
        }
    }
    return bounds;
}

static void find_groups(trace_locator *locator)
{
    const grid_store *store = locator->store;
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const int64_t first = locator->first_group[slot];
        for (int64_t g = 0; g < locator->first_group[slot + 1] - first; g++) {
            locator->groups[first + g] = find_group(store, &store->bricks[slot].place, g);
        }
    }
}

static void find_blocks(trace_locator *locator)
{
    const grid_layout *layout = locator->store->layout;
    for (int b = 0; b < layout->nblocks; b++) {
        const grid_block *block = &layout->blocks[b];
        const int64_t count = block->bricks[0] * block->bricks[1] * block->bricks[2];
        locator->blocks[b] = box3_empty();
        for (int64_t n = block->first_brick; n < block->first_brick + count; n++) {
            if (layout->bricks[n].cells > 0) {
                locator->blocks[b] =
                    box3_union(locator->blocks[b], grid_brick_bounds(&layout->bricks[n]));
            }
        }
        int at = b; /* insertion sort: equal priorities stay in the order of blocks */
        for (;
             at > 0 && layout->blocks[locator->order[at - 1]].priority > block->priority;
             at--) {
            locator->order[at] = locator->order[at - 1];
        }
        locator->order[at] = b;
    }
}

/* Makes the trees of bricks. */
static status find_bricks(trace_locator *locator)
{
    const grid_layout *layout = locator->store->layout;
    box3 *boxes = malloc(((size_t)layout->nbricks + 1) * sizeof *boxes);
    status s = boxes ? STATUS_OK
                     : base_fail_memory((size_t)layout->nbricks * sizeof *boxes,
                                        "the search for the cells of particles");
    for (int b = 0; b < layout->nblocks && s == STATUS_OK; b++) {
        const grid_block *block = &layout->blocks[b];
        const int64_t count = block->bricks[0] * block->bricks[1] * block->bricks[2];
        for (int64_t n = 0; n < count; n++) {
            boxes[n] = grid_brick_bounds(&layout->bricks[block->first_brick + n]);
        }
        s = grid_boxes_create(count, boxes, &locator->bricks[b]);
    }
    free(boxes);
    return s;
}

static void count_groups(trace_locator *locator)
{
    const grid_store *store = locator->store;
    locator->first_group[0] = 0;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        locator->first_group[slot + 1] =
            locator->first_group[slot] + group_count(&store->bricks[slot].place);
    }
}

static bool allocate(trace_locator *locator)
{
    const grid_store *store = locator->store;
    const size_t blocks = (size_t)store->layout->nblocks;
    locator->order = calloc(blocks + 1, sizeof *locator->order);
    locator->blocks = calloc(blocks + 1, sizeof *locator->blocks);
    locator->bricks = calloc(blocks + 1, sizeof *locator->bricks);
    locator->first_group =
        calloc((size_t)store->nbricks + 1, sizeof *locator->first_group);
    if (!locator->order || !locator->blocks || !locator->bricks ||
        !locator->first_group) {
        return false;
    }
    count_groups(locator);
    locator->groups =
        calloc((size_t)locator->first_group[store->nbricks] + 1, sizeof *locator->groups);
    return locator->groups != NULL;
}

status trace_locator_create(const grid_store *store, trace_locator **out)
{
    trace_locator *made = calloc(1, sizeof *made);
    if (made) {
        made->store = store;
    }
    if (!made || !allocate(made)) {
        trace_locator_destroy(&made);
        return base_fail_memory((size_t)store->nbricks * sizeof(trace_group),
                                "the search for the cells of particles");
    }
    find_blocks(made);
    find_groups(made);
    const status s = find_bricks(made);
    if (s != STATUS_OK) {
        trace_locator_destroy(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

void trace_locator_destroy(trace_locator **locator)
{
    if (*locator) {
        const int blocks = (*locator)->store->layout->nblocks;
        for (int b = 0; (*locator)->bricks && b < blocks; b++) {
            grid_boxes_destroy(&(*locator)->bricks[b]);
        }
        free((*locator)->bricks);
        free((*locator)->order);
        free((*locator)->blocks);
        free((*locator)->first_group);
        free((*locator)->groups);
        free(*locator);
        *locator = NULL;
    }
}

const grid_store *trace_locator_store(const trace_locator *locator)
{
    return locator->store;
}
