/* karman compare: probes first, then all runs that have no result yet. */
#ifndef APP_COMPARE_RUN_H
#define APP_COMPARE_RUN_H

#include "launch.h"

/* Cases, and why some of them cannot be run. */
typedef struct compare_cases {
    int count;
    const compare_case *items; /* [count] */
    char **reasons;            /* [count], malloc'ed; NULL: the case can be run */
} compare_cases;

/*
 * Finds out by tiny runs which partitions, algorithms and rank counts can be run at all.
 * Cases of a partition that cannot get its reason. Local. Errors: STATUS_USAGE where no
 * partition, or a rank count or an algorithm cannot be run; those of compare_launch.
 */
status compare_run_probes(const compare_plan *plan, const compare_launcher *launcher,
                          const compare_cases *cases);

/*
 * Runs every case without a reason as often as the plan says, but for runs that are
 * finished already, and shows progress on standard output, unless `quiet`. A case that
 * fails gets a reason, and the others go on: *failed counts them. Local. Errors:
 * STATUS_OUTPUT, STATUS_MEMORY, STATUS_INTERNAL (interrupted).
 */
status compare_run_all(const compare_plan *plan, const compare_launcher *launcher,
                       const compare_cases *cases, bool quiet, int *failed);

#endif
