#define _GNU_SOURCE /* sched_getaffinity */
#include "facts.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/entry.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { UNKNOWN = -1 };

static double least_of(double a, double b)
{
    return b < a ? b : a;
}

/* The number behind `key` in a file of Linux; the whole file if it is "". */
static double read_number(const char *path, const char *key)
{
    char line[256];
    double number = UNKNOWN;
    FILE *file = fopen(path, "r");
    while (file && number < 0.0 && fgets(line, sizeof line, file)) {
        char *end, *text = line + strlen(key);
        const double value =
            strncmp(line, key, strlen(key)) == 0 ? strtod(text, &end) : UNKNOWN;
        number = value >= 0.0 && end != text ? value : UNKNOWN;
    }
    if (file) {
        fclose(file);
    }
    return number;
}

/* Containers and batch jobs have limits of their own. */
static void find_memory(double *facts)
{
    static const char group[] = "/sys/fs/cgroup/memory.max";
    const double most = read_number(group, "");
    const double used = read_number("/sys/fs/cgroup/memory.current", "");
    const double available = read_number("/proc/meminfo", "MemAvailable:");
    facts[DOCTOR_MEMORY] = (double)base_machine_memory();
    facts[DOCTOR_FREE_MEMORY] = available < 0.0 ? UNKNOWN : 1024.0 * available;
    if (most > 0.0 && most < facts[DOCTOR_MEMORY]) {
        facts[DOCTOR_MEMORY] = most;
        facts[DOCTOR_FREE_MEMORY] = least_of(facts[DOCTOR_FREE_MEMORY], most - used);
    }
}

static double find_space(const char *folder)
{
    struct statvfs space;
    return statvfs(folder, &space) == 0 ? (double)space.f_bavail * (double)space.f_frsize
                                        : UNKNOWN;
}

static double find_limit(__rlimit_resource_t what)
{
    struct rlimit limit;
    return getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? (double)limit.rlim_cur
               : UNKNOWN;
}

/* The cores that this rank may use, and those of all ranks of its node together. */
static void find_cores(MPI_Comm node, double *facts)
{
    cpu_set_t own, all;
    CPU_ZERO(&own);
    const int failed = sched_getaffinity(0, sizeof own, &own);
    parallel_allreduce(&own, &all, (int)sizeof own, MPI_BYTE, MPI_BOR, node);
    facts[DOCTOR_CORES] = (double)sysconf(_SC_NPROCESSORS_ONLN);
    facts[DOCTOR_BOUND] = failed ? UNKNOWN : CPU_COUNT(&own);
    facts[DOCTOR_NODE_CORES] = failed ? UNKNOWN : CPU_COUNT(&all);
}

const char *doctor_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

void doctor_facts_find(MPI_Comm comm, doctor_facts *facts)
{
    double own[DOCTOR_FACTS];
    MPI_Comm node;
    parallel_split_nodes(comm, &node);
    const int neighbours = parallel_size(node), is_first = parallel_rank(node) == 0;
    own[DOCTOR_NEIGHBOURS] = neighbours;
    own[DOCTOR_THREADS] = frame_threads_choose(neighbours, 0);
    find_cores(node, own);
    MPI_Comm_free(&node);
    find_memory(own);
    own[DOCTOR_FREE_SHARED] = find_space("/dev/shm");
    own[DOCTOR_FREE_SCRATCH] = find_space(doctor_scratch());
    own[DOCTOR_STACK] = find_limit(RLIMIT_STACK);
    own[DOCTOR_FILES] = find_limit(RLIMIT_NOFILE);
    facts->ranks = parallel_size(comm);
    parallel_allreduce(&is_first, &facts->nodes, 1, MPI_INT, MPI_SUM, comm);
    parallel_allreduce(own, facts->least, DOCTOR_FACTS, MPI_DOUBLE, MPI_MIN, comm);
    parallel_allreduce(own, facts->most, DOCTOR_FACTS, MPI_DOUBLE, MPI_MAX, comm);
}
