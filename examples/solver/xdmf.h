/* An XDMF file beside checkpoints, for ParaView and VisIt. */
#ifndef EXAMPLES_SOLVER_XDMF_H
#define EXAMPLES_SOLVER_XDMF_H

#include "examples/solver/flow/flow.h"
#include "series.h"

/* Writes the XDMF file of a series of checkpoints with these steps. It is written under a
 * temporary name first. Local, for one rank. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status solver_xdmf_write(const solver_flow *flow, const char *index,
                         const char *temporary, const solver_series_steps *steps);

#endif
