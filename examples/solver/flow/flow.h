/*
 * A flow: the compressible Navier-Stokes equations on blocks of curvilinear cells,
 * advanced in time by all ranks together. The program steps the flow; between steps it
 * may read and change the state.
 *
 *     solver_flow_create(comm, grid, &conditions, &flow);
 *     solver_flow_start(flow, my_state, NULL);
 *     while (solver_flow_time(flow) < end) {
 *         solver_flow_step(flow, 1.0);
 *         ... solver_flow_box_get(flow, 0), solver_flow_force(flow, force) ...
 *     }
 *     solver_flow_destroy(&flow);
 *
 * The free stream flows along x; its density, speed and temperature are 1. Lengths are in
 * units of the grid (gas.h). The variables of a cell are density,
 * momentum x, y, z and total energy, per volume. The state does not depend on the number
 * of ranks or threads, to the last bit.
 */
#ifndef EXAMPLES_SOLVER_FLOW_FLOW_H
#define EXAMPLES_SOLVER_FLOW_FLOW_H

#include "gas.h"
#include "grid/grid.h"

#include <mpi.h>

enum { SOLVER_VARIABLES = 5 };

typedef struct solver_flow solver_flow;

/*
 * Distributes the grid, whose faces have been joined, over the ranks of `comm`. Makes a
 * flow whose state is the free stream everywhere. The grid is not needed afterwards.
 * Collective. Returns false after solver_fail (failure.h), on every rank, as all of these
 * do.
 */
bool solver_flow_create(MPI_Comm comm, const solver_grid *grid,
                        const solver_conditions *conditions, solver_flow **out);
void solver_flow_destroy(solver_flow **flow);

/* Gives the state at a position: density, velocity x, y, z, pressure. */
typedef void solver_flow_state(const void *context, const double position[3],
                               double state[5]);

/* Sets all cells to `state` at their centres, and time and number of steps to 0.
 * Collective. */
void solver_flow_start(solver_flow *flow, solver_flow_state *state, const void *context);

/*
 * Makes one time step with the strong-stability-preserving Runge-Kutta method of third
 * order (C.-W. Shu, S. Osher, J. Comput. Phys. 77, 1988). All cells use the same step:
 * the longest that the smallest cell allows at this CFL number (0 to about 1.2).
 * Collective. Fails if the density or pressure of a cell is not a positive number any
 * more; the state is then invalid.
 */
bool solver_flow_step(solver_flow *flow, double cfl);

double solver_flow_time(const solver_flow *flow);
int64_t solver_flow_steps(const solver_flow *flow);
MPI_Comm solver_flow_comm(const solver_flow *flow);

/* The gas, with the free stream's pressure. */
const solver_gas *solver_flow_gas(const solver_flow *flow);

/*
 * A box of cells of this rank: cells [lo, lo + n) of a block. Variable v of cell (i, j,
 * k) of the box, counted from 0, is variables[v][i + j * stride[1] + k * stride[2]];
 * stride[0] is 1.
 *
 * `primitives` (density, velocity x, y, z, pressure, temperature), `coordinates` and
 * `volume` have the same strides; coordinates have vertices up to index n. Ghost cells
 * have the indices -2, -1, n and n + 1. solver_flow_update sets the primitives of all
 * ghosts behind faces, and of the nearest layer behind edges.
 */
typedef struct solver_flow_box {
    int block;
    int64_t lo[3], n[3];
    int64_t stride[3];
    double *variables[SOLVER_VARIABLES];
    const double *primitives[6];
    const double *coordinates[3];
    const double *volume;
} solver_flow_box;

/* The number of this rank's boxes, and one of them. Its pointers are valid as long as the
 * flow. Local. */
int solver_flow_boxes(const solver_flow *flow);
solver_flow_box solver_flow_box_get(const solver_flow *flow, int number);

/* The number of blocks; the name of a block, and its cells along i, j, k. Local. */
int solver_flow_blocks(const solver_flow *flow);
const char *solver_flow_block(const solver_flow *flow, int block, int64_t cells[3]);

/* Sets time and number of steps, after the variables were written from outside. Local. */
void solver_flow_resume(solver_flow *flow, double time, int64_t steps);

/* Updates primitives and ghosts from the variables. A step does so itself; call it before
 * you read primitives. Collective. */
void solver_flow_update(solver_flow *flow);

/* The force of the flow on all walls: pressure (relative to the free stream's) and
 * friction. Calls solver_flow_update. Collective. */
void solver_flow_force(solver_flow *flow, double force[3]);

/* The root mean square, over the volume, of d(density)/dt in the last step. 0 before the
 * first step. Collective. */
double solver_flow_residual(const solver_flow *flow);

/* The sums over all cells of volume times each variable. Collective. */
void solver_flow_totals(const solver_flow *flow, double totals[SOLVER_VARIABLES]);

#endif
