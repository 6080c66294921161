#include "limits.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Frames overflow 512 KiB. libgomp keeps an entry a thread on the stack: 100,000 threads
 * overflow 8 MiB. */
enum { LEAST_STACK = 1 << 20, MOST_THREADS = 4096 };

static const double kibibyte = 1024.0;

/* Bytes of a text such as "512k", by the rules of OMP_STACKSIZE: without a unit it counts
 * KiB. Negative: it is no size, which OpenMP passes over. */
static double parse_size(const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    end += *end == ' ';
    switch (end == text ? '?' : tolower((unsigned char)*end)) {
    case 'b':
        return number;
    case '\0':
    case 'k':
        return number * kibibyte;
    case 'm':
        return number * kibibyte * kibibyte;
    case 'g':
        return number * kibibyte * kibibyte * kibibyte;
    default:
        return -1.0;
    }
}

static status check_stack(void)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_STACK, &most) == 0 && most.rlim_cur < LEAST_STACK) {
        return base_fail(STATUS_USAGE,
                         "stacks may have %.0f KiB here, and karman needs %d: raise the "
                         "limit with ulimit -s 8192",
                         (double)most.rlim_cur / kibibyte, LEAST_STACK / 1024);
    }
    const char *text = getenv("OMP_STACKSIZE");
    const double size = text ? parse_size(text) : -1.0;
    return size >= 0.0 && size < LEAST_STACK
               ? base_fail(STATUS_USAGE,
                           "OMP_STACKSIZE=%s gives each thread less than the %d KiB "
                           "that karman needs: give 8M, or unset it",
                           text, LEAST_STACK / 1024)
               : STATUS_OK;
}

status parallel_check_limits(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const long threads = text ? strtol(text, NULL, 10) : 0;
    return threads > MOST_THREADS
               ? base_fail(STATUS_USAGE,
                           "OMP_NUM_THREADS=%s: a rank has at most %d threads, and gains "
                           "nothing from more than the processors of its node",
                           text, (int)MOST_THREADS)
               : check_stack();
}
