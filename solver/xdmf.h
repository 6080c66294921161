/* XDMF beside checkpoints, so that ParaView and VisIt open them, too. */
#ifndef SOLVER_XDMF_H
#define SOLVER_XDMF_H

#include "base/status.h"

/* Writes the XDMF file of a checkpoint file as it is now, with all its steps. Local, for
 * one rank, while nobody writes the file. Errors: STATUS_INPUT, STATUS_OUTPUT,
 * STATUS_MEMORY. */
status solver_xdmf_write(const char *path);

#endif
