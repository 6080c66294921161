/* The choice of the run that a ray follows next. A run is a stretch of a ray from an
 * entry to an exit of the grid. A ray is contended if runs of blocks with different
 * priorities overlap on it. */
#ifndef RENDER_KERNEL_RUNS_H
#define RENDER_KERNEL_RUNS_H

#include "render/cells/refine_cell.h"
#include "walk.h"

#include <math.h>

/* A ray ends when its transmittance falls below this (early ray termination): a tenth of
 * the guaranteed accuracy of 1e-5. */
#define LEAST_TRANSMITTANCE 1e-6f

/* Progress of a ray through its runs. The first `running` runs are under way, and their
 * entries are their current places. Those from `next` on are still to come. */
typedef struct walk_runs {
    int run; /* index of the current run */
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

/* Whether runs under way belong to blocks of different priority. */
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

/* Chooses the run that is first along the ray, at->run. Returns false if the rest of the
 * ray is not drawn, or if the ray is contended. *last: in front of this distance, the run
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
    /* This test comes first, even if the ray has just ended at something opaque within a
     * cell. A rival run may have begun in front of it, in the same cell. */
    if (at->running > 1 && walk_runs_are_rivals(grid, runs, at->running)) {
        walk->contended = true;
        return false;
    }
    if (transmittance < LEAST_TRANSMITTANCE) {
        return false;
    }
    at->run = r;
    /* Overlapping runs take turns after every cell. */
    *last = at->running > 1          ? -INFINITY
            : at->next < walk->nruns ? runs[at->next].crossing.t
                                     : INFINITY;
    return true;
}

/* Drops the current run, which has ended at `t` in a brick; false if the ray is
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

/* Runs on patches (march_grid.has_patches). The triangles determine the order of runs,
 * and whether they overlap. But patches deviate from the triangles of their faces:
 *
 *     triangles    ---- one ----|  |---- other ---
 *     patches      ---- one -------|
 *                                |---- other -----
 *
 * If runs of different blocks overlap on patches like this, the ray is contended, too.
 * There are two exceptions. First, two blocks share a face: the triangles meet exactly,
 * but the crossing with the patch differs a little between both sides. Second, a ray near
 * the outline of a single block leaves through triangles and enters again, but misses
 * both patches. In these cases the other run is drawn from the end of the first one.
 * Within a run, a ray may miss a patch and go back, too; the same rule applies. */
typedef struct walk_patches {
    float order;      /* end of the last run, on triangles */
    float reach;      /* farthest distance that runs have reached on patches */
    int priority;     /* of the last run's block; -1: no run has ended */
    bool are_of_many; /* ended runs belong to blocks of different priority */
} walk_patches;

static inline walk_patches walk_patches_start(void)
{
    return (walk_patches){.order = NAN, .reach = -INFINITY, .priority = -1};
}

/* Notes that a run has ended: at `order` on triangles, at t on patches. */
static inline void walk_patches_end(int priority, float order, float t, walk_patches *at)
{
    at->are_of_many |= at->priority >= 0 && at->priority != priority;
    at->priority = priority;
    at->order = order;
    at->reach = fmaxf(at->reach, t);
}

/* Whether a run that begins at `order` on triangles and at t on its patch overlaps an
 * ended run of another block. */
static inline bool walk_patches_overlap(const walk_patches *at, int priority, float order,
                                        float t)
{
    return t < at->reach && order != at->order &&
           (at->are_of_many || at->priority != priority);
}

/* Whether a run still to come overlaps an ended run of another block. */
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
