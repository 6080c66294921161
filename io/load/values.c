/* Several fields at the vertices of bricks, computed in one sweep. */
#include "base/parallel/parallel.h"
#include "delivery.h"
#include "geometry.h"
#include "joints/joints.h"
#include "load.h"
#include "made/made.h"
#include "own.h"

#include <stdlib.h>
#include <string.h>

/* A sweep in the making. */
typedef struct values_load {
    const io_load_set *set;
    const grid_store *store;
    io_sweep sweep; /* its inputs are those of all recipes */
    io_joint_values *joints;
    int64_t count; /* of the bricks that this rank computes */
    const int64_t *numbers;
    status status; /* of bricks that are delivered */
} values_load;

/* Neighbouring bricks along i, whose values are computed together. */
typedef struct brick_row {
    int64_t number; /* of the first one */
    int count;
    grid_brick whole; /* has no more than the place of all of them */
} brick_row;

/* Cells along i of the brick that begins at cell `lo` of its block. */
static int cells_along_i(const grid_block *block, int64_t lo)
{
    const int64_t left = block->n[0] - 1 - lo;
    return left < GRID_BRICK_CELLS ? (int)left : GRID_BRICK_CELLS;
}

/* The row that begins at the n-th brick of a window: up to GRID_RECIPE_BRICKS bricks, as
 * many as have no more vertices than a brick may have. */
static brick_row find_row(const grid_layout *layout, const io_window *window, int64_t n)
{
    const grid_block *block = &layout->blocks[window->block];
    const int64_t along = n % window->bricks[0];
    brick_row row = {.number = io_window_brick(layout, window, n), .count = 1};
    grid_brick_place *place = &row.whole.place;
    *place = grid_layout_place(layout, row.number);
    const int height = (place->n[1] + 1) * (place->n[2] + 1);
    while (row.count < GRID_RECIPE_BRICKS && along + row.count < window->bricks[0]) {
        const int more = cells_along_i(block, place->lo[0] + place->n[0]);
        if ((place->n[0] + more + 1) * height > IO_BRICK_VERTICES) {
            break;
        }
        place->n[0] += more;
        row.count++;
    }
    return row;
}

/* How a delivery begins; values of one recipe after the other follow. */
typedef struct part_record {
    int32_t first, count;
    int64_t row, plane; /* of io_load_part; a plane of 0 is one of all */
    float values[];
} part_record;

/* Floats of one recipe in a record. */
static size_t record_size(const part_record *record, const grid_brick_place *place)
{
    const int64_t planes = record->plane > 0 ? place->n[2] + 1 : 1;
    return (size_t)(record->row * (place->n[1] + 1) * planes);
}

/* io_delivery_take */
static void take_delivered(void *context, int64_t number, const void *data)
{
    const values_load *load = context;
    const part_record *record = data;
    const grid_brick *brick = &load->store->bricks[load->store->slot[number]];
    io_load_part part = {.brick = brick,
                         .first = record->first,
                         .count = record->count,
                         .row = record->row,
                         .plane = record->plane};
    for (int r = 0; r < part.count; r++) {
        part.values[r] = record->values + (size_t)r * record_size(record, &brick->place);
    }
    load->set->take(load->set->context, &part);
}

/* Copies the values of one recipe from a row of bricks to a record. */
static void fill_record(const io_load_part *part, int r, const grid_brick_place *place,
                        const part_record *record, float *out)
{
    const int planes = record->plane > 0 ? place->n[2] + 1 : 1;
    for (int line = 0; line < planes * (place->n[1] + 1); line++) {
        const int j = line % (place->n[1] + 1), k = line / (place->n[1] + 1);
        memcpy(out + line * record->row,
               part->values[r] + k * part->plane + j * part->row,
               (size_t)record->row * sizeof *out);
    }
}

/* Adds the values of a brick in a row of bricks to the delivery. */
static status deliver(const values_load *load, const io_load_part *part, int64_t number,
                      const grid_brick_place *place)
{
    const int64_t row = place->n[0] + 1;
    const part_record head = {part->first, part->count, row,
                              part->plane > 0 ? row * (place->n[1] + 1) : 0};
    const size_t size = record_size(&head, place);
    void *made = NULL;
    const status s =
        io_delivery_add(load->sweep.delivery, number,
                        sizeof head + (size_t)part->count * size * sizeof(float), &made);
    part_record *record = made;
    if (s == STATUS_OK) {
        *record = head;
        for (int r = 0; r < part->count; r++) {
            fill_record(part, r, place, record, record->values + (size_t)r * size);
        }
    }
    return s;
}

/* Hands the values of a row's bricks over, or adds them to the delivery. */
static void take_row(values_load *load, const brick_row *row, io_load_part *all)
{
    const grid_store *store = load->store;
    io_load_part one = *all;
    for (int b = 0; b < row->count; b++) {
        const int64_t number = row->number + b;
        const grid_brick_place place = grid_layout_place(store->layout, number);
        if (load->sweep.delivery) {
            const status s = deliver(load, &one, number, &place);
            if (s != STATUS_OK) {
#pragma omp atomic write
                load->status = s;
            }
        } else {
            one.brick = &store->bricks[store->slot[number]];
            load->set->take(load->set->context, &one);
        }
        for (int r = 0; r < one.count; r++) {
            one.values[r] += place.n[0]; /* bricks share a vertex */
        }
    }
}

/* Finds the values where blocks meet. Collective. */
static status load_joints(values_load *load)
{
    const size_t count = (size_t)load->set->count;
    grid_recipe_use *uses = malloc(count * sizeof *uses + 1);
    status s = uses ? STATUS_OK : base_fail_memory(count * sizeof *uses, "fields");
    s = parallel_agree(load->sweep.comm, s);
    if (s == STATUS_OK) {
        for (int n = 0; n < load->set->count; n++) {
            uses[n] = io_sweep_use(&load->sweep, load->set->recipes[n]);
        }
        const io_joint_wish wish = {.count = load->set->count, .uses = uses};
        s = io_joint_values_load(&load->sweep, &wish, load->count, load->numbers,
                                 &load->joints);
        io_joint_values_attach(load->joints, &load->sweep);
    }
    free(uses);
    return s;
}

/* Computes the recipes from `first` on, `count` of them, at a row of bricks. */
static void compute_some(values_load *load, const grid_patch *part, const brick_row *row,
                         int first, int count)
{
    float values[IO_LOAD_TOGETHER][IO_BRICK_VERTICES];
    float *out[IO_LOAD_TOGETHER] = {NULL};
    grid_recipe_use uses[IO_LOAD_TOGETHER] = {{0}};
    const int *n = row->whole.place.n;
    io_load_part all = {.first = first,
                        .count = count,
                        .row = n[0] + 1,
                        .plane = (int64_t)(n[0] + 1) * (n[1] + 1)};
    for (int r = 0; r < count; r++) {
        uses[r] = io_sweep_use(&load->sweep, load->set->recipes[first + r]);
        all.values[r] = out[r] = values[r];
    }
    grid_patch computed = *part;
    if (!load->joints && grid_recipe_planes_are_alike(count, uses, part)) {
        computed.core_n[2] = 1;
        all.plane = 0;
    }
    if (!load->joints) {
        grid_recipe_compute_all(count, uses, &computed, out);
    }
    for (int r = 0; r < count && load->joints; r++) {
        for (int i = 0; i < grid_recipe_input_count(uses[r].recipe); i++) {
            computed.inputs[i] = part->inputs[uses[r].inputs[i]];
        }
        io_joint_values_compute(load->joints, first + r, uses[r].recipe,
                                &row->whole.place, &computed, out[r]);
    }
    take_row(load, row, &all);
}

static void compute_row(values_load *load, const io_window *window,
                        const grid_patch *patch, const brick_row *row)
{
    const grid_patch part = io_load_patch_of_brick(window, patch, &row->whole);
    for (int r = 0; r < load->set->count; r += IO_LOAD_TOGETHER) {
        const int left = load->set->count - r;
        compute_some(load, &part, row, r,
                     left < IO_LOAD_TOGETHER ? left : IO_LOAD_TOGETHER);
    }
}

/* Computes a row of a window's bricks. */
static void compute_bricks(values_load *load, const io_window *window,
                           const grid_patch *patch, int64_t number)
{
    const int64_t along = window->bricks[0];
    for (int64_t n = 0; n < along;) {
        const brick_row row = find_row(load->store->layout, window, number * along + n);
        compute_row(load, window, patch, &row);
        n += row.count;
    }
}

static status visit_values(void *context, const io_window *window,
                           const grid_patch *patch)
{
#pragma omp parallel for schedule(dynamic)
    for (int64_t r = 0; r < window->bricks[1] * window->bricks[2]; r++) {
        compute_bricks(context, window, patch, r);
    }
    return STATUS_OK;
}

static void visit_row(void *context, const io_window *window, const grid_patch *patch)
{
    compute_bricks(context, window, patch, 0);
}

/* Whether all cells of the grid are present. */
static bool is_whole(const grid_layout *layout)
{
    int64_t present = 0, all = 0;
    for (int64_t n = 0; n < layout->nbricks; n++) {
        present += layout->bricks[n].cells;
    }
    for (int b = 0; b < layout->nblocks; b++) {
        const int64_t *n = layout->blocks[b].n;
        all += (n[0] - 1) * (n[1] - 1) * (n[2] - 1);
    }
    return present == all;
}

/* Reads and computes: rows in this rank's own memory, then the others. Collective. */
static status sweep_rows(values_load *load)
{
    io_sweep *sweep = &load->sweep;
    io_own own = {.rows = NULL};
    status s =
        parallel_agree(sweep->comm, io_own_find(sweep, load->count, load->numbers, &own));
    if (s == STATUS_OK) {
        io_own_visit(sweep, &own, visit_row);
        s = io_sweep_run(sweep, own.nothers, own.others);
    }
    io_own_clear(&own);
    return s == STATUS_OK ? parallel_agree(sweep->comm, load->status) : s;
}

/* One sweep for a set whose inputs are few enough. Collective. */
static status load_together(values_load *load)
{
    const grid_store *store = load->store;
    int64_t *numbers = NULL;
    io_sweep *sweep = &load->sweep;
    /* Means over present cells are all that needs no more than a layer. */
    sweep->coordinates =
        sweep->layers > 1 || (sweep->layers == 1 && !is_whole(store->layout));
    sweep->blanked = sweep->coordinates;
    sweep->visit = visit_values;
    sweep->context = load;
    io_delivery_plan plan = {sweep->comm, sweep->source, store->layout, take_delivered,
                             load};
    status s = io_load_numbers(0, store->nbricks, &numbers);
    for (int64_t n = 0; s == STATUS_OK && n < store->nbricks; n++) {
        numbers[n] = store->bricks[n].number;
    }
    s = parallel_agree(sweep->comm, s);
    s = s == STATUS_OK
            ? io_delivery_create(&plan, store->nbricks, numbers, &sweep->delivery)
            : s;
    if (s == STATUS_OK) {
        load->count =
            sweep->delivery ? io_delivery_count(sweep->delivery) : store->nbricks;
        load->numbers = sweep->delivery ? io_delivery_numbers(sweep->delivery) : numbers;
        s = load_joints(load);
    }
    s = s == STATUS_OK ? sweep_rows(load) : s;
    io_delivery_destroy(&sweep->delivery);
    io_joint_values_destroy(&load->joints);
    free(numbers);
    return s;
}

/* A recipe of a set alone. */
typedef struct single {
    const io_load_set *set;
    int number;
} single;

static void take_single(void *context, const io_load_part *part)
{
    const single *one = context;
    io_load_part own = *part;
    own.first = one->number;
    one->set->take(one->set->context, &own);
}

status io_load_values(MPI_Comm comm, io_source *source, const io_load_set *set, int step,
                      const grid_store *store)
{
    values_load load = {
        .set = set,
        .store = store,
        .sweep = {.comm = comm, .source = source, .layout = store->layout, .step = step}};
    bool fits = true;
    for (int n = 0; n < set->count && fits; n++) {
        const int layers = grid_recipe_ghost_layers(set->recipes[n]);
        load.sweep.layers = layers > load.sweep.layers ? layers : load.sweep.layers;
        fits = io_made_add_inputs(&load.sweep, set->recipes[n]);
    }
    if (fits) {
        return load_together(&load);
    }
    status s = STATUS_OK;
    for (int n = 0; n < set->count && s == STATUS_OK; n++) {
        single one = {set, n};
        const io_load_set alone = {1, &set->recipes[n], take_single, &one};
        s = io_load_values(comm, source, &alone, step, store);
    }
    return s;
}
