/* Longitudes without jumps, for io/view.c: full turns that are added to them, and the
 * edge of maps that go over a pole. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "source_kind.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>

static const io_box nothing = {{0, 0, 0}, {0, 0, 0}};

bool io_shape_is_unwrapped(const io_source *source)
{
    bool is = false;
    for (int b = 0; b < source->catalog.nblocks && !is; b++) {
        is = source->shapes[b].turns != NULL;
    }
    return is;
}

/* A vertex without a place: the cells around it are left out. */
enum { HIDDEN = INT8_MIN };

static bool is_longitude(double value)
{
    return fabs(value) <= 720.0; /* else it is missing */
}

/* The turns that bring a longitude next to `before`, which is unwrapped. */
static int8_t find_turns(double longitude, double before)
{
    const double turns = rint((before - longitude) / 360.0);
    return isfinite(turns) && fabs(turns) < 100.0 ? (int8_t)turns : 0;
}

/* Unwraps rows of ni longitudes from row `first` on. *start: the first longitude of the
 * last row that had one, unwrapped. Whether anything turns. */
static bool unwrap_rows(int64_t ni, int64_t rows, const double *longitudes, double *start,
                        int8_t *turns)
{
    bool any = false;
    for (int64_t row = 0; row < rows; row++) {
        double before = *start;
        bool is_first = true;
        for (int64_t n = row * ni; n < (row + 1) * ni; n++) {
            if (!is_longitude(longitudes[n])) {
                continue;
            }
            turns[n] = isfinite(before) ? find_turns(longitudes[n], before) : 0;
            before = longitudes[n] + 360.0 * turns[n];
            *start = is_first ? before : *start;
            is_first = false;
            any = any || turns[n] != 0;
        }
    }
    return any;
}

/* Whether the vertices of the cell at [0] are more than half a turn apart. */
static bool is_torn(int64_t ni, const double *longitudes, const int8_t *turns)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t n = 0; n < 4; n++) {
        const int64_t at = n % 2 + n / 2 * ni;
        const double place = longitudes[at] + 360.0 * turns[at];
        low = is_longitude(longitudes[at]) && place < low ? place : low;
        high = is_longitude(longitudes[at]) && place > high ? place : high;
    }
    return high - low > 180.0;
}

/* Whether cells of these rows are torn. Of a map with an edge, these are hidden. */
static bool find_torn(int64_t ni, int64_t rows, const double *longitudes, bool has_edge,
                      int8_t *turns)
{
    bool any = false;
    for (int64_t n = 0; n < (rows - 1) * ni; n++) {
        if (n % ni < ni - 1 && is_torn(ni, longitudes + n, turns + n)) {
            turns[n] = has_edge ? HIDDEN : turns[n];
            any = true;
        }
    }
    return any;
}

/* Brings longitudes into the turn that begins at the edge of the map. */
static void turn_to_edge(int64_t count, const double *longitudes, double edge,
                         int8_t *turns)
{
    for (int64_t n = 0; n < count; n++) {
        const double turn = is_longitude(longitudes[n]) ? longitudes[n] - edge : 0.0;
        turns[n] = (int8_t)-floor(turn / 360.0);
    }
}

/* The turns of the vertices of a block. */
typedef struct turning {
    int64_t rows;   /* of a piece */
    double *buffer; /* [rows][ni], on rank 0; else NULL */
    int8_t *turns;  /* [nj][ni] */
    double first;   /* the first longitude */
    double edge;    /* of a map around a pole; NAN: there is none */
    int any, is_torn;
} turning;

/* Rank 0 reads the plane k = 0 of a block in pieces that share a row. Collective, errors
 * are local. */
static status read_turns(io_source *source, int block, turning *t)
{
    const int64_t *n = source->catalog.blocks[block].n;
    const bool has_edge = isfinite(t->edge), takes = t->turns && t->buffer;
    double start = NAN;
    status first = STATUS_OK;
    for (int64_t j = 0; j == 0 || j < n[1] - 1; j += t->rows - 1) {
        const io_box piece = {{0, j, 0},
                              {n[0], n[1] - j < t->rows ? n[1] - j : t->rows, 1}};
        const status s = source->kind->read(source, source->grid_step, block,
                                            IO_ARRAY_X + source->catalog.longitude - 1,
                                            takes ? &piece : &nothing, t->buffer);
        int8_t *turns = takes ? t->turns + j * n[0] : NULL;
        first = first == STATUS_OK ? s : first;
        if (first != STATUS_OK || !takes) {
            continue;
        }
        if (has_edge) {
            turn_to_edge(n[0] * piece.n[1], t->buffer, t->edge, turns);
        } else {
            t->first = j == 0 ? t->buffer[0] : t->first;
            t->any |= unwrap_rows(n[0], piece.n[1], t->buffer, &start, turns);
        }
        t->is_torn |= find_torn(n[0], piece.n[1], t->buffer, has_edge, turns);
    }
    return first;
}

/* Finds the turns of a block on rank 0. Cells around a pole cannot all be small: such a
 * map has an edge, half a cell before its first longitude. Collective. */
static status find_all_turns(io_source *source, int block, turning *t)
{
    status s = parallel_agree(source->comm, read_turns(source, block, t));
    parallel_bcast(&t->is_torn, 1, MPI_INT, 0, source->comm);
    if (s == STATUS_OK && t->is_torn) {
        t->edge = is_longitude(t->first)
                      ? t->first - 180.0 / (double)source->catalog.blocks[block].n[0]
                      : -180.0;
        s = parallel_agree(source->comm, read_turns(source, block, t));
    }
    t->any |= t->is_torn;
    parallel_bcast(&t->any, 1, MPI_INT, 0, source->comm);
    return s;
}

static void note_turns(const io_source *source, int block, const turning *t)
{
    const char *name = source->shown[block].name;
    if (!source->has_moved && t->is_torn) {
        base_log_note("block '%s' of '%s' goes over a pole: cells there, and across the "
                      "edge of the map at longitude %g, are left out",
                      name, source->path, t->edge);
    } else if (!source->has_moved) {
        base_log_note("longitudes of block '%s' of '%s' jump by 360 degrees between "
                      "neighbours: karman adds full turns, so that cells stay small",
                      name, source->path);
    }
}

/* Finds the turns of a block, on all ranks alike. Collective. */
static status unwrap_block(io_source *source, int block)
{
    enum { PIECE = 1 << 20 };
    const int64_t *n = source->catalog.blocks[block].n;
    const bool reads = parallel_rank(source->comm) == 0;
    const size_t count = (size_t)(n[0] * n[1]);
    turning t = {.rows = n[0] < PIECE / 2 ? PIECE / n[0] : 2, .edge = NAN};
    t.turns = calloc(count + 1, 1);
    t.buffer = reads ? malloc((size_t)(n[0] * t.rows) * sizeof *t.buffer) : NULL;
    status s = t.turns && (t.buffer || !reads) ? STATUS_OK
                                               : base_fail_memory(count, "longitudes");
    const status found = find_all_turns(source, block, &t);
    free(t.buffer);
    s = parallel_agree(source->comm, s == STATUS_OK ? found : s);
    if (s != STATUS_OK || !t.any) {
        free(t.turns);
        return s;
    }
    parallel_bcast(t.turns, parallel_count((int64_t)count), MPI_BYTE, 0, source->comm);
    source->shapes[block].turns = t.turns;
    note_turns(source, block, &t);
    return STATUS_OK;
}

status io_shape_unwrap(io_source *source)
{
    status s = STATUS_OK;
    const int blocks = source->catalog.longitude ? source->catalog.nblocks : 0;
    for (int b = 0; b < blocks && s == STATUS_OK; b++) {
        s = unwrap_block(source, b);
    }
    return s;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void io_shape_turn(const io_source *source, int block, const io_box *box, double *out)
{
    const int64_t *n = source->catalog.blocks[block].n;
    const int8_t *turns = source->shapes[block].turns;
    for (int64_t row = 0; row < box->n[1] * box->n[2]; row++) {
        const int64_t j = smaller(box->lo[1] + row % box->n[1], n[1] - 1);
        for (int64_t i = 0; i < box->n[0]; i++) {
            const int8_t turn = turns[j * n[0] + smaller(box->lo[0] + i, n[0] - 1)];
            out[row * box->n[0] + i] += turn == HIDDEN ? NAN : 360.0 * turn;
        }
    }
}
