/* Compositing schedules as text for people, and as JSON for programs. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "composite/links.h"
#include "messages.h"

#include <jansson.h>
#include <stdbool.h>

/* Prints the nodes of a schedule, and the pixels over the link of each. Local. Errors:
 * STATUS_MEMORY. */
status messages_describe_nodes(const messages_schedule *schedule);

/* The same as JSON; *out is the caller's. Local. Errors: STATUS_MEMORY. */
status messages_describe_nodes_json(const messages_schedule *schedule, json_t **out);

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
status messages_describe_schedule(const messages_schedule *schedule,
                                  int64_t most_messages);

/* Prints that a schedule is correct, and its costs. Local. Errors: STATUS_MEMORY. */
status messages_describe_proof(const messages_schedule *schedule,
                               const composite_schedule_summary *summary);

/* Prints all algorithms with their parameters and sources. Local. Errors: STATUS_MEMORY.
 */
status messages_describe_algorithms(bool json);

#endif
