/* karman compare: the cores that runs are bound to. */
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

#endif
