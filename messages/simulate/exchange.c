#include "exchange.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "base/system.h"

#include <stdlib.h>

enum {
    MOST_STREAM = 256 /* messages: small ones have to fill the buffers between both ranks,
                         or their stream is faster than the link */
};

/* An exchange is run a few times, as one run may stall, and not repeated once its runs
 * took so long in all. */
enum { FEWEST_RUNS = 4 };

static const double enough_seconds = 0.25;

static void wait_all(int count, MPI_Request *requests)
{
    for (int i = 0; i < count; i++) {
        parallel_wait(&requests[i]);
    }
}

void simulate_exchange_send(const simulate_measuring *m, int bytes, int to)
{
    MPI_Request request;
    MPI_Isend(m->buffer, bytes, MPI_BYTE, to, 0, m->comm, &request);
    parallel_wait(&request);
}

void simulate_exchange_receive(const simulate_measuring *m, int bytes, int from)
{
    MPI_Request request;
    MPI_Irecv(m->buffer, bytes, MPI_BYTE, from, 0, m->comm, &request);
    parallel_wait(&request);
}

int simulate_exchange_count(int bytes)
{
    const int count = SIMULATE_MOST_BYTES / (bytes > 0 ? bytes : 1);
    return count < SIMULATE_STREAM ? SIMULATE_STREAM
           : count > MOST_STREAM   ? MOST_STREAM
                                   : count;
}

/* Sends or receives a stream of messages. */
static void run_stream(const simulate_measuring *m, int bytes, int peer, bool sends)
{
    MPI_Request requests[MOST_STREAM];
    const int count = simulate_exchange_count(bytes);
    for (int i = 0; i < count; i++) {
        char *at = m->buffer + (size_t)i * (size_t)bytes;
        if (sends) {
            MPI_Isend(at, bytes, MPI_BYTE, peer, 1, m->comm, &requests[i]);
        } else {
            MPI_Irecv(at, bytes, MPI_BYTE, peer, 1, m->comm, &requests[i]);
        }
    }
    wait_all(count, requests);
}

void simulate_exchange_synchronize(const simulate_measuring *m)
{
    MPI_Request request;
    MPI_Ibarrier(m->comm, &request);
    parallel_wait(&request);
}

void simulate_exchange_ping_pong(const simulate_measuring *m, int bytes, int peer,
                                 bool is_first)
{
    if (is_first) {
        simulate_exchange_send(m, bytes, peer);
        simulate_exchange_receive(m, bytes, peer);
    } else {
        simulate_exchange_receive(m, bytes, peer);
        simulate_exchange_send(m, bytes, peer);
    }
}

void simulate_exchange_stream(const simulate_measuring *m, int bytes, int peer,
                              bool is_first)
{
    run_stream(m, bytes, peer, is_first);
    if (is_first) {
        simulate_exchange_receive(m, 0, peer);
    } else {
        simulate_exchange_send(m, 0, peer);
    }
}

void simulate_exchange_both_ways(const simulate_measuring *m, int bytes, int peer,
                                 bool is_first)
{
    MPI_Request requests[2 * SIMULATE_DUPLEX];
    (void)is_first;
    for (int i = 0; i < SIMULATE_DUPLEX; i++) {
        char *at = m->buffer + (size_t)i * SIMULATE_DUPLEX_BYTES;
        MPI_Irecv(at, bytes, MPI_BYTE, peer, 2, m->comm, &requests[i]);
        MPI_Isend(at + (size_t)SIMULATE_DUPLEX * SIMULATE_DUPLEX_BYTES, bytes, MPI_BYTE,
                  peer, 2, m->comm, &requests[SIMULATE_DUPLEX + i]);
    }
    wait_all(2 * SIMULATE_DUPLEX, requests);
}

simulate_run_times simulate_exchange_time(const simulate_measuring *m,
                                          simulate_exchange *of, int bytes, int peer,
                                          bool is_first)
{
    double runs[SIMULATE_REPEATS + 1], all = 0;
    int count = 0;
    for (; count <= SIMULATE_REPEATS && (count < FEWEST_RUNS || all < enough_seconds);
         count++) {
        simulate_exchange_synchronize(m);
        const double begin = base_clock();
        if (peer >= 0) {
            of(m, bytes, peer, is_first);
        }
        const double mine = peer >= 0 ? base_clock() - begin : 0;
        parallel_allreduce(&mine, &runs[count], 1, MPI_DOUBLE, MPI_MAX, m->comm);
        all += runs[count];
    }
    double *counted = runs + 1; /* the first one connects */
    count--;
    qsort(counted, (size_t)count, sizeof *counted, base_array_compare_doubles);
    return (simulate_run_times){counted[0], counted[count / 2]};
}

int simulate_exchange_peer(const simulate_measuring *m, int a, int b)
{
    return m->rank == a ? b : m->rank == b ? a : -1;
}

double simulate_exchange_time_pair(const simulate_measuring *m, simulate_exchange *of,
                                   int bytes, int a, int b)
{
    return simulate_exchange_time(m, of, bytes, simulate_exchange_peer(m, a, b),
                                  m->rank == a)
        .least;
}
