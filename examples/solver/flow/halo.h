/* Ghost cells behind joined faces and at the cuts between boxes. */
#ifndef EXAMPLES_SOLVER_FLOW_HALO_H
#define EXAMPLES_SOLVER_FLOW_HALO_H

#include "box.h"

#include <mpi.h>

typedef struct solver_halo solver_halo;

/*
 * Plans the exchange. Each ghost cell is traced through joined faces to the cell that it
 * stands for, in any box and orientation. The rank of that cell is told once; from then
 * on it sends the values unasked. So seams, periodic faces and turned blocks need no code
 * of their own. boxes: [nboxes], this rank's. Collective.
 */
bool solver_halo_create(MPI_Comm comm, const solver_grid *grid, const solver_parts *parts,
                        int nboxes, solver_box *boxes, solver_halo **out);
void solver_halo_destroy(solver_halo **halo);

/* Fills these ghost cells of the primitive variables, except temperature. Returns when
 * all values have arrived. Collective. */
void solver_halo_exchange(solver_halo *halo);

#endif
