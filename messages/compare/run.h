/* karman compare: the probes, then all runs that have no result yet. */
#ifndef MESSAGES_COMPARE_RUN_H
#define MESSAGES_COMPARE_RUN_H

#include "launch.h"

/* Cases, and the reasons why some of them cannot be run. */
typedef struct compare_cases {
    int count;
    const compare_case *items; /* [count] */
    char **reasons;            /* [count], malloc'ed; NULL: the case can be run */
} compare_cases;

/*
 * Tests by tiny runs whether partitions, algorithms and rank counts can be run. If a
 * partition cannot, its cases get the reason. Local. Errors: STATUS_USAGE if no partition
 * can be run, or if a rank count or an algorithm cannot; those of compare_launch.
 */
status compare_run_probes(const compare_plan *plan, const compare_launcher *launcher,
                          const compare_cases *cases);

/*
 * Runs each case without a reason as often as the plan says, but skips finished runs.
 * Shows progress on standard output, unless `quiet`. A case that fails gets a reason, and
 * the others go on. *failed: the number of such cases. Local. Errors: STATUS_OUTPUT,
 * STATUS_MEMORY, STATUS_INTERNAL (interrupted).
 */
status compare_run_all(const compare_plan *plan, const compare_launcher *launcher,
                       const compare_cases *cases, bool quiet, int *failed);

#endif
