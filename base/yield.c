/*
 * Lets more ranks than cores share a machine.
 *
 * MPICH (ch4:ucx) waits in ucp_worker_progress() without ever giving the processor up:
 * with four ranks on two cores most of the time goes into polling. The definition here
 * comes before UCX's own in the order in which the dynamic linker looks, in every program
 * that links karman_parallel statically; libkarman does not export it, so that programs
 * of others stay as they are. It passes the call on, and gives way after some polls in a
 * row that found nothing.
 */
#define _GNU_SOURCE
#include "base/parallel.h"

#include <dlfcn.h>

unsigned ucp_worker_progress(void *worker);

/* Set by the first poll that comes through here. */
static bool yields = false;

bool parallel_yields(void)
{
    return yields;
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *);
    static int idle;
    if (!next) {
        /* ISO C has no conversion from void * to a function pointer; POSIX requires this.
         */
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
        yields = true;
    }
    unsigned progressed = next(worker);
    if (progressed) {
        idle = 0;
    } else {
        parallel_relax(&idle);
    }
    return progressed;
}
