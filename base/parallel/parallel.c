#include "parallel.h"

#include "base/launched.h"
#include "base/log.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int parallel_rank(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int parallel_size(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

void parallel_check_threads(void)
{
    static bool has_warned;
    int provided;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_FUNNELED && !has_warned) {
        has_warned = true;
        base_log_warning("MPI was initialised with MPI_THREAD_SINGLE, but karman has "
                         "threads beside the one that calls MPI: ask MPI_Init_thread "
                         "for MPI_THREAD_FUNNELED instead of calling MPI_Init");
    }
}

int parallel_count(int64_t count)
{
    if (count < 0 || count > INT_MAX) {
        fprintf(stderr, "karman: defect: a message of %lld items\n", (long long)count);
        abort();
    }
    return (int)count;
}

/* Launchers report the number of ranks in the environment. A communicator is not asked,
 * since this function is called while waiting in one. */
bool parallel_is_crowded(void)
{
    static int known = -1;
    if (known < 0) {
        known = base_launched_on_node() > sysconf(_SC_NPROCESSORS_ONLN);
    }
    return known;
}

/* Of the calling thread: the time of its last poll, and the processor seconds of all its
 * polls. */
static _Thread_local double last_poll, waited;

/* While polls follow the last sleep without a gap: the thread's clock and the counted
 * time just after it. */
static _Thread_local bool has_mark;
static _Thread_local double mark, waited_at_mark;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Largest gap between consecutive polls, in seconds. A longer gap is work, or another
 * process's turn. */
#define LONGEST_GAP 5e-6

static void count_poll(void)
{
    const double now = seconds_of(CLOCK_MONOTONIC);
    const bool follows = now - last_poll < LONGEST_GAP;
    waited += follows ? now - last_poll : 0.0;
    has_mark &= follows;
    last_poll = now;
}

static void set_mark(void)
{
    mark = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    waited_at_mark = waited;
    has_mark = true;
}

/* Sleeps grow from 20 to 320 microseconds while nothing arrives: on a crowded node each
 * wake-up takes time from a rank that has work. */
static void sleep_a_while(int naps)
{
    enum { MOST_DOUBLINGS = 4 };
    const struct timespec nap = {
        0, 20000L << (naps < MOST_DOUBLINGS ? naps : MOST_DOUBLINGS)};
    nanosleep(&nap, NULL);
}

/* turns: how often the rank gave way before, in one wait. A rank with a core of its own
 * sleeps after about a millisecond, so for a small part of its wait at a time: if others
 * draw for long, its core is free for other programs. */
static void give_way(int turns)
{
    enum { BEFORE_NAP = 250, ALIKE = 16 };
    if (!has_mark) {
        set_mark();
    }
    if (parallel_is_crowded()) {
        sleep_a_while(turns);
    } else if (turns >= BEFORE_NAP) {
        sleep_a_while((turns - BEFORE_NAP) / ALIKE);
    } else {
        sched_yield();
    }
    /* All time between two sleeps is waiting, including the time for reading clocks. */
    waited = waited_at_mark + seconds_of(CLOCK_THREAD_CPUTIME_ID) - mark;
    set_mark();
    last_poll = seconds_of(CLOCK_MONOTONIC);
}

/* Polls in a row within a call of MPI. */
static _Thread_local int idle_inside;

static void relax(int *idle)
{
    enum { BEFORE_GIVING_WAY = 20, CROWDED_YIELD = 5 };
    count_poll();
    *idle = *idle < INT_MAX ? *idle + 1 : BEFORE_GIVING_WAY;
    if (*idle % BEFORE_GIVING_WAY == 0) {
        give_way(*idle / BEFORE_GIVING_WAY - 1);
    } else if (parallel_is_crowded() && *idle % CROWDED_YIELD == 0) {
        sched_yield();
        last_poll = seconds_of(CLOCK_MONOTONIC); /* the turn of others is no gap */
    }
}

void parallel_relax(int *idle)
{
    idle_inside = 0;
    relax(idle);
}

void parallel_relax_inside(void)
{
    const bool goes_on = seconds_of(CLOCK_MONOTONIC) - last_poll < LONGEST_GAP;
    idle_inside = goes_on ? idle_inside : 0;
    relax(&idle_inside);
}

double parallel_waited(void)
{
    return waited;
}

void parallel_wait(MPI_Request *request)
{
    int done = 0;
    int idle = 0;
    while (!done) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            parallel_relax(&idle);
        }
    }
}

void parallel_dup(MPI_Comm comm, MPI_Comm *out)
{
    MPI_Request request;
    MPI_Comm_idup(comm, out, &request);
    parallel_wait(&request);
}

void parallel_allreduce(const void *in, void *out, int count, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    if (parallel_size(comm) == 1) {
        int size;
        MPI_Type_size(type, &size);
        if (in != MPI_IN_PLACE) {
            memcpy(out, in, (size_t)count * (size_t)size);
        }
        return;
    }
    MPI_Iallreduce(in, out, count, type, op, comm, &request);
    parallel_wait(&request);
}

void parallel_bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    if (parallel_size(comm) > 1) {
        MPI_Ibcast(data, count, type, root, comm, &request);
        parallel_wait(&request);
    }
}

status parallel_agree(MPI_Comm comm, status local)
{
    int size = parallel_size(comm), rank = parallel_rank(comm);
    int mine = local == STATUS_OK ? size : rank;
    int first;
    parallel_allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == size) {
        return STATUS_OK;
    }
    struct {
        int code;
        char text[2048];
    } failure = {.code = (int)local};
    /* On other ranks another thread may be recording a failure at this moment. */
    if (rank == first) {
        snprintf(failure.text, sizeof failure.text, "%s", base_fail_message());
    }
    parallel_bcast(&failure, (int)sizeof failure, MPI_BYTE, first, comm);
    base_fail_set_message(failure.text);
    return (status)failure.code;
}
