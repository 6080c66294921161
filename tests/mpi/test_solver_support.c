#include "test_solver_support.h"

#include "examples/solver/failure.h"
#include "test_io_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool check_works(bool works, const char *what)
{
    check(works, "%s: expected no failure, came: %s", what, solver_failure());
    solver_failure_clear();
    return works;
}

/* A number between -1 and 1 that depends on three counts. */
static double scatter(int64_t a, int64_t b, int64_t c)
{
    uint64_t x = test_seed + (uint64_t)a * 0x9e3779b97f4a7c15u +
                 (uint64_t)b * 0xbf58476d1ce4e5b9u + (uint64_t)c * 0x94d049bb133111ebu;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)(x >> 11) / 4503599627370496.0 - 1.0;
}

solver_grid *box_grid(const int64_t cells[3], const double size[3], double warp)
{
    solver_grid *grid = NULL;
    if (!solver_grid_create(1, &grid) || !solver_grid_size(grid, 0, "box", cells)) {
        abort();
    }
    int64_t at[3];
    for (at[2] = 0; at[2] <= cells[2]; at[2]++) {
        for (at[1] = 0; at[1] <= cells[1]; at[1]++) {
            for (at[0] = 0; at[0] <= cells[0]; at[0]++) {
                int64_t number = 0;
                for (int a = 0; a < 3; a++) {
                    number = 1000 * number + at[a] % cells[a];
                }
                for (int a = 0; a < 3; a++) {
                    double moved = (double)at[a] + warp * scatter(number, a, 7);
                    solver_grid_vertex(&grid->blocks[0], at)[a] =
                        size[a] * moved / (double)cells[a];
                }
            }
        }
    }
    return grid;
}

void set_kind(solver_grid *grid, int block, int axis, solver_face_kind kind)
{
    grid->blocks[block].faces[2 * axis].kind = kind;
    grid->blocks[block].faces[2 * axis + 1].kind = kind;
}

solver_flow *make_flow(MPI_Comm comm, solver_grid *grid, const solver_conditions *gas,
                       solver_flow_state *state, const void *context)
{
    solver_flow *flow = NULL;
    if (!check_works(solver_grid_join(grid), "joining the grid") ||
        !check_works(solver_flow_create(comm, grid, gas, &flow), "making a flow")) {
        abort();
    }
    solver_grid_destroy(&grid);
    if (state) {
        solver_flow_start(flow, state, context);
    }
    return flow;
}

bool run_steps(solver_flow *flow, int steps, double cfl)
{
    for (int s = 0; s < steps; s++) {
        if (!check_works(solver_flow_step(flow, cfl), "a step")) {
            return false;
        }
    }
    return true;
}

static void centre_of(const solver_flow_box *box, int64_t at, double centre[3])
{
    for (int c = 0; c < 3; c++) {
        centre[c] = 0.0;
        for (int64_t v = 0; v < 8; v++) {
            centre[c] +=
                0.125 * box->coordinates[c][at + (v & 1) + (v >> 1 & 1) * box->stride[1] +
                                            (v >> 2) * box->stride[2]];
        }
    }
}

static void visit_box(const solver_flow_box *box, visit_cell *visit, void *context)
{
    for (int64_t k = 0; k < box->n[2]; k++) {
        for (int64_t j = 0; j < box->n[1]; j++) {
            for (int64_t i = 0; i < box->n[0]; i++) {
                int64_t at = i + j * box->stride[1] + k * box->stride[2];
                double centre[3], variables[SOLVER_VARIABLES];
                centre_of(box, at, centre);
                for (int v = 0; v < SOLVER_VARIABLES; v++) {
                    variables[v] = box->variables[v][at];
                }
                visit(context, centre, variables, box->volume[at]);
            }
        }
    }
}

void visit_cells(const solver_flow *flow, visit_cell *visit, void *context)
{
    for (int b = 0; b < solver_flow_boxes(flow); b++) {
        solver_flow_box box = solver_flow_box_get(flow, b);
        visit_box(&box, visit, context);
    }
}

static int64_t count_box(const solver_flow_box *mine, const solver_flow_box *whole)
{
    int64_t differences = 0;
    for (int64_t k = 0; k < mine->n[2]; k++) {
        for (int64_t j = 0; j < mine->n[1]; j++) {
            for (int v = 0; v < SOLVER_VARIABLES; v++) {
                const double *a =
                    mine->variables[v] + j * mine->stride[1] + k * mine->stride[2];
                const double *b = whole->variables[v] + mine->lo[0] - whole->lo[0] +
                                  (j + mine->lo[1] - whole->lo[1]) * whole->stride[1] +
                                  (k + mine->lo[2] - whole->lo[2]) * whole->stride[2];
                differences += memcmp(a, b, (size_t)mine->n[0] * sizeof *a) != 0;
            }
        }
    }
    return differences;
}

int64_t count_differences(const solver_flow *flow, const solver_flow *whole)
{
    int64_t differences = 0;
    for (int b = 0; b < solver_flow_boxes(flow); b++) {
        solver_flow_box mine = solver_flow_box_get(flow, b);
        for (int w = 0; w < solver_flow_boxes(whole); w++) {
            solver_flow_box all = solver_flow_box_get(whole, w);
            differences += all.block == mine.block ? count_box(&mine, &all) : 0;
        }
    }
    return differences;
}

static double reduce(double mine, MPI_Op op)
{
    double all;
    parallel_allreduce(&mine, &all, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return all;
}

double sum_ranks(double mine)
{
    return reduce(mine, MPI_SUM);
}

double max_ranks(double mine)
{
    return reduce(mine, MPI_MAX);
}
