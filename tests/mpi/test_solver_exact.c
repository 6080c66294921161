/* Flows whose solution is known. */
#include "test_io_support.h"
#include "test_solver_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- A vortex that drifts ---- */

static const solver_conditions ideal = {0.5, 0.0, 1.4, 0.72};
static const double strength = 0.3, box_size = 10.0;

/*
 * A vortex in balance, in a flow of speed 1 along x. Its velocity is strength r exp((1 -
 * r^2) / 2) around its middle. Density and pressure follow from constant entropy (C.-W.
 * Shu, ICASE Report 97-65, 1997). `context` is the time; the box is periodic.
 */
static void vortex(const void *context, const double x[3], double state[5])
{
    const double *time = context;
    double dx = remainder(x[0] - 5.0 - *time, box_size), dy = x[1] - 5.0;
    double around = strength * exp(0.5 * (1.0 - dx * dx - dy * dy));
    double heat = 1.0 / (0.4 * ideal.mach * ideal.mach); /* at constant pressure */
    double temperature = 1.0 - 0.5 * around * around / heat;
    state[0] = pow(temperature, 2.5);
    state[1] = 1.0 - around * dy;
    state[2] = around * dx;
    state[3] = 0.0;
    state[4] = state[0] * temperature / (1.4 * ideal.mach * ideal.mach);
}

typedef struct error_sum {
    double time, sum;
} error_sum;

static void add_error(void *context, const double centre[3],
                      const double variables[SOLVER_VARIABLES], double volume)
{
    error_sum *e = context;
    double exact[5];
    vortex(&e->time, centre, exact);
    double off = variables[2] - exact[0] * exact[2];
    e->sum += volume * off * off;
}

/* The error of the momentum across the flow after the vortex has crossed a fifth of the
 * box. */
static double vortex_error(int64_t n)
{
    const int64_t cells[3] = {n, n, 1};
    const double size[3] = {box_size, box_size, 1.0};
    const double start = 0.0;
    solver_grid *grid = box_grid(cells, size, 0.0);
    for (int axis = 0; axis < 3; axis++) {
        set_kind(grid, 0, axis, SOLVER_PERIODIC);
    }
    solver_flow *flow = make_flow(MPI_COMM_WORLD, grid, &ideal, vortex, &start);
    while (solver_flow_time(flow) < 2.0 && run_steps(flow, 1, 0.9)) {
    }
    error_sum e = {.time = solver_flow_time(flow)};
    visit_cells(flow, add_error, &e);
    solver_flow_destroy(&flow);
    return sqrt(sum_ranks(e.sum));
}

static void a_vortex_drifts_with_second_order_errors(void)
{
    double coarse = vortex_error(32), fine = vortex_error(64);
    double order = log2(coarse / fine);
    if (is_root()) {
        printf("    errors %.3g and %.3g: order %.2f\n", coarse, fine, order);
    }
    check(order > 1.9, "expected an order of about 2 or more, came %g", order);
    check(fine < 0.02, "expected an error below 0.02, came %g", fine);
}

/* ---- Fluid between two walls ---- */

static const solver_conditions sticky = {0.2, 10.0, 1.4, 0.72};

static void at_rest(const void *context, const double position[3], double state[5])
{
    const double rest[5] = {1.0, 0.0, 0.0, 0.0, 1.0 / (1.4 * 0.2 * 0.2)};
    (void)context;
    (void)position;
    memcpy(state, rest, sizeof rest);
}

static void profile_error(void *context, const double centre[3],
                          const double variables[SOLVER_VARIABLES], double volume)
{
    double *most = context;
    double off = fabs(variables[1] / variables[0] - 0.5 * centre[1]);
    (void)volume;
    *most = off <= *most ? *most : off;
}

static void between_moving_walls_velocity_becomes_linear(void)
{
    const int64_t cells[3] = {2, 8, 2};
    const double size[3] = {1.0, 1.0, 1.0};
    solver_grid *grid = box_grid(cells, size, 0.0);
    set_kind(grid, 0, 0, SOLVER_PERIODIC);
    set_kind(grid, 0, 1, SOLVER_WALL);
    set_kind(grid, 0, 2, SOLVER_PERIODIC);
    grid->blocks[0].faces[3].velocity[0] = 0.5;
    solver_flow *flow = make_flow(MPI_COMM_WORLD, grid, &sticky, at_rest, NULL);
    while (solver_flow_time(flow) < 15.0 && run_steps(flow, 1, 1.0)) {
    }
    double most = 0.0;
    visit_cells(flow, profile_error, &most);
    most = max_ranks(most);
    check(most < 1e-5, "expected u = y / 2, came one off by %g", most);
    solver_flow_destroy(&flow);
}

/* ---- A shear wave that dies away ---- */

static void shear_wave(const void *context, const double x[3], double state[5])
{
    at_rest(context, x, state);
    state[1] = 0.01 * sin(2.0 * 3.14159265358979 * x[1]);
}

static void wave_height(void *context, const double centre[3],
                        const double variables[SOLVER_VARIABLES], double volume)
{
    double *height = context;
    *height += 2.0 * volume * variables[1] * sin(2.0 * 3.14159265358979 * centre[1]);
}

static void friction_dampens_a_shear_wave(void)
{
    const int64_t cells[3] = {1, 32, 2};
    const double size[3] = {1.0, 1.0, 1.0};
    double height = 0.0;
    solver_grid *grid = box_grid(cells, size, 0.0);
    for (int axis = 0; axis < 3; axis++) {
        set_kind(grid, 0, axis, SOLVER_PERIODIC);
    }
    solver_flow *flow = make_flow(MPI_COMM_WORLD, grid, &sticky, shear_wave, NULL);
    while (solver_flow_time(flow) < 0.3 && run_steps(flow, 1, 1.0)) {
    }
    visit_cells(flow, wave_height, &height);
    double decay = 4.0 * 9.86960440108936 / sticky.reynolds;
    double exact = 0.01 * exp(-decay * solver_flow_time(flow));
    double came = sum_ranks(height);
    check(fabs(came - exact) < 0.01 * exact, "expected %g, came %g", exact, came);
    solver_flow_destroy(&flow);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    run_test("a vortex drifts with second-order errors",
             a_vortex_drifts_with_second_order_errors);
    run_test("between moving walls velocity becomes linear",
             between_moving_walls_velocity_becomes_linear);
    run_test("friction dampens a shear wave", friction_dampens_a_shear_wave);
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
