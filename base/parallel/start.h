/* Start of MPI in karman's own programs. libkarman leaves it to the host program. */
#ifndef BASE_PARALLEL_START_H
#define BASE_PARALLEL_START_H

#include "base/status.h"

#include <stdbool.h>

/*
 * Sets up the transport (transport.h), initialises MPI, and detects two early failures.
 * First, MPI may grant less than MPI_THREAD_FUNNELED. Second, a launcher that this MPI
 * does not know may have started several processes, each of which takes itself for the
 * only one.
 *
 * *speaks: whether this process prints. Exactly one process does, even after the second
 * failure. The caller calls MPI_Finalize in any case. Collective. Errors:
 * STATUS_INPUT (threads), STATUS_USAGE (the launcher), with a message; the same on every
 * rank.
 */
status parallel_start(bool *speaks);

#endif
