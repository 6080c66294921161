/* Shared by the tests of the solver: boxes, and comparisons of flows. */
#ifndef TESTS_MPI_TEST_SOLVER_SUPPORT_H
#define TESTS_MPI_TEST_SOLVER_SUPPORT_H

#include "examples/solver/flow/flow.h"

/* check, with the solver's message; forgets the failure. */
bool check_works(bool works, const char *what);

/* A box [0, size) of one block with open faces. Vertices are moved at random by up to
 * `warp` of a cell, the same on opposite faces. */
solver_grid *box_grid(const int64_t cells[3], const double size[3], double warp);

/* Sets the kind of the two faces across an axis. */
void set_kind(solver_grid *grid, int block, int axis, solver_face_kind kind);

/* Joins the grid and makes a flow of it; the flow then owns the grid. Starts with `state`
 * unless that is NULL. Collective over comm. */
solver_flow *make_flow(MPI_Comm comm, solver_grid *grid, const solver_conditions *gas,
                       solver_flow_state *state, const void *context);

/* Makes so many steps; false, with a failed check, if one fails. Collective. */
bool run_steps(solver_flow *flow, int steps, double cfl);

/* Visits the cells of this rank: their centre (mean of vertices) and variables. */
typedef void visit_cell(void *context, const double centre[3],
                        const double variables[SOLVER_VARIABLES], double volume);
void visit_cells(const solver_flow *flow, visit_cell *visit, void *context);

/* The number of this rank's variables whose bits differ from those of `whole`, a flow on
 * the same grid that this rank holds completely. */
int64_t count_differences(const solver_flow *flow, const solver_flow *whole);

/* The sum over ranks, and the largest. Collective. */
double sum_ranks(double mine);
double max_ranks(double mine);

#endif
