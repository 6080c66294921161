#include "test_io_values.h"

#include <stdlib.h>
#include <string.h>

/* The box of this rank: a different one on each, and none on some. */
static io_box choose_box(const array_check *c, int trial)
{
    const int rank = parallel_rank(MPI_COMM_WORLD);
    io_box box = {{0, 0, 0}, {0, 0, 0}};
    if ((rank + trial) % 4 == 3) {
        return box;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = c->block->n[axis] - c->is_cells;
        box.lo[axis] = (rank + trial * (axis + 1)) % n;
        box.n[axis] = trial % 2 == 0 ? n - box.lo[axis] : 1;
    }
    return box;
}

/* The value that must be read. */
static double expected(const array_check *c, int64_t step, const int64_t at[3])
{
    double point[3];
    if (c->array == IO_ARRAY_IBLANK) {
        return block_iblank(c->block, at[0], at[1], at[2]);
    }
    block_point(c->block, at[0], at[1], at[2], point);
    const double value = c->array < 0 ? point[c->array - IO_ARRAY_X]
                                      : block_value(c->field, step, at[0], at[1], at[2]);
    return c->is_single || c->array >= 0 ? (double)(float)value : value;
}

static double number_at(const array_check *c, const void *values, size_t n)
{
    return c->array == IO_ARRAY_IBLANK ? (double)((const int32_t *)values)[n]
           : c->array < 0              ? ((const double *)values)[n]
                                       : (double)((const float *)values)[n];
}

/* Compares a box that was read with the values that were written. */
static void compare(const array_check *c, int64_t step, const io_box *box,
                    const void *values)
{
    size_t n = 0;
    int wrong = 0;
    for (int64_t k = 0; k < box->n[2]; k++) {
        for (int64_t j = 0; j < box->n[1]; j++) {
            for (int64_t i = 0; i < box->n[0]; i++, n++) {
                const int64_t at[3] = {box->lo[0] + i, box->lo[1] + j, box->lo[2] + k};
                wrong += number_at(c, values, n) != expected(c, step, at);
            }
        }
    }
    check(wrong == 0, "array %d of '%s', step %lld: %d of %zu values are wrong", c->array,
          c->block->name, (long long)step, wrong, n);
}

/* Reads a box of a coordinate relative to an origin, and compares it with its values. */
static void check_places(io_source *source, const array_check *c, const io_box *box)
{
    const double origin = 0.37;
    const size_t count = (size_t)(box->n[0] * box->n[1] * box->n[2]);
    double *values = malloc((count + 1) * sizeof *values);
    float *places = malloc((count + 1) * sizeof *places);
    const bool is_read =
        check_ok(io_source_read(source, IO_GRID_STEP, c->number, c->array, box, values),
                 "read") &&
        check_ok(io_source_read_places(source, c->number, c->array, origin, box, places),
                 "read relative to an origin");
    for (size_t n = 0; is_read && n < count; n++) {
        const float expected = (float)(values[n] - origin);
        check(memcmp(&places[n], &expected, sizeof expected) == 0,
              "coordinate %d of block %d differs relative to an origin", c->array,
              c->number);
    }
    free(places);
    free(values);
}

void check_array(io_source *source, const array_check *c)
{
    for (int trial = 0; trial < 3; trial++) {
        const io_box box = choose_box(c, trial);
        const size_t count = (size_t)(box.n[0] * box.n[1] * box.n[2]);
        void *values = malloc((count + 1) * sizeof(double));
        const int64_t step = c->array >= 0 ? io_source_steps(source)[c->step].number : 0;
        status s = io_source_read(source, c->step, c->number, c->array, &box, values);
        if (check_ok(s, "read")) {
            compare(c, step, &box, values);
        }
        free(values);
        if (c->array < IO_ARRAY_IBLANK) {
            check_places(source, c, &box);
        }
    }
}
