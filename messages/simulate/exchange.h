/* Exchanges of messages between ranks, and their times. */
#ifndef MESSAGES_SIMULATE_EXCHANGE_H
#define MESSAGES_SIMULATE_EXCHANGE_H

#include "base/image.h"

#include <mpi.h>
#include <stdbool.h>

enum {
    SIMULATE_MOST_BYTES = 4 << 20, /* of a message */
    SIMULATE_STREAM = 2,           /* least messages of a stream */
    SIMULATE_DUPLEX = 8, /* messages of SIMULATE_DUPLEX_BYTES that ranks exchange */
    SIMULATE_DUPLEX_BYTES = 512 << 10,
    SIMULATE_REPEATS = 5
};

/* The ranks that measure a machine. */
typedef struct simulate_measuring {
    MPI_Comm comm;
    int rank, ranks;
    int *nodes; /* [ranks] */
    int nnodes;
    char *buffer;        /* of all messages */
    image *front, *back; /* to blend */
} simulate_measuring;

/* What the two ranks of a pair do for a measurement. */
typedef void simulate_exchange(const simulate_measuring *m, int bytes, int peer,
                               bool is_first);

simulate_exchange simulate_exchange_ping_pong;

/* Messages one after another in one direction. The stream ends when its last message is
 * known to have come. */
simulate_exchange simulate_exchange_stream;

/* Messages in both directions at once. */
simulate_exchange simulate_exchange_both_ways;

/* The messages of a stream: some MiB in all. */
int simulate_exchange_count(int bytes);

void simulate_exchange_send(const simulate_measuring *m, int bytes, int to);
void simulate_exchange_receive(const simulate_measuring *m, int bytes, int from);

/* All ranks wait for each other. Collective. */
void simulate_exchange_synchronize(const simulate_measuring *m);

/* Seconds of the runs of an exchange. */
typedef struct simulate_run_times {
    double least, median;
} simulate_run_times;

/* Times an exchange between this rank and its peer, until both are done, while other
 * pairs do the same; peer < 0: this rank waits. The same on all ranks. Collective. */
simulate_run_times simulate_exchange_time(const simulate_measuring *m,
                                          simulate_exchange *of, int bytes, int peer,
                                          bool is_first);

/* The peer of this rank if `a` and `b` exchange messages; -1: none. */
int simulate_exchange_peer(const simulate_measuring *m, int a, int b);

/* The least time of an exchange between `a` and `b`. Collective. */
double simulate_exchange_time_pair(const simulate_measuring *m, simulate_exchange *of,
                                   int bytes, int a, int b);

#endif
