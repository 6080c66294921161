/* for sched_setaffinity, cpu_set_t and getloadavg */
#define _GNU_SOURCE
#include "cores.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)COMPARE_MOST_CORES <= CPU_SETSIZE, "a set has room for all cores");

/* The system's macros take unsigned core numbers. */
static bool is_set(const cpu_set_t *set, int core)
{
    return CPU_ISSET((size_t)core, set);
}

static void add_core(cpu_set_t *set, int core)
{
    CPU_SET((size_t)core, set);
}

static void list_set(const cpu_set_t *set, compare_cores *cores)
{
    cores->count = 0;
    for (int core = 0; core < COMPARE_MOST_CORES; core++) {
        if (is_set(set, core)) {
            cores->at[cores->count++] = core;
        }
    }
}

/* Reads a number at *at, and moves *at behind it. */
static bool read_core(const char **at, int *core)
{
    char *end;
    if (**at < '0' || **at > '9') {
        return false;
    }
    long value = strtol(*at, &end, 10);
    *at = end;
    *core = value < COMPARE_MOST_CORES ? (int)value : COMPARE_MOST_CORES;
    return value < COMPARE_MOST_CORES;
}

/* Reads FIRST or FIRST-LAST at *at; false if a core is in the set already. */
static bool read_range(const char **at, cpu_set_t *set)
{
    int first, last;
    if (!read_core(at, &first)) {
        return false;
    }
    last = first;
    if (**at == '-') {
        (*at)++;
        if (!read_core(at, &last)) {
            return false;
        }
    }
    for (int core = first; core <= last; core++) {
        if (is_set(set, core)) {
            return false;
        }
        add_core(set, core);
    }
    return first <= last;
}

static bool read_set(const char *list, cpu_set_t *set)
{
    CPU_ZERO(set);
    const char *at = list;
    while (read_range(&at, set)) {
        if (*at == '\0') {
            return true;
        }
        if (*at++ != ',') {
            return false;
        }
    }
    return false;
}

static bool has_core(const compare_cores *cores, int core)
{
    for (int n = 0; n < cores->count; n++) {
        if (cores->at[n] == core) {
            return true;
        }
    }
    return false;
}

status compare_cores_read(const char *list, compare_cores *cores)
{
    cpu_set_t set;
    compare_cores allowed;
    if (!read_set(list, &set)) {
        return base_fail(STATUS_USAGE,
                         "--cores '%s': give numbers of cores below %d, each once, like "
                         "0 or 0,2 or 4-7",
                         list, (int)COMPARE_MOST_CORES);
    }
    list_set(&set, cores);
    status s = compare_cores_get(&allowed);
    for (int n = 0; s == STATUS_OK && n < cores->count; n++) {
        if (!has_core(&allowed, cores->at[n])) {
            return base_fail(STATUS_USAGE,
                             "--cores %s: this process may not use core %d: 'taskset -pc "
                             "$$' shows those that it may",
                             list, cores->at[n]);
        }
    }
    return s;
}

status compare_cores_get(compare_cores *cores)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return base_fail(STATUS_INTERNAL,
                         "the cores of this process cannot be "
                         "determined: %s",
                         strerror(errno));
    }
    list_set(&set, cores);
    return STATUS_OK;
}

status compare_cores_bind(const compare_cores *cores)
{
    cpu_set_t set;
    if (cores->count == 0) {
        return STATUS_OK;
    }
    CPU_ZERO(&set);
    for (int n = 0; n < cores->count; n++) {
        add_core(&set, cores->at[n]);
    }
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        return base_fail(STATUS_USAGE, "--cores: runs cannot be bound: %s",
                         strerror(errno));
    }
    return STATUS_OK;
}

/* ---- The machine ------------------------------------------------------------------- */

int compare_machine_quota(const char *text)
{
    long quota, period;
    if (sscanf(text, "%ld %ld", &quota, &period) != 2 || quota <= 0 || period <= 0) {
        return 0;
    }
    const long cores = (quota - 1) / period + 1;
    return cores < INT_MAX ? (int)cores : 0;
}

/* Reads the first line of a file. */
static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    const bool is_there = file && fgets(line, (int)size, file);
    if (file) {
        fclose(file);
    }
    return is_there;
}

/* Finds the path of this process's control group (version 2), such as
 * "/system.slice/x". */
static bool find_group(char *group, size_t size)
{
    static const char mark[] = "0::/";
    FILE *file = fopen("/proc/self/cgroup", "r");
    bool is_there = false;
    while (file && !is_there && fgets(group, (int)size, file)) {
        is_there = strncmp(group, mark, sizeof mark - 1) == 0;
    }
    if (file) {
        fclose(file);
    }
    if (is_there) {
        memmove(group, group + sizeof mark - 2, strlen(group + sizeof mark - 2) + 1);
        group[strcspn(group, "\n")] = '\0';
    }
    return is_there;
}

/* The least quota of the process's control group and of its parents; 0: none. */
static int find_quota(void)
{
    char group[PATH_MAX], path[PATH_MAX + 64], line[128];
    int least = 0;
    if (!find_group(group, sizeof group)) {
        return 0;
    }
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        const int quota =
            read_line(path, line, sizeof line) ? compare_machine_quota(line) : 0;
        least = quota > 0 && (least == 0 || quota < least) ? quota : least;
    }
    return least;
}

compare_machine compare_machine_look(void)
{
    compare_machine machine = {.processors = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    compare_cores allowed = {0};
    gethostname(machine.host, sizeof machine.host - 1);
    if (getloadavg(&machine.load, 1) != 1) {
        machine.load = -1.0;
    }
    machine.cores = machine.processors;
    if (compare_cores_get(&allowed) != STATUS_OK) {
        base_fail_set_message(""); /* then all processors online count */
    } else if (allowed.count < machine.cores) {
        machine.cores = allowed.count;
    }
    const int quota = find_quota();
    if (quota > 0 && quota < machine.cores) {
        machine.cores = quota;
    }
    return machine;
}
