#include "probe.h"

#include "base/parallel/parallel.h"
#include "bricks.h"
#include "nearest.h"
#include "trace/locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frame_probe {
    MPI_Comm comm; /* borrowed, as the source and the layout */
    io_source *source;
    const grid_layout *layout;
    int64_t count, first, mine; /* points; those of this rank */
    frame_probe_point *points;  /* [count] */
    double (*x)[3];             /* [mine]: relative to the layout's origin */
    probe_bricks bricks;        /* of the points of this rank */
    grid_store *stores[2];      /* of these bricks: for values at vertices, in cells */
};

/* ---- Bricks ------------------------------------------------------------------------ */

/* A point and the bricks in whose bounds it lies. */
typedef struct around {
    const double *x;
    uint8_t *wanted;
} around;

static bool around_enters(void *context, const box3 *bounds)
{
    return grid_boxes_distance(bounds, ((around *)context)->x) == 0.0;
}

static void around_takes(void *context, int64_t number)
{
    ((around *)context)->wanted[number] = 1;
}

/* The bricks in whose bounds a point lies, or nearly. */
static void want_around(frame_probe *p, const double x[3])
{
    around a = {x, p->bricks.wanted};
    const grid_boxes_walker walker = {around_enters, around_takes, &a};
    grid_boxes_walk(p->bricks.boxes, x, &walker);
}

/* The bricks of the cells around a vertex. */
static void want_vertex(frame_probe *p, const frame_probe_wish *wish)
{
    const int64_t *n = p->layout->blocks[wish->block].n;
    for (int corner = 0; corner < 8; corner++) {
        trace_cell cell = {.block = wish->block};
        bool is_cell = true;
        for (int axis = 0; axis < 3; axis++) {
            cell.at[axis] = wish->at[axis] - (corner >> axis & 1);
            is_cell = is_cell && cell.at[axis] >= 0 && cell.at[axis] < n[axis] - 1;
        }
        if (is_cell) {
            p->bricks.wanted[trace_cell_brick(p->layout, &cell)] = 1;
        }
    }
}

/* ---- Places ------------------------------------------------------------------------ */

/* Finds a point by its place. Returns whether another brick is needed, which is marked.
 */
static bool locate(frame_probe *p, const trace_locator *locator, int64_t n)
{
    frame_probe_point *point = &p->points[p->first + n];
    trace_place place = trace_place_anywhere();
    int64_t needed = -1;
    const trace_found found = trace_locate(locator, p->x[n], &place, &needed);
    if (found == TRACE_AWAY) {
#pragma omp atomic write
        p->bricks.wanted[needed] = 1;
        return true;
    }
    point->is_inside = found == TRACE_FOUND;
    point->block = (int)place.cell.block;
    memcpy(point->at, place.cell.at, sizeof point->at);
    for (int axis = 0; axis < 3; axis++) { /* a face belongs to the cell, with rounding */
        point->local[axis] = fmin(fmax(place.local[axis], 0), 1);
    }
    return false;
}

/* Takes a present cell around a vertex, the highest first, and the vertex's place. */
static void take_vertex(frame_probe *p, const frame_probe_wish *wish, int64_t n)
{
    const grid_store *store = p->stores[GRID_VERTEX];
    frame_probe_point *point = &p->points[p->first + n];
    const int64_t *size = p->layout->blocks[wish->block].n;
    for (int corner = 0; corner < 8 && !point->is_inside; corner++) {
        trace_cell cell = {.block = wish->block};
        trace_corners corners;
        bool is_cell = true;
        for (int axis = 0; axis < 3; axis++) {
            const int below = corner >> axis & 1;
            cell.at[axis] = wish->at[axis] - below;
            point->local[axis] = below;
            is_cell = is_cell && cell.at[axis] >= 0 && cell.at[axis] < size[axis] - 1;
        }
        if (is_cell && trace_cell_look(store, &cell, &corners) == TRACE_PRESENT) {
            point->is_inside = true;
            point->block = wish->block;
            memcpy(point->at, cell.at, sizeof point->at);
            const float *at = store->vertex[corners.vertex[corner]];
            for (int axis = 0; axis < 3; axis++) {
                p->x[n][axis] = (double)at[axis];
                point->x[axis] = p->x[n][axis] + p->layout->origin.v[axis];
            }
        }
    }
}

/* Finds the points of this rank in the bricks that it has. *needs: more of them. */
static status find_places(frame_probe *p, const frame_probe_wish *wishes, int *needs)
{
    trace_locator *locator = NULL;
    const status s = trace_locator_create(p->stores[GRID_VERTEX], &locator);
    const int64_t count = s == STATUS_OK ? p->mine : 0;
    int more = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(| : more)
    for (int64_t n = 0; n < count; n++) {
        const frame_probe_wish *wish = &wishes[p->first + n];
        if (wish->block >= 0) {
            take_vertex(p, wish, n);
        } else {
            more |= locate(p, locator, n);
        }
    }
    *needs = more;
    trace_locator_destroy(&locator);
    return s;
}

/* Loads bricks until all points are found. Collective. */
static status load_places(frame_probe *p, const frame_probe_wish *wishes)
{
    enum { MOST_ROUNDS = 16 };
    status s = STATUS_OK;
    int more = 1;
    for (int round = 0; round < MOST_ROUNDS && more && s == STATUS_OK; round++) {
        int needs = 0;
        grid_store_destroy(&p->stores[GRID_VERTEX]);
        s = probe_load(p->comm, p->source, &p->bricks, GRID_VERTEX,
                       &p->stores[GRID_VERTEX]);
        s = s == STATUS_OK ? parallel_agree(p->comm, find_places(p, wishes, &needs)) : s;
        parallel_allreduce(&needs, &more, 1, MPI_INT, MPI_MAX, p->comm);
    }
    return s;
}

/* Shares what each rank found, values of `size` bytes, a multiple of 8. Collective. */
static void share_bytes(const frame_probe *p, void *values, size_t size)
{
    enum { AT_ONCE = 4096 };
    const int64_t words = (int64_t)(size / sizeof(int64_t));
    int64_t *at = values, found[AT_ONCE];
    for (int64_t n = 0; n < p->count; n++) { /* zero, where another rank knows */
        if (n < p->first || n >= p->first + p->mine) {
            memset(at + n * words, 0, size);
        }
    }
    for (int64_t n = 0; n < p->count * words; n += AT_ONCE) {
        const int64_t left = p->count * words - n;
        const int count = left < AT_ONCE ? (int)left : AT_ONCE;
        parallel_allreduce(at + n, found, count, MPI_INT64_T, MPI_BOR, p->comm);
        memcpy(at + n, found, (size_t)count * sizeof *found);
    }
}

/* ---- The interface ----------------------------------------------------------------- */

/* Fails for a vertex outside of its block. Local, the same on every rank. */
static status check_wishes(const grid_layout *layout, int64_t count,
                           const frame_probe_wish *wishes)
{
    for (int64_t n = 0; n < count; n++) {
        const grid_block *block =
            wishes[n].block >= 0 ? &layout->blocks[wishes[n].block] : NULL;
        for (int axis = 0; block && axis < 3; axis++) {
            if (wishes[n].at[axis] < 0 || wishes[n].at[axis] >= block->n[axis]) {
                return base_fail(STATUS_USAGE,
                                 "%c = %lld lies outside of block '%s', which has 0 to "
                                 "%lld",
                                 'i' + axis, (long long)wishes[n].at[axis], block->name,
                                 (long long)block->n[axis] - 1);
            }
        }
    }
    return STATUS_OK;
}

static status allocate(MPI_Comm comm, const grid_layout *layout, int64_t count,
                       frame_probe **out)
{
    const int rank = parallel_rank(comm), ranks = parallel_size(comm);
    frame_probe *p = calloc(1, sizeof *p);
    if (!p) {
        return base_fail_memory(sizeof *p, "points");
    }
    *out = p;
    p->comm = comm;
    p->layout = layout;
    p->count = count;
    p->first = count * rank / ranks;
    p->mine = count * (rank + 1) / ranks - p->first;
    p->points = calloc((size_t)count + 1, sizeof *p->points);
    p->x = calloc((size_t)p->mine + 1, sizeof *p->x);
    return p->points && p->x
               ? probe_bricks_make(layout, &p->bricks)
               : base_fail_memory((size_t)count * sizeof *p->points, "points");
}

/* Marks the bricks that this rank's points may lie in. */
static void want_bricks(frame_probe *p, const frame_probe_wish *wishes)
{
    for (int64_t n = 0; n < p->mine; n++) {
        const frame_probe_wish *wish = &wishes[p->first + n];
        for (int axis = 0; axis < 3; axis++) { /* a vertex has its place later */
            const double x = wish->block >= 0 ? (double)NAN : wish->x[axis];
            p->points[p->first + n].x[axis] = x;
            p->x[n][axis] = x - p->layout->origin.v[axis];
        }
        if (wish->block >= 0) {
            want_vertex(p, wish);
        } else {
            want_around(p, p->x[n]);
        }
    }
}

status frame_probe_create(MPI_Comm comm, io_source *source, const grid_layout *layout,
                          int64_t count, const frame_probe_wish *wishes,
                          frame_probe **out)
{
    frame_probe *p = NULL;
    status s = check_wishes(layout, count, wishes);
    s = s == STATUS_OK ? allocate(comm, layout, count, &p) : s;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        p->source = source;
        want_bricks(p, wishes);
        s = load_places(p, wishes);
    }
    if (s == STATUS_OK) {
        const probe_outside outside = {p->mine, p->x, p->points + p->first};
        s = probe_find_nearest(comm, source, p->bricks.boxes, layout, &outside);
    }
    if (s != STATUS_OK) {
        frame_probe_destroy(&p);
        return s;
    }
    share_bytes(p, p->points, sizeof *p->points);
    *out = p;
    return STATUS_OK;
}

void frame_probe_destroy(frame_probe **probe)
{
    frame_probe *p = *probe;
    if (p) {
        grid_store_destroy(&p->stores[GRID_VERTEX]);
        grid_store_destroy(&p->stores[GRID_CELL]);
        probe_bricks_clear(&p->bricks);
        free(p->points);
        free(p->x);
        free(p);
        *probe = NULL;
    }
}

const frame_probe_point *frame_probe_points(const frame_probe *probe)
{
    return probe->points;
}

/* The value at a point that lies in a cell. */
static double value_at(const grid_store *store, const frame_probe_point *point)
{
    const trace_cell cell = {point->block, {point->at[0], point->at[1], point->at[2]}};
    if (store->cell) {
        const grid_brick *brick =
            &store->bricks[store->slot[trace_cell_brick(store->layout, &cell)]];
        const int *n = brick->place.n;
        const int64_t *lo = brick->place.lo;
        const int64_t row = point->at[1] - lo[1] + n[1] * (point->at[2] - lo[2]);
        return (double)brick->cell[point->at[0] - lo[0] + n[0] * row];
    }
    trace_corners corners;
    double sum = 0.0;
    trace_cell_look(store, &cell, &corners);
    for (int c = 0; c < 8; c++) {
        double weight = 1.0;
        for (int axis = 0; axis < 3; axis++) {
            const double part = point->local[axis];
            weight *= c >> axis & 1 ? part : 1.0 - part;
        }
        if (weight > 0.0) {
            sum += weight * (double)store->vertex[corners.vertex[c]][3];
        }
    }
    return sum;
}

status frame_probe_values(frame_probe *probe, const grid_recipe *recipe, int step,
                          double *values)
{
    const grid_location location = grid_recipe_location(recipe);
    status s = STATUS_OK;
    if (!probe->stores[location]) {
        s = probe_load(probe->comm, probe->source, &probe->bricks, location,
                       &probe->stores[location]);
    }
    grid_store *store = probe->stores[location];
    if (s == STATUS_OK) {
        s = io_load_field(probe->comm, probe->source, recipe, step, store);
    }
    for (int64_t n = probe->first; s == STATUS_OK && n < probe->first + probe->mine;
         n++) {
        const frame_probe_point *point = &probe->points[n];
        values[n] = point->is_inside ? value_at(store, point) : (double)NAN;
    }
    if (s == STATUS_OK) {
        share_bytes(probe, values, sizeof *values);
    }
    return s;
}
