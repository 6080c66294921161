/* Fluxes through the faces of cells. */
#ifndef EXAMPLES_SOLVER_FLOW_FLUX_H
#define EXAMPLES_SOLVER_FLOW_FLUX_H

#include "box.h"
#include "gas.h"

enum { SOLVER_ROW = 128 }; /* most faces of a run */

/* The fluxes of a run of faces: [variable][face], along the faces' area vectors. */
typedef double solver_fluxes[SOLVER_CONSERVED][SOLVER_ROW + 1];

/* A run of faces: the lower ones across `axis` of the cells first, first + 1, ... */
typedef struct solver_run {
    int axis;
    int64_t first;
    int count; /* up to SOLVER_ROW + 1 */
} solver_run;

/*
 * Sets fluxes[][0 .. run.count): the sum of inviscid and viscous fluxes. Pressure is
 * relative to that of the free stream, so that no digits are lost at low Mach numbers.
 * Needs two layers of ghosts with temperatures. Local.
 */
void solver_flux_run(const solver_gas *gas, const solver_box *box, solver_run run,
                     solver_fluxes fluxes);

/* The same for faces of an impermeable boundary. `face` is the box's face; first and
 * count are the cells in front of it. */
void solver_flux_wall(const solver_gas *gas, const solver_box *box, int face,
                      int64_t first, int count, solver_fluxes fluxes);

#endif
