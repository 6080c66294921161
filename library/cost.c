/* The costs of a session for the program: time, bytes, memory. */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "insitu.h"
#include "state.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Bytes allocated now, by the whole program. Their growth within a call is the
 * session's. */
static int64_t heap_bytes(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

void insitu_enter(insitu_session *session)
{
    if (session->cost.depth++ == 0) {
        session->cost.entered = base_clock();
        session->cost.heap_before = heap_bytes();
    }
}

void insitu_leave(insitu_session *session)
{
    if (--session->cost.depth == 0) {
        session->cost.seconds += base_clock() - session->cost.entered;
        session->cost.heap += heap_bytes() - session->cost.heap_before;
    }
}

void insitu_cost_add_frame(insitu_session *session, const frame_result *frame)
{
    for (int stage = 0; stage < IO_STAGES; stage++) {
        session->cost.stages[stage] += frame->stages[stage];
    }
    session->cost.bytes_composited += frame->bytes_sent;
}

/* Names of the line's numbers. Of the first MAXIMA, the largest of all ranks is
 * published; of the others, the sum. */
static const char *const names[] = {"seconds",         "create",      "load",
                                    "render",          "composite",   "finish",
                                    "write",           "memory",      "particles",
                                    "particle_memory", "bytes_moved", "bytes_composited"};
enum { MAXIMA = 10, NUMBERS = sizeof names / sizeof names[0] };

void insitu_cost_publish(insitu_session *session)
{
    insitu_cost *cost = &session->cost;
    const double now = base_clock();
    const int64_t heap = cost->heap + heap_bytes() - cost->heap_before;
    const int64_t moved = io_memory_bytes(session->grid.source);
    double values[NUMBERS] = {cost->seconds + now - cost->entered, cost->create};
    for (int stage = 0; stage < IO_STAGES; stage++) {
        values[2 + stage] = cost->stages[stage];
    }
    values[7] = (double)heap;
    values[8] = cost->particles;
    values[9] = (double)frame_particles_bytes(session->particles);
    values[10] = (double)(moved - cost->bytes_moved_before);
    values[11] = (double)cost->bytes_composited;
    parallel_allreduce(MPI_IN_PLACE, values, MAXIMA, MPI_DOUBLE, MPI_MAX, session->comm);
    parallel_allreduce(MPI_IN_PLACE, values + MAXIMA, NUMBERS - MAXIMA, MPI_DOUBLE,
                       MPI_SUM, session->comm);
    steer_run_add_timings(session->run, session->step.cycle, session->step.time, NUMBERS,
                          names, values);
    *cost = (insitu_cost){.depth = cost->depth,
                          .entered = now,
                          .heap_before = cost->heap_before,
                          .heap = cost->heap,
                          .bytes_moved_before = moved};
}
