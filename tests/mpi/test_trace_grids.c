/*
 * Streamlines and path lines through every grid that there is a generator for: sound and
 * folded, collapsed and left-handed, overlapping and with holes. What lines there are is
 * the same on any number of ranks, all of their points are finite, and all lie within the
 * bounds of the grid.
 */
#include "test_trace_pair.h"

#include "base/log.h"
#include "datasets/dataset.h"

#include <math.h>
#include <string.h>

/* What is traced just now: flow_vertex and flow_field have no argument for it. */
static const dataset *set;
static box3 bounds;

static bool place_vertex(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3])
{
    const dataset_vertex vertex = set->vertex(set->size, block, at);
    (void)n;
    memcpy(xyz, vertex.position.v, sizeof vertex.position.v);
    return !vertex.blanked;
}

/* Around the middle of the grid, its shape taken into account, and slowly across it. */
static void stir(const double x[3], double time, double out[4])
{
    double share[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = bounds.hi.v[axis] - bounds.lo.v[axis];
        share[axis] = (x[axis] - bounds.lo.v[axis]) / size[axis] - 0.5;
    }
    out[0] = size[0] * (-share[1] + 0.2 * share[2] + 0.05);
    out[1] = size[1] * (share[0] + 0.1 * sin(time));
    out[2] = size[2] * (0.1 * cos(7.0 * share[0]) - 0.2 * share[0]);
    out[3] = share[0];
}

static box3 bounds_of(const scenario *s)
{
    flow f = flow_create(s->nblocks, s->n, s->vertex, 1, 0);
    const box3 found = f.layout->bounds;
    flow_destroy(&f);
    return found;
}

static void check_points(const trace_lines *lines)
{
    for (int64_t n = 0; n < lines->npoints; n++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = (double)lines->points[n].x[axis];
            const double lo = bounds.lo.v[axis], hi = bounds.hi.v[axis];
            const double room = 1e-5 * (hi - lo) + 1e-6 * fmax(fabs(lo), fabs(hi));
            check(x >= lo - room && x <= hi + room, "%s: point %lld lies at %g",
                  set->name, (long long)n, x);
        }
    }
}

static void trace_set(void)
{
    double corners[2][3];
    scenario s = {.name = set->name,
                  .nblocks = set->nblocks,
                  .vertex = place_vertex,
                  .closed = -1,
                  .field = stir,
                  .options = {.mode = TRACE_STREAM, .steps = 150},
                  .seeds = {.shape = TRACE_BOX,
                            .npoints = 2,
                            .points = (const double(*)[3])corners,
                            .counts = {4, 4, 3}},
                  .steps = 1,
                  .interval = 0.3};
    for (int b = 0; b < set->nblocks; b++) {
        dataset_block_size(set, set->size, b, s.n[b]);
        if (s.n[b][0] < 2 || s.n[b][1] < 2 || s.n[b][2] < 2) {
            return; /* two dimensions; loading makes them three */
        }
    }
    bounds = bounds_of(&s);
    for (int axis = 0; axis < 3; axis++) {
        const double size = bounds.hi.v[axis] - bounds.lo.v[axis];
        corners[0][axis] = bounds.lo.v[axis] + 0.03 * size;
        corners[1][axis] = bounds.hi.v[axis] - 0.02 * size;
    }
    check(trace_twice(&s, check_points) > 48, "%s: hardly any points", set->name);
    s.options = (trace_options){.mode = TRACE_PATH, .every = 1, .trail = 2};
    s.steps = 4;
    check(trace_twice(&s, check_points) > 48, "%s: hardly any points", set->name);
}

static void lines_through_sound_grids_are_the_same(void)
{
    for (int place = 0; (set = dataset_at(place)); place++) {
        trace_set();
    }
}

static void lines_through_hard_grids_are_the_same(void)
{
    for (int place = 0; (set = dataset_hard_at(place)); place++) {
        trace_set();
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false); /* seeds outside are no news here */
    run_test("lines through sound grids are the same",
             lines_through_sound_grids_are_the_same);
    run_test("lines through hard grids are the same",
             lines_through_hard_grids_are_the_same);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
