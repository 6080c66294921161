#include "base/parallel.h"
#include "io/load_parts.h"

#include <stdlib.h>
#include <string.h>

/*
 * An axis is closed where the last vertex plane lies on the first: an O-grid around a
 * body.
 *
 * Points of the two planes are compared one by one. They may be apart by rounding, which
 * is judged by the spacing of the grid there, the longer of the edges that leave the two
 * points along the axis: a gap of a thousandth of a cell is no gap. Where the spacing
 * vanishes, on a pole that the seam runs into, a millionth of the largest spacing of the
 * planes counts. A sheet of cells is not closed however thin it is, because its own cells
 * are as thin.
 */
static const double local_share = 1e-3;
static const double largest_share = 1e-6;

/* Fewer vertices along an axis cannot go around anything, and derivatives that wrap
 * around need three cells. */
enum { FEWEST_VERTICES = 4 };

/* The two slabs that are compared: the first two vertex planes, and the last two. */
enum { SLABS = 2 };

typedef struct slabs {
    int axis;              /* along which a slab has two planes */
    int64_t n[3];          /* vertices of a slab along i, j, k */
    double *xyz[SLABS][3]; /* [n[2]][n[1]][n[0]] */
} slabs;

static void slabs_release(slabs *s)
{
    free(s->xyz[0][0]);
}

static status slabs_create(const grid_block *block, int axis, slabs *out)
{
    *out = (slabs){.axis = axis};
    size_t count = 1;
    for (int other = 0; other < 3; other++) {
        out->n[other] = other == axis ? 2 : block->n[other];
        count *= (size_t)out->n[other];
    }
    size_t bytes = count * SLABS * 3 * sizeof(double);
    double *values = malloc(bytes);
    if (!values) {
        return base_fail_memory(bytes, "planes of a block");
    }
    for (int array = 0; array < SLABS * 3; array++) {
        out->xyz[array / 3][array % 3] = values + (size_t)array * count;
    }
    return STATUS_OK;
}

/* Points of a plane, and where the n-th of them is in the first plane of a slab. */
static size_t plane_count(const slabs *s)
{
    return (size_t)(s->n[(s->axis + 1) % 3] * s->n[(s->axis + 2) % 3]);
}

static size_t plane_stride(const slabs *s)
{
    size_t stride = 1;
    for (int axis = 0; axis < s->axis; axis++) {
        stride *= (size_t)s->n[axis];
    }
    return stride;
}

static size_t point_index(const slabs *s, size_t n)
{
    size_t stride = plane_stride(s);
    return n / stride * 2 * stride + n % stride;
}

/* ---- comparing -------------------------------------------------------------------- */

/* Distance between a point of one slab and a point of a slab. */
static double point_distance(const slabs *s, int slab_a, size_t a, int slab_b, size_t b)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double difference = s->xyz[slab_a][axis][a] - s->xyz[slab_b][axis][b];
        square += difference * difference;
    }
    return sqrt(square);
}

static double spacing_at(const slabs *s, size_t n)
{
    size_t at = point_index(s, n), next = at + plane_stride(s);
    return fmax(point_distance(s, 0, at, 0, next), point_distance(s, 1, at, 1, next));
}

/* Distance between the n-th points of the first plane and of the last. */
static double gap_at(const slabs *s, size_t n)
{
    size_t at = point_index(s, n);
    return point_distance(s, 0, at, 1, at + plane_stride(s));
}

static bool ends_coincide(const slabs *s)
{
    double largest = 0.0;
    for (size_t n = 0; n < plane_count(s); n++) {
        largest = fmax(largest, spacing_at(s, n));
    }
    if (largest == 0.0) {
        return false;
    }
    for (size_t n = 0; n < plane_count(s); n++) {
        double allowed = fmax(local_share * spacing_at(s, n), largest_share * largest);
        /* Written so that a coordinate that is not a number leaves the axis open. */
        if (!(gap_at(s, n) <= allowed)) {
            return false;
        }
    }
    return true;
}

/* ---- reading ---------------------------------------------------------------------- */

/* Reads the slabs of an axis; a rank without one (NULL) takes part. Collective, errors
 * are local. */
static status read_slabs(io_source *source, int block, const slabs *slab)
{
    status first = STATUS_OK;
    for (int array = 0; array < SLABS * 3; array++) {
        io_box box = {{0, 0, 0}, {0, 0, 0}};
        if (slab) {
            memcpy(box.n, slab->n, sizeof box.n);
            if (array / 3 == 1) {
                box.lo[slab->axis] = io_source_blocks(source)[block].n[slab->axis] - 2;
            }
        }
        status s = io_source_read(source, 0, block, IO_ARRAY_X + array % 3, &box,
                                  slab ? slab->xyz[array / 3][array % 3] : NULL);
        first = first == STATUS_OK ? s : first;
    }
    return first;
}

/* Looks at an axis of a block, or only takes part where axis is -1. Collective, errors
 * are local. */
static status look_at_axis(io_source *source, const grid_block *block, int number,
                           int axis, bool *closed)
{
    slabs slab = {0};
    bool reads = axis >= 0 && block->n[axis] >= FEWEST_VERTICES;
    status s = reads ? slabs_create(block, axis, &slab) : STATUS_OK;
    status read = read_slabs(source, number, reads && s == STATUS_OK ? &slab : NULL);
    s = s == STATUS_OK ? read : s;
    *closed = reads && s == STATUS_OK && ends_coincide(&slab);
    slabs_release(&slab);
    return s;
}

status io_load_closed(MPI_Comm comm, io_source *source, grid_layout *layout)
{
    /* Up to three ranks take an axis each, so that three reads do for a block instead of
     * nine. */
    int rank = parallel_rank(comm), size = parallel_size(comm);
    int readers = size < 3 ? size : 3;
    status first = STATUS_OK;
    for (int number = 0; number < layout->nblocks; number++) {
        grid_block *block = &layout->blocks[number];
        int found[3] = {0, 0, 0}, closed[3];
        for (int axis = rank; axis - rank < 3; axis += readers) {
            bool mine = false;
            int own = rank < readers && axis < 3 ? axis : -1;
            status s = look_at_axis(source, block, number, own, &mine);
            first = first == STATUS_OK ? s : first;
            if (own >= 0) {
                found[own] = mine;
            }
        }
        parallel_allreduce(found, closed, 3, MPI_INT, MPI_MAX, comm);
        for (int axis = 0; axis < 3; axis++) {
            block->closed[axis] = closed[axis] != 0;
        }
    }
    return parallel_agree(comm, first);
}
