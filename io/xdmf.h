/* XDMF: a small XML file beside an HDF5 file, through which ParaView and VisIt open
 * it. */
#ifndef IO_XDMF_H
#define IO_XDMF_H

#include "base/status.h"
#include "grid/layout.h"
#include "grid/recipe.h"

#include <stdbool.h>

/* The contents of a file of karman's own layout. */
typedef struct io_xdmf_grid {
    int nblocks;
    const grid_block *blocks; /* name, n and has_iblank are used: iblank is int32 */
    bool has_ghosts;          /* blocks with iblank have vtkGhostType as well, uint8 */
    bool double_coordinates;
    int nfields;
    const grid_field *fields;
    const char *const *units; /* [nfields], "": none is known; NULL: not given */
    int nsteps;
    const char *const *step_names; /* [nsteps]: group names below /flow */
    const int *grid_steps; /* [nsteps][nblocks]: the step whose coordinates a block
                              has, of group /grids; 0, NULL: those of /grid */
    const double *times;   /* [nsteps] */
    bool double_fields;
    const bool *is_double; /* [nfields], instead of double_fields; NULL: not given */
    const uint8_t
        *has_field; /* [nsteps][nfields]: 1 if the step has it; NULL: all have */
} io_xdmf_grid;

/* The path of the XDMF file of an HDF5 file: its ending becomes .xdmf. malloc'ed; NULL
 * without memory. */
char *io_xdmf_path(const char *h5_path);

/*
 * Writes `h5_path` with its ending replaced by .xdmf (temporary name, then rename): XDMF
 * 3, a collection over time of collections of blocks; without steps, of blocks alone. It
 * names the HDF5 file without its folder, so that both can be moved together. Local.
 * Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status io_xdmf_write(const char *h5_path, const io_xdmf_grid *grid);

#endif
