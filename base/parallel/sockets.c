/* The socket of a process, from its binding and the folder of processors of Linux. */
#define _GNU_SOURCE
#include "nodes.h"

#include <stdio.h>

#ifdef __linux__

#include <errno.h>
#include <sched.h>

enum { NONE = -1 };

/* The package of a processor, or NONE. */
static int read_package(const char *cpus, size_t processor)
{
    char path[1024];
    int package;
    snprintf(path, sizeof path, "%.900s/cpu%zu/topology/physical_package_id", cpus,
             processor);
    FILE *file = fopen(path, "r");
    if (!file) {
        return NONE;
    }
    const bool is_read = fscanf(file, "%d", &package) == 1;
    fclose(file);
    return is_read && package >= 0 ? package : NONE;
}

/* The package of all processors of a set, or NONE. */
static int find_package(const char *cpus, size_t processors, const cpu_set_t *set)
{
    const size_t bytes = CPU_ALLOC_SIZE(processors);
    int package = NONE;
    for (size_t processor = 0; processor < processors; processor++) {
        if (CPU_ISSET_S(processor, bytes, set)) {
            const int other = read_package(cpus, processor);
            if (other == NONE || (package != NONE && other != package)) {
                return NONE;
            }
            package = other;
        }
    }
    return package;
}

int parallel_find_socket(const char *cpus)
{
    const size_t most = (size_t)1 << 16;
    /* The kernel refuses sets that are shorter than its own. */
    for (size_t processors = CPU_SETSIZE; processors <= most; processors *= 2) {
        cpu_set_t *set = CPU_ALLOC(processors);
        if (!set) {
            return NONE;
        }
        const int failed = sched_getaffinity(0, CPU_ALLOC_SIZE(processors), set);
        const int package = failed ? NONE
                                   : find_package(cpus ? cpus : "/sys/devices/system/cpu",
                                                  processors, set);
        const bool is_short = failed && errno == EINVAL;
        CPU_FREE(set);
        if (!is_short) {
            return package;
        }
    }
    return NONE;
}

#else

int parallel_find_socket(const char *cpus)
{
    (void)cpus;
    return -1;
}

#endif
