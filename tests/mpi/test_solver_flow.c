/*
 * Properties of any flow: a uniform flow stays uniform, and mass, momentum and energy are
 * conserved. The number of ranks, a restart and the orientation of blocks change nothing.
 */
#include "test_io_support.h"
#include "test_solver_support.h"

#include "examples/solver/checkpoint.h"
#include "examples/solver/failure.h"
#include "examples/solver/grid/cylinder.h"
#include "examples/solver/grid/file.h"
#include "examples/solver/monitor.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const solver_conditions gas = {0.2, 100.0, 1.4, 0.72};
static const double pressure = 1.0 / (1.4 * 0.2 * 0.2);

/* ---- A uniform flow ---- */

static void oblique(const void *context, const double position[3], double state[5])
{
    const double uniform[5] = {1.0, 1.0, 0.3, -0.2, pressure};
    (void)context;
    (void)position;
    memcpy(state, uniform, sizeof uniform);
}

static void deviation(void *context, const double centre[3],
                      const double variables[SOLVER_VARIABLES], double volume)
{
    const double *expected = context;
    double *most = (double *)context + SOLVER_VARIABLES;
    (void)centre;
    (void)volume;
    for (int v = 0; v < SOLVER_VARIABLES; v++) {
        double off = fabs(variables[v] - expected[v]);
        *most = off <= *most ? *most : off; /* NaN is kept */
    }
}

static void check_uniform(const solver_flow *flow, double y, double z)
{
    double energy = pressure / 0.4 + 0.5 * (1.0 + y * y + z * z);
    double context[SOLVER_VARIABLES + 1] = {1.0, 1.0, y, z, energy, 0.0};
    visit_cells(flow, deviation, context);
    double most = context[SOLVER_VARIABLES];
    check(most <= 1e-12 * energy, "a uniform flow: expected no change, came %g", most);
}

static void a_uniform_flow_stays_on_a_warped_box(void)
{
    const int64_t cells[3] = {9, 8, 7};
    const double size[3] = {1.0, 2.0, 1.5};
    solver_grid *grid = box_grid(cells, size, 0.3);
    for (int axis = 0; axis < 3; axis++) {
        set_kind(grid, 0, axis, SOLVER_PERIODIC);
    }
    solver_flow *flow = make_flow(MPI_COMM_WORLD, grid, &gas, oblique, NULL);
    run_steps(flow, 30, 1.0);
    check_uniform(flow, 0.3, -0.2);
    solver_flow_destroy(&flow);
}

static solver_grid *o_grid(int64_t ni, int64_t nj, int64_t nk)
{
    const solver_cylinder shape = {0.5, 8.0, 2.0, {ni, nj, nk}, 1.2};
    solver_grid *grid = NULL;
    check_works(solver_cylinder_create(&shape, &grid), "an O-grid");
    return grid;
}

static void the_free_stream_stays_on_an_o_grid(void)
{
    solver_grid *grid = o_grid(24, 12, 3);
    set_kind(grid, 0, 1, SOLVER_FARFIELD);
    solver_flow *flow = make_flow(MPI_COMM_WORLD, grid, &gas, NULL, NULL);
    run_steps(flow, 100, 1.0);
    check_uniform(flow, 0.0, 0.0);
    solver_flow_destroy(&flow);
}

/* ---- A flow with structure ---- */

static void pulse(const void *context, const double x[3], double state[5])
{
    const double *middle = context;
    double dx = x[0] - middle[0], dy = x[1] - middle[1], dz = x[2] - middle[2];
    double bump = exp(-4.0 * (dx * dx + 2.0 * dy * dy + 0.5 * dz * dz));
    const double here[5] = {1.0 + 0.1 * bump, 1.0 - 0.2 * bump, 0.3 * bump * dy + 0.1,
                            0.4 * bump, pressure * (1.0 + 0.05 * bump)};
    memcpy(state, here, sizeof here);
}

static void nothing_is_lost_in_a_periodic_box(void)
{
    static const double middle[3] = {0.5, 1.0, 0.7};
    const int64_t cells[3] = {11, 8, 5};
    const double size[3] = {1.0, 2.0, 1.5};
    solver_grid *grid = box_grid(cells, size, 0.2);
    for (int axis = 0; axis < 3; axis++) {
        set_kind(grid, 0, axis, SOLVER_PERIODIC);
    }
    solver_flow *flow = make_flow(MPI_COMM_WORLD, grid, &gas, pulse, middle);
    double before[SOLVER_VARIABLES], after[SOLVER_VARIABLES];
    solver_flow_totals(flow, before);
    run_steps(flow, 40, 1.0);
    solver_flow_totals(flow, after);
    for (int v = 0; v < SOLVER_VARIABLES; v++) {
        double scale = v == 4 ? before[4] : before[0];
        check(fabs(after[v] - before[v]) <= 1e-13 * scale,
              "total %d: expected %.17g, came %.17g", v, before[v], after[v]);
    }
    solver_flow_destroy(&flow);
}

static void any_number_of_ranks_gives_the_same_bits(void)
{
    static const double middle[3] = {1.5, 0.2, 0.5};
    solver_flow *flow = make_flow(MPI_COMM_WORLD, o_grid(26, 11, 3), &gas, pulse, middle);
    solver_flow *whole = make_flow(MPI_COMM_SELF, o_grid(26, 11, 3), &gas, pulse, middle);
    run_steps(flow, 10, 1.0);
    run_steps(whole, 10, 1.0);
    int64_t differences = count_differences(flow, whole);
    check(differences == 0, "%lld rows are not those of one rank",
          (long long)differences);
    check(solver_flow_time(flow) == solver_flow_time(whole), "other times");
    solver_flow_destroy(&flow);
    solver_flow_destroy(&whole);
}

/* ---- Turned blocks ---- */

/* The half x > 1 of a box [0, 2]: axes (i, j, k) point along (-z, x, -y):
 * right-handed. */
static void turn_half(solver_grid *grid)
{
    const int64_t cells[3] = {5, 6, 4};
    check_works(solver_grid_size(grid, 1, "turned", cells), "a block");
    int64_t at[3];
    for (at[2] = 0; at[2] <= 4; at[2]++) {
        for (at[1] = 0; at[1] <= 6; at[1]++) {
            for (at[0] = 0; at[0] <= 5; at[0]++) {
                double *x = solver_grid_vertex(&grid->blocks[1], at);
                x[0] = 1.0 + (double)at[1] / 6.0;
                x[1] = 1.0 - (double)at[2] / 4.0;
                x[2] = 1.0 - (double)at[0] / 5.0;
            }
        }
    }
}

static solver_grid *two_blocks(void)
{
    solver_grid *grid = NULL;
    const int64_t cells[3] = {6, 4, 5};
    check_works(solver_grid_create(2, &grid), "a grid");
    check_works(solver_grid_size(grid, 0, "straight", cells), "a block");
    int64_t at[3];
    for (at[2] = 0; at[2] <= 5; at[2]++) {
        for (at[1] = 0; at[1] <= 4; at[1]++) {
            for (at[0] = 0; at[0] <= 6; at[0]++) {
                double *x = solver_grid_vertex(&grid->blocks[0], at);
                x[0] = (double)at[0] / 6.0;
                x[1] = (double)at[1] / 4.0;
                x[2] = (double)at[2] / 5.0;
            }
        }
    }
    turn_half(grid);
    grid->blocks[0].faces[0].kind = SOLVER_FARFIELD;
    grid->blocks[1].faces[3].kind = SOLVER_FARFIELD;
    set_kind(grid, 0, 1, SOLVER_PERIODIC);
    set_kind(grid, 0, 2, SOLVER_WALL);
    set_kind(grid, 1, 2, SOLVER_PERIODIC);
    set_kind(grid, 1, 0, SOLVER_WALL);
    return grid;
}

static solver_grid *one_block(void)
{
    const int64_t cells[3] = {12, 4, 5};
    const double size[3] = {2.0, 1.0, 1.0};
    solver_grid *grid = box_grid(cells, size, 0.0);
    set_kind(grid, 0, 0, SOLVER_FARFIELD);
    set_kind(grid, 0, 1, SOLVER_PERIODIC);
    set_kind(grid, 0, 2, SOLVER_WALL);
    return grid;
}

/* Sums that differ if values are at other places. */
static void weigh(void *context, const double x[3],
                  const double variables[SOLVER_VARIABLES], double volume)
{
    double *sums = context;
    double weight = volume * sin(3.0 * x[0] + 5.0 * x[1] * x[1] + 2.0 * x[2] + 0.3);
    for (int v = 0; v < SOLVER_VARIABLES; v++) {
        sums[v] += weight * variables[v];
    }
}

static void a_turned_block_changes_nothing(void)
{
    static const double middle[3] = {1.0, 0.4, 0.6};
    double sums[2][SOLVER_VARIABLES] = {{0.0}};
    for (int two = 0; two < 2; two++) {
        solver_flow *flow = make_flow(MPI_COMM_WORLD, two ? two_blocks() : one_block(),
                                      &gas, pulse, middle);
        run_steps(flow, 20, 1.0);
        visit_cells(flow, weigh, sums[two]);
        solver_flow_destroy(&flow);
    }
    for (int v = 0; v < SOLVER_VARIABLES; v++) {
        double one = sum_ranks(sums[0][v]), two = sum_ranks(sums[1][v]);
        check(fabs(one - two) <= 1e-11 * (1.0 + fabs(one)),
              "variable %d: expected %.15g, came %.15g", v, one, two);
    }
}

/* ---- Files ---- */

/* A series of at most so many steps. */
static void remove_files(const char *name, int steps)
{
    static const char *const endings[] = {".h5", "_grid.h5", ".xdmf"};
    char file[64];
    for (int n = 0; n < 3; n++) {
        snprintf(file, sizeof file, "%s%s", name, endings[n]);
        test_file_remove(test_path(file));
    }
    for (int step = 1; step <= steps; step++) {
        snprintf(file, sizeof file, "%s_%06d.h5", name, step);
        test_file_remove(test_path(file));
    }
}

static void a_restart_goes_on_with_the_same_bits(void)
{
    static const double middle[3] = {1.5, 0.2, 0.5};
    solver_flow *through =
        make_flow(MPI_COMM_WORLD, o_grid(20, 9, 2), &gas, pulse, middle);
    solver_flow *again = make_flow(MPI_COMM_WORLD, o_grid(20, 9, 2), &gas, NULL, NULL);
    const char *path = test_path("restart.h5");
    run_steps(through, 4, 1.0);
    check_works(solver_checkpoint_create(through, path, NULL), "making a file");
    check_works(solver_checkpoint_add(through, path), "adding a step");
    run_steps(through, 4, 1.0);
    check_works(solver_checkpoint_read(again, path), "reading it");
    check(solver_flow_steps(again) == 4, "expected step 4, came %lld",
          (long long)solver_flow_steps(again));
    run_steps(again, 4, 1.0);
    int64_t differences = count_differences(again, through);
    check(differences == 0, "%lld rows differ", (long long)differences);
    check(solver_flow_time(again) == solver_flow_time(through), "other times");
    solver_flow_destroy(&again);
    again = make_flow(MPI_COMM_WORLD, o_grid(20, 10, 2), &gas, NULL, NULL);
    bool works = solver_checkpoint_read(again, path);
    check(!works && strstr(solver_failure(), "20 x 10 x 2"), "another grid: came '%s'",
          solver_failure());
    solver_failure_clear();
    solver_flow_destroy(&again);
    solver_flow_destroy(&through);
    remove_files("restart", 4);
}

/* The path of the file of a step of a series. */
static const char *step_path(const char *series, int step)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%06d.h5", series, step);
    return test_path(name);
}

static bool is_there(const char *path)
{
    int there = is_root() && access(path, F_OK) == 0;
    parallel_bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return there;
}

/* A flow of some steps; each step is written. */
static solver_flow *write_series(const char *name, int steps)
{
    static const double middle[3] = {1.5, 0.2, 0.5};
    solver_flow *flow = make_flow(MPI_COMM_WORLD, o_grid(12, 6, 2), &gas, pulse, middle);
    check_works(solver_checkpoint_create(flow, test_path(name), NULL), "making a series");
    for (int step = 0; step < steps; step++) {
        run_steps(flow, 1, 1.0);
        check_works(solver_checkpoint_add(flow, test_path(name)), "adding a step");
    }
    return flow;
}

static void a_new_series_replaces_all_but_the_file_it_goes_on_from(void)
{
    solver_flow *flow = write_series("series.h5", 3);
    char from[512];
    snprintf(from, sizeof from, "%s", step_path("series", 2));
    check_works(solver_checkpoint_read(flow, from), "reading the file of a step");
    check(solver_flow_steps(flow) == 2, "came step %lld",
          (long long)solver_flow_steps(flow));
    check_works(solver_checkpoint_create(flow, test_path("series.h5"), from),
                "making anew");
    check(is_there(from), "the file that the run goes on from is gone");
    check(!is_there(step_path("series", 1)) && !is_there(step_path("series", 3)),
          "steps of the former series are left");
    check_works(solver_checkpoint_read(flow, from), "reading it again");
    check(!solver_checkpoint_read(flow, test_path("series.h5")),
          "the new series has steps");
    solver_failure_clear();
    solver_flow_destroy(&flow);
    remove_files("series", 3);
}

static void steps_whose_files_are_gone_are_told_and_dropped(void)
{
    solver_flow *flow = write_series("gone.h5", 2);
    test_file_remove(step_path("gone", 2));
    bool works = solver_checkpoint_read(flow, test_path("gone.h5"));
    check(!works && strstr(solver_failure(), "step 000002, whose file"),
          "without its file: came '%s'", solver_failure());
    solver_failure_clear();
    run_steps(flow, 1, 1.0);
    check_works(solver_checkpoint_add(flow, test_path("gone.h5")), "adding a step");
    check_works(solver_checkpoint_read(flow, test_path("gone.h5")), "reading it");
    check_works(solver_checkpoint_resume(flow, test_path("gone.h5")), "going on");
    works = solver_checkpoint_resume(flow, step_path("gone", 1));
    check(solver_failure_code() == SOLVER_USAGE && !works &&
              strstr(solver_failure(), "name another output.file"),
          "a file that is no index: came '%s'", solver_failure());
    solver_failure_clear();
    solver_flow_destroy(&flow);
    remove_files("gone", 3);
}

/* Its block is closed along i: the solver finds the joined faces. */
static void a_grid_from_a_file_is_the_same_grid(void)
{
    static const double middle[3] = {1.5, 0.2, 0.5};
    const char *path = test_path("grid.h5");
    solver_grid *grid = NULL;
    solver_flow *flow = make_flow(MPI_COMM_WORLD, o_grid(18, 9, 2), &gas, pulse, middle);
    check_works(solver_checkpoint_create(flow, path, NULL), "making a file");
    if (check_works(solver_grid_read(path, &grid), "reading a grid")) {
        grid->blocks[0].faces[2].kind = SOLVER_WALL;
        grid->blocks[0].faces[3].kind = SOLVER_FARFIELD;
        set_kind(grid, 0, 2, SOLVER_PERIODIC);
        solver_flow *again = make_flow(MPI_COMM_WORLD, grid, &gas, pulse, middle);
        run_steps(flow, 5, 1.0);
        run_steps(again, 5, 1.0);
        int64_t differences = count_differences(again, flow);
        check(differences == 0, "%lld rows differ", (long long)differences);
        solver_flow_destroy(&again);
    }
    solver_flow_destroy(&flow);
    remove_files("grid", 0);
}

/* ---- Failures ---- */

static void faces_that_lie_nowhere_are_named(void)
{
    solver_grid *grid = one_block();
    grid->blocks[0].faces[5].kind = SOLVER_OPEN;
    bool works = solver_grid_join(grid);
    check(!works && strstr(solver_failure(), "k_max of block 'box'"),
          "an open face: came '%s'", solver_failure());
    solver_failure_clear();
    solver_grid_destroy(&grid);
}

static void a_lost_flow_names_its_cell(void)
{
    static const double middle[3] = {1.0, 0.4, 0.6};
    solver_flow *flow = make_flow(MPI_COMM_WORLD, one_block(), &gas, pulse, middle);
    bool works = true;
    for (int step = 0; works && step < 100; step++) {
        works = solver_flow_step(flow, 20.0);
    }
    check(!works && strstr(solver_failure(), "of block 'box' has density"),
          "too long a step: came '%s'", solver_failure());
    solver_failure_clear();
    solver_flow_destroy(&flow);
}

/* ---- Shedding ---- */

static void the_frequency_of_a_sine_is_found(void)
{
    enum { SAMPLES = 1000 };
    solver_sample samples[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        double t = 0.1 * s;
        double grown = 1.0 - exp(-0.1 * t);
        samples[s] = (solver_sample){.time = t, .lift = 0.05 + grown * sin(1.1 * t)};
    }
    solver_shedding found = solver_shedding_find(SAMPLES, samples);
    double expected = 1.1 / (2.0 * 3.14159265358979);
    check(found.periods >= 7, "expected 7 periods or more, came %d", found.periods);
    check(fabs(found.frequency - expected) < 2e-4, "expected %g, came %g", expected,
          found.frequency);
    found = solver_shedding_find(20, samples);
    check(found.periods < 2 && found.frequency == 0.0, "a frequency of nothing: %g",
          found.frequency);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_folder_create("solver_flow");
    run_test("a uniform flow stays on a warped box",
             a_uniform_flow_stays_on_a_warped_box);
    run_test("the free stream stays on an O-grid", the_free_stream_stays_on_an_o_grid);
    run_test("nothing is lost in a periodic box", nothing_is_lost_in_a_periodic_box);
    run_test("any number of ranks gives the same bits",
             any_number_of_ranks_gives_the_same_bits);
    run_test("a turned block changes nothing", a_turned_block_changes_nothing);
    run_test("a restart goes on with the same bits",
             a_restart_goes_on_with_the_same_bits);
    run_test("a new series replaces all but the file it goes on from",
             a_new_series_replaces_all_but_the_file_it_goes_on_from);
    run_test("steps whose files are gone are told and dropped",
             steps_whose_files_are_gone_are_told_and_dropped);
    run_test("a grid from a file is the same grid", a_grid_from_a_file_is_the_same_grid);
    run_test("faces that lie nowhere are named", faces_that_lie_nowhere_are_named);
    run_test("a lost flow names its cell", a_lost_flow_names_its_cell);
    run_test("the frequency of a sine is found", the_frequency_of_a_sine_is_found);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
