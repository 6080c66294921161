#include "io/load.h"

#include "base/parallel.h"
#include "io/load_parts.h"

#include <stdlib.h>
#include <string.h>

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

/* Copies `count` points of a row, but not what else a vertex holds. */
static void copy_row(const grid_patch *patch, size_t from, int count,
                     float (*restrict vertex)[4])
{
    const float *x = patch->x + from, *y = patch->y + from, *z = patch->z + from;
    for (int i = 0; i < count; i++) {
        vertex[i][0] = x[i];
        vertex[i][1] = y[i];
        vertex[i][2] = z[i];
    }
}

void io_load_brick(const io_window *window, const grid_patch *patch, bool windings,
                   grid_brick *brick)
{
    const grid_brick_place *place = &brick->place;
    const int count = place->n[0] + 1;
    uint8_t blanked[IO_BRICK_VERTICES];
    size_t vertex = 0;
    for (int k = 0; k <= place->n[2]; k++) {
        for (int j = 0; j <= place->n[1]; j++, vertex += (size_t)count) {
            const size_t from = io_load_patch_index(window, patch, place, 0, j, k);
            copy_row(patch, from, count, brick->vertex + vertex);
            if (patch->blanked) {
                memcpy(blanked + vertex, patch->blanked + from, (size_t)count);
            }
        }
    }
    if (windings) {
        grid_brick_flag(brick, patch->blanked ? blanked : NULL);
    } else {
        grid_brick_mark(brick, patch->blanked ? blanked : NULL);
    }
}

static grid_brick *held_brick(const grid_store *store, const io_window *window, int64_t n)
{
    return &store->bricks[store->slot[io_window_brick(store->layout, window, n)]];
}

static status visit_bricks(void *context, const io_window *window,
                           const grid_patch *patch)
{
    grid_store *store = context;
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        io_load_brick(window, patch, true, held_brick(store, window, n));
    }
    return STATUS_OK;
}

status io_load_geometry(MPI_Comm comm, io_source *source, int64_t count,
                        const int64_t *numbers, grid_store *store)
{
    const io_sweep sweep = {.comm = comm,
                            .source = source,
                            .layout = store->layout,
                            .coordinates = true,
                            .blanked = true,
                            .visit = visit_bricks,
                            .context = store};
    return io_sweep_run(&sweep, count, numbers);
}

status io_load_bricks(MPI_Comm comm, io_source *source, const grid_layout *layout,
                      int64_t count, const int64_t *numbers, grid_location location,
                      grid_store **out)
{
    grid_store *store = NULL;
    status s = grid_store_create(layout, count, numbers, location == GRID_CELL, &store);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = io_load_geometry(comm, source, count, numbers, store);
    }
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

status io_load_later(MPI_Comm comm, const grid_layout *layout, int64_t count,
                     const int64_t *numbers, grid_location location, grid_store **out)
{
    grid_store *store = NULL;
    status s = grid_store_reserve(layout, count, numbers, location == GRID_CELL, &store);
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

status io_load_kept_bricks(MPI_Comm comm, io_source *source, const grid_layout *layout,
                           int64_t count, const int64_t *numbers, grid_location location,
                           grid_store **store)
{
    if (*store == NULL) {
        return io_load_bricks(comm, source, layout, count, numbers, location, store);
    }
    grid_store_reduce(*store, count, numbers);
    return STATUS_OK;
}

/* ---- fields ----------------------------------------------------------------------- */

typedef struct field_load {
    const grid_recipe *recipe;
    const io_load_filter *filter; /* NULL: all bricks are wanted */
    grid_store *store;
    bool *is_new; /* [store->nbricks]: came into memory at this step */
} field_load;

/* The patch, cut down to a brick of the window: the same but for its core. */
static grid_patch patch_of_brick(const io_window *window, const grid_patch *patch,
                                 const grid_brick *brick)
{
    grid_patch part = *patch;
    for (int axis = 0; axis < 3; axis++) {
        int64_t first = brick->place.lo[axis] - window->lo[axis] * GRID_BRICK_CELLS;
        part.core_lo[axis] += (int)first;
        part.core_n[axis] = brick->place.n[axis] + 1;
    }
    return part;
}

/* Puts values to the brick's vertices or cells. */
static void store_values(grid_brick *brick, size_t count, const float *restrict values)
{
    if (brick->cell) {
        memcpy(brick->cell, values, count * sizeof *values);
        return;
    }
    for (size_t vertex = 0; vertex < count; vertex++) {
        brick->vertex[vertex][3] = values[vertex];
    }
}

/* Takes the brick into memory if it is wanted; its geometry, too, if that is here. */
static void claim_brick(const field_load *load, const io_window *window,
                        const grid_patch *patch, grid_brick *brick)
{
    if (load->filter && !load->filter->is_wanted(load->filter->context, brick)) {
        return;
    }
#pragma omp critical(io_load_claim)
    grid_store_claim(load->store, brick);
    load->is_new[brick - load->store->bricks] = true;
    if (patch->x) {
        io_load_brick(window, patch, true, brick);
    }
}

/* Brick by brick, though the vertices between bricks are computed for each of them: it
 * needs no memory for a whole window, and threads have enough to share out. */
static void load_values(const field_load *load, const io_window *window,
                        const grid_patch *patch, grid_brick *brick)
{
    const grid_patch part = patch_of_brick(window, patch, brick);
    const int less = grid_recipe_location(load->recipe) == GRID_CELL ? 1 : 0;
    size_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        count *= (size_t)(part.core_n[axis] - less);
    }
    float values[IO_BRICK_VERTICES];
    if (brick->gradient) {
        grid_recipe_compute_gradients(load->recipe, &part, values, brick->gradient);
    } else {
        grid_recipe_compute(load->recipe, &part, values);
    }
    grid_brick_set_range(brick, (int64_t)count, values);
    if (!brick->vertex) {
        claim_brick(load, window, patch, brick);
        if (brick->gradient) {
            grid_recipe_compute_gradients(load->recipe, &part, values, brick->gradient);
        }
    }
    if (brick->vertex) {
        store_values(brick, count, values);
    }
}

static status visit_field(void *context, const io_window *window, const grid_patch *patch)
{
    const field_load *load = context;
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        load_values(load, window, patch, held_brick(load->store, window, n));
    }
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

/* A value that is not taken from its neighbours needs no geometry. */
static int ghost_layers(const field_load *load)
{
    return load->store->gradient ? grid_recipe_gradient_layers(load->recipe)
                                 : grid_recipe_ghost_layers(load->recipe);
}

/* Values of all bricks. Collective. */
static status sweep_field(MPI_Comm comm, io_source *source, int step, field_load *load)
{
    int64_t *numbers = NULL;
    const int layers = ghost_layers(load);
    status s = parallel_agree(comm, store_numbers(load->store, &numbers));
    if (s == STATUS_OK) {
        io_sweep sweep = {.comm = comm,
                          .source = source,
                          .layout = load->store->layout,
                          .step = step,
                          .coordinates = layers > 0,
                          .blanked = layers > 0,
                          .layers = layers,
                          .ninputs = grid_recipe_input_count(load->recipe),
                          .visit = visit_field,
                          .context = load};
        for (int input = 0; input < sweep.ninputs; input++) {
            sweep.inputs[input] = grid_recipe_input(load->recipe, input);
        }
        s = io_sweep_run(&sweep, load->store->nbricks, numbers);
    }
    free(numbers);
    return s;
}

/* Geometry of the bricks that are new, where the field's sweep did not read any. All
 * ranks take part as soon as one has such a brick. Collective. */
static status load_new_geometry(MPI_Comm comm, io_source *source, const field_load *load)
{
    const grid_store *store = load->store;
    int64_t *numbers = NULL, count = 0, most = 0;
    if (ghost_layers(load) > 0) {
        return STATUS_OK;
    }
    status s = parallel_agree(comm, store_numbers(store, &numbers));
    if (s != STATUS_OK) {
        free(numbers);
        return s;
    }
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        if (load->is_new[slot]) {
            numbers[count++] = store->bricks[slot].number;
        }
    }
    parallel_allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, comm);
    if (most > 0) {
        s = io_load_geometry(comm, source, count, numbers, load->store);
    }
    free(numbers);
    return s;
}

status io_load_wanted(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                      int step, const io_load_filter *filter, grid_store *store)
{
    field_load load = {recipe, filter, store, NULL};
    size_t bytes = (size_t)store->nbricks * sizeof *load.is_new + 1;
    load.is_new = calloc(bytes, 1);
    status s = load.is_new ? STATUS_OK : base_fail_memory(bytes, "the list of bricks");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = sweep_field(comm, source, step, &load);
    }
    if (s == STATUS_OK) {
        s = load_new_geometry(comm, source, &load);
    }
    free(load.is_new);
    return s;
}

status io_load_field(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                     int step, grid_store *store)
{
    return io_load_wanted(comm, source, recipe, step, NULL, store);
}
