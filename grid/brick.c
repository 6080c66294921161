#include "brick.h"

#include "base/system.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t vertex_count(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
}

static size_t cell_count(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

/* ---- the store -------------------------------------------------------------------- */

static status allocate_lists(grid_store *store, int64_t count)
{
    size_t bytes = (size_t)count * sizeof *store->bricks +
                   (size_t)store->layout->nbricks * sizeof *store->slot;
    store->bricks = calloc(count > 0 ? (size_t)count : 1, sizeof *store->bricks);
    store->slot = malloc((size_t)(store->layout->nbricks + 1) * sizeof *store->slot);
    if (store->bricks == NULL || store->slot == NULL) {
        return base_fail_memory(bytes, "the list of bricks");
    }
    for (int64_t number = 0; number < store->layout->nbricks; number++) {
        store->slot[number] = -1;
    }
    store->nbricks = count;
    return STATUS_OK;
}

/* Allocates the arrays of bricks whose places are known. */
static status allocate_arrays(grid_store *store, bool cell_values)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        store->nvertices += (int64_t)vertex_count(&store->bricks[slot]);
        store->ncells += (int64_t)cell_count(&store->bricks[slot]);
    }
    size_t vertices = (size_t)store->nvertices, cells = (size_t)store->ncells;
    if (store->nvertices > GRID_STORE_MOST_VERTICES) {
        return base_fail(STATUS_MEMORY,
                         "%" PRId64 " vertices are more than one rank can hold; use more "
                         "ranks",
                         store->nvertices);
    }
    store->vertex = calloc(vertices + 1, sizeof *store->vertex);
    store->flags = calloc(vertices + GRID_FLAGS_PADDING, sizeof *store->flags);
    store->cell = cell_values ? calloc(cells + 1, sizeof *store->cell) : NULL;
    if (!store->vertex || !store->flags || (cell_values && !store->cell)) {
        return base_fail_memory(vertices * sizeof *store->vertex, "the bricks of a grid");
    }
    return STATUS_OK;
}

/* Vertices in memory once all bricks are claimed. Assumes that the bricks still to come
 * are claimed in the same share as those so far. */
static int64_t expect_vertices(const grid_store *store)
{
    const int64_t left = store->nvertices - store->passed_vertices;
    const double share =
        (double)store->used_vertices / (double)(store->passed_vertices + 1);
    return store->used_vertices + (int64_t)(share * (double)left);
}

/* Asks for a large page behind the used part if bricks to come will fill it. Touching one
 * byte of a large page takes all of it. */
static void extend_large_pages(const grid_store *store, void *array, size_t size)
{
    const int64_t page = BASE_LARGE_PAGE / (int64_t)size;
    if (array && expect_vertices(store) - store->used_vertices >= page) {
        base_use_large_pages(array, (size_t)(store->used_vertices + page) * size);
    }
}

/* Gives a brick its place behind those that are in memory. */
static void place_brick(grid_store *store, grid_brick *brick)
{
    brick->vertex = store->vertex + store->used_vertices;
    brick->flags = store->flags + store->used_vertices;
    brick->cell = store->cell ? store->cell + store->used_cells : NULL;
    brick->gradient = store->gradient ? store->gradient + store->used_vertices : NULL;
    store->used_vertices += (int64_t)vertex_count(brick);
    store->used_cells += (int64_t)cell_count(brick);
}

void grid_store_claim_part(grid_store *store, grid_brick *brick,
                           const grid_brick_place *part)
{
    store->passed_vertices += (int64_t)vertex_count(brick);
    brick->place = *part;
    place_brick(store, brick);
    extend_large_pages(store, store->vertex, sizeof *store->vertex);
    extend_large_pages(store, store->flags, sizeof *store->flags);
    extend_large_pages(store, store->gradient, sizeof *store->gradient);
}

void grid_store_claim(grid_store *store, grid_brick *brick)
{
    const grid_brick_place whole = brick->place;
    grid_store_claim_part(store, brick, &whole);
}

/* Gives every brick its part of the arrays, one after the other. */
static void share_arrays(grid_store *store)
{
    store->used_vertices = store->used_cells = 0;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        place_brick(store, &store->bricks[slot]);
    }
    store->passed_vertices = store->used_vertices;
}

static status fill_store(grid_store *store, int64_t count, const int64_t *numbers,
                         bool cell_values)
{
    status s = allocate_lists(store, count);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t slot = 0; slot < count; slot++) {
        grid_brick *brick = &store->bricks[slot];
        brick->number = numbers[slot];
        brick->place = grid_layout_place(store->layout, numbers[slot]);
        store->slot[numbers[slot]] = (int32_t)slot;
    }
    return allocate_arrays(store, cell_values);
}

status grid_store_reserve(const grid_layout *layout, int64_t count,
                          const int64_t *numbers, bool cell_values, grid_store **out)
{
    grid_store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return base_fail_memory(sizeof *store, "the store of bricks");
    }
    store->layout = layout;
    status s = fill_store(store, count, numbers, cell_values);
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

status grid_store_create(const grid_layout *layout, int64_t count, const int64_t *numbers,
                         bool cell_values, grid_store **out)
{
    status s = grid_store_reserve(layout, count, numbers, cell_values, out);
    if (s == STATUS_OK) {
        share_arrays(*out);
        const size_t vertices = (size_t)(*out)->nvertices;
        base_use_large_pages((*out)->vertex, vertices * sizeof *(*out)->vertex);
        base_use_large_pages((*out)->flags, vertices);
    }
    return s;
}

status grid_store_add_gradients(grid_store *store)
{
    const size_t vertices = (size_t)store->nvertices;
    if (store->nvertices > GRID_STORE_MOST_GRADIENTS) {
        return base_fail(STATUS_MEMORY,
                         "%" PRId64 " vertices with gradients for shading are more than "
                         "one rank can hold; use more ranks",
                         store->nvertices);
    }
    store->gradient = calloc(vertices + 1, sizeof *store->gradient);
    if (!store->gradient) {
        return base_fail_memory(vertices * sizeof *store->gradient,
                                "the gradients of a field");
    }
    base_use_large_pages(store->gradient,
                         (size_t)store->used_vertices * sizeof *store->gradient);
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        grid_brick *brick = &store->bricks[slot];
        if (brick->vertex) {
            brick->gradient = store->gradient + (brick->vertex - store->vertex);
        }
    }
    return STATUS_OK;
}

void grid_store_destroy(grid_store **store)
{
    if (store == NULL || *store == NULL) {
        return;
    }
    free((*store)->vertex);
    free((*store)->flags);
    free((*store)->cell);
    free((*store)->gradient);
    free((*store)->bricks);
    free((*store)->slot);
    free(*store);
    *store = NULL;
}

/* Moves the values of a brick to their new place in the store's arrays, which is not
 * behind the old one. */
static void move_brick(const grid_store *store, const grid_brick *brick, size_t vertex,
                       size_t cell)
{
    const size_t vertices = vertex_count(brick);
    memmove(store->vertex + vertex, brick->vertex, vertices * sizeof *store->vertex);
    memmove(store->flags + vertex, brick->flags, vertices);
    if (store->cell) {
        memmove(store->cell + cell, brick->cell, cell_count(brick) * sizeof *store->cell);
    }
    if (store->gradient) {
        memmove(store->gradient + vertex, brick->gradient,
                vertices * sizeof *store->gradient);
    }
}

/* The array with fewer bytes; if realloc fails, the old one. */
static void *shrink(void *array, size_t bytes)
{
    void *smaller = realloc(array, bytes);
    return smaller ? smaller : array;
}

void grid_store_reduce(grid_store *store, int64_t count, const int64_t *numbers)
{
    size_t vertices = 0, cells = 0;
    if (count == store->nbricks) {
        return;
    }
    for (int64_t n = 0; n < count; n++) {
        const grid_brick *brick = &store->bricks[store->slot[numbers[n]]];
        move_brick(store, brick, vertices, cells);
        vertices += vertex_count(brick);
        cells += cell_count(brick);
        store->bricks[n] = *brick;
    }
    for (int64_t number = 0; number < store->layout->nbricks; number++) {
        store->slot[number] = -1;
    }
    for (int64_t n = 0; n < count; n++) {
        store->slot[numbers[n]] = (int32_t)n;
    }
    store->nbricks = count;
    store->nvertices = (int64_t)vertices;
    store->ncells = (int64_t)cells;
    store->vertex = shrink(store->vertex, (vertices + 1) * sizeof *store->vertex);
    store->flags = shrink(store->flags, vertices + GRID_FLAGS_PADDING);
    memset(store->flags + vertices, 0, GRID_FLAGS_PADDING);
    if (store->cell) {
        store->cell = shrink(store->cell, (cells + 1) * sizeof *store->cell);
    }
    if (store->gradient) {
        store->gradient =
            shrink(store->gradient, (vertices + 1) * sizeof *store->gradient);
    }
    share_arrays(store);
}

int64_t grid_store_bytes(const grid_store *store)
{
    size_t bytes =
        sizeof *store + (size_t)store->nbricks * sizeof *store->bricks +
        (size_t)store->layout->nbricks * sizeof *store->slot +
        (size_t)store->used_vertices * (sizeof *store->vertex + sizeof *store->flags);
    if (store->gradient) {
        bytes += (size_t)store->used_vertices * sizeof *store->gradient;
    }
    if (store->cell) {
        bytes += (size_t)store->used_cells * sizeof *store->cell;
    }
    return (int64_t)bytes;
}
