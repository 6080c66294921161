/* Data as XML files of VTK. */
#ifndef APP_CONVERT_VTK_H
#define APP_CONVERT_VTK_H

#include "plan.h"

/*
 * Writes a .vts file for each block and step of a plan, a .vtm for each step and, of
 * several steps, a .pvd. Each file appears when it is whole. *path is the name of the
 * last one, malloc'ed; *size: bytes of all, on rank 0. Collective. Errors, after which
 * nothing is left of the files: STATUS_USAGE (one exists), STATUS_INPUT, STATUS_OUTPUT,
 * STATUS_MEMORY.
 */
status convert_vtk_write(MPI_Comm comm, const convert_plan *plan,
                         const app_convert_request *request, char **path, int64_t *size);

#endif
