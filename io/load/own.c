#include "own.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = 64 / sizeof(float), /* values of a line of the cache */
    MOST_VALUES = 1 << 16      /* of the inputs of a row: they stay in a cache of 1 MiB */
};

/* ---- Finding ----------------------------------------------------------------------- */

/* Values of an array in the box of a row. */
static size_t count_values(const io_sweep *sweep, const io_window *row)
{
    const io_window_box box = io_window_vertices(sweep->layout, row, sweep->layers);
    return (size_t)(box.n[0] * box.n[1] * box.n[2]);
}

/* The row that begins with the first of some bricks: those that follow it along i, as
 * many as the cache holds. */
static io_window find_row(const io_sweep *sweep, int64_t count, const int64_t *numbers)
{
    const grid_layout *layout = sweep->layout;
    const grid_brick_place place = grid_layout_place(layout, numbers[0]);
    const int64_t along = layout->blocks[place.block].bricks[0];
    io_window row = {.block = place.block, .bricks = {1, 1, 1}};
    for (int axis = 0; axis < 3; axis++) {
        row.lo[axis] = place.lo[axis] / GRID_BRICK_CELLS;
    }
    const size_t one = count_values(sweep, &row) * (size_t)sweep->ninputs;
    const int64_t most = one < MOST_VALUES ? (int64_t)(MOST_VALUES / (one + 1)) : 1;
    int64_t n = 1;
    while (n < most && n < count && row.lo[0] + n < along &&
           numbers[n] == numbers[0] + n) {
        n++;
    }
    row.bricks[0] = n;
    return row;
}

static grid_location location_of(int n)
{
    return n == 0 ? GRID_VERTEX : GRID_CELL;
}

static void find_inputs(const io_sweep *sweep, io_own *own)
{
    const grid_field *fields = io_source_fields(sweep->source);
    for (int input = 0; input < sweep->ninputs; input++) {
        const int field = sweep->inputs[input];
        const bool at_vertices = fields[field].location == location_of(0);
        io_own_inputs *all = &own->inputs[at_vertices ? 0 : 1];
        all->fields[all->count] = field;
        all->inputs[all->count++] = input;
    }
}

/* Whether this rank has the inputs of a row at a location. Sets their box. */
static bool has_inputs(const io_sweep *sweep, const io_own_inputs *inputs, int location,
                       io_own_row *row)
{
    if (inputs->count == 0) {
        return true;
    }
    array_box *a = &row->values[location];
    *a = io_array_box_of_window(sweep->layout, &row->window, sweep->layers,
                                location_of(location) == GRID_CELL);
    bool all = true;
    for (int n = 0; n < io_array_box_pieces(a) && all; n++) {
        const array_piece piece = io_array_box_piece(a, n);
        all = io_source_holds(sweep->source, row->window.block, inputs->fields[0],
                              &piece.box);
    }
    return all;
}

/* Appends a row if this rank has its inputs. */
static bool add_row(const io_sweep *sweep, const io_window *window, io_own *own)
{
    io_own_row *row = &own->rows[own->count];
    row->window = *window;
    bool all = true;
    for (int n = 0; n < IO_OWN_LOCATIONS && all; n++) {
        all = has_inputs(sweep, &own->inputs[n], n, row);
    }
    if (all) {
        const size_t size = count_values(sweep, window);
        const size_t whole = (size + LINE - 1) / LINE * LINE;
        own->size = whole > own->size ? whole : own->size;
        own->count++;
    }
    return all;
}

static status allocate_buffers(const io_sweep *sweep, io_own *own)
{
    const int threads = omp_get_max_threads();
    const size_t bytes =
        (size_t)threads * (size_t)sweep->ninputs * own->size * sizeof *own->buffers;
    own->buffers = bytes > 0 ? aligned_alloc(LINE * sizeof *own->buffers, bytes) : NULL;
    return own->buffers || bytes == 0 ? STATUS_OK
                                      : base_fail_memory(bytes, "reading fields");
}

status io_own_find(const io_sweep *sweep, int64_t count, const int64_t *numbers,
                   io_own *out)
{
    bool may = !sweep->coordinates && !sweep->blanked && !sweep->joints;
    for (int n = 0; n < sweep->ninputs; n++) {
        may = may && !sweep->made[n];
    }
    const size_t size = (size_t)count + 1;
    *out = (io_own){.rows = malloc(size * sizeof *out->rows),
                    .others = malloc(size * sizeof *out->others)};
    if (!out->rows || !out->others) {
        return base_fail_memory(size * sizeof *out->rows, "the list of bricks");
    }
    if (may) {
        find_inputs(sweep, out);
    }
    for (int64_t n = 0; n < count;) {
        const io_window row = find_row(sweep, count - n, numbers + n);
        const int64_t bricks = row.bricks[0];
        if (!may || !add_row(sweep, &row, out)) {
            memcpy(out->others + out->nothers, numbers + n,
                   (size_t)bricks * sizeof *numbers);
            out->nothers += bricks;
        }
        n += bricks;
    }
    return allocate_buffers(sweep, out);
}

void io_own_clear(io_own *own)
{
    free(own->rows);
    free(own->others);
    free(own->buffers);
    *own = (io_own){0};
}

/* ---- Visits ------------------------------------------------------------------------ */

/* Reads the inputs of a row at a location. Those of a location follow each other in the
 * buffer. */
static float *read_inputs(const io_sweep *sweep, const io_own *own, const io_own_row *row,
                          int location, float *out, grid_patch *patch)
{
    const io_own_inputs *inputs = &own->inputs[location];
    const io_fields fields = {row->window.block, inputs->count, inputs->fields};
    const array_box *a = &row->values[location];
    for (int n = 0; inputs->count > 0 && n < io_array_box_pieces(a); n++) {
        const array_piece piece = io_array_box_piece(a, n);
        const int64_t *to = piece.to, plane = a->n[0] * a->n[1];
        const io_rows place = {out + to[2] * plane + to[1] * a->n[0] + to[0], a->n[0],
                               plane, (int64_t)own->size};
        io_source_copy(sweep->source, &fields, &piece.box, &place);
    }
    for (int n = 0; n < inputs->count; n++, out += own->size) {
        io_array_box_wrap(a, sizeof *out, (char *)out);
        patch->inputs[inputs->inputs[n]] = out;
    }
    return out;
}

/* Reads a row into `buffer`: its patch. */
static grid_patch read_row(const io_sweep *sweep, const io_own *own,
                           const io_own_row *row, float *buffer)
{
    grid_patch patch = io_sweep_patch(sweep, &row->window);
    for (int n = 0; n < IO_OWN_LOCATIONS; n++) {
        buffer = read_inputs(sweep, own, row, n, buffer, &patch);
    }
    return patch;
}

/* Reads the n-th row into the buffer of this thread, and passes it on. */
static void visit(const io_sweep *sweep, const io_own *own, int64_t n, io_own_take *take)
{
    const size_t size = (size_t)sweep->ninputs * own->size;
    const io_own_row *row = &own->rows[n];
    float *buffer = own->buffers + (size_t)omp_get_thread_num() * size;
    const grid_patch patch = read_row(sweep, own, row, buffer);
    take(sweep->context, &row->window, &patch);
}

void io_own_visit(const io_sweep *sweep, const io_own *own, io_own_take *take)
{
    if (omp_get_max_threads() == 1) { /* a team of one costs as much as a row */
        for (int64_t n = 0; n < own->count; n++) {
            visit(sweep, own, n, take);
        }
        return;
    }
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < own->count; n++) {
        visit(sweep, own, n, take);
    }
}
