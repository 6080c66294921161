/* The checker: proves a schedule without running it, and counts what it costs. */
#ifndef COMPOSITE_CHECK_H
#define COMPOSITE_CHECK_H

#include "schedule.h"

#include <stdbool.h>

/* The costs of a schedule, over all positions. */
typedef struct composite_schedule_summary {
    int64_t rounds;        /* with messages */
    int64_t messages;      /* of all positions */
    int64_t pixels;        /* in all messages; all counts end at INT64_MAX */
    int64_t most_sent;     /* pixels that one position sends */
    int64_t most_received; /* pixels that one position receives */
    int64_t most_messages; /* that one position sends and receives in one round */
    /* After the rounds, and in none of the counts above; 0 if problem.gather_bytes is: */
    int64_t gather_messages; /* that bring finished pixels to the root (finished.h) */
    int64_t gather_pixels;
} composite_schedule_summary;

/*
 * Proves the schedule of an algorithm for a problem, over all positions:
 *
 *   - both ends of every message agree on the record;
 *   - the sender holds the pixels that it sends, with that run;
 *   - a message lies in front of all images that its receiver holds for its pixels, or
 *     behind all of them;
 *   - only neighbouring runs merge (with COMPOSITE_NEAREST any disjoint ones);
 *   - the messages of one pair in one round carry one run and ascend;
 *   - rounds ascend, and there is no deadlock;
 *   - at the end exactly one position holds each pixel, with the full run;
 *   - an algorithm that is_direct has one round, and one range of pixels for each
 *     receiver.
 *
 * summary: the costs of the schedule, if it is right; may be NULL.
 *
 * Local. Generates the ops of each position twice, and once more for each two million
 * messages and for the summary. Memory: 56 bytes for each message, twice while they are
 * sorted, for at most two million messages and those of one position. Errors:
 * STATUS_INTERNAL with a sentence on the defect; STATUS_USAGE from the algorithm's
 * check_params; STATUS_MEMORY.
 */
status composite_schedule_check(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params,
                                composite_schedule_summary *summary);

/*
 * Counts the costs of a schedule, and proves nothing. If finished pixels are gathered, it
 * replays the ops of each position.
 *
 * If there are more than most_messages (>= 0), it ends early with summary->messages above
 * that; then the other counts are incomplete. Local; needs memory only for the numbers of
 * the rounds. Errors: STATUS_USAGE from the algorithm's check_params; STATUS_MEMORY.
 */
status composite_schedule_summarize(const composite_algorithm *algorithm,
                                    const composite_problem *problem,
                                    const composite_params *params, int64_t most_messages,
                                    composite_schedule_summary *summary);

/*
 * Estimates the number of messages of a schedule fast, from 16 positions spread over all;
 * exact for up to 16 positions. *more: these have so many messages that not all were
 * counted; then there are more than the number returned. Takes parameters that
 * check_params accepts. Local.
 */
int64_t composite_schedule_estimate(const composite_algorithm *algorithm,
                                    const composite_problem *problem,
                                    const composite_params *params, bool *more);

#endif
