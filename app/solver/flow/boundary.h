/* Boundary conditions: what ghost cells hold behind faces that are not joined. */
#ifndef APP_SOLVER_FLOW_BOUNDARY_H
#define APP_SOLVER_FLOW_BOUNDARY_H

#include "box.h"
#include "gas.h"

/*
 * Fills the ghost cells behind walls, slip walls and far fields from the cells in front,
 * after solver_halo_exchange, and then the temperature of all cells and ghosts.
 *
 *  wall      density and pressure mirrored; velocity such that the wall's own is the mean
 *  slip      the same with the velocity mirrored
 *  farfield  linearised characteristics across the face: what runs out comes from inside,
 *            what runs in is that of the free stream
 *
 * Far fields first and walls last, whatever their axes, each over the ghosts of the other
 * axes: so edges are filled, too, and do not depend on how a block is turned. Local; uses
 * threads.
 */
void solver_boundary_fill(const solver_gas *gas, solver_box *box);

#endif
