/* karman compare: makes the plan from the request, with all checks that need no run. */
#ifndef MESSAGES_COMPARE_SETUP_H
#define MESSAGES_COMPARE_SETUP_H

#include "launch.h"

enum { COMPARE_MOST_OVERRIDES = 256 };

/* The request: the options as text. */
typedef struct compare_request {
    const char *config, *ranks, *partitions, *algorithms, *projections, *out;
    const char *cores; /* NULL: runs are not bound */
    bool warms_caches;
    int repeat, threads;
    int noverrides;
    const char *overrides[COMPARE_MOST_OVERRIDES]; /* [noverrides] */
} compare_request;

/*
 * Checks lists, config and data, makes the folder, and fills the plan. The plan must be
 * zero before; it borrows from the request. Free it by compare_plan_clear, also after a
 * failure. Local. Errors: STATUS_USAGE, STATUS_INPUT, STATUS_OUTPUT (the folder cannot be
 * written), STATUS_MEMORY.
 */
status compare_setup(const compare_request *request, const compare_launcher *launcher,
                     compare_plan *plan);

#endif
