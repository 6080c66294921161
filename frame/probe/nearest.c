/*
 * The vertices nearest to points that lie in no cell. A walk through the tree of bricks
 * leaves out what is farther away than the best vertex so far; within a brick, so does a
 * look at groups of cells. Of vertices at one distance the lowest brick's counts, and its
 * first cell's and corner's: the order of walks does not matter.
 */
#include "nearest.h"

#include "base/parallel/parallel.h"
#include "bricks.h"
#include "trace/locator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The square of the distance from a point to the farthest place of a box. */
static double farthest(const box3 *box, const double x[3])
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double most =
            fmax(fabs(box->lo.v[axis] - x[axis]), fabs(x[axis] - box->hi.v[axis]));
        square += most * most;
    }
    return square;
}

/* ---- Bricks that may have the nearest vertex --------------------------------------- */

typedef struct marking {
    const grid_layout *layout;
    const double *x;
    double least; /* square of a distance within which there is a vertex */
    uint8_t *wanted;
} marking;

/* grid_boxes_walker */
static bool marking_enters(void *context, const box3 *bounds)
{
    const marking *m = context;
    return grid_boxes_distance(bounds, m->x) <= m->least;
}

static void find_least(void *context, int64_t number)
{
    marking *m = context;
    const box3 box = grid_brick_bounds(&m->layout->bricks[number]);
    m->least = fmin(m->least, farthest(&box, m->x));
}

static void mark(void *context, int64_t number)
{
    const marking *m = context;
#pragma omp atomic write
    m->wanted[number] = 1;
}

static void mark_near(const grid_boxes *boxes, const grid_layout *layout,
                      const double x[3], uint8_t *wanted)
{
    marking m = {layout, x, INFINITY, wanted};
    const grid_boxes_walker find = {marking_enters, find_least, &m},
                            take = {marking_enters, mark, &m};
    grid_boxes_walk(boxes, x, &find);
    grid_boxes_walk(boxes, x, &take);
}

/* ---- Vertices ---------------------------------------------------------------------- */

/* The best vertex so far. */
typedef struct search {
    const trace_locator *locator;
    const double *x;
    double square;         /* of the distance; INFINITY: there is none */
    int64_t brick, corner; /* number, and the place in the order of cells and corners */
    int at[3];             /* the vertex, in the brick */
    const float *vertex;   /* its coordinates; NULL: there is none */
} search;

/* The place of a vertex in the order of present cells and their corners; -1: it belongs
 * to none. */
static int64_t order_of(const grid_brick *brick, const int at[3])
{
    const int *n = brick->place.n;
    for (int c = 7; c >= 0; c--) { /* the lowest cell has it as its last corner */
        const int cell[3] = {at[0] - (c & 1), at[1] - (c >> 1 & 1), at[2] - (c >> 2)};
        bool is_cell = true;
        for (int axis = 0; axis < 3; axis++) {
            is_cell = is_cell && cell[axis] >= 0 && cell[axis] < n[axis];
        }
        const int lowest = cell[0] + (n[0] + 1) * (cell[1] + (n[1] + 1) * cell[2]);
        if (is_cell && (brick->flags[lowest] & GRID_PRESENT)) {
            return 8 * (cell[0] + n[0] * ((int64_t)cell[1] + n[1] * cell[2])) + c;
        }
    }
    return -1;
}

static double square_to(const float vertex[4], const double x[3])
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = (double)vertex[axis] - x[axis];
        square += way * way;
    }
    return square;
}

/* Takes a vertex that is not farther than the best one, if it counts before that. */
static void take(search *s, const grid_brick *brick, const int at[3], double square)
{
    const int64_t corner = order_of(brick, at);
    const bool is_lower =
        brick->number != s->brick ? brick->number < s->brick : corner < s->corner;
    if (corner >= 0 && (square < s->square || is_lower)) {
        const int *n = brick->place.n;
        s->square = square;
        s->brick = brick->number;
        s->corner = corner;
        s->vertex = brick->vertex[at[0] + (n[0] + 1) * (at[1] + (n[1] + 1) * at[2])];
        memcpy(s->at, at, sizeof s->at);
    }
}

static double group_distance(const trace_group *group, const double x[3])
{
    box3 box;
    for (int axis = 0; axis < 3; axis++) {
        box.lo.v[axis] = (double)group->lo[axis];
        box.hi.v[axis] = (double)group->hi[axis];
    }
    return grid_boxes_distance(&box, x);
}

/* Looks at the vertices of a group. */
static void search_group(search *s, int slot, int64_t group)
{
    const grid_brick *brick = &s->locator->store->bricks[slot];
    const int *n = brick->place.n;
    int lo[3], hi[3];
    trace_group_cells(&brick->place, group, lo, hi);
    for (int k = lo[2]; k <= hi[2]; k++) {
        for (int j = lo[1]; j <= hi[1]; j++) {
            const float(*row)[4] =
                (const float(*)[4])brick->vertex + (n[0] + 1) * (j + (n[1] + 1) * k);
            for (int i = lo[0]; i <= hi[0]; i++) {
                const int at[3] = {i, j, k};
                const double square = square_to(row[i], s->x);
                if (square <= s->square) {
                    take(s, brick, at, square);
                }
            }
        }
    }
}

/* grid_boxes_walker */
static bool search_enters(void *context, const box3 *bounds)
{
    const search *s = context;
    return grid_boxes_distance(bounds, s->x) <= s->square;
}

/* Looks at the groups of a brick, the nearest first. */
static void search_brick(void *context, int64_t number)
{
    search *s = context;
    const int slot = s->locator->store->slot[number];
    int64_t nearest = 0;
    double least = INFINITY;
    if (slot < 0) {
        return; /* mark_near has found it too far away */
    }
    const int64_t first = s->locator->first_group[slot];
    const int64_t count = s->locator->first_group[slot + 1] - first;
    const trace_group *groups = s->locator->groups + first;
    for (int64_t g = 0; g < count; g++) {
        const double square = group_distance(&groups[g], s->x);
        nearest = square < least ? g : nearest;
        least = fmin(least, square);
    }
    search_group(s, slot, nearest);
    for (int64_t g = 0; g < count; g++) {
        if (g != nearest && group_distance(&groups[g], s->x) <= s->square) {
            search_group(s, slot, g);
        }
    }
}

/* Finds the vertex nearest to a point in this rank's bricks. *guess: a vertex that may be
 * near (NULL: none); becomes the nearest one. */
static void find(const trace_locator *locator, const grid_boxes *boxes, const double x[3],
                 const float **guess, frame_probe_point *point)
{
    search s = {.locator = locator,
                .x = x,
                .square = *guess ? square_to(*guess, x) : INFINITY,
                .brick = INT64_MAX};
    const grid_boxes_walker walker = {search_enters, search_brick, &s};
    grid_boxes_walk(boxes, x, &walker);
    point->distance = sqrt(s.square);
    if (s.vertex) {
        const grid_brick_place place = grid_layout_place(locator->store->layout, s.brick);
        point->block = place.block;
        for (int axis = 0; axis < 3; axis++) {
            point->at[axis] = place.lo[axis] + s.at[axis];
        }
        *guess = s.vertex;
    }
}

/* Finds those of all points outside. */
static void find_all(const trace_locator *locator, const grid_boxes *boxes,
                     const probe_outside *outside)
{
#pragma omp parallel
    {
        const float *guess = NULL; /* points often follow each other */
#pragma omp for schedule(dynamic, 64)
        for (int64_t n = 0; n < outside->count; n++) {
            if (!outside->points[n].is_inside) {
                find(locator, boxes, outside->x[n], &guess, &outside->points[n]);
            }
        }
    }
}

status probe_find_nearest(MPI_Comm comm, io_source *source, const grid_boxes *boxes,
                          const grid_layout *layout, const probe_outside *outside)
{
    probe_bricks bricks = {layout, calloc((size_t)layout->nbricks + 1, 1), NULL};
    grid_store *store = NULL;
    trace_locator *locator = NULL;
    int has = 0, any = 0;
    status s =
        bricks.wanted ? STATUS_OK : base_fail_memory((size_t)layout->nbricks, "points");
    const int64_t count = s == STATUS_OK ? outside->count : 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(| : has)
    for (int64_t n = 0; n < count; n++) {
        if (!outside->points[n].is_inside) {
            mark_near(boxes, layout, outside->x[n], bricks.wanted);
            has = 1;
        }
    }
    s = parallel_agree(comm, s);
    parallel_allreduce(&has, &any, 1, MPI_INT, MPI_MAX, comm);
    if (s == STATUS_OK && any) {
        s = probe_load(comm, source, &bricks, GRID_VERTEX, &store);
        s = s == STATUS_OK ? parallel_agree(comm, trace_locator_create(store, &locator))
                           : s;
    }
    if (s == STATUS_OK && any) {
        find_all(locator, boxes, outside);
    }
    trace_locator_destroy(&locator);
    grid_store_destroy(&store);
    free(bricks.wanted);
    return s;
}
