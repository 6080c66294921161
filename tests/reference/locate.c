#include "reference/cell.h"
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>

/* A box of cells of a block. */
typedef struct cell_box {
    int64_t lo[3], n[3];
} cell_box;

/*
 * Bounds of the nodes of a tree that halves the cells of a block along the longest index
 * axis down to single cells. Neighbours in index space are neighbours in physical space,
 * so this makes a good bounding volume hierarchy.
 *
 * Nodes are in preorder: node, its whole left subtree, its right subtree. A subtree of m
 * cells has 2 m - 1 nodes, so only bounds need to be stored.
 */
typedef struct block_tree {
    box3 *bounds; /* [2 cells - 1]; lo > hi if no cell is present */
} block_tree;

struct reference_locator {
    const reference_grid *grid;
    block_tree *trees; /* [nblocks] */
};

static cell_box whole_block(const reference_block *block)
{
    return (cell_box){.n = {block->n[0] - 1, block->n[1] - 1, block->n[2] - 1}};
}

static int64_t cell_count(const cell_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

/* Halves a box of more than one cell. */
static void split(const cell_box *box, cell_box *left, cell_box *right)
{
    int axis = 0;
    for (int other = 1; other < 3; other++) {
        if (box->n[other] > box->n[axis]) {
            axis = other;
        }
    }
    *left = *right = *box;
    left->n[axis] = box->n[axis] / 2;
    right->lo[axis] += left->n[axis];
    right->n[axis] -= left->n[axis];
}

/* The corners c[di + 2 dj + 4 dk] of a cell; false if it is absent. */
static bool gather_corners(const reference_block *block, const int64_t cell[3],
                           vec3 corner[8])
{
    for (int c = 0; c < 8; c++) {
        int64_t i = cell[0] + (c & 1);
        int64_t j = cell[1] + (c >> 1 & 1);
        int64_t k = cell[2] + (c >> 2);
        int64_t vertex = (k * block->n[1] + j) * block->n[0] + i;
        corner[c] =
            vec3_make(block->x[0][vertex], block->x[1][vertex], block->x[2][vertex]);
        if ((block->iblank && block->iblank[vertex] == 0) || !isfinite(corner[c].v[0]) ||
            !isfinite(corner[c].v[1]) || !isfinite(corner[c].v[2])) {
            return false;
        }
    }
    return true;
}

/* Bounds of a cell, enlarged by the tolerance: the trilinear map stays between its
 * corners. */
static box3 cell_bounds(const reference_block *block, const int64_t cell[3])
{
    vec3 corner[8];
    box3 bounds = box3_empty();
    if (!gather_corners(block, cell, corner)) {
        return bounds;
    }
    for (int c = 0; c < 8; c++) {
        bounds = box3_union(bounds, (box3){corner[c], corner[c]});
    }
    double room =
        4.0 * REFERENCE_CELL_TOLERANCE * vec3_length(vec3_sub(bounds.hi, bounds.lo));
    for (int axis = 0; axis < 3; axis++) {
        bounds.lo.v[axis] -= room;
        bounds.hi.v[axis] += room;
    }
    return bounds;
}

/* Fills in the subtree of `box` from node[0] on. */
static box3 build_subtree(const reference_block *block, const cell_box *box, box3 *node)
{
    if (cell_count(box) == 1) {
        node[0] = cell_bounds(block, box->lo);
    } else {
        cell_box left, right;
        split(box, &left, &right);
        box3 left_bounds = build_subtree(block, &left, node + 1);
        box3 right_bounds = build_subtree(block, &right, node + 2 * cell_count(&left));
        node[0] = box3_union(left_bounds, right_bounds);
    }
    return node[0];
}

status reference_locator_create(const reference_grid *grid, reference_locator **out)
{
    reference_locator *locator = calloc(1, sizeof *locator);
    block_tree *trees = calloc((size_t)grid->nblocks, sizeof *trees);
    if (!locator || !trees) {
        free(locator);
        free(trees);
        return base_fail_memory((size_t)grid->nblocks * sizeof *trees, "a cell locator");
    }
    *locator = (reference_locator){grid, trees};
    for (int b = 0; b < grid->nblocks; b++) {
        cell_box box = whole_block(&grid->blocks[b]);
        size_t nodes = (size_t)(2 * cell_count(&box) - 1);
        trees[b].bounds = malloc(nodes * sizeof *trees[b].bounds);
        if (!trees[b].bounds) {
            reference_locator_destroy(&locator);
            return base_fail_memory(nodes * sizeof *trees[b].bounds, "a cell locator");
        }
        build_subtree(&grid->blocks[b], &box, trees[b].bounds);
    }
    *out = locator;
    return STATUS_OK;
}

void reference_locator_destroy(reference_locator **locator)
{
    if (*locator) {
        for (int b = 0; b < (*locator)->grid->nblocks; b++) {
            free((*locator)->trees[b].bounds);
        }
        free((*locator)->trees);
        free(*locator);
        *locator = NULL;
    }
}

box3 reference_locator_bounds(const reference_locator *locator)
{
    box3 bounds = box3_empty();
    for (int b = 0; b < locator->grid->nblocks; b++) {
        bounds = box3_union(bounds, locator->trees[b].bounds[0]);
    }
    return bounds;
}

/* One search through the tree of a block. */
typedef struct search {
    const reference_block *block;
    vec3 point;
    bool thorough;
    reference_place *place;
} search;

/* Whether the cell of search->place contains the point; `guess`: start from its
 * parameters. */
static bool try_cell(search *s, bool guess)
{
    vec3 corner[8];
    return gather_corners(s->block, s->place->cell, corner) &&
           reference_cell_find(corner, s->point, guess, s->thorough, s->place->u);
}

static bool search_subtree(search *s, const cell_box *box, const box3 *node)
{
    if (!box3_meets(node[0], (box3){s->point, s->point})) {
        return false;
    }
    if (cell_count(box) == 1) {
        for (int axis = 0; axis < 3; axis++) {
            s->place->cell[axis] = box->lo[axis];
        }
        return try_cell(s, false);
    }
    cell_box left, right;
    split(box, &left, &right);
    return search_subtree(s, &left, node + 1) ||
           search_subtree(s, &right, node + 2 * cell_count(&left));
}

/* Searches all cells of a block. A quick search in each comes first and nearly always
 * succeeds; a thorough one follows if it does not. */
static bool find_in_block(const reference_locator *locator, int number, vec3 point,
                          reference_place *place)
{
    const reference_block *block = &locator->grid->blocks[number];
    cell_box box = whole_block(block);
    for (int thorough = 0; thorough < 2; thorough++) {
        search s = {block, point, thorough, place};
        if (search_subtree(&s, &box, locator->trees[number].bounds)) {
            place->block = number;
            return true;
        }
    }
    return false;
}

bool reference_locator_find(const reference_locator *locator, vec3 point,
                            reference_place *place)
{
    for (int b = 0; b < locator->grid->nblocks; b++) {
        reference_place found = *place;
        search again = {&locator->grid->blocks[b], point, false, &found};
        if ((place->block == b && try_cell(&again, true)) ||
            find_in_block(locator, b, point, &found)) {
            *place = found;
            return true;
        }
    }
    return false;
}
