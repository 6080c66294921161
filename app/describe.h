/* Compositing schedules as text for people, and as JSON for programs. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "composite/check.h"
#include "composite/schedule.h"

#include <stdbool.h>

enum { APP_ALL_POSITIONS = -1 };

/* A schedule, and what of it is described. */
typedef struct app_schedule {
    const composite_algorithm *algorithm;
    composite_problem problem;
    composite_params params;
    int position; /* whose messages are printed, or APP_ALL_POSITIONS */
    bool json;
} app_schedule;

/*
 * Prints the schedule to standard output: what it is, what it costs, and its messages
 * round by round. Those of all positions come by sender, each as it sends them; of one
 * position what it sends, then what it receives, in the order in which that merges. Of
 * one position only the stream of that position is generated.
 *
 * most_messages: where there are more to print nothing is, but STATUS_USAGE says how many
 * there are. Local. Memory: 48 bytes for each message that is printed. Errors: also
 * STATUS_USAGE from the algorithm, STATUS_MEMORY.
 */
status app_describe_schedule(const app_schedule *schedule, int64_t most_messages);

/* Prints that the schedule is right, and what it costs. Local. Errors: STATUS_MEMORY. */
status app_describe_proof(const app_schedule *schedule,
                          const composite_schedule_summary *summary);

/* Prints all algorithms with their parameters and sources. Local. Errors: STATUS_MEMORY.
 */
status app_describe_algorithms(bool json);

/*
 * STATUS_USAGE where the schedule has more than `most` messages, with a sentence that
 * says about how many, how many are `done` ("printed"), and what to do (`advice`); does
 * not count those that are too many. summary: what the schedule costs, where it is not
 * too large. Local. Errors: also STATUS_USAGE from the algorithm, STATUS_MEMORY.
 */
status app_describe_limit(const app_schedule *schedule, int64_t most, const char *done,
                          const char *advice, composite_schedule_summary *summary);

#endif
