/*
 * Which of its runs a ray follows next. A run is a stretch from an entry to where the
 * grid is left.
 */
#ifndef RENDER_KERNEL_RUNS_H
#define RENDER_KERNEL_RUNS_H

#include "render/cells/refine_cell.h"
#include "walk.h"

#include <math.h>

/* A ray ends where less than this shines through: a tenth of the promised 1e-5. */
#define LEAST_TRANSMITTANCE 1e-6f

/* How far a ray has come with its runs: the first `running` are under way, each where it
 * is now; those from `next` on are to come. */
typedef struct walk_runs {
    int run; /* number of the one at hand */
    int running, next;
} walk_runs;

static inline walk_runs walk_runs_of(const ray_walk *walk)
{
    return (walk_runs){.running = walk->running, .next = walk->running};
}

static inline int walk_runs_nearest(const march_entry *runs, int count)
{
    int nearest = 0;
    for (int r = 1; r < count; r++) {
        if (march_entry_is_before(&runs[r], &runs[nearest])) {
            nearest = r;
        }
    }
    return nearest;
}

static inline int walk_runs_priority(const march_grid *grid, const march_entry *run)
{
    return grid->bricks[run->cell.brick].priority;
}

/* Whether runs that are under way belong to blocks of different priority. */
static inline bool walk_runs_are_rivals(const march_grid *grid, const march_entry *runs,
                                        int count)
{
    int first = walk_runs_priority(grid, &runs[0]);
    for (int r = 1; r < count; r++) {
        if (walk_runs_priority(grid, &runs[r]) != first) {
            return true;
        }
    }
    return false;
}

/* Chooses the run that is first along the ray, at->run. Returns false where nothing more
 * of the ray is drawn, or where it is contended. *last: in front of this, the run
 * stays first. */
static inline bool walk_runs_choose(const march_grid *grid, ray_walk *walk,
                                    float transmittance, walk_runs *at, float *last)
{
    march_entry *runs = walk->runs;
    if (at->running == 0 && at->next == walk->nruns) {
        return false;
    }
    int r = at->running > 1 ? walk_runs_nearest(runs, at->running) : 0;
    if (at->running == 0 ||
        (at->next < walk->nruns && march_entry_is_before(&runs[at->next], &runs[r]))) {
        r = at->running;
        runs[at->running++] = runs[at->next++];
    }
    if (runs[r].crossing.t >= walk->end) {
        return false;
    }
    /* Also where the ray has just ended in something opaque within a cell: a rival may
     * have begun in front of that, in the same cell. */
    if (at->running > 1 && walk_runs_are_rivals(grid, runs, at->running)) {
        walk->contended = true;
        return false;
    }
    if (transmittance < LEAST_TRANSMITTANCE) {
        return false;
    }
    at->run = r;
    /* Side by side, runs take turns after every cell. */
    *last = at->running > 1          ? -INFINITY
            : at->next < walk->nruns ? runs[at->next].crossing.t
                                     : INFINITY;
    return true;
}

/* Drops the run at hand, which has ended at `t` in a brick; false where the ray is
 * contended. */
static inline bool walk_runs_end(const march_grid *grid, ray_walk *walk, int brick,
                                 float t, walk_runs *at)
{
    march_entry *runs = walk->runs;
    /* It may have ended within the first cell of the next run. */
    if (at->next < walk->nruns && runs[at->next].crossing.t < t &&
        walk_runs_priority(grid, &runs[at->next]) != grid->bricks[brick].priority) {
        walk->contended = true;
        return false;
    }
    runs[at->run] = runs[--at->running];
    return true;
}

/*
 * Runs on patches (style.trilinear). They are in order by the triangles, and on those it
 * is seen whether they overlap. But patches lie elsewhere than the triangles of their
 * faces:
 *
 *     triangles    ---- one ----|  |---- other ---
 *     patches      ---- one -------|
 *                                |---- other -----
 *
 * Runs of different blocks are contended there as well. Two cases are none: blocks that
 * share a face, whose triangles meet exactly, and whose patch is found a little elsewhere
 * from the other side; and one block, of which a ray near an outline leaves through
 * triangles and comes in again, but misses both patches. There the other run is drawn
 * from where the one has ended. Runs themselves may miss patches, and go back on them: it
 * is the same with those.
 */
typedef struct walk_patches {
    float order;      /* where the last run has ended, on triangles */
    float reach;      /* as far as runs have come on patches, and gone back */
    int priority;     /* of the block of the last one; -1: none has ended */
    bool are_of_many; /* they belong to blocks of different priority */
} walk_patches;

static inline walk_patches walk_patches_start(void)
{
    return (walk_patches){.order = NAN, .reach = -INFINITY, .priority = -1};
}

/* A run has ended: at `order` on triangles, at t on patches. */
static inline void walk_patches_end(int priority, float order, float t, walk_patches *at)
{
    at->are_of_many |= at->priority >= 0 && at->priority != priority;
    at->priority = priority;
    at->order = order;
    at->reach = fmaxf(at->reach, t);
}

/* Whether a run that begins at `order` on triangles and at t on its patch overlaps one of
 * another block that has ended. */
static inline bool walk_patches_overlap(const walk_patches *at, int priority, float order,
                                        float t)
{
    return t < at->reach && order != at->order &&
           (at->are_of_many || at->priority != priority);
}

/* Whether a run to come overlaps one of another block that has ended. */
static inline bool walk_patches_overlap_later(const march_grid *grid,
                                              const ray_walk *walk, const walk_runs *runs,
                                              const walk_patches *at)
{
    for (int r = runs->next; r < walk->nruns; r++) {
        const march_entry *run = &walk->runs[r];
        cell_crossing crossing = run->crossing;
        render_refine_crossing(grid, walk->ray, &run->cell, &crossing);
        if (walk_patches_overlap(at, walk_runs_priority(grid, run), run->crossing.t,
                                 crossing.t)) {
            return true;
        }
    }
    return false;
}

#endif
