/* karman compare: the cores that the runs are bound to, and the cores that they may
 * use. */
#ifndef MESSAGES_COMPARE_CORES_H
#define MESSAGES_COMPARE_CORES_H

#include "base/status.h"

enum { COMPARE_MOST_CORES = 1024 };

/* Cores by the system's numbers. Zero: the runs are not bound. */
typedef struct compare_cores {
    int count;
    int at[COMPARE_MOST_CORES]; /* [count], ascending, each once */
} compare_cores;

/*
 * Reads a list like "0", "0,2" or "4-7". Local. Errors: STATUS_USAGE if the list is
 * malformed, names a core twice, or names one that this process may not use.
 */
status compare_cores_read(const char *list, compare_cores *cores);

/* The cores that the calling thread may use. Local. Errors: STATUS_INTERNAL. */
status compare_cores_get(compare_cores *cores);

/*
 * Binds the calling thread to the cores. Its later children inherit that, and so do
 * theirs. Does nothing if `cores` is empty. Local. Errors: STATUS_USAGE.
 */
status compare_cores_bind(const compare_cores *cores);

/* The machine before the runs: its load decides how far wall clock times can be trusted.
 * Zero: unknown. */
typedef struct compare_machine {
    char host[256];
    double load;    /* load average of the last minute; negative: unknown */
    int processors; /* number of processors online */
    int cores; /* number of processors that this process may use, by its affinity and its
                  quota */
} compare_machine;

/* The present state of this machine. Local. */
compare_machine compare_machine_look(void);

/*
 * The number of cores that a quota of Linux allows, rounded up. `text` is the content of
 * a file cpu.max: "QUOTA PERIOD" in microseconds. 0: no limit. Local.
 */
int compare_machine_quota(const char *text);

#endif
