#include "copy.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

/* ---- Boxes of an array ------------------------------------------------------------- */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void convert_box_size(const int64_t n[3], int64_t most, int64_t size[3])
{
    enum { PLANES = 16 };
    size[0] = lesser(n[0], most);
    const int64_t rows = most / size[0];
    size[2] = lesser(lesser(n[2], PLANES), rows);
    size[1] = lesser(n[1], rows / size[2]);
    const int64_t planes = lesser(n[2], rows / size[1]);
    if (planes == n[2]) {
        size[2] = planes;
    } else if (planes > PLANES) {
        size[2] = planes / PLANES * PLANES;
    }
}

int64_t convert_box_count(const int64_t n[3], const int64_t size[3])
{
    int64_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        count *= (n[axis] + size[axis] - 1) / size[axis];
    }
    return count;
}

io_box convert_box_find(const int64_t n[3], const int64_t size[3], int64_t number)
{
    io_box box = {{0, 0, 0}, {0, 0, 0}};
    if (number >= convert_box_count(n, size)) {
        return box;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int64_t count = (n[axis] + size[axis] - 1) / size[axis];
        box.lo[axis] = number % count * size[axis];
        box.n[axis] = lesser(size[axis], n[axis] - box.lo[axis]);
        number /= count;
    }
    return box;
}

/* ---- Reading ----------------------------------------------------------------------- */

int convert_block_shown(const convert_plan *plan, int step, int block)
{
    const int member = plan->members[block];
    int shown = member;
    for (int b = 0; b < member && io_source_moves(plan->source); b++) {
        shown -= !io_source_has_block(plan->source, plan->steps[step], b);
    }
    return shown;
}

/* Values of a box. */
typedef struct buffers {
    double *doubles;
    float *floats; /* float32, or int32 of iblank */
} buffers;

/* iblank becomes vtkGhostType, in place. */
static void turn_iblank(void *values, int64_t count)
{
    enum { HIDDEN_POINT = 2 };
    uint8_t *ghosts = values;
    for (int64_t n = 0; n < count; n++) {
        int32_t iblank;
        memcpy(&iblank, (char *)values + n * (int64_t)sizeof iblank, sizeof iblank);
        ghosts[n] = iblank == 0 ? HIDDEN_POINT : 0;
    }
}

/* Reads x, y and z of a box, one behind the other of each vertex. Collective; errors are
 * local. */
static status read_points(const convert_plan *plan, const convert_array *array, int block,
                          const io_box *box, const buffers *b)
{
    const int64_t count = box->n[0] * box->n[1] * box->n[2];
    status s = STATUS_OK;
    for (int c = 0; c < 3; c++) {
        double *one = b->doubles + 3 * count; /* behind all tuples */
        const status done =
            io_source_read(plan->source, IO_GRID_STEP, block, array->array + c, box, one);
        s = s == STATUS_OK ? done : s;
        for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
            if (array->is_double) {
                b->doubles[3 * n + c] = one[n];
            } else {
                b->floats[3 * n + c] = (float)one[n];
            }
        }
    }
    return s;
}

/* Reads a box in the type of the new file. *values: one of the buffers. Collective;
 * errors are local. */
static status read_box(const convert_plan *plan, const convert_array *array,
                       const io_box *box, const buffers *b, const void **values)
{
    const int step = array->array < 0 ? IO_GRID_STEP : plan->steps[array->step];
    const int block = convert_block_shown(plan, array->step, array->block);
    const bool is_coordinate = array->array < IO_ARRAY_IBLANK;
    *values = array->is_double ? (const void *)b->doubles : (const void *)b->floats;
    if (array->components == 3) {
        return read_points(plan, array, block, box, b);
    }
    if (array->is_double && !is_coordinate) {
        return io_source_read_doubles(plan->source, step, block, array->array, box,
                                      b->doubles);
    }
    status s = io_source_read(plan->source, step, block, array->array, box,
                              is_coordinate ? (void *)b->doubles : (void *)b->floats);
    const int64_t count = box->n[0] * box->n[1] * box->n[2];
    for (int64_t n = 0; n < count && is_coordinate && !array->is_double && s == STATUS_OK;
         n++) {
        b->floats[n] = (float)b->doubles[n];
    }
    if (array->is_ghost && s == STATUS_OK) {
        turn_iblank(b->floats, count);
    }
    return s;
}

/* ---- Writing ----------------------------------------------------------------------- */

status convert_box_write(const convert_output *output, const convert_array *array,
                         const io_box *box, const char *values)
{
    const int64_t *n = array->n, size = convert_value_bytes(array);
    const bool whole_rows = box->n[0] == n[0];
    const bool whole_planes = whole_rows && box->n[1] == n[1];
    const int64_t rows = whole_rows ? box->n[1] : 1,
                  planes = whole_planes ? box->n[2] : 1;
    const int64_t bytes = box->n[0] * rows * planes * size;
    status s = STATUS_OK;
    for (int64_t k = 0; k < box->n[2] && s == STATUS_OK; k += planes) {
        for (int64_t j = 0; j < box->n[1] && s == STATUS_OK; j += rows) {
            const int64_t at =
                ((box->lo[2] + k) * n[1] + box->lo[1] + j) * n[0] + box->lo[0];
            s = convert_output_write(output, array->offset + at * size, bytes, values);
            values += bytes;
        }
    }
    return s;
}

/* ---- Copying ----------------------------------------------------------------------- */

/* Copies an array, each rank every so many boxes. A rank that fails goes on reading empty
 * boxes, since the others may wait for it. Collective. */
static status copy_array(MPI_Comm comm, const convert_plan *plan,
                         const convert_output *output, const convert_array *array,
                         const buffers *b)
{
    const int64_t ranks = parallel_size(comm), rank = parallel_rank(comm);
    int64_t size[3];
    const int64_t tuples = array->components == 3 ? 4 : 1; /* and room for one more */
    convert_box_size(array->n, io_source_window(plan->source) / tuples, size);
    const int64_t boxes = convert_box_count(array->n, size);
    status s = STATUS_OK;
    for (int64_t first = 0; first < boxes; first += ranks) {
        const int64_t number = s == STATUS_OK ? first + rank : boxes;
        const io_box box = convert_box_find(array->n, size, number);
        const void *values;
        status done = read_box(plan, array, &box, b, &values);
        if (done == STATUS_OK && number < boxes) {
            done = convert_box_write(output, array, &box, values);
        }
        s = s == STATUS_OK ? done : s;
    }
    return parallel_agree(comm, s);
}

/* Collective. */
static status choose_grid(const convert_plan *plan, const convert_array *array)
{
    return plan->nsteps > 0
               ? io_source_choose_grid(plan->source, plan->steps[array->step])
               : STATUS_OK;
}

status convert_copy(MPI_Comm comm, const convert_plan *plan, const convert_output *output)
{
    const size_t values = (size_t)io_source_window(plan->source);
    buffers b = {malloc(values * sizeof *b.doubles), malloc(values * sizeof *b.floats)};
    status s = parallel_agree(
        comm, b.doubles && b.floats
                  ? STATUS_OK
                  : base_fail_memory(values * sizeof *b.doubles, "a box of values"));
    for (int64_t n = 0; n < plan->narrays && s == STATUS_OK; n++) {
        if (plan->is_made && plan->arrays[n].array >= 0) {
            continue; /* the caller writes it */
        }
        s = choose_grid(plan, &plan->arrays[n]);
        s = s == STATUS_OK ? copy_array(comm, plan, output, &plan->arrays[n], &b) : s;
    }
    free(b.doubles);
    free(b.floats);
    return s;
}
