/* The checker: proves a schedule without running it. */
#ifndef COMPOSITE_CHECK_H
#define COMPOSITE_CHECK_H

#include "composite/schedule.h"

/*
 * Proves the schedule of an algorithm for a problem, all positions walked together:
 * both ends of every message agree on the record; the sender holds what it sends, with
 * that run; only neighbouring runs merge (any disjoint ones with COMPOSITE_NEAREST);
 * rounds ascend and no circle of positions waits for each other; at the end every pixel
 * lies at exactly one position with the full run. Local; needs memory for all ops of all
 * positions. Errors: STATUS_INTERNAL with a sentence that says where the schedule is
 * wrong; STATUS_USAGE from the algorithm's check_params; STATUS_MEMORY.
 */
status composite_schedule_check(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params);

#endif
