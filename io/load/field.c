/* Loading of fields into the bricks of a store, and of wanted bricks into memory. */
#include "base/parallel/parallel.h"
#include "geometry.h"
#include "joints/joints.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

typedef struct field_load {
    MPI_Comm comm;
    io_source *source;
    int step;
    const grid_recipe *recipe;
    io_joint_values *joints;      /* of the current sweep; NULL: none count */
    const io_load_filter *filter; /* NULL: all bricks are wanted */
    grid_store *store;
    bool *is_new;     /* [store->nbricks]: loaded into memory at this step */
    bool stays_whole; /* the filter's parts are ignored, since some cells have folds */
} field_load;

/* Whether bricks may be kept in part. The same on every rank. */
static bool takes_parts(const field_load *load)
{
    return load->filter && load->filter->find_part;
}

/* Ghost layers of the sweep. A value that does not depend on its neighbours needs no
 * geometry. */
static int ghost_layers(const field_load *load)
{
    return load->store->gradient ? grid_recipe_gradient_layers(load->recipe)
                                 : grid_recipe_ghost_layers(load->recipe);
}

/* ---- Values ------------------------------------------------------------------------ */

/* Values at the vertices of neighbouring bricks along i, computed together. */
typedef struct row_values {
    int64_t lo[3]; /* the first vertex */
    int n[3];      /* vertices */
    float values[IO_BRICK_VERTICES * GRID_RECIPE_BRICKS];
} row_values;

/* Whether the values of a row of bricks are computed together. */
static bool takes_rows(const field_load *load)
{
    return ghost_layers(load) > 0 && !load->store->gradient &&
           grid_recipe_location(load->recipe) == GRID_VERTEX;
}

/* Computes the values of the `count` whole bricks from the n-th of a window on. */
static void find_row_values(const field_load *load, const io_window *window,
                            const grid_patch *patch, int64_t n, int count,
                            row_values *out)
{
    const grid_layout *layout = load->store->layout;
    const int64_t number = io_window_brick(layout, window, n);
    grid_brick row = {.place = grid_layout_place(layout, number)};
    for (int more = 1; more < count; more++) {
        row.place.n[0] += grid_layout_place(layout, number + more).n[0];
    }
    const grid_patch part = io_load_patch_of_brick(window, patch, &row);
    for (int axis = 0; axis < 3; axis++) {
        out->lo[axis] = row.place.lo[axis];
        out->n[axis] = row.place.n[axis] + 1;
    }
    grid_recipe_compute(io_joint_values_recipe(load->joints, 0, load->recipe), &part,
                        out->values);
    io_joint_values_correct(load->joints, 0, &row.place, out->values);
}

/* Copies the values of a brick, or a part of one, out of those of a row. Returns the
 * number of values. */
static size_t take_values(const row_values *row, const grid_brick_place *place,
                          float *values)
{
    const size_t count = (size_t)place->n[0] + 1;
    size_t done = 0;
    for (int k = 0; k <= place->n[2]; k++) {
        for (int j = 0; j <= place->n[1]; j++, done += count) {
            const int64_t at[3] = {place->lo[0] - row->lo[0],
                                   place->lo[1] - row->lo[1] + j,
                                   place->lo[2] - row->lo[2] + k};
            const int64_t from = (at[2] * row->n[1] + at[1]) * row->n[0] + at[0];
            memcpy(values + done, row->values + from, count * sizeof *values);
        }
    }
    return done;
}

/* Computes the values of a brick, their range, and its gradients if it has any. Returns
 * the number of values. row: those that are known, or NULL. */
static size_t find_values(const field_load *load, const io_window *window,
                          const grid_patch *patch, const row_values *row,
                          grid_brick *brick, float values[IO_BRICK_VERTICES])
{
    if (row) {
        const size_t taken = take_values(row, &brick->place, values);
        grid_brick_set_range(brick, (int64_t)taken, values);
        return taken;
    }
    const grid_patch part = io_load_patch_of_brick(window, patch, brick);
    const int less = grid_recipe_location(load->recipe) == GRID_CELL ? 1 : 0;
    size_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        count *= (size_t)(part.core_n[axis] - less);
    }
    const grid_recipe *recipe = io_joint_values_recipe(load->joints, 0, load->recipe);
    if (brick->gradient) {
        io_joint_values_gradients(load->joints, recipe, &brick->place, &part, values,
                                  brick->gradient);
    } else {
        grid_recipe_compute(recipe, &part, values);
        io_joint_values_correct(load->joints, 0, &brick->place, values);
    }
    grid_brick_set_range(brick, (int64_t)count, values);
    return count;
}

/* Stores the values at the brick's vertices or cells. */
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

/* ---- Bricks that come into memory -------------------------------------------------- */

/* Loads the wanted part of a brick whose geometry is in the patch. The rest of the brick
 * is never written to memory that stays. */
static void claim_part(const field_load *load, const io_window *window,
                       const grid_patch *patch, grid_brick *brick)
{
    float vertex[IO_BRICK_VERTICES][4];
    uint8_t flags[IO_BRICK_VERTICES];
    grid_brick whole = {
        .number = brick->number, .place = brick->place, .vertex = vertex, .flags = flags};
    io_load_brick(window, patch, true, &whole);
    const grid_brick_place part =
        load->stays_whole ? whole.place
                          : load->filter->find_part(load->filter->context, &whole);
#pragma omp critical(io_load_claim)
    grid_store_claim_part(load->store, brick, &part);
    grid_brick_copy_part(&whole, brick);
}

/* Loads the brick into memory, with its geometry if the patch has it. A part is chosen by
 * geometry; without geometry it is loaded in the next sweep. */
static void claim(const field_load *load, const io_window *window,
                  const grid_patch *patch, grid_brick *brick)
{
    load->is_new[brick - load->store->bricks] = true;
    if (takes_parts(load)) {
        if (patch->x) {
            claim_part(load, window, patch, brick);
        }
        return;
    }
#pragma omp critical(io_load_claim)
    grid_store_claim(load->store, brick);
    if (patch->x) {
        io_load_brick(window, patch, true, brick);
    }
}

static bool is_wanted(const field_load *load, const grid_brick *brick)
{
    return !load->filter || load->filter->is_wanted(load->filter->context, brick);
}

/* Loads a brick; row: its values and others, or NULL. */
static void load_brick(const field_load *load, const io_window *window,
                       const grid_patch *patch, const row_values *row, grid_brick *brick)
{
    float values[IO_BRICK_VERTICES];
    size_t count = find_values(load, window, patch, row, brick, values);
    if (!brick->vertex && is_wanted(load, brick)) {
        claim(load, window, patch, brick);
        if (brick->vertex && (brick->gradient || takes_parts(load))) {
            count = find_values(load, window, patch, row, brick, values);
        }
    }
    if (brick->vertex) {
        store_values(brick, count, values);
    }
}

/* ---- Sweeps ------------------------------------------------------------------------ */

/* Loads `count` bricks from the n-th of a window on, which are neighbours along i. */
static void load_row(const field_load *load, const io_window *window,
                     const grid_patch *patch, int64_t n, int count)
{
    const grid_store *store = load->store;
    row_values row;
    if (takes_rows(load)) {
        find_row_values(load, window, patch, n, count, &row);
    }
    for (int more = 0; more < count; more++) {
        const int64_t number = io_window_brick(store->layout, window, n + more);
        load_brick(load, window, patch, takes_rows(load) ? &row : NULL,
                   &store->bricks[store->slot[number]]);
    }
}

/* Loads row by row of a few bricks, although vertices between rows are then computed for
 * each of them. So no memory for a whole window is needed, and threads have enough rows
 * to divide. */
static status visit_field(void *context, const io_window *window, const grid_patch *patch)
{
    const field_load *load = context;
    const int64_t along = window->bricks[0];
    const int64_t rows = (along + GRID_RECIPE_BRICKS - 1) / GRID_RECIPE_BRICKS;
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < rows * window->bricks[1] * window->bricks[2]; n++) {
        const int64_t first = n % rows * GRID_RECIPE_BRICKS, left = along - first;
        load_row(load, window, patch, n / rows * along + first,
                 (int)(left < GRID_RECIPE_BRICKS ? left : GRID_RECIPE_BRICKS));
    }
    return STATUS_OK;
}

/* Loads the values of the bricks with these ascending numbers. Collective. */
static status sweep_field(field_load *load, bool with_geometry, int64_t count,
                          const int64_t *numbers)
{
    io_sweep sweep = {.comm = load->comm,
                      .source = load->source,
                      .layout = load->store->layout,
                      .step = load->step,
                      .coordinates = with_geometry,
                      .blanked = with_geometry,
                      .layers = ghost_layers(load),
                      .ninputs = grid_recipe_input_count(load->recipe),
                      .visit = visit_field,
                      .context = load};
    grid_recipe_use use = {.recipe = load->recipe};
    for (int input = 0; input < sweep.ninputs; input++) {
        sweep.inputs[input] = grid_recipe_input(load->recipe, input);
        use.inputs[input] = input;
    }
    const io_joint_wish wish = {1, &use, load->store->gradient != NULL};
    status s = io_joint_values_load(&sweep, &wish, count, numbers, &load->joints);
    io_joint_values_attach(load->joints, &sweep);
    if (s == STATUS_OK) {
        s = io_sweep_run(&sweep, count, numbers);
    }
    io_joint_values_destroy(&load->joints);
    return s;
}

/* Numbers of all bricks, or only of the new ones; malloc'ed, the caller's. */
static status list_numbers(const field_load *load, bool only_new, int64_t *count,
                           int64_t **numbers)
{
    const grid_store *store = load->store;
    *count = 0;
    status s = io_load_numbers(0, store->nbricks, numbers);
    for (int64_t slot = 0; s == STATUS_OK && slot < store->nbricks; slot++) {
        if (!only_new || load->is_new[slot]) {
            (*numbers)[(*count)++] = store->bricks[slot].number;
        }
    }
    return s;
}

/* Sweeps the field over all bricks, and loads the wanted ones as far as one sweep
 * suffices. Collective. */
static status look_at_all(field_load *load)
{
    int64_t *numbers = NULL, count;
    status s = parallel_agree(load->comm, list_numbers(load, false, &count, &numbers));
    if (s == STATUS_OK) {
        s = sweep_field(load, ghost_layers(load) > 0, count, numbers);
    }
    free(numbers);
    return s;
}

/* Loads the geometry of new bricks if the first sweep read none; if bricks may be parts,
 * also their values. All ranks take part if any rank has such a brick (*came).
 * Collective. */
static status take_in_new(field_load *load, bool *came)
{
    int64_t *numbers = NULL, count, most = 0;
    *came = false;
    if (ghost_layers(load) > 0 && !takes_parts(load)) {
        return STATUS_OK;
    }
    status s = parallel_agree(load->comm, list_numbers(load, true, &count, &numbers));
    if (s == STATUS_OK) {
        parallel_allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, load->comm);
        *came = most > 0;
    }
    if (*came && ghost_layers(load) == 0) {
        s = takes_parts(load)
                ? sweep_field(load, true, count, numbers)
                : io_load_geometry(load->comm, load->source, count, numbers, load->store);
    }
    free(numbers);
    return s;
}

/*
 * If cells have folds, a ray may re-enter a rank's box from outside, so bricks must be
 * whole. A rank with folds and parts of bricks takes all its bricks out of memory.
 * *again: some rank did so, and all ranks load once more. Collective.
 */
static void undo_parts(field_load *load, bool *again)
{
    int mine = grid_store_has_folds(load->store) && grid_store_has_parts(load->store);
    int any = 0;
    parallel_allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, load->comm);
    if (mine) {
        load->stays_whole = true;
        grid_store_forget(load->store);
    }
    *again = any;
}

static status load_once(field_load *load, bool *again)
{
    bool came = false;
    *again = false;
    status s = look_at_all(load);
    if (s == STATUS_OK) {
        s = take_in_new(load, &came);
    }
    if (s == STATUS_OK && came && takes_parts(load)) {
        undo_parts(load, again);
    }
    return s;
}

static bool has_new(const field_load *load)
{
    bool any = false;
    for (int64_t slot = 0; slot < load->store->nbricks; slot++) {
        any |= load->is_new[slot];
    }
    return any;
}

status io_load_wanted(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                      int step, const io_load_filter *filter, grid_store *store)
{
    const size_t bytes = (size_t)store->nbricks * sizeof(bool) + 1;
    field_load load = {.comm = comm,
                       .source = source,
                       .step = step,
                       .recipe = recipe,
                       .filter = filter,
                       .store = store,
                       .is_new = calloc(bytes, 1),
                       .stays_whole = grid_store_has_folds(store)};
    status s = load.is_new ? STATUS_OK : base_fail_memory(bytes, "the list of bricks");
    bool again = false;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = load_once(&load, &again);
    }
    if (s == STATUS_OK && again) {
        s = load_once(&load, &again); /* now no rank with folds has parts */
    }
    if (s == STATUS_OK && has_new(&load)) {
        grid_store_give_back(store);
    }
    free(load.is_new);
    return s;
}

status io_load_field(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                     int step, grid_store *store)
{
    return io_load_wanted(comm, source, recipe, step, NULL, store);
}
