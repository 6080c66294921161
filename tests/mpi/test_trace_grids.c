/*
 * Streamlines and path lines through the grids of all generators: sound and folded,
 * collapsed and left-handed, overlapping and with holes. The lines are the same on any
 * number of ranks. All points are finite and lie within the bounds of the grid.
 */
#include "test_trace_pair.h"

#include "base/log.h"
#include "datasets/dataset.h"

#include <math.h>
#include <string.h>

/* The current data set: flow_vertex and flow_field have no argument for it. */
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

/* Around the middle of the grid, scaled to its shape, and slowly across it. */
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
    check(trace_twice(&s, check_points) > 12, "%s: hardly any points", set->name);
    s.options = (trace_options){.mode = TRACE_PATH, .every = 1, .trail = 2};
    s.steps = 4;
    check(trace_twice(&s, check_points) > 12, "%s: hardly any points", set->name);
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

/* ---- Straight lines ---------------------------------------------------------------- */

static int along; /* the axis along which the flow runs */

static void blow(const double x[3], double time, double out[4])
{
    (void)time;
    out[0] = out[1] = out[2] = 0.0;
    out[along] = 1.0;
    out[3] = x[0];
}

/* Lines through a set along an axis: from each of the points straight to `far` at least,
 * through any cells on the way. */
static void check_straight(const dataset *through, int closed, int axis, int count,
                           const double (*points)[3], double far)
{
    set = through;
    along = axis;
    scenario s = {.name = set->name,
                  .nblocks = 1,
                  .vertex = place_vertex,
                  .closed = closed,
                  .field = blow,
                  .options = {.mode = TRACE_STREAM, .direction = TRACE_FORWARD},
                  .seeds = {.shape = TRACE_POINTS, .npoints = count, .points = points}};
    memcpy(s.n[0], set->size, sizeof s.n[0]);
    tracing t;
    if (tracing_open(&s, MPI_COMM_WORLD, &t) && tracing_step(&s, &t, 0)) {
        const trace_lines *lines = trace_tracer_lines(t.tracer);
        check(lines->nlines == count, "%s: %lld lines", set->name,
              (long long)lines->nlines);
        for (int64_t n = 0; n < lines->nlines; n++) {
            const trace_line *line = &lines->lines[n];
            const float *end = lines->points[line->first + line->count - 1].x;
            const double *from = points[line->seed];
            check((double)end[axis] > far, "%s: line %lld ends at %g", set->name,
                  (long long)n, (double)end[axis]);
            for (int aside = 1; aside <= 2; aside++) {
                const int other = (axis + aside) % 3;
                check(fabs((double)end[other] - from[other]) < 1e-5,
                      "%s: line %lld leaves its way by %g", set->name, (long long)n,
                      (double)end[other] - from[other]);
            }
        }
    }
    tracing_close(&t);
}

static void lines_pass_through_poles(void)
{
    static const double points[6][3] = {{-0.8, 0.0, 0.9},  {-0.8, 1e-9, 0.9},
                                        {-0.8, 1e-4, 1.1}, {-0.8, -0.01, 0.9},
                                        {-0.8, 0.1, 0.7},  {-0.3, 0.0, 1.3}};
    check_straight(&dataset_pole, 1, 0, 6, points, 0.95);
    check_straight(&dataset_pole, -1, 0, 6, points, 0.95);
}

static void lines_pass_through_the_middle_of_a_ball(void)
{
    static const double points[6][3] = {{-0.8, 0.0, 0.0},    {-0.8, 1e-9, 0.0},
                                        {-0.8, 0.0, 1e-6},   {-0.8, -0.01, 0.02},
                                        {-0.8, 1e-4, -0.15}, {-0.3, 0.1, 0.1}};
    check_straight(&dataset_ball, 2, 0, 6, points, 0.9);
    check_straight(&dataset_ball, 2, 2, 6, points, 0.5);
}

/* The block touches itself at the cut, with other indices. */
static void lines_pass_through_the_cut_of_a_c_grid(void)
{
    static const double points[4][3] = {
        {1.2, -0.5, 0.5}, {1.5, -0.4, 0.1}, {2.0, -0.7, 0.9}, {2.5, -0.3, 0.33}};
    check_straight(&dataset_c_grid, -1, 1, 4, points, 0.7);
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
    run_test("lines pass through poles", lines_pass_through_poles);
    run_test("lines pass through the middle of a ball",
             lines_pass_through_the_middle_of_a_ball);
    run_test("lines pass through the cut of a C-grid",
             lines_pass_through_the_cut_of_a_c_grid);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
