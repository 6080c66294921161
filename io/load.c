#include "io/load.h"

#include "base/parallel.h"
#include "io/load_parts.h"

#include <stdlib.h>

/* ---- shares ----------------------------------------------------------------------- */

void io_load_share(MPI_Comm comm, int rank, const grid_layout *layout, int64_t *first,
                   int64_t *end)
{
    int size = parallel_size(comm);
    *first = layout->nbricks * rank / size;
    *end = layout->nbricks * (rank + 1) / size;
}

status io_load_numbers(int64_t first, int64_t end, int64_t **numbers)
{
    size_t bytes = (size_t)(end - first + 1) * sizeof **numbers;
    int64_t *list = malloc(bytes);
    if (!list) {
        return base_fail_memory(bytes, "the list of bricks");
    }
    for (int64_t number = first; number < end; number++) {
        list[number - first] = number;
    }
    *numbers = list;
    return STATUS_OK;
}

/* ---- geometry --------------------------------------------------------------------- */

size_t io_load_patch_index(const io_window *window, const grid_patch *patch,
                           const grid_brick_place *place, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    size_t index = 0;
    for (int axis = 2; axis >= 0; axis--) {
        int64_t first = place->lo[axis] - window->lo[axis] * GRID_BRICK_CELLS;
        index = index * (size_t)patch->n[axis] +
                (size_t)(first + patch->core_lo[axis] + at[axis]);
    }
    return index;
}

void io_load_brick(const io_window *window, const grid_patch *patch, grid_brick *brick,
                   uint8_t *blanked)
{
    const grid_brick_place *place = &brick->place;
    size_t vertex = 0;
    for (int k = 0; k <= place->n[2]; k++) {
        for (int j = 0; j <= place->n[1]; j++) {
            size_t from = io_load_patch_index(window, patch, place, 0, j, k);
            for (int i = 0; i <= place->n[0]; i++, from++, vertex++) {
                brick->vertex[vertex][0] = patch->x[from];
                brick->vertex[vertex][1] = patch->y[from];
                brick->vertex[vertex][2] = patch->z[from];
                blanked[vertex] = patch->blanked ? patch->blanked[from] : 0;
            }
        }
    }
    grid_brick_flag(brick, patch->blanked ? blanked : NULL);
}

static grid_brick *held_brick(const grid_store *store, const io_window *window, int64_t n)
{
    return &store->bricks[store->slot[io_window_brick(store->layout, window, n)]];
}

static status visit_bricks(void *context, const io_window *window,
                           const grid_patch *patch)
{
    grid_store *store = context;
    uint8_t blanked[IO_BRICK_VERTICES];
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        io_load_brick(window, patch, held_brick(store, window, n), blanked);
    }
    return STATUS_OK;
}

status io_load_bricks(MPI_Comm comm, io_source *source, const grid_layout *layout,
                      int64_t count, const int64_t *numbers, grid_location location,
                      grid_store **out)
{
    grid_store *store = NULL;
    status s = grid_store_create(layout, count, numbers, location == GRID_CELL, &store);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        const io_sweep sweep = {.comm = comm,
                                .source = source,
                                .layout = layout,
                                .coordinates = true,
                                .blanked = true,
                                .visit = visit_bricks,
                                .context = store};
        s = io_sweep_run(&sweep, count, numbers);
    }
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

/* ---- fields ----------------------------------------------------------------------- */

typedef struct field_load {
    const grid_recipe *recipe;
    grid_store *store;
} field_load;

/* Copies a brick's part of a window's results ([n[2]][n[1]][n[0]]) to where its scalar
 * lives. */
static void store_scalar(const io_window *window, const int n[3], const float *values,
                         bool cells, grid_brick *brick)
{
    const grid_brick_place *place = &brick->place;
    size_t first[3], size[3], at = 0;
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = (size_t)(place->lo[axis] - window->lo[axis] * GRID_BRICK_CELLS);
        size[axis] = (size_t)place->n[axis] + (cells ? 0 : 1);
    }
    for (size_t k = 0; k < size[2]; k++) {
        for (size_t j = 0; j < size[1]; j++) {
            size_t row = ((first[2] + k) * (size_t)n[1] + first[1] + j) * (size_t)n[0];
            for (size_t i = 0; i < size[0]; i++, at++) {
                float value = values[row + first[0] + i];
                if (cells) {
                    brick->cell[at] = value;
                } else {
                    brick->vertex[at][3] = value;
                }
            }
        }
    }
}

static status visit_field(void *context, const io_window *window, const grid_patch *patch)
{
    const field_load *load = context;
    bool cells = grid_recipe_location(load->recipe) == GRID_CELL;
    int n[3];
    size_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = patch->core_n[axis] - (cells ? 1 : 0);
        count *= (size_t)n[axis];
    }
    float *values = malloc(count * sizeof *values);
    if (!values) {
        return base_fail_memory(count * sizeof *values, "a computed field");
    }
    grid_recipe_compute(load->recipe, patch, values);
    for (int64_t brick = 0; brick < io_window_brick_count(window); brick++) {
        grid_brick *held = held_brick(load->store, window, brick);
        store_scalar(window, n, values, cells, held);
        grid_brick_find_range(held);
    }
    free(values);
    return STATUS_OK;
}

static status store_numbers(const grid_store *store, int64_t **numbers)
{
    int64_t *list = NULL;
    status s = io_load_numbers(0, store->nbricks, &list);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        list[slot] = store->bricks[slot].number;
    }
    *numbers = list;
    return STATUS_OK;
}

status io_load_field(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                     int step, grid_store *store)
{
    int64_t *numbers = NULL;
    status s = parallel_agree(comm, store_numbers(store, &numbers));
    if (s == STATUS_OK) {
        field_load load = {recipe, store};
        /* A value that is not taken from its neighbours needs no geometry. */
        bool derivatives = grid_recipe_ghost_layers(recipe) > 0;
        io_sweep sweep = {.comm = comm,
                          .source = source,
                          .layout = store->layout,
                          .step = step,
                          .coordinates = derivatives,
                          .blanked = derivatives,
                          .layers = grid_recipe_ghost_layers(recipe),
                          .ninputs = grid_recipe_input_count(recipe),
                          .visit = visit_field,
                          .context = &load};
        for (int input = 0; input < sweep.ninputs; input++) {
            sweep.inputs[input] = grid_recipe_input(recipe, input);
        }
        s = io_sweep_run(&sweep, store->nbricks, numbers);
    }
    free(numbers);
    return s;
}
