/* Thin helpers over MPI: agreement on errors, and checked counts. */
#ifndef BASE_PARALLEL_PARALLEL_H
#define BASE_PARALLEL_PARALLEL_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Makes the ranks of comm agree: returns STATUS_OK where every rank brings STATUS_OK,
 * else the status of the lowest rank that failed, together with that rank's message, on
 * every rank.
 *
 * The rule of collective functions: between two calls that communicate nobody leaves on a
 * local error; each rank does its fallible local work, then all agree. Collective.
 */
status parallel_agree(MPI_Comm comm, status local);

/* Rank of this process in comm, and the number of its ranks. Local. */
int parallel_rank(MPI_Comm comm);
int parallel_size(MPI_Comm comm);

/*
 * Waits for *request, giving the processor to others between polls: with more ranks than
 * cores a blocking MPI call would spin away the time of the rank that it waits for.
 */
void parallel_wait(MPI_Request *request);

/*
 * To be called after each poll that found nothing; *idle counts them, and is 0 after one
 * that found something. After some in a row it gives the processor to others: it yields,
 * or, where a node has more ranks than cores, sleeps for some microseconds, more and more
 * as nothing comes, as Linux lets ranks that only yield take turns with each other before
 * one that has work. Local.
 */
void parallel_relax(int *idle);

/* Processor seconds that the calling thread has spent in such polls that found nothing,
 * one after the other, and in giving the processor to others. Local. */
double parallel_waited(void);

/* MPI_Comm_dup that waits like that. Collective. */
void parallel_dup(MPI_Comm comm, MPI_Comm *out);

/* MPI_Allreduce and MPI_Bcast that wait like that. Collective. */
void parallel_allreduce(const void *in, void *out, int count, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm);
void parallel_bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);

/* Warns where MPI was initialised for programs with a single thread: all that a library
 * can do about it, whose host did so. Once a process. Local; of each rank. */
void parallel_check_threads(void);

/* The one checked cast at MPI's boundary. Counts beyond INT_MAX are a defect: callers
 * send in pieces. */
int parallel_count(int64_t count);

#endif
