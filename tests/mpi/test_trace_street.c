/*
 * Path lines through the vortex street, compared with the flow in closed form, integrated
 * with very small steps. Every rank holds a part of the street at every step of the data.
 *
 * The tracer interpolates the flow linearly between vertices and between steps; both
 * errors are of second order in the spacing. So with half the spacing, in space and in
 * time, the distance from the exact places must shrink nearly to a quarter. This shows
 * that the spacing alone causes the error.
 */
#include "test_io_support.h"

#include "../unit/trace/flow.h"
#include "trace/tracer.h"

#include "datasets/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 24 };
static const double duration = 2.0;

static bool street_vertex(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3])
{
    const dataset_vertex vertex = dataset_karman.vertex(n, block, at);
    memcpy(xyz, vertex.position.v, sizeof vertex.position.v);
    return true;
}

static void street_field(const double x[3], double time, double out[4])
{
    dataset_karman.evaluate(vec3_make(x[0], x[1], x[2]), time, out);
}

/* In front of the cylinder, beside it and in its wake. */
static void make_seeds(double points[SEEDS][3])
{
    for (int n = 0; n < SEEDS; n++) {
        points[n][0] = -1.4 + 0.95 * (n % 6);
        points[n][1] = -1.05 + 0.7 * (n / 6);
        points[n][2] = 1.3 + 0.05 * n;
    }
}

/* One step of the classical Runge-Kutta method of order 4. */
static void exact_step(double x[3], double time, double step)
{
    static const double nodes[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weights[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double sum[3] = {0.0, 0.0, 0.0}, v[4] = {0.0, 0.0, 0.0, 0.0};
    for (int stage = 0; stage < 4; stage++) {
        const double h = nodes[stage] * step;
        const double at[3] = {x[0] + h * v[0], x[1] + h * v[1], x[2] + h * v[2]};
        street_field(at, time + h, v);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += weights[stage] * v[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        x[axis] += step * sum[axis];
    }
}

static void exact_path(const double seed[3], double x[3])
{
    enum { STEPS = 3000 };
    memcpy(x, seed, 3 * sizeof *x);
    for (int n = 0; n < STEPS; n++) {
        exact_step(x, n * duration / STEPS, duration / STEPS);
    }
}

/* Traces all seeds through a grid of this size and so many steps of data. */
static bool trace_street(const int64_t n[1][3], int steps, const double (*points)[3],
                         double ends[SEEDS][3])
{
    const trace_options options = {.mode = TRACE_PATH};
    const trace_seeds seeds = {.shape = TRACE_POINTS, .npoints = SEEDS, .points = points};
    flow f = flow_create(1, n, street_vertex, parallel_size(MPI_COMM_WORLD),
                         parallel_rank(MPI_COMM_WORLD));
    f.layout->blocks[0].closed[0] = true;
    trace_tracer *tracer = NULL;
    bool good = check_ok(
        trace_tracer_create(MPI_COMM_WORLD, f.velocity, &options, &seeds, &tracer),
        "a tracer");
    for (int step = 0; step <= steps && good; step++) {
        const double time = step * duration / steps;
        trace_velocity_turn(f.velocity);
        flow_set(&f, street_field, time);
        good = check_ok(trace_tracer_step(tracer, time), "a step");
    }
    const trace_lines *lines = good ? trace_tracer_lines(tracer) : NULL;
    good = good && lines->npoints == SEEDS;
    check(good, "a particle is missing");
    for (int p = 0; good && p < 3 * SEEDS; p++) {
        ends[p / 3][p % 3] = (double)lines->points[p / 3].x[p % 3];
    }
    trace_tracer_destroy(&tracer);
    flow_destroy(&f);
    return good;
}

/* Root mean square and largest distance from the exact places. */
static void measure(const double (*exact)[3], const double (*ends)[3], double *mean,
                    double *most)
{
    double sum = 0.0;
    *most = 0.0;
    for (int p = 0; p < SEEDS; p++) {
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double off = ends[p][axis] - exact[p][axis];
            square += off * off;
        }
        sum += square;
        *most = fmax(*most, sqrt(square));
    }
    *mean = sqrt(sum / SEEDS);
}

static void path_lines_converge_to_those_of_the_flow_itself(void)
{
    static const int64_t sizes[2][1][3] = {{{61, 31, 9}}, {{121, 61, 17}}};
    static const int steps[2] = {12, 24};
    double points[SEEDS][3], exact[SEEDS][3], ends[SEEDS][3], mean[2], most[2];
    make_seeds(points);
    for (int p = 0; p < SEEDS; p++) {
        exact_path(points[p], exact[p]);
    }
    for (int n = 0; n < 2; n++) {
        if (!trace_street(sizes[n], steps[n], (const double(*)[3])points, ends)) {
            return;
        }
        measure((const double(*)[3])exact, (const double(*)[3])ends, &mean[n], &most[n]);
        if (is_root()) {
            printf(
                "    %d x %d x %d vertices, %d steps: off by %.2g in the mean, %.2g at "
                "most\n",
                (int)sizes[n][0][0], (int)sizes[n][0][1], (int)sizes[n][0][2], steps[n],
                mean[n], most[n]);
        }
    }
    check(mean[0] < 0.1, "on the coarse grid particles are off by %g", mean[0]);
    check(mean[1] < mean[0] / 3.0,
          "with half the spacing particles are off by %g, not by a quarter of %g",
          mean[1], mean[0]);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    run_test("path lines converge to those of the flow itself",
             path_lines_converge_to_those_of_the_flow_itself);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
