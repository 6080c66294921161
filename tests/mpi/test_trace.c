/*
 * Particles on many ranks. Every rank traces the flow once with the others, each with its
 * part of the grid, and once alone with the whole grid. Lines must be the same to the
 * last bit, step after step.
 */
#include "test_trace_pair.h"

#include "base/log.h"
#include "datasets/dataset.h"

#include <math.h>
#include <string.h>

/* ---- Flows ------------------------------------------------------------------------- */

static bool street_vertex(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3])
{
    const dataset_vertex vertex = dataset_karman.vertex(n, block, at);
    memcpy(xyz, vertex.position.v, sizeof vertex.position.v);
    return !vertex.blanked;
}

static void street_field(const double x[3], double time, double out[4])
{
    dataset_karman.evaluate(vec3_make(x[0], x[1], x[2]), time, out);
}

/* A ring that overlaps a background with a hole. */
static bool overset_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3])
{
    const int64_t size[3] = {41, 37, 9};
    const dataset_vertex vertex = dataset_overset.vertex(size, block, at);
    (void)n;
    memcpy(xyz, vertex.position.v, sizeof vertex.position.v);
    return !vertex.blanked;
}

/* A swirl through two boxes side by side; it grows with time. */
static void swirl(const double x[3], double time, double out[4])
{
    const double dx = x[0] - 1.0, dy = x[1] - 0.5;
    out[0] = -(1.0 + 0.2 * time) * dy + 0.05;
    out[1] = (1.0 + 0.2 * time) * dx;
    out[2] = 0.1 * sin(3.0 * x[0] + time);
    out[3] = sqrt(out[0] * out[0] + out[1] * out[1]);
}

/* ---- The same on any number of ranks ------------------------------------------------
 */

static const double street_box[2][3] = {{-0.9, -0.8, 0.6}, {4.0, 0.8, 3.4}};

static scenario street(trace_options options)
{
    return (scenario){.name = "street",
                      .nblocks = 1,
                      .n = {{61, 31, 9}},
                      .vertex = street_vertex,
                      .closed = 0,
                      .field = street_field,
                      .options = options,
                      .seeds = {.shape = TRACE_BOX,
                                .npoints = 2,
                                .points = street_box,
                                .counts = {4, 5, 2}},
                      .steps = 8,
                      .interval = 0.25};
}

static void path_lines_of_the_street_are_the_same(void)
{
    const scenario s =
        street((trace_options){.mode = TRACE_PATH, .every = 2, .trail = 3});
    check(trace_twice(&s, NULL) > 200, "hardly any points");
}

static void streak_lines_of_the_street_are_the_same(void)
{
    const scenario s = street((trace_options){.mode = TRACE_STREAK, .per_step = 3});
    check(trace_twice(&s, NULL) > 100, "hardly any points");
}

static void streamlines_of_the_street_are_the_same(void)
{
    scenario s = street((trace_options){.mode = TRACE_STREAM});
    s.steps = 2;
    check(trace_twice(&s, NULL) > 500, "hardly any points");
}

static const double swirl_box[2][3] = {{0.55, 0.1, 0.2}, {1.45, 0.9, 0.8}};

static scenario swirling(trace_options options)
{
    return (scenario){.name = "swirl",
                      .nblocks = 2,
                      .n = {{19, 40, 18}, {35, 21, 20}},
                      .vertex = flow_boxes,
                      .closed = -1,
                      .field = swirl,
                      .options = options,
                      .seeds = {.shape = TRACE_BOX,
                                .npoints = 2,
                                .points = swirl_box,
                                .counts = {4, 4, 2}},
                      .steps = 6,
                      .interval = 0.5};
}

static void lines_across_blocks_are_the_same(void)
{
    scenario s = swirling((trace_options){.mode = TRACE_PATH, .trail = -1});
    check(trace_twice(&s, NULL) > 500, "hardly any points");
    s.options = (trace_options){.mode = TRACE_STREAM, .length = 4.0};
    s.steps = 2;
    check(trace_twice(&s, NULL) > 500, "hardly any points");
}

/* A swirl in a grid that is one cell deep; it grows with time. */
static void flat_swirl(const double x[3], double time, double out[4])
{
    swirl((const double[3]){0.5 + x[0], x[1], x[2]}, time, out);
    out[2] = 0.0;
}

/* Steps of a running program: a small part of a cell. From brick to brick, and from rank
 * to rank, particles keep their way of moving (trace/adams/ahead.h). */
static void short_steps_across_bricks_are_the_same(void)
{
    static const double box[2][3] = {{0.1, 0.1, 0.5}, {0.9, 0.9, 0.5}};
    scenario s = swirling((trace_options){.mode = TRACE_PATH});
    s.steps = 80;
    s.interval = 0.01;
    check(trace_twice(&s, NULL) > 20, "hardly any points");
    s = (scenario){
        .name = "flat swirl",
        .nblocks = 1,
        .n = {{70, 55, 2}},
        .vertex = flow_boxes,
        .closed = -1,
        .field = flat_swirl,
        .seeds = {.shape = TRACE_BOX, .npoints = 2, .points = box, .counts = {13, 11, 1}},
        .steps = 80,
        .interval = 0.01};
    check(trace_twice(&s, NULL) > 100, "hardly any points");
}

static const double ring_line[2][3] = {{-1.9, -0.6, 0.3}, {-1.9, 0.7, 0.6}};

/* Through the overlap of both blocks, around the body and out of the grid. */
static void to_the_right(const double x[3], double time, double out[4])
{
    const double dx = x[0] - 0.1, dy = x[1] - 0.05, square = dx * dx + dy * dy;
    const double shrink = 0.25 / (square > 0.2 ? square : 0.2);
    (void)time;
    out[0] = 1.0 - shrink * (dx * dx - dy * dy) / square;
    out[1] = -shrink * 2.0 * dx * dy / square;
    out[2] = 0.0;
    out[3] = x[1];
}

static void lines_through_overlapping_blocks_are_the_same(void)
{
    const int64_t size[3] = {41, 37, 9};
    scenario s = {.name = "overset",
                  .nblocks = 2,
                  .vertex = overset_vertex,
                  .closed = -1,
                  .field = to_the_right,
                  .options = {.mode = TRACE_PATH, .trail = -1},
                  .seeds = {.shape = TRACE_LINE,
                            .npoints = 2,
                            .points = ring_line,
                            .counts = {9, 0, 0}},
                  .steps = 4,
                  .interval = 2.0};
    dataset_block_size(&dataset_overset, size, 0, s.n[0]);
    dataset_block_size(&dataset_overset, size, 1, s.n[1]);
    check(trace_twice(&s, NULL) > 200, "hardly any points");
}

/* ---- Answers ----------------------------------------------------------------------- */

/* Every particle in rotation returns to its seed after a turn, on whichever ranks it
 * was. */
static void particles_in_rotation_return(void)
{
    static const double points[4][3] = {
        {1.2, 0.01, 0.3}, {0.0, 1.5, 0.5}, {-1.7, 0.2, 0.7}, {1.1, -1.1, 0.5}};
    const double turn = 2.0 * 3.14159265358979323846;
    const scenario s = {.name = "rotation",
                        .nblocks = 1,
                        .n = {{12, 50, 20}},
                        .vertex = flow_warped_ring,
                        .closed = 1,
                        .field = flow_rotation,
                        .seeds = {.shape = TRACE_POINTS, .npoints = 4, .points = points},
                        .interval = turn / 8.0};
    tracing t;
    bool good = tracing_open(&s, MPI_COMM_WORLD, &t);
    for (int step = 0; step <= 8 && good; step++) {
        good = tracing_step(&s, &t, step);
    }
    const trace_lines *lines = good ? trace_tracer_lines(t.tracer) : NULL;
    check(good && lines->nlines == 4 && lines->npoints == 4, "particles are missing");
    for (int64_t n = 0; good && n < lines->npoints; n++) {
        const float *x = lines->points[n].x;
        const double radius = hypot(points[n][0], points[n][1]);
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            square +=
                ((double)x[axis] - points[n][axis]) * ((double)x[axis] - points[n][axis]);
        }
        check(sqrt(square) <= 1e-5 * radius, "particle %lld is off by %g of its radius",
              (long long)n, sqrt(square) / radius);
        check(fabs((double)lines->points[n].age - turn) < 1e-5, "its age is %g",
              (double)lines->points[n].age);
    }
    tracing_close(&t);
}

/* One particle every other step; trails of three steps; particles that have left are
 * removed. */
static void along_x(const double x[3], double time, double out[4])
{
    (void)time;
    out[0] = 0.25;
    out[1] = out[2] = 0.0;
    out[3] = 3.0 * x[0];
}

static const double start[1][3] = {{0.25, 0.4, 0.6}};

static scenario straight(trace_options options)
{
    return (scenario){.name = "straight",
                      .nblocks = 2,
                      .n = {{19, 40, 18}, {35, 21, 20}},
                      .vertex = flow_boxes,
                      .closed = -1,
                      .field = along_x,
                      .options = options,
                      .seeds = {.shape = TRACE_POINTS, .npoints = 1, .points = start},
                      .interval = 1.0};
}

static void check_straight_lines(const trace_lines *lines, int step)
{
    /* Released at 0, 2, 4, …: a particle is at x = 0.25 + age / 4, until the grid ends
     * at x = 2, at age 7. It finds the end in the following step. Trails reach back 3
     * steps. */
    int64_t expected = 0;
    for (int64_t release = 0; 2 * release <= step; release++) {
        const double age = (double)(step - 2 * release);
        const double tail = age > 3.0 ? age - 3.0 : 0.0;
        if (tail > 7.0) {
            continue;
        }
        if (expected < lines->nlines) {
            const trace_line *line = &lines->lines[expected];
            const trace_point *head = &lines->points[line->first + line->count - 1];
            const trace_point *end = &lines->points[line->first];
            const double x = fmin(0.25 + 0.25 * age, 2.0);
            check(line->particle == release && line->ended == (age >= 8.0),
                  "step %d: line %lld is of another particle, or ended at another time",
                  step, (long long)expected);
            check(fabs((double)head->x[0] - x) < 1e-4 &&
                      fabs((double)end->x[0] - 0.25 - 0.25 * tail) < 1e-4,
                  "step %d: a line from %g to %g, not to %g", step, (double)end->x[0],
                  (double)head->x[0], x);
            check(fabs((double)head->value - 3.0 * x) < 1e-3, "its value is %g",
                  (double)head->value);
        }
        expected++;
    }
    check(lines->nlines == expected, "step %d: %lld lines, not %lld", step,
          (long long)lines->nlines, (long long)expected);
}

static void trails_reach_back_as_far_as_they_should(void)
{
    const scenario s =
        straight((trace_options){.mode = TRACE_PATH, .every = 2, .trail = 3});
    tracing t;
    bool good = tracing_open(&s, MPI_COMM_WORLD, &t);
    for (int step = 0; step < 14 && good; step++) {
        good = tracing_step(&s, &t, step);
        if (good) {
            check_straight_lines(trace_tracer_lines(t.tracer), step);
        }
    }
    tracing_close(&t);
}

/* `per_step` particles a step: the n-th point has the age n / per_step. */
static void check_streak(const trace_lines *lines, int step, int per_step)
{
    /* The particle of age 7 is at x = 2, the end of the grid; older ones have ended. */
    const int64_t whole = (int64_t)step * per_step + 1, most = 7 * per_step + 1;
    const int64_t expected = whole < most ? whole : most;
    check(lines->nlines == 1 && lines->npoints == expected,
          "step %d: %lld lines of %lld points, not one of %lld", step,
          (long long)lines->nlines, (long long)lines->npoints, (long long)expected);
    for (int64_t n = 0; n < lines->npoints; n++) {
        const double age = (double)n / per_step;
        check(fabs((double)lines->points[n].x[0] - 0.25 - 0.25 * age) < 1e-4 &&
                  fabs((double)lines->points[n].age - age) < 1e-5,
              "step %d: point %lld is at %g", step, (long long)n,
              (double)lines->points[n].x[0]);
    }
}

static void streaks_join_what_one_seed_released(void)
{
    for (int per_step = 1; per_step <= 4; per_step += 3) {
        const scenario s =
            straight((trace_options){.mode = TRACE_STREAK, .per_step = per_step});
        tracing t;
        bool good = tracing_open(&s, MPI_COMM_WORLD, &t);
        for (int step = 0; step < 10 && good; step++) {
            good = tracing_step(&s, &t, step);
            if (good) {
                check_streak(trace_tracer_lines(t.tracer), step, per_step);
            }
        }
        tracing_close(&t);
    }
}

static void streamlines_run_both_ways(void)
{
    scenario s = straight((trace_options){.mode = TRACE_STREAM});
    tracing t;
    if (tracing_open(&s, MPI_COMM_WORLD, &t) && tracing_step(&s, &t, 0)) {
        const trace_lines *lines = trace_tracer_lines(t.tracer);
        check(lines->nlines == 1, "%lld lines, not one", (long long)lines->nlines);
        const trace_point *points = lines->points;
        check(fabs((double)points[0].x[0]) < 1e-3 &&
                  fabs((double)points[lines->npoints - 1].x[0] - 2.0) < 1e-3,
              "it runs from %g to %g", (double)points[0].x[0],
              (double)points[lines->npoints - 1].x[0]);
        for (int64_t n = 1; n < lines->npoints; n++) {
            check(points[n].x[0] > points[n - 1].x[0] &&
                      points[n].age > points[n - 1].age,
                  "point %lld does not go on", (long long)n);
        }
    }
    tracing_close(&t);
}

static void seeds_may_be_given_by_indices(void)
{
    static const double points[4][3] = {
        {3.0, 4.5, 2.25}, {18.0, 39.0, 17.0}, {18.5, 1.0, 1.0}, {-0.1, 1.0, 1.0}};
    scenario s = straight((trace_options){.mode = TRACE_PATH});
    s.seeds = (trace_seeds){
        .shape = TRACE_POINTS, .in_grid = true, .npoints = 4, .points = points};
    tracing t;
    if (tracing_open(&s, MPI_COMM_WORLD, &t) && tracing_step(&s, &t, 0)) {
        const trace_lines *lines = trace_tracer_lines(t.tracer);
        check(lines->npoints == 2, "%lld points", (long long)lines->npoints);
        for (int64_t n = 0; n < lines->npoints; n++) {
            for (int axis = 0; axis < 3; axis++) {
                const double wanted = points[n][axis] / (double)(s.n[0][axis] - 1);
                check(fabs((double)lines->points[n].x[axis] - wanted) < 1e-6,
                      "seed %lld lies at %g", (long long)n,
                      (double)lines->points[n].x[axis]);
            }
        }
    }
    tracing_close(&t);
}

static void seeds_outside_release_nothing(void)
{
    static const double points[5][3] = {{0.5, 0.5, 0.5},
                                        {0.5, 1.5, 0.5},
                                        {1.5, 0.2, 0.2},
                                        {9.0, 0.0, 0.0},
                                        {2.0, 1.0, 1.0}};
    scenario s = straight((trace_options){.mode = TRACE_PATH});
    s.seeds = (trace_seeds){.shape = TRACE_POINTS, .npoints = 5, .points = points};
    tracing t;
    if (tracing_open(&s, MPI_COMM_WORLD, &t) && tracing_step(&s, &t, 0)) {
        const trace_lines *lines = trace_tracer_lines(t.tracer);
        check(lines->npoints == 3, "%lld of 5 seeds inside", (long long)lines->npoints);
    }
    tracing_close(&t);
}

static void check_refused(const scenario *s, const char *word)
{
    flow f = flow_create(s->nblocks, s->n, s->vertex, parallel_size(MPI_COMM_WORLD),
                         parallel_rank(MPI_COMM_WORLD));
    trace_tracer *tracer = NULL;
    base_fail_set_message("");
    status result =
        trace_tracer_create(MPI_COMM_WORLD, f.velocity, &s->options, &s->seeds, &tracer);
    check(result == STATUS_USAGE && !tracer && strstr(base_fail_message(), word),
          "status %d, message: %s", (int)result, base_fail_message());
    base_fail_set_message("");
    flow_destroy(&f);
}

static void what_makes_no_sense_is_refused(void)
{
    static const double away[2][3] = {{5.0, 0.5, 0.5}, {6.0, 0.5, 0.5}};
    scenario s = straight((trace_options){.mode = TRACE_PATH});
    s.seeds = (trace_seeds){
        .shape = TRACE_LINE, .npoints = 2, .points = away, .counts = {7, 0, 0}};
    check_refused(&s, "none of the 7");
    s.seeds.in_grid = true;
    s.seeds.block = 2;
    check_refused(&s, "no block 2");
    s = straight((trace_options){.mode = TRACE_PATH, .trail = -2});
    check_refused(&s, "trail");
}

static void time_must_ascend(void)
{
    const scenario s = straight((trace_options){.mode = TRACE_PATH});
    tracing t;
    if (tracing_open(&s, MPI_COMM_WORLD, &t) && tracing_step(&s, &t, 1)) {
        base_fail_set_message("");
        check(trace_tracer_step(t.tracer, 1.0) == STATUS_INPUT,
              "the same time twice was taken");
        base_fail_set_message("");
    }
    tracing_close(&t);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    run_test("path lines of the street are the same",
             path_lines_of_the_street_are_the_same);
    run_test("streak lines of the street are the same",
             streak_lines_of_the_street_are_the_same);
    run_test("streamlines of the street are the same",
             streamlines_of_the_street_are_the_same);
    run_test("lines across blocks are the same", lines_across_blocks_are_the_same);
    run_test("lines through overlapping blocks are the same",
             lines_through_overlapping_blocks_are_the_same);
    run_test("short steps across bricks are the same",
             short_steps_across_bricks_are_the_same);
    run_test("particles in rotation return", particles_in_rotation_return);
    run_test("trails reach back as far as they should",
             trails_reach_back_as_far_as_they_should);
    run_test("streaks join what one seed released", streaks_join_what_one_seed_released);
    run_test("streamlines run both ways", streamlines_run_both_ways);
    run_test("seeds may be given by indices", seeds_may_be_given_by_indices);
    run_test("seeds outside are counted", seeds_outside_release_nothing);
    run_test("what makes no sense is refused", what_makes_no_sense_is_refused);
    run_test("time must ascend", time_must_ascend);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
