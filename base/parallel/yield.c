/*
 * libkarman-yield: lets more ranks than cores share a machine. A program is started with
 * it in LD_PRELOAD; nothing of karman is linked with it.
 *
 * MPICH (ch4:ucx) waits in ucp_worker_progress() and never yields the processor. A rank
 * in a blocking call, such as MPI_Comm_split or the opening of a file, takes the core of
 * the rank that it waits for until its time slice ends. The dynamic linker finds the
 * definition here before UCX's own. This function forwards the call, and yields after
 * some polls in a row that found nothing. A gap, as karman's own waiting leaves it
 * (parallel_relax), begins a new row.
 *
 * It also lets programs end over TCP. MPI_Finalize of MPICH 4.0 closes connections one by
 * one, and for each it waits for a peer that may already have stopped to answer. Here
 * connections end with the process.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

unsigned ucp_worker_progress(void *worker);

/* Polls before a rank yields; the first sleep and its doublings; the longest gap in
 * seconds between two polls of one row. */
enum { BEFORE_NAP = 20, NAP_NANOSECONDS = 20000, MOST_DOUBLINGS = 4 };
#define LONGEST_GAP 5e-6

/* Whether hydra put more ranks on this node than it has cores. */
static bool is_crowded(void)
{
    static int known = -1;
    if (known < 0) {
        const char *ranks = getenv("MPI_LOCALNRANKS");
        known = ranks && strtol(ranks, NULL, 10) > sysconf(_SC_NPROCESSORS_ONLN);
    }
    return known;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Yields. On a crowded node it sleeps instead, since Linux may let several yielding ranks
 * take turns before one that has work. Sleeps grow longer while nothing arrives. */
static void give_way(int naps)
{
    const int doublings = naps < MOST_DOUBLINGS ? naps : MOST_DOUBLINGS;
    if (is_crowded()) {
        nanosleep(&(struct timespec){0, (long)NAP_NANOSECONDS << doublings}, NULL);
    } else {
        sched_yield();
    }
}

static void count_idle(void)
{
    static _Thread_local int idle, naps;
    static _Thread_local double last;
    const double time = now();
    if (time - last > LONGEST_GAP) {
        idle = naps = 0;
    }
    idle++;
    if (idle % BEFORE_NAP == 0) {
        give_way(naps++);
    }
    last = idle % BEFORE_NAP == 0 ? now() : time;
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *);
    if (!next) {
        /* ISO C cannot convert void * to a function pointer; POSIX requires that it
         * works. */
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    const unsigned progressed = next(worker);
    if (!progressed) {
        count_idle();
    }
    return progressed;
}

void *ucp_disconnect_nb(void *endpoint);

/* MPI_Finalize is the only caller. NULL says that the connection is closed already. */
void *ucp_disconnect_nb(void *endpoint)
{
    (void)endpoint;
    return NULL;
}
