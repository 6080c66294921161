/* An XDMF file beside checkpoints, for ParaView and VisIt. */
#ifndef EXAMPLES_SOLVER_XDMF_H
#define EXAMPLES_SOLVER_XDMF_H

#include "flow/flow.h"
#include "series.h"

/* Writes the XDMF file of a series of checkpoints with these steps, first as `part`.
 * Local, for one rank. */
bool solver_xdmf_write(const solver_flow *flow, const char *index, const char *part,
                       const solver_series_steps *steps);

#endif
