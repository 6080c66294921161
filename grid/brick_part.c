/* Parts of bricks. */
#include "base/system.h"
#include "brick.h"

#include <string.h>

bool grid_brick_is_whole(const grid_store *store, const grid_brick *brick)
{
    const grid_brick_place whole = grid_layout_place(store->layout, brick->number);
    return memcmp(whole.n, brick->place.n, sizeof whole.n) == 0;
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

static void copy_box(const box_of_values *box, const void *from, void *to, size_t size)
{
    unsigned char *next = to;
    for (size_t k = 0; k < box->n[2]; k++) {
        for (size_t j = 0; j < box->n[1]; j++) {
            const size_t at = box->first + j * box->row + k * box->plane;
            memcpy(next, (const unsigned char *)from + at * size, box->n[0] * size);
            next += box->n[0] * size;
        }
    }
}

size_t grid_brick_cut(const grid_brick_place *whole, const grid_brick_place *part,
                      grid_location location, size_t size, const void *values, void *out)
{
    const box_of_values box = find_box(whole, part, location == GRID_VERTEX ? 1 : 0);
    copy_box(&box, values, out, size);
    return box.n[0] * box.n[1] * box.n[2];
}

/* Flags that the vertex at these indices may have: cells and faces beyond the last
 * vertices belong to another brick. */
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

void grid_brick_copy_part(const grid_brick *from, grid_brick *to)
{
    const box_of_values vertices = find_box(&from->place, &to->place, 1);
    const box_of_values cells = find_box(&from->place, &to->place, 0);
    copy_box(&vertices, from->vertex, to->vertex, sizeof *to->vertex);
    copy_box(&vertices, from->flags, to->flags, sizeof *to->flags);
    if (from->cell && to->cell) {
        copy_box(&cells, from->cell, to->cell, sizeof *to->cell);
    }
    if (from->gradient && to->gradient) {
        copy_box(&vertices, from->gradient, to->gradient, sizeof *to->gradient);
    }
    to->windings = from->windings;
    end_flags(to);
}

bool grid_store_has_folds(const grid_store *store)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        if (brick->vertex && grid_brick_has_folds(store->layout, brick)) {
            return true;
        }
    }
    return false;
}

bool grid_store_has_parts(const grid_store *store)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        if (brick->vertex && !grid_brick_is_whole(store, brick)) {
            return true;
        }
    }
    return false;
}

static void give_back(void *array, size_t from, size_t end, size_t size)
{
    if (array && from < end) {
        base_zero_memory((unsigned char *)array + from * size, (end - from) * size,
                         false);
    }
}

void grid_store_give_back(grid_store *store)
{
    const size_t used = (size_t)store->used_vertices, end = (size_t)store->nvertices;
    give_back(store->vertex, used, end, sizeof *store->vertex);
    give_back(store->flags, used, end, sizeof *store->flags);
    give_back(store->cell, (size_t)store->used_cells, (size_t)store->ncells,
              sizeof *store->cell);
    give_back(store->gradient, used, end, sizeof *store->gradient);
}

void grid_store_forget(grid_store *store)
{
    store->used_vertices = store->passed_vertices = store->used_cells = 0;
    grid_store_give_back(store);
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        grid_brick *brick = &store->bricks[slot];
        brick->place = grid_layout_place(store->layout, brick->number);
        brick->vertex = NULL;
        brick->flags = NULL;
        brick->cell = NULL;
        brick->gradient = NULL;
    }
    store->times_forgotten++;
}
