#include "layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bricks along an axis with this many vertices, at least 2. */
static int64_t axis_bricks(int64_t vertices)
{
    return (vertices - 2) / GRID_BRICK_CELLS + 1;
}

static status check_block(const grid_block *block)
{
    for (int axis = 0; axis < 3; axis++) {
        if (block->n[axis] < 2) {
            return base_fail(STATUS_INPUT,
                             "block %.*s has %" PRId64 " x %" PRId64 " x %" PRId64
                             " vertices; it needs at least 2 along each axis",
                             GRID_NAME_SIZE, block->name, block->n[0], block->n[1],
                             block->n[2]);
        }
    }
    return STATUS_OK;
}

/* Numbers the bricks of a block from *nbricks on, and moves *nbricks past them. */
static status number_bricks(grid_block *block, int64_t *nbricks)
{
    int64_t count = 1;
    block->first_brick = *nbricks;
    for (int axis = 0; axis < 3; axis++) {
        block->bricks[axis] = axis_bricks(block->n[axis]);
        /* Stores index bricks with 32 bits and could not hold more. */
        if (block->bricks[axis] > INT32_MAX / count) {
            count = INT32_MAX;
            break;
        }
        count *= block->bricks[axis];
    }
    if (*nbricks > INT32_MAX - 1 - count) {
        return base_fail(
            STATUS_INPUT,
            "the grid has more than %d bricks of %d cells along each axis up to "
            "block %.*s; cut it into several files",
            INT32_MAX - 1, GRID_BRICK_CELLS, GRID_NAME_SIZE, block->name);
    }
    *nbricks += count;
    return STATUS_OK;
}

static grid_block copy_block(const grid_block *block)
{
    grid_block copy = {.has_iblank = block->has_iblank, .copy = block->copy};
    memcpy(copy.name, block->name, sizeof copy.name);
    memcpy(copy.n, block->n, sizeof copy.n);
    return copy;
}

static status fill_blocks(grid_layout *layout, const grid_block *blocks)
{
    for (int block = 0; block < layout->nblocks; block++) {
        status s = check_block(&blocks[block]);
        if (s == STATUS_OK) {
            layout->blocks[block] = copy_block(&blocks[block]);
            s = number_bricks(&layout->blocks[block], &layout->nbricks);
        }
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

static status empty_bricks(grid_layout *layout)
{
    size_t bytes = (size_t)layout->nbricks * sizeof *layout->bricks;
    layout->bricks = malloc(bytes > 0 ? bytes : 1);
    if (layout->bricks == NULL) {
        return base_fail_memory(bytes, "the bounds of the bricks");
    }
    const grid_brick_info empty = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    for (int64_t brick = 0; brick < layout->nbricks; brick++) {
        layout->bricks[brick] = empty;
    }
    return STATUS_OK;
}

status grid_layout_create(int nblocks, const grid_block *blocks, grid_layout **out)
{
    grid_layout *layout = calloc(1, sizeof *layout);
    size_t bytes = (size_t)nblocks * sizeof *layout->blocks;
    if (layout != NULL) {
        layout->nblocks = nblocks;
        layout->bounds = box3_empty();
        layout->blocks = malloc(bytes > 0 ? bytes : 1);
    }
    if (layout == NULL || layout->blocks == NULL) {
        grid_layout_destroy(&layout);
        return base_fail_memory(bytes, "the blocks of the grid");
    }
    status s = fill_blocks(layout, blocks);
    if (s == STATUS_OK) {
        s = empty_bricks(layout);
    }
    if (s != STATUS_OK) {
        grid_layout_destroy(&layout);
        return s;
    }
    *out = layout;
    return STATUS_OK;
}

void grid_layout_destroy(grid_layout **layout)
{
    if (layout != NULL && *layout != NULL) {
        free((*layout)->blocks);
        free((*layout)->bricks);
        free(*layout);
        *layout = NULL;
    }
}

/* The block that a brick belongs to: the last one that starts at or before it. */
static int block_of_brick(const grid_layout *layout, int64_t number)
{
    int first = 0, last = layout->nblocks - 1;
    while (first < last) {
        int middle = first + (last - first + 1) / 2;
        if (layout->blocks[middle].first_brick <= number) {
            first = middle;
        } else {
            last = middle - 1;
        }
    }
    return first;
}

grid_brick_place grid_layout_place(const grid_layout *layout, int64_t number)
{
    grid_brick_place place = {.block = block_of_brick(layout, number)};
    const grid_block *block = &layout->blocks[place.block];
    int64_t rest = number - block->first_brick;
    for (int axis = 0; axis < 3; axis++) {
        place.lo[axis] = rest % block->bricks[axis] * GRID_BRICK_CELLS;
        rest /= block->bricks[axis];
        int64_t left = block->n[axis] - 1 - place.lo[axis];
        place.n[axis] = left < GRID_BRICK_CELLS ? (int)left : GRID_BRICK_CELLS;
    }
    return place;
}

double grid_layout_margin(const grid_layout *layout)
{
    return 1e-5 * vec3_length(vec3_sub(layout->bounds.hi, layout->bounds.lo));
}

bool grid_layout_brick_meets(const grid_layout *layout, int64_t number, box3 box)
{
    const grid_brick_info *brick = &layout->bricks[number];
    return brick->cells > 0 &&
           box3_meets(box3_widen(grid_brick_bounds(brick), grid_layout_margin(layout)),
                      box);
}

bool grid_layout_brick_is_full(const grid_layout *layout, int64_t number)
{
    const grid_brick_place place = grid_layout_place(layout, number);
    return layout->bricks[number].cells == place.n[0] * place.n[1] * place.n[2];
}

int64_t grid_layout_brick_at(const grid_layout *layout, int block, const int64_t at[3])
{
    const grid_block *b = &layout->blocks[block];
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] >= b->bricks[axis]) {
            return -1;
        }
    }
    return b->first_brick + at[0] + b->bricks[0] * (at[1] + b->bricks[1] * at[2]);
}

int64_t grid_layout_vertices(const grid_layout *layout)
{
    int64_t vertices = 0;
    for (int block = 0; block < layout->nblocks; block++) {
        const int64_t *n = layout->blocks[block].n;
        vertices += n[0] * n[1] * n[2];
    }
    return vertices;
}

int grid_layout_last_copy(const grid_layout *layout, int block)
{
    while (block + 1 < layout->nblocks && layout->blocks[block + 1].copy > 0) {
        block++;
    }
    return block;
}

bool grid_layout_shows(const grid_layout *layout, int block, int64_t number)
{
    const int own = grid_layout_place(layout, number).block;
    return block < 0 || own - layout->blocks[own].copy == block;
}
