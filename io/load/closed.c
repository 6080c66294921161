#include "closed.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/view.h"

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

/* Whether the ends of an axis fit together. `largest`: the largest spacing of the planes;
 * `limit`: how many times wider or narrower a gap may be than the cells beside it. */
typedef bool fit_ends(const slabs *s, double largest, double limit);

/* Whether all gaps are acceptable. */
static bool ends_coincide(const slabs *s, double largest, double limit)
{
    (void)limit;
    for (size_t n = 0; n < plane_count(s); n++) {
        double allowed = fmax(local_share * spacing_at(s, n), largest_share * largest);
        /* A coordinate that is NaN leaves the axis open. */
        if (!(gap_at(s, n) <= allowed)) {
            return false;
        }
    }
    return true;
}

/* The vector from one point of a slab to another. */
static vec3 way(const slabs *s, int slab_a, size_t a, int slab_b, size_t b)
{
    vec3 v;
    for (int axis = 0; axis < 3; axis++) {
        v.v[axis] = s->xyz[slab_b][axis][b] - s->xyz[slab_a][axis][a];
    }
    return v;
}

/*
 * Whether the last plane is a cell away from the first: the gap is about as wide as the
 * cells beside it, and goes on in their direction.
 *
 *     … o---o---o . . . o---o---o …      a C-grid turns back, a channel has no gap that
 *          last  the gap  first          is so narrow
 */
static bool ends_are_neighbours(const slabs *s, double largest, double limit)
{
    const size_t stride = plane_stride(s);
    for (size_t n = 0; n < plane_count(s); n++) {
        const size_t at = point_index(s, n), next = at + stride;
        const vec3 first = way(s, 0, at, 0, next), last = way(s, 1, at, 1, next);
        const vec3 gap = way(s, 1, next, 0, at);
        const double wide = fmax(vec3_length(first), vec3_length(last));
        const double narrow = fmin(vec3_length(first), vec3_length(last));
        if (wide <= largest_share * largest &&
            vec3_length(gap) <= largest_share * largest) {
            continue; /* a pole */
        }
        if (!(vec3_length(gap) <= limit * wide && limit * vec3_length(gap) >= narrow &&
              vec3_dot(gap, first) > 0.0 && vec3_dot(gap, last) > 0.0)) {
            return false;
        }
    }
    return true;
}

/* ---- reading ---------------------------------------------------------------------- */

/* Reads a coordinate of slabs; those without memory are empty. Collective, errors are
 * local. */
static status read_coordinate(io_source *source, int block, int axis, const slabs *slab)
{
    status first = STATUS_OK;
    for (int side = 0; side < SLABS; side++) {
        io_box box = {{0, 0, 0}, {0, 0, 0}};
        if (slab->xyz[side][axis]) {
            memcpy(box.n, slab->n, sizeof box.n);
            slab_begin(&io_source_blocks(source)[block], slab, side, box.lo);
        }
        status s = io_source_read(source, IO_GRID_STEP, block, IO_ARRAY_X + axis, &box,
                                  slab->xyz[side][axis]);
        first = first == STATUS_OK ? s : first;
    }
    return first;
}

/* Reads `count` slabs of a block. A coordinate of all of them is read before the next
 * one, since a change of arrays takes longer than a line. Collective, errors are local.
 */
static status read_slabs(io_source *source, int block, int count, const slabs *all)
{
    status first = STATUS_OK;
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n++) {
            status s = read_coordinate(source, block, axis, &all[n]);
            first = first == STATUS_OK ? s : first;
        }
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

/* A search for axes whose ends fit. */
typedef struct search {
    MPI_Comm comm;
    io_source *source;
    const grid_block *block;
    int number;
    fit_ends *fits;
    const io_load_rows *rows; /* [nblocks], of all ranks; NULL: none were taken */
    double largest; /* an upper limit of spacings; 0: those of the line are all */
    double limit;
} search;

/* Gets the lines, as get_share does. Collective, errors are local. */
static status get_lines(const search *look, const grid_store *kept, int count,
                        const slabs *lines)
{
    if (!kept) {
        return read_slabs(look->source, look->number, count, lines);
    }
    for (int n = 0; n < count; n++) {
        if (lines[n].xyz[0][0]) {
            copy_slabs(kept, look->number, &lines[n]);
        }
    }
    return STATUS_OK;
}

/* Whether a pass has compared the ends of an axis: in most files whole rows lie together,
 * and to read their ends reads all of them. */
static bool has_rows(const search *look, int axis)
{
    return axis == 0 && look->rows && look->rows[look->number].cut == 0.0;
}

static bool rows_coincide(const io_load_rows *rows)
{
    return rows->largest > 0.0 && rows->gap <= largest_share * rows->largest;
}

/* Compares a line of an axis' planes; *open: set if its ends do not fit. */
static void look_at_line(const search *look, const slabs *line, int *open)
{
    if (line->xyz[0][0]) {
        const double largest =
            look->largest > 0.0 ? look->largest : largest_spacing(line);
        *open = !look->fits(line, largest, look->limit);
    }
}

/* The rank that tests an axis of a block: up to three share the axes of one block; many
 * blocks are shared, if ranks may read different ones. */
static int tester_of(const search *look, int nblocks, int axis)
{
    const int size = parallel_size(look->comm);
    const bool shares = nblocks >= size && io_source_reads_alone(look->source);
    return shares ? (int)((int64_t)look->number * size / nblocks) : axis % size;
}

/*
 * Finds axes of a block that may be closed, of those that this rank tests: the first line
 * of their planes is not open. Most axes are open, and the line saves reading the whole
 * planes. Collective, errors are local.
 */
static status test_axes(const search *look, const grid_store *kept, int nblocks,
                        int open[3])
{
    int count = 0;
    slabs lines[3] = {{0}};
    status s = STATUS_OK;
    for (int axis = 0; axis < 3; axis++) {
        const bool mine = tester_of(look, nblocks, axis) == parallel_rank(look->comm);
        open[axis] = look->block->n[axis] < FEWEST_VERTICES;
        if (has_rows(look, axis)) {
            open[axis] |= !rows_coincide(&look->rows[look->number]);
        } else if (mine && !open[axis] && s == STATUS_OK) {
            lines[count] = slabs_between(look->block, axis, 0, 1);
            s = slabs_allocate(&lines[count]);
            count += s == STATUS_OK;
        }
    }
    /* Where all ranks read together, those without an axis take part. */
    const int size = parallel_size(look->comm);
    const int all = io_source_reads_alone(look->source) ? count : size < 3 ? 4 - size : 1;
    const status got = get_lines(look, kept, all, lines);
    s = s == STATUS_OK ? got : s;
    for (int n = 0; n < count; n++) {
        if (s == STATUS_OK) {
            look_at_line(look, &lines[n], &open[lines[n].axis]);
        }
        slabs_release(&lines[n]);
    }
    return s;
}

/* ---- whether they are closed ------------------------------------------------------ */

/* Gets this rank's share of an axis' slabs, from a store of all bricks or, if `kept` is
 * NULL, from the source. A rank without memory gets none, and an error that is local.
 * Collective. */
static status get_share(const search *look, const grid_store *kept, int axis, slabs *out)
{
    const grid_block *block = look->block;
    int64_t rank = parallel_rank(look->comm), size = parallel_size(look->comm);
    int64_t planes = block->n[axis == 2 ? 1 : 2];
    slabs share =
        slabs_between(block, axis, planes * rank / size, planes * (rank + 1) / size);
    status s = slabs_allocate(&share);
    if (s != STATUS_OK) {
        share.n[share.across] = 0;
    }
    if (!kept) {
        status read = read_slabs(look->source, look->number, 1, &share);
        s = s == STATUS_OK ? read : s;
    } else if (s == STATUS_OK) {
        copy_slabs(kept, look->number, &share);
    }
    *out = share;
    return s;
}

/* Compares the ends of an axis, each rank its share. Collective, errors are local. */
static status compare_ends(const search *look, const grid_store *kept, int axis,
                           bool *closed)
{
    slabs share;
    status s = get_share(look, kept, axis, &share);
    double largest = s == STATUS_OK ? largest_spacing(&share) : 0.0;
    parallel_allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, look->comm);
    int fit = s == STATUS_OK && largest > 0.0 && look->fits(&share, largest, look->limit);
    parallel_allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, look->comm);
    *closed = fit != 0;
    slabs_release(&share);
    return s;
}

/*
 * Finds the axes whose ends fit, of all blocks: open[block][axis] is 0, else 1. Lines of
 * all blocks are tested before the ranks agree. `like` has what blocks share. Collective,
 * errors are local.
 */
static status find_axes(const search *like, const grid_store *kept, int nblocks,
                        const grid_block *blocks, int (*open)[3])
{
    search look = *like;
    status first = STATUS_OK;
    for (int b = 0; b < nblocks; b++) {
        look.number = b;
        look.block = &blocks[b];
        const status s = test_axes(&look, kept, nblocks, open[b]);
        first = first == STATUS_OK ? s : first;
    }
    parallel_allreduce(MPI_IN_PLACE, open, nblocks * 3, MPI_INT, MPI_MAX, look.comm);
    for (int n = 0; n < nblocks * 3; n++) {
        const int axis = n % 3;
        look.number = n / 3;
        look.block = &blocks[look.number];
        if (!open[look.number][axis] && !has_rows(&look, axis)) {
            bool closed = false;
            const status s = compare_ends(&look, kept, axis, &closed);
            open[look.number][axis] = !closed;
            first = first == STATUS_OK ? s : first;
        }
    }
    return first;
}

/* Makes room for axes of blocks; NULL on one rank: no rank has it. Collective. */
static status allocate_axes(MPI_Comm comm, int nblocks, int (**open)[3])
{
    const size_t bytes = ((size_t)nblocks + 1) * sizeof **open;
    *open = calloc(1, bytes);
    const status s =
        *open ? STATUS_OK : base_fail_memory(bytes, "the axes of a grid's blocks");
    return parallel_agree(comm, s);
}

/* Length of the edge between two vertices of a patch. */
static double edge_length(const grid_patch *patch, size_t a, size_t b)
{
    const float *const xyz[3] = {patch->x, patch->y, patch->z};
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double difference = (double)xyz[axis][a] - (double)xyz[axis][b];
        square += difference * difference;
    }
    return sqrt(square);
}

void io_load_take_rows(const grid_block *block, const io_window *window,
                       const grid_patch *patch, io_load_rows *rows)
{
    if (window->bricks[0] < block->bricks[0]) {
        rows->cut = 1.0;
        return;
    }
    const size_t n = (size_t)patch->n[0],
                 end = n * (size_t)patch->n[1] * (size_t)patch->n[2];
    for (size_t first = 0; first < end; first += n) {
        const size_t last = first + n - 1;
        const double spacing = fmax(edge_length(patch, first, first + 1),
                                    edge_length(patch, last - 1, last));
        const double gap = edge_length(patch, first, last);
        rows->largest = fmax(rows->largest, spacing);
        if (!(gap <= local_share * spacing)) {
            rows->gap = gap >= 0.0 ? fmax(rows->gap, gap) : INFINITY;
        }
    }
}

status io_load_closed(MPI_Comm comm, io_source *source, const grid_store *kept,
                      io_load_rows *rows, grid_layout *layout)
{
    /* In float64 files, rounding to float32 would open gaps. */
    const bool is_exact = !io_source_double_coordinates(source);
    const grid_store *exact = is_exact ? kept : NULL;
    const box3 *bounds = &layout->bounds;
    const search look = {.comm = comm,
                         .source = source,
                         .fits = ends_coincide,
                         .rows = is_exact ? rows : NULL,
                         .largest = vec3_length(vec3_sub(bounds->hi, bounds->lo))};
    int(*open)[3] = NULL;
    parallel_allreduce(MPI_IN_PLACE, rows, parallel_count((int64_t)layout->nblocks * 3),
                       MPI_DOUBLE, MPI_MAX, comm);
    status s = allocate_axes(comm, layout->nblocks, &open);
    if (s == STATUS_OK) {
        s = parallel_agree(
            comm, find_axes(&look, exact, layout->nblocks, layout->blocks, open));
        for (int n = 0; n < layout->nblocks * 3; n++) {
            layout->blocks[n / 3].closed[n % 3] = !open[n / 3][n % 3];
        }
    }
    free(open);
    return s;
}

/* ---- rings ------------------------------------------------------------------------- */

/* A gap may be so many times wider or narrower than the cells beside it: without a word
 * of the config, and with one. */
static const double gap_found = 1.5, gap_named = 4.0;

static void say_ring(const io_source *source, int number, int axis)
{
    const char letter = "ijk"[axis];
    base_log_note(
        "block '%s' of '%s' is a ring along %c without a repeated plane: karman "
        "closes it%s ('data.grid.closed: none' leaves the gap)",
        io_source_blocks(source)[number].name, io_source_path(source), letter,
        io_source_has_closing_cells(source, axis)
            ? ""
            : ", and the closing cells get means of the cells beside them");
}

/* Closes the rings of a block. `asked`: the axis of the config, or -1; open: of its axes.
 * Returns how many are closed. Local. */
static int close_block(io_source *source, int number, int asked, const int open[3])
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool may =
            asked < 0 ? io_source_has_closing_cells(source, axis) : axis == asked;
        if (io_source_is_ring(source, number, axis)) {
            count++; /* closed before another block failed */
        } else if (!open[axis] && may) {
            io_source_close_axis(source, number, axis);
            if (!io_source_has_moved(source)) {
                say_ring(source, number, axis);
            }
            count++;
        }
    }
    return count;
}

/* Closes the rings of all blocks. Collective. */
static status close_blocks(MPI_Comm comm, io_source *source, int asked)
{
    const int nblocks = io_source_block_count(source);
    const search look = {.comm = comm,
                         .source = source,
                         .fits = ends_are_neighbours,
                         .limit = asked < 0 ? gap_found : gap_named};
    int count = 0;
    int(*open)[3] = NULL;
    status s = allocate_axes(comm, nblocks, &open);
    if (s == STATUS_OK) {
        /* If one rank has failed, all look again the next time. */
        s = parallel_agree(
            comm, find_axes(&look, NULL, nblocks, io_source_blocks(source), open));
    }
    for (int b = 0; b < nblocks && s == STATUS_OK; b++) {
        count += close_block(source, b, asked, open[b]);
    }
    free(open);
    return s == STATUS_OK && asked >= 0 && count == 0
               ? base_fail(STATUS_USAGE,
                           "data.grid.closed: no block has a gap along %c as wide as "
                           "up to %g cells beside it between its last vertices and the "
                           "first: leave the key out",
                           "ijk"[asked], gap_named)
               : s;
}

status io_load_rings(MPI_Comm comm, io_source *source)
{
    int asked;
    status s = STATUS_OK;
    if (io_source_asks_for_rings(source, &asked)) {
        s = close_blocks(comm, source, asked);
    }
    return s == STATUS_OK ? io_source_take_rings(source) : s;
}
