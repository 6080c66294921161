#include "alive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double steer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void steer_host(size_t size, char *name)
{
    if (gethostname(name, size) != 0) {
        snprintf(name, size, "unknown");
    }
    name[size - 1] = '\0';
}

/* Start time of a process, in clock ticks since the machine's start; 0 if unknown, -1 if
 * it has ended and waits for its parent (a zombie). It is field 22 of /proc/PID/stat.
 * Fields are counted from the last ')', which ends the program's name; the name may hold
 * any other character. */
static long long process_start(long pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *at = strrchr(text, ')');
    if (at && at[1] == ' ' && at[2] == 'Z') {
        return -1;
    }
    for (int field = 2; at && field < 22; field++) {
        at = strchr(at + 1, ' ');
    }
    long long start = 0;
    return at && sscanf(at, "%lld", &start) == 1 ? start : 0;
}

json_t *steer_alive_describe(void)
{
    char host[256];
    steer_host(sizeof host, host);
    long pid = (long)getpid();
    return json_pack("{s:s, s:I, s:I}", "host", host, "pid", (json_int_t)pid,
                     "process_start", (json_int_t)process_start(pid));
}

/* Whether the process runs on this host. */
static bool is_running(long pid, long long start)
{
    if (pid <= 0 || pid != (pid_t)pid || (kill((pid_t)pid, 0) != 0 && errno == ESRCH)) {
        return false;
    }
    long long now = process_start(pid);
    return now == 0 || (now > 0 && (start == 0 || now == start));
}

bool steer_alive_check(const json_t *run, const json_t *status)
{
    const char *state = json_string_value(json_object_get(status, "state"));
    const char *host = json_string_value(json_object_get(run, "host"));
    if (!host || (state && strcmp(state, "finished") == 0)) {
        return false;
    }
    char here[256];
    steer_host(sizeof here, here);
    if (strcmp(host, here) == 0) {
        return is_running((long)json_integer_value(json_object_get(run, "pid")),
                          json_integer_value(json_object_get(run, "process_start")));
    }
    double last = json_number_value(
        json_object_get(status ? status : run, status ? "updated" : "start"));
    return steer_now() - last < STEER_SILENCE;
}
