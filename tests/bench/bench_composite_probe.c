/* What the machine gives while a case is measured: virtual machines change their pace. */
#include "bench_composite.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COPY_BYTES = 1 << 26, COPIES = 4, MESSAGE_BYTES = 64, TRIPS = 200 };

/* Gigabytes a second that memcpy moves, out of cache: the best of some copies. */
static double probe_copy(void)
{
    char *from = malloc(COPY_BYTES), *to = malloc(COPY_BYTES);
    double best = 0.0;
    for (int n = 0; from && to && n < COPIES; n++) {
        memset(from, n, COPY_BYTES);
        double start = base_clock();
        memcpy(to, from, COPY_BYTES);
        double rate = 1e-9 * COPY_BYTES / (base_clock() - start);
        /* The first copy meets pages that the system has yet to provide. */
        best = n > 0 && rate > best ? rate : best;
        from[0] = to[COPY_BYTES - 1]; /* so that the copy counts */
    }
    free(from);
    free(to);
    return best;
}

static void pass(char *message, bool sends, int other, MPI_Comm comm)
{
    MPI_Request request;
    if (sends) {
        MPI_Isend(message, MESSAGE_BYTES, MPI_BYTE, other, 0, comm, &request);
    } else {
        MPI_Irecv(message, MESSAGE_BYTES, MPI_BYTE, other, 0, comm, &request);
    }
    parallel_wait(&request);
}

/* Microseconds that a small message takes from one rank to another and back, halved. */
static double probe_latency(const bench_frame *frame)
{
    char message[MESSAGE_BYTES] = {0};
    if (frame->rank > 1 || frame->ranks < 2) {
        return 0.0;
    }
    double start = base_clock();
    for (int n = 0; n < TRIPS; n++) {
        pass(message, frame->rank == 0, 1 - frame->rank, frame->comm);
        pass(message, frame->rank != 0, 1 - frame->rank, frame->comm);
    }
    return 1e6 * (base_clock() - start) / (2.0 * TRIPS);
}

/* Waits without polling in between, which would take processors from those that measure.
 */
static void wait_asleep(MPI_Comm comm)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    for (int done = 0; !done;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            nanosleep(&nap, NULL);
        }
    }
}

bench_machine bench_probe(const bench_frame *frame)
{
    bench_machine machine = {0};
    wait_asleep(frame->comm);
    machine.latency = probe_latency(frame);
    if (frame->rank == 0) {
        machine.copy = probe_copy();
    }
    wait_asleep(frame->comm);
    return machine;
}
