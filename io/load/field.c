/* Loading of fields into the bricks of a store, and of wanted bricks into memory. */
#include "base/parallel/parallel.h"
#include "delivery.h"
#include "geometry.h"
#include "joints/joints.h"
#include "load.h"
#include "made/made.h"

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
    io_delivery
        *delivery; /* of values, or of geometry; NULL: each rank reads its bricks */
    float *
        *held; /* [store->nbricks]: values of wanted bricks that have no geometry yet */
    status status;    /* of arriving bricks */
    bool is_changed;  /* bricks came into memory */
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

/* The values of a brick or of a part of it, and its gradients if the store has any. */
typedef struct brick_values {
    grid_brick_place place;
    size_t count;                    /* at its vertices or in its cells */
    const float *values, *gradients; /* [count]; [vertices][3] or NULL */
} brick_values;

/* The number of vertices of a place, or of its cells. */
static size_t count_at(const grid_brick_place *place, grid_location location)
{
    const int more = location == GRID_VERTEX ? 1 : 0;
    return (size_t)(place->n[0] + more) * (size_t)(place->n[1] + more) *
           (size_t)(place->n[2] + more);
}

static size_t value_count(const field_load *load, const grid_brick_place *place)
{
    return count_at(place, grid_recipe_location(load->recipe));
}

/* Floats of a brick's values, and of its gradients, which are at vertices. */
static size_t float_count(const field_load *load, const grid_brick_place *place)
{
    return value_count(load, place) +
           (load->store->gradient ? 3 * count_at(place, GRID_VERTEX) : 0);
}

/* The values that lie at `floats`, and the gradients behind them. */
static brick_values values_at(const field_load *load, const grid_brick_place *place,
                              const float *floats)
{
    const size_t count = value_count(load, place);
    return (brick_values){*place, count, floats,
                          load->store->gradient ? floats + count : NULL};
}

/* ---- Values ------------------------------------------------------------------------ */

/* Values at the vertices of neighbouring bricks along i, computed together. */
typedef struct row_values {
    grid_brick_place place; /* of all of them */
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
    out->place = row.place;
    io_joint_values_compute(load->joints, 0, load->recipe, &row.place, &part,
                            out->values);
}

/* Computes the values of a place, and its gradients behind them. row: values that are
 * known, or NULL. */
static void find_values(const field_load *load, const io_window *window,
                        const grid_patch *patch, const row_values *row,
                        const grid_brick_place *place, float *floats)
{
    if (row) {
        grid_brick_cut(&row->place, place, GRID_VERTEX, sizeof *floats, row->values,
                       floats);
        return;
    }
    const grid_brick brick = {.place = *place};
    const grid_patch part = io_load_patch_of_brick(window, patch, &brick);
    if (load->store->gradient) {
        io_joint_values_gradients(
            load->joints, load->recipe, place, &part, floats,
            (float(*)[3])(void *)(floats + value_count(load, place)));
    } else {
        io_joint_values_compute(load->joints, 0, load->recipe, place, &part, floats);
    }
}

/* ---- Arrival ----------------------------------------------------------------------- */

/* Puts values into a brick in memory, which may have a part of their place. */
static void store_values(const field_load *load, grid_brick *brick,
                         const brick_values *all)
{
    float values[IO_BRICK_VERTICES];
    const size_t count =
        grid_brick_cut(&all->place, &brick->place, grid_recipe_location(load->recipe),
                       sizeof *values, all->values, values);
    grid_brick_set_range(brick, (int64_t)count, values);
    if (brick->cell) {
        memcpy(brick->cell, values, count * sizeof *values);
    }
    for (size_t vertex = 0; !brick->cell && vertex < count; vertex++) {
        brick->vertex[vertex][3] = values[vertex];
    }
    if (brick->gradient) {
        grid_brick_cut(&all->place, &brick->place, GRID_VERTEX, sizeof *brick->gradient,
                       all->gradients, brick->gradient);
    }
}

static bool is_wanted(const field_load *load, const grid_brick *brick)
{
    return !load->filter || load->filter->is_wanted(load->filter->context, brick);
}

/* Holds values until the geometry of the brick comes. */
static void hold(field_load *load, const grid_brick *brick, const brick_values *all)
{
    const size_t bytes = float_count(load, &all->place) * sizeof(float);
    float *copy = malloc(bytes);
    load->held[brick - load->store->bricks] = copy;
    if (copy) {
        memcpy(copy, all->values, bytes);
        return;
    }
#pragma omp critical(io_load_claim)
    load->status = base_fail_memory(bytes, "the values of a brick");
}

/* Takes the values of a brick, with its gradients right behind them. */
static void take_brick(field_load *load, grid_brick *brick, const brick_values *all)
{
    if (brick->vertex) {
        store_values(load, brick, all);
        return;
    }
    grid_brick_set_range(brick, (int64_t)all->count, all->values);
    if (is_wanted(load, brick)) {
        hold(load, brick, all);
    }
}

static grid_brick *brick_of(const field_load *load, int64_t number)
{
    return &load->store->bricks[load->store->slot[number]];
}

/* io_delivery_take: values of a whole brick. */
static void take_delivered(void *context, int64_t number, const void *record)
{
    field_load *load = context;
    const grid_brick_place place = grid_layout_place(load->store->layout, number);
    const brick_values all = values_at(load, &place, record);
    take_brick(load, brick_of(load, number), &all);
}

/* ---- Sweeps ------------------------------------------------------------------------ */

/* Computes a brick that this rank holds, or one to be delivered. */
static status load_brick(field_load *load, const io_window *window,
                         const grid_patch *patch, const row_values *row, int64_t number)
{
    const grid_brick_place whole = grid_layout_place(load->store->layout, number);
    if (load->delivery) {
        void *record = NULL;
        const status s = io_delivery_add(
            load->delivery, number, float_count(load, &whole) * sizeof(float), &record);
        if (s == STATUS_OK) {
            find_values(load, window, patch, row, &whole, record);
        }
        return s;
    }
    float floats[4 * IO_BRICK_VERTICES];
    grid_brick *brick = brick_of(load, number);
    find_values(load, window, patch, row, &brick->place, floats);
    const brick_values all = values_at(load, &brick->place, floats);
    take_brick(load, brick, &all);
    return STATUS_OK;
}

/* Loads `count` bricks from the n-th of a window on, which are neighbours along i. */
static status load_row(field_load *load, const io_window *window, const grid_patch *patch,
                       int64_t n, int count)
{
    row_values row;
    status s = STATUS_OK;
    if (takes_rows(load)) {
        find_row_values(load, window, patch, n, count, &row);
    }
    for (int more = 0; more < count && s == STATUS_OK; more++) {
        s = load_brick(load, window, patch, takes_rows(load) ? &row : NULL,
                       io_window_brick(load->store->layout, window, n + more));
    }
    return s;
}

/* Loads row by row of a few bricks, although vertices between rows are then computed for
 * each of them. So no memory for a whole window is needed, and threads have enough rows
 * to divide. */
static status visit_field(void *context, const io_window *window, const grid_patch *patch)
{
    field_load *load = context;
    status worst = STATUS_OK;
    const int64_t along = window->bricks[0];
    const int64_t rows = (along + GRID_RECIPE_BRICKS - 1) / GRID_RECIPE_BRICKS;
    const int64_t count = rows * window->bricks[1] * window->bricks[2];
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (int64_t n = 0; n < count; n++) {
        const int64_t first = n % rows * GRID_RECIPE_BRICKS, left = along - first;
        const status s =
            load_row(load, window, patch, n / rows * along + first,
                     (int)(left < GRID_RECIPE_BRICKS ? left : GRID_RECIPE_BRICKS));
        if (s != STATUS_OK) {
#pragma omp atomic write
            worst = s;
        }
    }
    return worst;
}

/* Loads the values of the bricks with these ascending numbers: on this rank, of all its
 * bricks or of those that it delivers. Collective. */
static status sweep_field(field_load *load, int64_t count, const int64_t *numbers)
{
    const bool with_geometry = ghost_layers(load) > 0;
    io_sweep sweep = {.comm = load->comm,
                      .source = load->source,
                      .layout = load->store->layout,
                      .step = load->step,
                      .coordinates = with_geometry,
                      .blanked = with_geometry,
                      .layers = ghost_layers(load),
                      .visit = visit_field,
                      .context = load,
                      .delivery = load->delivery};
    io_made_add_inputs(&sweep, load->recipe);
    const grid_recipe_use use = io_sweep_use(&sweep, load->recipe);
    const io_joint_wish wish = {
        .count = 1, .uses = &use, .shaded = load->store->gradient != NULL};
    status s = io_joint_values_load(&sweep, &wish, count, numbers, &load->joints);
    io_joint_values_attach(load->joints, &sweep);
    if (s == STATUS_OK) {
        s = io_sweep_run(&sweep, count, numbers);
    }
    io_joint_values_destroy(&load->joints);
    return s == STATUS_OK ? parallel_agree(load->comm, load->status) : s;
}

/* Numbers of all bricks, or only of those whose values are held; malloc'ed, the
 * caller's. */
static status list_numbers(const field_load *load, bool only_held, int64_t *count,
                           int64_t **numbers)
{
    const grid_store *store = load->store;
    *count = 0;
    status s = io_load_numbers(0, store->nbricks, numbers);
    for (int64_t slot = 0; s == STATUS_OK && slot < store->nbricks; slot++) {
        if (!only_held || load->held[slot]) {
            (*numbers)[(*count)++] = store->bricks[slot].number;
        }
    }
    return s;
}

/* Loads the values of all bricks; holds those of wanted ones that are not in memory.
 * Collective. */
static status load_all(field_load *load)
{
    int64_t *numbers = NULL, count;
    status s = parallel_agree(load->comm, list_numbers(load, false, &count, &numbers));
    const io_delivery_plan plan = {load->comm, load->source, load->store->layout,
                                   take_delivered, load};
    if (s == STATUS_OK) {
        s = io_delivery_create(&plan, count, numbers, &load->delivery);
    }
    if (s == STATUS_OK) {
        s = load->delivery ? sweep_field(load, io_delivery_count(load->delivery),
                                         io_delivery_numbers(load->delivery))
                           : sweep_field(load, count, numbers);
    }
    io_delivery_destroy(&load->delivery);
    free(numbers);
    return s;
}

/* ---- Bricks that come into memory -------------------------------------------------- */

/* io_load_take_geometry: loads the wanted part of a brick whose values are held. */
static void take_geometry(void *context, const grid_brick *whole)
{
    field_load *load = context;
    grid_brick *brick = brick_of(load, whole->number);
    float **held = &load->held[brick - load->store->bricks];
    const grid_brick_place part =
        takes_parts(load) && !load->stays_whole
            ? load->filter->find_part(load->filter->context, whole)
            : whole->place;
#pragma omp critical(io_load_claim)
    grid_store_claim_part(load->store, brick, &part);
    grid_brick_copy_part(whole, brick);
    const brick_values all = values_at(load, &whole->place, *held);
    store_values(load, brick, &all);
    free(*held);
    *held = NULL;
}

/* Loads the geometry of bricks whose values are held. *came: any rank has such bricks.
 * Collective. */
static status take_in_held(field_load *load, bool *came)
{
    int64_t *numbers = NULL, count, most = 0;
    status s = parallel_agree(load->comm, list_numbers(load, true, &count, &numbers));
    if (s == STATUS_OK) {
        parallel_allreduce(&count, &most, 1, MPI_INT64_T, MPI_MAX, load->comm);
        load->is_changed |= count > 0;
    }
    *came = most > 0;
    if (*came) {
        s = io_geometry_visit(&(io_geometry_pass){load->comm, load->source,
                                                  load->store->layout, count, numbers,
                                                  take_geometry, load});
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
    status s = load_all(load);
    if (s == STATUS_OK) {
        s = take_in_held(load, &came);
    }
    if (s == STATUS_OK && came && takes_parts(load)) {
        undo_parts(load, again);
    }
    return s;
}

static void free_held(field_load *load)
{
    for (int64_t slot = 0; load->held && slot < load->store->nbricks; slot++) {
        free(load->held[slot]);
    }
    free(load->held);
}

status io_load_wanted(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                      int step, const io_load_filter *filter, grid_store *store)
{
    const size_t count = (size_t)store->nbricks + 1;
    field_load load = {.comm = comm,
                       .source = source,
                       .step = step,
                       .recipe = recipe,
                       .filter = filter,
                       .store = store,
                       .held = calloc(count, sizeof *load.held),
                       .stays_whole = grid_store_has_folds(store)};
    status s = load.held
                   ? STATUS_OK
                   : base_fail_memory(count * sizeof *load.held, "the list of bricks");
    bool again = false;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = load_once(&load, &again);
    }
    if (s == STATUS_OK && again) {
        s = load_once(&load, &again); /* now no rank with folds has parts */
    }
    if (s == STATUS_OK && load.is_changed) {
        grid_store_give_back(store);
    }
    free_held(&load);
    return s;
}

status io_load_field(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                     int step, grid_store *store)
{
    return io_load_wanted(comm, source, recipe, step, NULL, store);
}
