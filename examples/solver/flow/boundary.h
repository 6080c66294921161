/* Boundary conditions: the values of ghost cells behind faces that are not joined. */
#ifndef EXAMPLES_SOLVER_FLOW_BOUNDARY_H
#define EXAMPLES_SOLVER_FLOW_BOUNDARY_H

#include "box.h"
#include "gas.h"

/*
 * Fills the ghost cells behind walls, slip walls and far fields from the cells in front
 * of them, after solver_halo_exchange. Then sets the temperature of all cells and ghosts.
 *
 *   wall      density and pressure mirrored; velocity such that its mean is that of the
 *             wall
 *   slip      the same with the velocity mirrored
 *   farfield  linearised characteristics across the face: outgoing waves come from
 *             inside, incoming waves from the free stream
 *
 * Far fields come first and walls last, on any axis. Each face is filled over the ghosts
 * of the other axes, too. So edges are filled, and the result does not depend on the
 * orientation of a block. Local; uses threads.
 */
void solver_boundary_fill(const solver_gas *gas, solver_box *box);

#endif
