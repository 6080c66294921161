/* How our own programs start MPI; libkarman leaves that to the program around it. */
#ifndef BASE_PARALLEL_START_H
#define BASE_PARALLEL_START_H

#include "base/status.h"

#include <stdbool.h>

/*
 * Initialises MPI, and checks the two things that go wrong before a program has done
 * anything: MPI grants less than MPI_THREAD_FUNNELED; or a launcher that this MPI does
 * not know has started several processes, each of which takes itself for the only one.
 *
 * *speaks: whether this process prints; one of them all does, in the latter case, too.
 * MPI_Finalize is due in any case. Collective. Errors: STATUS_INPUT (threads),
 * STATUS_USAGE (the launcher), with a message; the same on every rank.
 */
status parallel_start(bool *speaks);

#endif
