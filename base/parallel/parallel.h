/* Thin helpers over MPI: agreement on errors, waiting, and checked counts. */
#ifndef BASE_PARALLEL_PARALLEL_H
#define BASE_PARALLEL_PARALLEL_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Makes the ranks of comm agree on a status. If every rank passes STATUS_OK, all get
 * STATUS_OK. Otherwise every rank gets the status and the message of the lowest rank that
 * failed.
 *
 * The rule for collective functions: no rank leaves on a local error between two calls
 * that communicate. Each rank does its fallible local work, then all agree. Collective.
 */
status parallel_agree(MPI_Comm comm, status local);

/* Rank of this process in comm, and the number of its ranks. Local. */
int parallel_rank(MPI_Comm comm);
int parallel_size(MPI_Comm comm);

/*
 * Waits for *request and yields the processor between polls. If ranks outnumber cores, a
 * blocking MPI call would spin away the time of the rank that it waits for.
 */
void parallel_wait(MPI_Request *request);

/*
 * Call it after each poll that found nothing. *idle counts such polls in a row; set it to
 * 0 after a poll that found something. After some polls in a row the rank yields the
 * processor. After about a millisecond, or sooner if a node has more ranks than cores, it
 * sleeps for some microseconds instead. Sleeps grow longer while nothing arrives.
 * Yielding alone is not enough there, since Linux may let several yielding ranks take
 * turns before one that has work. Local.
 */
void parallel_relax(int *idle);

/* The same for a poll within a call of MPI. Polls of one call follow each other without a
 * gap; a call that polls once and returns gives nothing up. Local. */
void parallel_relax_inside(void);

/* Whether the launcher put more ranks on this node than it has cores. Local; nodes may
 * differ. */
bool parallel_is_crowded(void);

/* Processor seconds that the calling thread has spent in consecutive polls that found
 * nothing and in giving up the processor. Local. */
double parallel_waited(void);

/* MPI_Comm_dup that waits as parallel_wait does. Collective. */
void parallel_dup(MPI_Comm comm, MPI_Comm *out);

/* MPI_Allreduce and MPI_Bcast that wait as parallel_wait does. Collective. */
void parallel_allreduce(const void *in, void *out, int count, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm);
void parallel_bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);

/* Warns, once per process, if MPI was initialised for single-threaded programs. A library
 * can do no more, since the host program initialises MPI. Local, on each rank. */
void parallel_check_threads(void);

/* The one checked cast to MPI's int. A count beyond INT_MAX is a defect: callers send in
 * pieces. */
int parallel_count(int64_t count);

#endif
