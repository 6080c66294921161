/* karman compare: the cores that runs are bound to, and those that they may use. */
#ifndef APP_COMPARE_CORES_H
#define APP_COMPARE_CORES_H

#include "base/status.h"

enum { COMPARE_MOST_CORES = 1024 };

/* Cores as the system numbers them; zero: no run is bound. */
typedef struct compare_cores {
    int count;
    int at[COMPARE_MOST_CORES]; /* [count], ascending, each once */
} compare_cores;

/*
 * Reads a list like "0", "0,2" or "4-7". Local. Errors: STATUS_USAGE where it is none,
 * names a core twice, or one that this process may not use.
 */
status compare_cores_read(const char *list, compare_cores *cores);

/* The cores that the calling thread may use. Local. Errors: STATUS_INTERNAL. */
status compare_cores_get(compare_cores *cores);

/*
 * Binds the calling thread; children that it starts afterwards inherit that, and so do
 * theirs. Nothing happens where `cores` is empty. Local. Errors: STATUS_USAGE.
 */
status compare_cores_bind(const compare_cores *cores);

/* The machine before the runs began, which decides how much their clock means. Zero:
 * nothing is known. */
typedef struct compare_machine {
    char host[256];
    double load;    /* load average of the minute before; negative: not known */
    int processors; /* that are online */
    int cores; /* of them, that this process may use: by its affinity and its quota */
} compare_machine;

/* How this machine is now. Local. */
compare_machine compare_machine_look(void);

/*
 * Cores that a quota of Linux allows, rounded up: `text` is that of a file cpu.max,
 * "QUOTA PERIOD" in microseconds. 0: it does not limit them. Local.
 */
int compare_machine_quota(const char *text);

#endif
