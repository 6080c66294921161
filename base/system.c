#include "base/system.h"

#include <stdlib.h> /* tells which C library it is */
#include <sys/resource.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_clock(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double base_cpu_clock(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double base_thread_clock(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

int64_t base_peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return (int64_t)usage.ru_maxrss * 1024;
}

void base_trim_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
