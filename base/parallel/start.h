/* Start and end of MPI in karman's own programs. libkarman leaves them to the host
 * program. */
#ifndef BASE_PARALLEL_START_H
#define BASE_PARALLEL_START_H

#include "base/status.h"

#include <stdbool.h>

/*
 * Sets up signals and the transport (transport.h), initialises MPI, and detects three
 * early failures. First, MPI may grant less than MPI_THREAD_FUNNELED. Second, a launcher
 * that this MPI does not know may have started several processes, each of which takes
 * itself for the only one. Third, limits of the process may be too low (limits.h).
 *
 * Afterwards a crash ends the process, and a reader of its output that ends does not.
 *
 * *speaks: whether this process prints. Exactly one process does, even after the second
 * failure. The caller calls parallel_finish in any case. Collective. Errors: STATUS_INPUT
 * (threads), STATUS_USAGE (the launcher, limits), with a message; the same on every rank.
 */
status parallel_start(bool *speaks);

/* Ends MPI. Collective. */
void parallel_finish(void);

/* Whether something that this process wrote to has ended: a pipe's reader, such as
 * head. Local. */
bool parallel_has_lost_reader(void);

#endif
