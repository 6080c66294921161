#include "geometry.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "delivery.h"
#include "io/stretches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Copies the coordinates of `count` points of a row; the scalars of the vertices stay. */
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

/* A pass, and what is delivered. */
typedef struct geometry_pass {
    const io_geometry_pass *wish;
    io_delivery *delivery; /* NULL: each rank reads its own bricks */
    int64_t count;
    const int64_t *numbers; /* [count]: ascending */
} geometry_pass;

/* Room for the geometry of a brick, and its record in a delivery. */
typedef struct geometry_record {
    float vertex[IO_BRICK_VERTICES][4];
    uint8_t flags[IO_BRICK_VERTICES];
    unsigned windings;
} geometry_record;

static grid_brick brick_at(const geometry_pass *pass, int64_t number,
                           geometry_record *record)
{
    return (grid_brick){.number = number,
                        .place = grid_layout_place(pass->wish->layout, number),
                        .vertex = record->vertex,
                        .flags = record->flags};
}

/* io_delivery_take */
static void take_delivered(void *context, int64_t number, const void *record)
{
    const geometry_pass *pass = context;
    geometry_record *geometry = (geometry_record *)record;
    grid_brick brick = brick_at(pass, number, geometry);
    brick.windings = geometry->windings;
    pass->wish->take(pass->wish->context, &brick);
}

/* Whether a brick is not only there to fill its row. */
static bool is_wanted(const geometry_pass *pass, int64_t number)
{
    int64_t lo = 0, hi = pass->count;
    while (hi - lo > 1) {
        const int64_t middle = lo + (hi - lo) / 2;
        *(pass->numbers[middle] <= number ? &lo : &hi) = middle;
    }
    return pass->numbers[lo] == number;
}

static status visit_brick(const geometry_pass *pass, const io_window *window,
                          const grid_patch *patch, int64_t number)
{
    geometry_record own, *record = &own;
    if (!is_wanted(pass, number)) {
        return STATUS_OK;
    }
    if (pass->delivery) {
        void *made = NULL;
        const status s = io_delivery_add(pass->delivery, number, sizeof *record, &made);
        if (s != STATUS_OK) {
            return s;
        }
        record = made;
    }
    grid_brick brick = brick_at(pass, number, record);
    io_load_brick(window, patch, true, &brick);
    record->windings = brick.windings;
    if (!pass->delivery) {
        pass->wish->take(pass->wish->context, &brick);
    }
    return STATUS_OK;
}

static status visit_bricks(void *context, const io_window *window,
                           const grid_patch *patch)
{
    const geometry_pass *pass = context;
    status worst = STATUS_OK;
    const int64_t count = io_window_brick_count(window);
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (int64_t n = 0; n < count; n++) {
        const status s = visit_brick(pass, window, patch,
                                     io_window_brick(pass->wish->layout, window, n));
        if (s != STATUS_OK) {
#pragma omp atomic write
            worst = s;
        }
    }
    return worst;
}

/* Whether reading the rows of two bricks brings those between them. */
static bool share_rows(const grid_layout *layout, int64_t a, int64_t b)
{
    const grid_brick_place first = grid_layout_place(layout, a);
    const grid_brick_place last = grid_layout_place(layout, b);
    return first.block == last.block && first.lo[1] == last.lo[1] &&
           first.lo[2] == last.lo[2] && last.lo[0] - first.lo[0] <= IO_STRETCH_GAP / 4;
}

/* Sweeps over the bricks of a pass, and those between them in their rows: otherwise the
 * parts of a row are several windows, and each reads most of the row. Collective. */
static status sweep_rows(const geometry_pass *pass, const io_sweep *sweep)
{
    int64_t count = 0, *numbers = NULL;
    status s = STATUS_OK;
    for (int64_t n = 0; n < pass->count && s == STATUS_OK; n++) {
        const int64_t number = pass->numbers[n];
        const bool fills = n > 0 && !io_source_is_in_memory(sweep->source) &&
                           share_rows(sweep->layout, pass->numbers[n - 1], number);
        int64_t next = fills ? pass->numbers[n - 1] + 1 : number;
        for (; next <= number && s == STATUS_OK; next++) {
            s = base_array_add(numbers, count, next, "the list of bricks");
        }
    }
    s = parallel_agree(sweep->comm, s);
    s = s == STATUS_OK ? io_sweep_run(sweep, count, numbers) : s;
    free(numbers);
    return s;
}

status io_geometry_visit(const io_geometry_pass *wish)
{
    geometry_pass pass = {wish, NULL, wish->count, wish->numbers};
    const io_delivery_plan plan = {wish->comm, wish->source, wish->layout, take_delivered,
                                   &pass};
    status s = io_delivery_create(&plan, wish->count, wish->numbers, &pass.delivery);
    if (s == STATUS_OK) {
        const io_sweep sweep = {.comm = wish->comm,
                                .source = wish->source,
                                .layout = wish->layout,
                                .step = IO_GRID_STEP,
                                .coordinates = true,
                                .blanked = true,
                                .visit = visit_bricks,
                                .context = &pass,
                                .delivery = pass.delivery};
        if (pass.delivery) {
            pass.count = io_delivery_count(pass.delivery);
            pass.numbers = io_delivery_numbers(pass.delivery);
        }
        s = sweep_rows(&pass, &sweep);
    }
    io_delivery_destroy(&pass.delivery);
    return s;
}

/* io_load_take_geometry: the scalars of the store's bricks stay. */
static void store_geometry(void *context, const grid_brick *whole)
{
    grid_store *store = context;
    grid_brick *brick = &store->bricks[store->slot[whole->number]];
    const int *n = whole->place.n;
    const size_t count = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    for (size_t vertex = 0; vertex < count; vertex++) {
        memcpy(brick->vertex[vertex], whole->vertex[vertex], 3 * sizeof(float));
    }
    memcpy(brick->flags, whole->flags, count);
    brick->windings = whole->windings;
}

status io_load_geometry(MPI_Comm comm, io_source *source, int64_t count,
                        const int64_t *numbers, grid_store *store)
{
    return io_geometry_visit(&(io_geometry_pass){comm, source, store->layout, count,
                                                 numbers, store_geometry, store});
}

grid_patch io_load_patch_of_brick(const io_window *window, const grid_patch *patch,
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

/* ---- Cells of a patch -------------------------------------------------------------- */

bool io_load_has_point(const grid_patch *patch, size_t at)
{
    return fabsf(patch->x[at]) <= GRID_FARTHEST && fabsf(patch->y[at]) <= GRID_FARTHEST &&
           fabsf(patch->z[at]) <= GRID_FARTHEST &&
           !(patch->blanked && patch->blanked[at] == GRID_POINT_BLANKED);
}

bool io_load_has_cell(const grid_patch *patch, size_t lowest)
{
    const size_t row = (size_t)patch->n[0], plane = row * (size_t)patch->n[1];
    bool is_there = true;
    for (size_t corner = 0; corner < 8 && is_there; corner++) {
        is_there =
            io_load_has_point(patch, lowest + (corner & 1) + (corner >> 1 & 1) * row +
                                         (corner >> 2) * plane);
    }
    return is_there;
}
