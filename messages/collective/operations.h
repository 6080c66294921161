/* The operations of MPI, for the algorithms that do them.
 */
#ifndef MESSAGES_COLLECTIVE_OPERATIONS_H
#define MESSAGES_COLLECTIVE_OPERATIONS_H

#include "schedule.h"

extern const collective_operation collective_broadcast, collective_scatter,
    collective_gather, collective_reduce, collective_reduce_scatter, collective_allgather,
    collective_allreduce, collective_alltoall, collective_barrier, collective_scan;

#endif
