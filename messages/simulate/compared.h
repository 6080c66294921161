/* Predicted times of a run's frames beside the measured ones. */
#ifndef MESSAGES_SIMULATE_COMPARED_H
#define MESSAGES_SIMULATE_COMPARED_H

#include "problem.h"

/* Simulates the frames of a run, with the ranks' active pixels and the times at which
 * they began, and prints both times. Local. Errors: STATUS_INPUT (the timings),
 * STATUS_USAGE, STATUS_MEMORY. */
status simulate_comparison_show(const simulate_comparison *comparison);

#endif
