/* The messages that bring the finished picture to the root, after the schedule. */
#ifndef COMPOSITE_FINISHED_H
#define COMPOSITE_FINISHED_H

#include "schedule.h"

#include <limits.h>

/* Their round. */
enum { COMPOSITE_GATHER_ROUND = INT_MAX };

/*
 * Visits the messages in which a position sends its finished pixels to the root, by
 * ascending pixels: one for each range that it holds after the schedule. Their round is
 * COMPOSITE_GATHER_ROUND, their run all positions. There are none at the root,
 * and none if problem->gather_bytes is 0. Ends early if visit returns anything but 0.
 *
 * Local. Replays the ops of that position. Errors: STATUS_USAGE from check_params,
 * STATUS_MEMORY; STATUS_INTERNAL if the schedule is wrong.
 */
status composite_finished_visit(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int position,
                                composite_visit *visit, void *context);

/*
 * Counts these messages of all positions, and their pixels. Local. Replays the ops of
 * each position. Errors: those of composite_finished_visit.
 */
status composite_finished_count(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int64_t *messages,
                                int64_t *pixels);

#endif
