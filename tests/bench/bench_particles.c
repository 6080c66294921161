/*
 * What particles cost a solver's step.
 *
 *   bench_particles SOLVER.yaml RUN_FOLDER PARTICLES STEPS LAYER [KEY=VALUE ...]
 *
 * Computes a flow with karman-solver's own code, LAYER being the keys of a layer of
 * particles but its seeds: "mode: path, trail: 0". Three sessions see every step, in
 * turns: one without such a layer, one with a single particle, one with that many. They
 * draw nothing. So the difference of the first two is the cost of the velocity, and that
 * of the last two is the cost of particles. KEY=VALUE changes the solver's config.
 *
 * Prints medians over the second half of the steps: seconds of the solver's step, and
 * those of each session. Particles begin in a box in the wake, all at once.
 */
#include "base/array.h"
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "examples/solver/config.h"
#include "examples/solver/failure.h"
#include "examples/solver/flow/flow.h"

#include <karman.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SESSIONS = 3 };

typedef struct bench {
    solver_flow *flow;
    double cfl;
    int steps;
    karman_session *sessions[SESSIONS];
    double *solver, *session[SESSIONS]; /* [steps]: seconds */
} bench;

static void fail(const char *what)
{
    fprintf(stderr, "bench_particles: %s: %s\n", what, karman_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- The solver -------------------------------------------------------------------- */

/* The free stream, with a vortex behind the body. */
static void start_state(const void *context, const double position[3], double state[5])
{
    const double x = position[0] - 1.5, y = position[1];
    state[0] = state[1] = 1.0;
    state[2] = 0.5 * exp(-x * x - y * y);
    state[3] = 0.0;
    state[4] = *(const double *)context;
}

static void make_flow(bench *b, const char *path, int noverrides,
                      const char *const *overrides)
{
    static solver_config config;
    solver_grid *grid = NULL;
    bool works =
        solver_config_read(MPI_COMM_WORLD, path, noverrides, overrides, &config) &&
        solver_config_grid(&config, &grid);
    if (works) {
        solver_conditions conditions = config.flow;
        conditions.reynolds /= solver_config_length(&config);
        works = solver_flow_create(MPI_COMM_WORLD, grid, &conditions, &b->flow);
    }
    if (!works) {
        fail(solver_failure());
    }
    const double pressure = solver_flow_gas(b->flow)->pressure;
    solver_flow_start(b->flow, start_state, &pressure);
    b->cfl = config.cfl;
    solver_grid_destroy(&grid);
}

static karman_array array_of(const solver_flow_box *box, const double *values)
{
    return (karman_array){.data = values,
                          .type = KARMAN_FLOAT64,
                          .stride = {box->stride[0], box->stride[1], box->stride[2]}};
}

static void describe(const bench *b, karman_session *session)
{
    static const char *const names[SOLVER_VARIABLES] = {
        "density", "momentum_x", "momentum_y", "momentum_z", "energy"};
    for (int part = 0; part < solver_flow_boxes(b->flow); part++) {
        const solver_flow_box box = solver_flow_box_get(b->flow, part);
        karman_block block = {.x = array_of(&box, box.coordinates[0]),
                              .y = array_of(&box, box.coordinates[1]),
                              .z = array_of(&box, box.coordinates[2])};
        int64_t cells[3];
        block.name = solver_flow_block(b->flow, box.block, cells);
        for (int axis = 0; axis < 3; axis++) {
            block.size[axis] = cells[axis] + 1;
            block.first[axis] = box.lo[axis];
            block.count[axis] = box.n[axis] + 1;
        }
        karman_set_block(session, part, &block);
        for (int v = 0; v < SOLVER_VARIABLES; v++) {
            const karman_array values = array_of(&box, box.variables[v]);
            karman_set_field(session, part, names[v], KARMAN_ELEMENT, &values);
        }
    }
}

/* ---- Sessions ---------------------------------------------------------------------- */

static void open_session(bench *b, int number, const char *folder, int particles,
                         const char *layer)
{
    char text[2048], seeds[256];
    const int rows = (int)sqrt((double)particles);
    snprintf(seeds, sizeof seeds,
             particles > 1
                 ? "{box: [[0.6, -1.5, 0.1], [8, 1.5, 0.9]], count: [%d, %d, 1]}"
                 : "{points: [[2, 0.1, 0.5]]}",
             rows, rows);
    snprintf(text, sizeof text,
             "image: {width: 64, height: 64}\n"
             "camera: {position: [6, -17, 9], look_at: [6, 0, 0.5], up: [0, 0, 1]}\n"
             "layers: [{outline: {}}%s%s%s%s%s]\n"
             "in_situ: {run: '%s/%d', every: 1000000000}\n",
             particles > 0 ? ", {particles: {" : "", particles > 0 ? layer : "",
             particles > 0 ? ", seeds: [" : "", particles > 0 ? seeds : "",
             particles > 0 ? "]}}" : "", folder, number);
    if (karman_open_text(MPI_COMM_WORLD, text, NULL, &b->sessions[number]) !=
        KARMAN_DONE) {
        fail("a session");
    }
    describe(b, b->sessions[number]);
}

/* ---- Measuring --------------------------------------------------------------------- */

static void run(bench *b)
{
    for (int step = 0; step < b->steps; step++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = base_clock();
        if (!solver_flow_step(b->flow, b->cfl)) {
            fail(solver_failure());
        }
        MPI_Barrier(MPI_COMM_WORLD);
        b->solver[step] = base_clock() - begin;
        for (int n = 0; n < SESSIONS; n++) {
            begin = base_clock();
            if (karman_render(b->sessions[n], step, solver_flow_time(b->flow)) !=
                KARMAN_DONE) {
                fail("a step");
            }
            MPI_Barrier(MPI_COMM_WORLD);
            b->session[n][step] = base_clock() - begin;
        }
    }
}

/* The median of the second half of all steps. */
static double late_median(const bench *b, double *values)
{
    const int first = b->steps / 2, count = b->steps - first;
    qsort(values + first, (size_t)count, sizeof *values, base_array_compare_doubles);
    return values[first + count / 2];
}

static void report(bench *b, int particles)
{
    const double solver = late_median(b, b->solver), none = late_median(b, b->session[0]),
                 one = late_median(b, b->session[1]),
                 many = late_median(b, b->session[2]);
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        printf("solver %.1f us; a call without particles %.1f, with one %.1f, with %d "
               "%.1f us: %.1f ns a particle; velocity %.2f %%, particles %.2f %%, "
               "together %.2f %% of the solver's step\n",
               1e6 * solver, 1e6 * none, 1e6 * one, particles, 1e6 * many,
               1e9 * (many - one) / particles, 100.0 * (one - none) / solver,
               100.0 * (many - one) / solver, 100.0 * (many - none) / solver);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc < 6) {
        fprintf(stderr, "usage: bench_particles SOLVER.yaml RUN_FOLDER PARTICLES STEPS "
                        "LAYER [KEY=VALUE ...]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int side = (int)sqrt(atof(argv[3]));
    bench b = {.steps = atoi(argv[4])};
    if (!getenv("OMP_NUM_THREADS")) {
        const int threads = omp_get_num_procs() / parallel_node_size(MPI_COMM_WORLD);
        omp_set_num_threads(threads > 1 ? threads : 1);
    }
    make_flow(&b, argv[1], argc - 6, (const char *const *)(argv + 6));
    b.solver = calloc((size_t)b.steps, sizeof *b.solver);
    for (int n = 0; n < SESSIONS; n++) {
        const int particles[SESSIONS] = {0, 1, side * side};
        b.session[n] = calloc((size_t)b.steps, sizeof *b.session[n]);
        open_session(&b, n, argv[2], particles[n], argv[5]);
    }
    run(&b);
    report(&b, side * side);
    for (int n = 0; n < SESSIONS; n++) {
        karman_close(&b.sessions[n]);
        free(b.session[n]);
    }
    free(b.solver);
    solver_flow_destroy(&b.flow);
    MPI_Finalize();
    return 0;
}
