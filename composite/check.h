/* The checker: proves a schedule without running it, and counts what it costs. */
#ifndef COMPOSITE_CHECK_H
#define COMPOSITE_CHECK_H

#include "schedule.h"

#include <stdbool.h>

/* What a schedule costs, over all positions. */
typedef struct composite_schedule_summary {
    int64_t rounds;    /* that have messages */
    int64_t messages;  /* of all positions */
    int64_t pixels;    /* in all messages; as for all counts, no more than INT64_MAX */
    int64_t most_sent; /* pixels that one position sends */
    int64_t most_received; /* pixels that one position receives */
    int64_t most_messages; /* that one position sends and receives in one round */
} composite_schedule_summary;

/*
 * Proves the schedule of an algorithm for a problem, all positions walked together:
 * both ends of every message agree on the record; the sender holds what it sends, with
 * that run; a message lies in front of all that its receiver holds of its pixels, or
 * behind all of that, and only neighbouring runs merge (any disjoint ones with
 * COMPOSITE_NEAREST); the messages of one pair in one round carry one run and ascend;
 * rounds ascend and no circle of positions waits for each other; at the end every pixel
 * lies at exactly one position with the full run; and what is direct has one round, and
 * one range of pixels for each receiver.
 *
 * summary: what the schedule costs, where it is right; may be NULL.
 *
 * Local. Generates the ops of each position twice, and once more for each two million
 * messages and for the summary. Memory: 48 to 88 bytes for each message, but not for more
 * than two million and those of one position; 8 bytes for each position. Errors:
 * STATUS_INTERNAL with a sentence that says where the schedule is wrong; STATUS_USAGE
 * from the algorithm's check_params; STATUS_MEMORY.
 */
status composite_schedule_check(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params,
                                composite_schedule_summary *summary);

/*
 * Counts what a schedule costs, as its senders and receivers see it, and proves nothing.
 *
 * Ends early, with summary->messages above most_messages (>= 0), where there are more
 * messages than that; then the other counts are those of a part. Local; needs memory for
 * the numbers of the rounds alone. Errors: STATUS_USAGE from the algorithm's
 * check_params; STATUS_MEMORY.
 */
status composite_schedule_summarize(const composite_algorithm *algorithm,
                                    const composite_problem *problem,
                                    const composite_params *params, int64_t most_messages,
                                    composite_schedule_summary *summary);

/*
 * About how many messages a schedule has, in no time: those of 16 positions, spread over
 * all, stand for the rest; exact for up to 16. *more: whether these have so many that not
 * all were counted; then there are more messages than what is returned. Takes parameters
 * that check_params accepts. Local.
 */
int64_t composite_schedule_estimate(const composite_algorithm *algorithm,
                                    const composite_problem *problem,
                                    const composite_params *params, bool *more);

#endif
