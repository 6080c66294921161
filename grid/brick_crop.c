/* Bricks of which a part is enough: the rest gives its memory back. */
#include "base/system.h"
#include "grid/brick.h"

#include <stdlib.h>
#include <string.h>

bool grid_brick_is_whole(const grid_store *store, const grid_brick *brick)
{
    const grid_brick_place whole = grid_layout_place(store->layout, brick->number);
    return memcmp(whole.n, brick->place.n, sizeof whole.n) == 0;
}

static int compare_addresses(const void *a, const void *b)
{
    const grid_brick *x = *(grid_brick *const *)a, *y = *(grid_brick *const *)b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* The bricks in memory as they lie there; malloc'ed, or NULL without memory. */
static grid_brick **list_bricks(grid_store *store, int64_t *count)
{
    grid_brick **list = malloc(((size_t)store->nbricks + 1) * sizeof *list);
    *count = 0;
    for (int64_t slot = 0; list && slot < store->nbricks; slot++) {
        if (store->bricks[slot].vertex) {
            list[(*count)++] = &store->bricks[slot];
        }
    }
    if (list) {
        qsort(list, (size_t)*count, sizeof *list, compare_addresses);
    }
    return list;
}

/* A box of values within a larger one: rows along i, rows over j, planes over k. */
typedef struct box_of_values {
    size_t first, row, plane; /* in the larger one */
    size_t n[3];
} box_of_values;

/* `more`: 1 for vertices, 0 for cells. */
static box_of_values find_box(const grid_brick_place *whole, const grid_brick_place *part,
                              int more)
{
    box_of_values box = {.row = (size_t)(whole->n[0] + more)};
    box.plane = box.row * (size_t)(whole->n[1] + more);
    const size_t stride[3] = {1, box.row, box.plane};
    for (int axis = 0; axis < 3; axis++) {
        box.first += (size_t)(part->lo[axis] - whole->lo[axis]) * stride[axis];
        box.n[axis] = (size_t)(part->n[axis] + more);
    }
    return box;
}

/* Moves the box's values together, to `to`, which is not behind where they were. */
static void move_box(const box_of_values *box, const void *from, void *to, size_t size)
{
    unsigned char *next = to;
    for (size_t k = 0; k < box->n[2]; k++) {
        for (size_t j = 0; j < box->n[1]; j++) {
            const size_t at = box->first + j * box->row + k * box->plane;
            memmove(next, (const unsigned char *)from + at * size, box->n[0] * size);
            next += box->n[0] * size;
        }
    }
}

/* Flags that the vertex at these indices may have: what lies beyond the last vertices of
 * a brick is another one's. */
static unsigned flags_at(const int n[3], int i, int j, int k)
{
    const bool in_i = i < n[0], in_j = j < n[1], in_k = k < n[2];
    if (in_i && in_j && in_k) {
        return ~0U;
    }
    return GRID_WALL | (in_j && in_k ? GRID_DIAGONAL_I : 0U) |
           (in_k && in_i ? GRID_DIAGONAL_J : 0U) | (in_i && in_j ? GRID_DIAGONAL_K : 0U);
}

static void end_flags(grid_brick *brick)
{
    const int *n = brick->place.n;
    uint8_t *flags = brick->flags;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++, flags++) {
                *flags &= (uint8_t)flags_at(n, i, j, k);
            }
        }
    }
}

static bool is_same_place(const grid_brick_place *a, const grid_brick_place *b)
{
    return memcmp(a->lo, b->lo, sizeof a->lo) == 0 &&
           memcmp(a->n, b->n, sizeof a->n) == 0;
}

/* Moves what is left of a brick to the end of what is used. */
static void crop_brick(grid_store *store, const grid_brick_place *place,
                       grid_brick *brick)
{
    const grid_brick before = *brick;
    const box_of_values vertices = find_box(&before.place, place, 1);
    const box_of_values cells = find_box(&before.place, place, 0);
    brick->place = *place;
    brick->is_cropped = true;
    grid_store_claim(store, brick);
    if (brick->vertex == before.vertex && is_same_place(place, &before.place)) {
        return; /* pictures that refer to it may go on */
    }
    move_box(&vertices, before.vertex, brick->vertex, sizeof *brick->vertex);
    move_box(&vertices, before.flags, brick->flags, sizeof *brick->flags);
    if (brick->cell) {
        move_box(&cells, before.cell, brick->cell, sizeof *brick->cell);
    }
    if (brick->gradient) {
        move_box(&vertices, before.gradient, brick->gradient, sizeof *brick->gradient);
    }
    end_flags(brick);
}

/* For good: bricks that were drawn must not move. */
static void stay_whole(grid_store *store)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        store->bricks[slot].is_cropped |= store->bricks[slot].vertex != NULL;
    }
}

static void give_back(void *array, size_t from, size_t end)
{
    if (array && from < end) {
        base_zero_memory((unsigned char *)array + from, end - from, false);
    }
}

void grid_store_crop(grid_store *store, const grid_brick_place *places)
{
    const size_t vertices = (size_t)store->used_vertices;
    const size_t cells = (size_t)store->used_cells;
    int64_t count;
    grid_brick **list = places ? list_bricks(store, &count) : NULL;
    if (!list) {
        stay_whole(store);
        return;
    }
    store->used_vertices = store->used_cells = 0;
    for (int64_t n = 0; n < count; n++) {
        const grid_brick_place place =
            list[n]->is_cropped ? list[n]->place : places[list[n] - store->bricks];
        crop_brick(store, &place, list[n]);
    }
    free(list);
    const size_t left = (size_t)store->used_vertices;
    give_back(store->vertex, left * sizeof *store->vertex,
              vertices * sizeof *store->vertex);
    give_back(store->flags, left, vertices);
    give_back(store->cell, (size_t)store->used_cells * sizeof *store->cell,
              cells * sizeof *store->cell);
    give_back(store->gradient, left * sizeof *store->gradient,
              vertices * sizeof *store->gradient);
}
