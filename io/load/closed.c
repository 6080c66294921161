#include "closed.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

/*
 * An axis is closed if its last vertex plane coincides with the first, as in an O-grid
 * around a body.
 *
 * The planes are compared point by point. Points may differ by rounding, which is judged
 * by the local spacing of the grid: the longer of the edges along the axis at the two
 * points. A gap of up to a thousandth of that spacing is accepted. If the spacing
 * vanishes, at a pole on the seam, a millionth of the largest spacing of the planes is
 * accepted. Even the thinnest sheet of cells is not closed, because its own cells are as
 * thin.
 */
static const double local_share = 1e-3;
static const double largest_share = 1e-6;

/* The fewest vertices of a closed axis: derivatives that wrap around need three cells,
 * and fewer vertices cannot go around anything. */
enum { FEWEST_VERTICES = 4 };

/* Two slabs are compared: the first two vertex planes, and the last two. */
enum { SLABS = 2 };

/* A section of the slabs: the vertices whose index along `across` is in [first, first +
 * n[across]). */
typedef struct slabs {
    int axis;   /* the axis along which a slab has two planes */
    int across; /* the slowest of the two other axes */
    int64_t first;
    int64_t n[3];          /* vertices of a slab along i, j, k */
    double *xyz[SLABS][3]; /* [n[2]][n[1]][n[0]] */
} slabs;

static void slabs_release(slabs *s)
{
    free(s->xyz[0][0]);
}

/* The slabs of an axis between two indices along the slowest axis of its planes. */
static slabs slabs_between(const grid_block *block, int axis, int64_t first, int64_t end)
{
    slabs s = {.axis = axis, .across = axis == 2 ? 1 : 2, .first = first};
    memcpy(s.n, block->n, sizeof s.n);
    s.n[axis] = 2;
    s.n[s.across] = end - first;
    return s;
}

static status slabs_allocate(slabs *s)
{
    size_t count = (size_t)(s->n[0] * s->n[1] * s->n[2]);
    size_t bytes = count * SLABS * 3 * sizeof(double);
    double *values = malloc(bytes > 0 ? bytes : 1);
    if (!values) {
        return base_fail_memory(bytes, "planes of a block");
    }
    for (int array = 0; array < SLABS * 3; array++) {
        s->xyz[array / 3][array % 3] = values + (size_t)array * count;
    }
    return STATUS_OK;
}

/* Number of points of a plane. */
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

/* Index in a slab of the n-th point of its first plane. */
static size_t point_index(const slabs *s, size_t n)
{
    size_t stride = plane_stride(s);
    return n / stride * 2 * stride + n % stride;
}

/* First vertex of a slab in the block. */
static void slab_begin(const grid_block *block, const slabs *s, int slab, int64_t lo[3])
{
    lo[0] = lo[1] = lo[2] = 0;
    lo[s->across] = s->first;
    lo[s->axis] = slab == 1 ? block->n[s->axis] - 2 : 0;
}

/* ---- comparing -------------------------------------------------------------------- */

/* Distance between two points of slabs. */
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

static double largest_spacing(const slabs *s)
{
    double largest = 0.0;
    for (size_t n = 0; n < plane_count(s); n++) {
        largest = fmax(largest, spacing_at(s, n));
    }
    return largest;
}

/* Whether all gaps are acceptable. `largest`: the largest spacing of the planes. */
static bool ends_coincide(const slabs *s, double largest)
{
    for (size_t n = 0; n < plane_count(s); n++) {
        double allowed = fmax(local_share * spacing_at(s, n), largest_share * largest);
        /* A coordinate that is NaN leaves the axis open. */
        if (!(gap_at(s, n) <= allowed)) {
            return false;
        }
    }
    return true;
}

/* ---- reading ---------------------------------------------------------------------- */

/* Reads slabs; a rank without slabs passes NULL. Collective, errors are local. */
static status read_slabs(io_source *source, int block, const slabs *slab)
{
    status first = STATUS_OK;
    for (int array = 0; array < SLABS * 3; array++) {
        io_box box = {{0, 0, 0}, {0, 0, 0}};
        if (slab) {
            memcpy(box.n, slab->n, sizeof box.n);
            slab_begin(&io_source_blocks(source)[block], slab, array / 3, box.lo);
        }
        status s = io_source_read(source, IO_GRID_STEP, block, IO_ARRAY_X + array % 3,
                                  &box, slab ? slab->xyz[array / 3][array % 3] : NULL);
        first = first == STATUS_OK ? s : first;
    }
    return first;
}

/* A vertex of a block, in a store of all bricks. */
static const float *stored_vertex(const grid_store *store, int block, const int64_t at[3])
{
    const grid_block *b = &store->layout->blocks[block];
    int64_t brick_at[3];
    for (int axis = 0; axis < 3; axis++) {
        int64_t n = at[axis] / GRID_BRICK_CELLS, last = b->bricks[axis] - 1;
        brick_at[axis] = n < last ? n : last;
    }
    const grid_brick *brick =
        &store->bricks[store->slot[grid_layout_brick_at(store->layout, block, brick_at)]];
    size_t index = 0;
    for (int axis = 2; axis >= 0; axis--) {
        index = index * (size_t)(brick->place.n[axis] + 1) +
                (size_t)(at[axis] - brick->place.lo[axis]);
    }
    return brick->vertex[index];
}

/* Copies slabs from a store of all bricks. */
static void copy_slabs(const grid_store *store, int block, const slabs *s)
{
    for (int slab = 0; slab < SLABS; slab++) {
        int64_t lo[3];
        slab_begin(&store->layout->blocks[block], s, slab, lo);
        int64_t count = s->n[0] * s->n[1] * s->n[2];
        for (int64_t n = 0; n < count; n++) {
            const int64_t at[3] = {lo[0] + n % s->n[0], lo[1] + n / s->n[0] % s->n[1],
                                   lo[2] + n / s->n[0] / s->n[1]};
            const float *vertex = stored_vertex(store, block, at);
            for (int axis = 0; axis < 3; axis++) {
                s->xyz[slab][axis][n] = (double)vertex[axis];
            }
        }
    }
}

/* ---- which axes may be closed ----------------------------------------------------- */

/* Compares one line of an axis' planes; a rank with axis -1 only takes part. *open: set
 * if the ends of the line differ. Collective, errors are local. */
static status look_at_line(io_source *source, const grid_layout *layout, int number,
                           int axis, int *open)
{
    const grid_block *block = &layout->blocks[number];
    slabs line = {0};
    status s = STATUS_OK;
    if (axis >= 0) {
        line = slabs_between(block, axis, 0, 1);
        s = slabs_allocate(&line);
    }
    status read = read_slabs(source, number, axis >= 0 && s == STATUS_OK ? &line : NULL);
    s = s == STATUS_OK ? read : s;
    if (axis >= 0 && s == STATUS_OK) {
        /* An upper limit of the largest spacing: no edge is longer than the grid. */
        const box3 *bounds = &layout->bounds;
        *open = !ends_coincide(&line, vec3_length(vec3_sub(bounds->hi, bounds->lo)));
    }
    slabs_release(&line);
    return s;
}

/*
 * Finds the axes that may be closed: those whose first line of the planes is not open.
 * Most axes are open, and the line saves reading the whole planes. Up to three ranks test
 * an axis each. Collective, errors are local.
 */
static status find_candidates(MPI_Comm comm, io_source *source, const grid_layout *layout,
                              int number, int candidates[3])
{
    int rank = parallel_rank(comm), size = parallel_size(comm);
    int readers = size < 3 ? size : 3, open[3];
    status first = STATUS_OK;
    for (int axis = 0; axis < 3; axis++) {
        open[axis] = layout->blocks[number].n[axis] < FEWEST_VERTICES;
    }
    for (int axis = rank; axis - rank < 3; axis += readers) {
        int own = rank < readers && axis < 3 && !open[axis] ? axis : -1;
        status s =
            look_at_line(source, layout, number, own, own >= 0 ? &open[own] : NULL);
        first = first == STATUS_OK ? s : first;
    }
    parallel_allreduce(MPI_IN_PLACE, open, 3, MPI_INT, MPI_MAX, comm);
    for (int axis = 0; axis < 3; axis++) {
        candidates[axis] = !open[axis];
    }
    return first;
}

/* ---- whether they are closed ------------------------------------------------------ */

/* An axis of a block, for the comparison of its ends. */
typedef struct ends {
    MPI_Comm comm;
    io_source *source;
    const grid_block *block;
    int number, axis;
    const grid_store *kept; /* all bricks, or NULL: the ends are read */
} ends;

/* Gets this rank's share of an axis' slabs. A rank without memory gets none, and an error
 * that is local. Collective. */
static status get_share(const ends *e, slabs *out)
{
    const grid_block *block = e->block;
    const int axis = e->axis;
    int64_t rank = parallel_rank(e->comm), size = parallel_size(e->comm);
    int64_t planes = block->n[axis == 2 ? 1 : 2];
    slabs share =
        slabs_between(block, axis, planes * rank / size, planes * (rank + 1) / size);
    status s = slabs_allocate(&share);
    if (s != STATUS_OK) {
        share.n[share.across] = 0;
    }
    if (!e->kept) {
        status read = read_slabs(e->source, e->number, s == STATUS_OK ? &share : NULL);
        s = s == STATUS_OK ? read : s;
    } else if (s == STATUS_OK) {
        copy_slabs(e->kept, e->number, &share);
    }
    *out = share;
    return s;
}

/* Compares the ends of an axis, each rank its share. Collective, errors are local. */
static status compare_ends(const ends *e, bool *closed)
{
    slabs share;
    status s = get_share(e, &share);
    double largest = s == STATUS_OK ? largest_spacing(&share) : 0.0;
    parallel_allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, e->comm);
    int coincide = s == STATUS_OK && largest > 0.0 && ends_coincide(&share, largest);
    parallel_allreduce(MPI_IN_PLACE, &coincide, 1, MPI_INT, MPI_MIN, e->comm);
    *closed = coincide != 0;
    slabs_release(&share);
    return s;
}

status io_load_closed(MPI_Comm comm, io_source *source, const grid_store *kept,
                      grid_layout *layout)
{
    /* In float64 files, rounding to float32 would open gaps. */
    const grid_store *exact = io_source_double_coordinates(source) ? NULL : kept;
    status first = STATUS_OK;
    for (int number = 0; number < layout->nblocks; number++) {
        grid_block *block = &layout->blocks[number];
        int candidates[3];
        status s = find_candidates(comm, source, layout, number, candidates);
        first = first == STATUS_OK ? s : first;
        for (int axis = 0; axis < 3; axis++) {
            if (candidates[axis]) {
                const ends e = {comm, source, block, number, axis, exact};
                s = compare_ends(&e, &block->closed[axis]);
                first = first == STATUS_OK ? s : first;
            }
        }
    }
    return parallel_agree(comm, first);
}
