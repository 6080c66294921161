/*
 * Preloaded into MPI tests: lets more ranks than cores share the machine.
 *
 * MPICH (ch4:ucx) polls ucp_worker_progress() without ever giving the processor up. This passes
 * the call on, and yields after 20 polls in a row that found nothing to do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    enum { POLLS_BEFORE_YIELD = 20 };
    static unsigned (*real)(void *);
    static int idle;
    if (!real) {
        /* ISO C has no conversion from void * to a function pointer; POSIX requires this. */
        *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    unsigned progressed = real(worker);
    idle = progressed ? 0 : idle + 1;
    if (idle >= POLLS_BEFORE_YIELD) {
        idle = 0;
        sched_yield();
    }
    return progressed;
}
