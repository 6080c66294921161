#include "pack.h"

#include "base/lanes/choose.h"

#include <float.h>
#include <math.h>

memory_narrow *const *memory_narrow_kernels(void)
{
    static memory_narrow *const all[] = {
#ifdef KARMAN_X86_KERNELS
        memory_narrow_avx512, memory_narrow_avx2,
#endif
        memory_narrow_plain, NULL};
    return all + lanes_missing();
}

/* Bytes of a value in the result. */
static size_t size_of(int array, const double *origin)
{
    return array >= 0 || origin       ? sizeof(float)
           : array == IO_ARRAY_IBLANK ? sizeof(int32_t)
                                      : sizeof(double);
}

memory_read memory_read_of(const io_source *source, int block, int array,
                           const double *origin)
{
    return (memory_read){.state = source->state,
                         .block = block,
                         .array = array,
                         .origin = origin,
                         .in_cells = array >= 0 &&
                                     source->catalog.fields[array].location == GRID_CELL,
                         .size = size_of(array, origin)};
}

static io_box intersect(const io_box *a, const io_box *b)
{
    io_box both = {{0, 0, 0}, {0, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t a_end = a->lo[axis] + a->n[axis], b_end = b->lo[axis] + b->n[axis];
        both.lo[axis] = a->lo[axis] > b->lo[axis] ? a->lo[axis] : b->lo[axis];
        both.n[axis] = (a_end < b_end ? a_end : b_end) - both.lo[axis];
        if (both.n[axis] <= 0) {
            return (io_box){{0, 0, 0}, {0, 0, 0}};
        }
    }
    return both;
}

io_box memory_intersect(const memory_read *read, const memory_extent *part,
                        const io_box *box)
{
    io_box all = {{0, 0, 0}, {0, 0, 0}};
    for (int axis = 0; axis < 3 && part->block == read->block; axis++) {
        all.lo[axis] = part->lo[axis];
        all.n[axis] = part->n[axis] - (read->in_cells ? 1 - part->behind[axis] : 0);
    }
    return intersect(&all, box);
}

io_box memory_intersect_own(const memory_read *read, const memory_extent *part,
                            const io_box *box)
{
    const io_box none = {{0, 0, 0}, {0, 0, 0}};
    return part->block == read->block ? intersect(&part->own[read->in_cells], box) : none;
}

const io_memory_array *memory_array_of(const memory_read *read,
                                       const io_memory_part *part)
{
    return read->array >= 0                 ? &part->fields[read->array]
           : read->array == IO_ARRAY_IBLANK ? &part->iblank
                                            : &part->xyz[read->array - IO_ARRAY_X];
}

static double value_at(const io_memory_array *array, int64_t at)
{
    return array->type == IO_MEMORY_FLOAT64 ? ((const double *)array->data)[at]
                                            : (double)((const float *)array->data)[at];
}

/* Numbers that no float32 holds become NaN. */
static float finite_or_nan(float value)
{
    return fabsf(value) <= FLT_MAX ? value : NAN;
}

/* Values that follow each other, in loops that the compiler turns into vectors. */
static void put_packed(const io_memory_array *array, int64_t at, int64_t n,
                       float *restrict out)
{
    if (array->type == IO_MEMORY_FLOAT64) {
        memory_narrow_kernels()[0]((const double *)array->data + at, n,
                                   (const int64_t[2]){n, 1}, out, n);
        return;
    }
    const float *restrict from = (const float *)array->data + at;
    for (int64_t i = 0; i < n; i++) {
        out[i] = finite_or_nan(from[i]);
    }
}

/* Converts n values of a field. Missing values, and values that no float32 holds, become
 * NaN. */
static void put_field(const memory_read *read, const io_memory_array *array, int64_t at,
                      int64_t n, float *out)
{
    const int64_t stride = array->stride[0];
    const io_unpacking *fills = &read->state->fills[array->type];
    if (stride == 1) {
        put_packed(array, at, n, out);
    }
    for (int64_t i = 0; i < n && stride != 1; i++) {
        out[i] = finite_or_nan((float)value_at(array, at + i * stride));
    }
    for (int f = 0; f < fills->nfills; f++) {
        const double fill = io_unpacking_fill(fills, f);
        for (int64_t i = 0; i < n; i++) {
            out[i] = value_at(array, at + i * stride) == fill ? NAN : out[i];
        }
    }
}

void memory_put_values(const memory_read *read, const io_memory_array *array, int64_t at,
                       int64_t n, void *out)
{
    const int64_t stride = array->stride[0];
    const double origin = read->origin ? *read->origin : 0.0;
    if (read->array >= 0 && array->data) {
        put_field(read, array, at, n, out);
        return;
    }
    for (int64_t i = 0; i < n; i++, at += stride) {
        if (read->array == IO_ARRAY_IBLANK) {
            ((int32_t *)out)[i] = array->data ? ((const int32_t *)array->data)[at] : 1;
        } else if (!array->data) {
            ((float *)out)[i] = 0.0f; /* a field that is set later */
        } else if (read->size == sizeof(float)) {
            ((float *)out)[i] = (float)(value_at(array, at) - origin);
        } else {
            ((double *)out)[i] = value_at(array, at);
        }
    }
}

int64_t memory_row_of(const io_memory_part *part, const io_memory_array *array,
                      const io_box *box, int64_t j, int64_t k)
{
    return (box->lo[0] - part->lo[0]) * array->stride[0] +
           (box->lo[1] + j - part->lo[1]) * array->stride[1] +
           (box->lo[2] + k - part->lo[2]) * array->stride[2];
}

/* Whether rows of a field are plain numbers in double precision. */
static bool are_plain(const memory_read *read, const io_memory_array *array)
{
    return array->data && array->type == IO_MEMORY_FLOAT64 && array->stride[0] == 1 &&
           read->state->fills[array->type].nfills == 0;
}

void memory_put_box(const memory_read *read, const io_memory_part *part,
                    const io_box *box, const io_rows *to)
{
    const io_memory_array *array = memory_array_of(read, part);
    const bool plain = are_plain(read, array);
    for (int64_t k = 0; k < box->n[2]; k++) {
        float *out = to->first + k * to->plane;
        const int64_t at = memory_row_of(part, array, box, 0, k);
        if (plain) {
            memory_narrow_kernels()[0]((const double *)array->data + at, array->stride[1],
                                       box->n, out, to->row);
            continue;
        }
        for (int64_t j = 0; j < box->n[1]; j++) {
            memory_put_values(read, array, at + j * array->stride[1], box->n[0],
                              out + j * to->row);
        }
    }
}
