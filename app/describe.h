/* Compositing schedules as text for people, and as JSON for programs. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "composite/check.h"
#include "composite/links.h"
#include "composite/schedule.h"

#include <jansson.h>
#include <stdbool.h>

enum { APP_ALL_POSITIONS = -1 };

/* A schedule, and the part of it to describe. */
typedef struct app_schedule {
    const composite_algorithm *algorithm;
    composite_problem problem;
    composite_params params;
    composite_nodes nodes; /* of the positions; .size is 0 if none were given */
    int position;          /* whose messages are printed, or APP_ALL_POSITIONS */
    bool json;
} app_schedule;

/* Prints the nodes of a schedule, and the pixels over the link of each. Local. Errors:
 * STATUS_MEMORY. */
status app_describe_nodes(const app_schedule *schedule);

/* The same as JSON; *out is the caller's. Local. Errors: STATUS_MEMORY. */
status app_describe_nodes_json(const app_schedule *schedule, json_t **out);

/*
 * Prints a schedule to standard output: its parameters, its costs, and its messages round
 * by round. The messages of all positions are sorted by sender, in the order of sending.
 * For one position it prints the sent messages, then the received ones in merging order;
 * only the stream of that position is generated.
 *
 * most_messages: if there are more messages to print, prints none and returns
 * STATUS_USAGE with their number. Local. Memory: 48 bytes for each printed message.
 * Errors: also STATUS_USAGE from the algorithm, STATUS_MEMORY.
 */
status app_describe_schedule(const app_schedule *schedule, int64_t most_messages);

/* Prints that a schedule is correct, and its costs. Local. Errors: STATUS_MEMORY. */
status app_describe_proof(const app_schedule *schedule,
                          const composite_schedule_summary *summary);

/* Prints all algorithms with their parameters and sources. Local. Errors: STATUS_MEMORY.
 */
status app_describe_algorithms(bool json);

/*
 * Fails with STATUS_USAGE if the schedule has more than `most` messages. The message says
 * about how many it has, how many are `done` ("printed"), and gives `advice`. Surplus
 * messages are not counted. summary: the costs of a schedule that is not too large.
 * Local. Errors: also STATUS_USAGE from the algorithm, STATUS_MEMORY.
 */
status app_describe_limit(const app_schedule *schedule, int64_t most, const char *done,
                          const char *advice, composite_schedule_summary *summary);

#endif
