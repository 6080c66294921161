/* karman compare: probes first, then all runs that have no result yet. */
#ifndef APP_COMPARE_RUN_H
#define APP_COMPARE_RUN_H

#include "launch.h"

/*
 * Finds out by tiny runs which partitions, algorithms and rank counts can be run at all.
 * reasons[count]: cases of a partition that cannot get its reason, malloc'ed; others stay
 * NULL. Local. Errors: STATUS_USAGE where no partition, or a rank count or an algorithm
 * cannot be run; those of compare_launch.
 */
status compare_run_probes(const compare_plan *plan, const compare_launcher *launcher,
                          int count, const compare_case *cases, char **reasons);

/*
 * Runs every case without a reason as often as the plan says, but for runs that are
 * finished already, and shows progress on standard output, unless `quiet`. A case that
 * fails gets a reason, and the others go on: *failed counts them. Local. Errors:
 * STATUS_OUTPUT, STATUS_MEMORY, STATUS_INTERNAL (interrupted).
 */
status compare_run_all(const compare_plan *plan, const compare_launcher *launcher,
                       bool quiet, int count, const compare_case *cases, char **reasons,
                       int *failed);

#endif
