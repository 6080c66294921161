/* Limits of this process under which threads could not run. */
#ifndef BASE_PARALLEL_LIMITS_H
#define BASE_PARALLEL_LIMITS_H

#include "base/status.h"

/* Refuses stacks that rays would overflow, and more threads than OpenMP survives: both
 * end a program by a signal, without a word. Local. Errors: STATUS_USAGE. */
status parallel_check_limits(void);

#endif
