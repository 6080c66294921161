/* IceT's table of communication functions over this program's MPI. */
#ifndef ICET_MPICH_H
#define ICET_MPICH_H

#include <IceT.h>
#include <mpi.h>
#include <stdint.h>

/* A communicator for IceT over a duplicate of comm; NULL where memory ran out. It waits
 * politely, as all of karman does, where ranks outnumber cores. Collective. */
IceTCommunicator icet_mpich_create(MPI_Comm comm);

/* Messages from one rank to another that this process has started so far through any such
 * communicator, and so not those of collective functions. Local. */
int64_t icet_mpich_messages(void);

/* Frees it; only after the contexts that were made with it. Collective. */
void icet_mpich_destroy(IceTCommunicator communicator);

#endif
