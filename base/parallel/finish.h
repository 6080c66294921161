/* End of MPI in karman's own programs. libkarman leaves it to the host program. */
#ifndef BASE_PARALLEL_FINISH_H
#define BASE_PARALLEL_FINISH_H

/*
 * Ends MPI. Between nodes over TCP, MPI_Finalize of MPICH 4.0 hangs in about one of four
 * runs: a rank closes its connections one by one, and for each it waits for a peer that
 * may already have stopped to answer. A program that is linked with this function does
 * not close them; they end with the process. All messages must have been received.
 * Collective.
 */
void parallel_finish(void);

#endif
