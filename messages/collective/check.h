/* The checker: proves that the schedule of a collective keeps the promise of MPI. */
#ifndef MESSAGES_COLLECTIVE_CHECK_H
#define MESSAGES_COLLECTIVE_CHECK_H

#include "schedule.h"

enum { COLLECTIVE_SENTENCE = 400 };

typedef struct collective_verdict {
    bool is_right;
    char sentence[COLLECTIVE_SENTENCE]; /* the defect, "" if there is none */
    bool in_order; /* of a right schedule: all reductions have the order of ranks */
} collective_verdict;

/* The size of a schedule. */
typedef struct collective_totals {
    int rounds;        /* with messages or local work */
    int64_t messages;  /* between ranks */
    int64_t elements;  /* in all messages */
    int64_t most_sent; /* elements that one rank sends */
    int64_t most_received;
} collective_totals;

/*
 * Proves a schedule, or names its defect in one sentence:
 *
 *   - the ops of each rank have ascending rounds, and name ranks and elements that exist;
 *   - both ends of each message have the same op, in the same order: each receive has its
 *     send, and as messages depend on earlier rounds alone, no rank waits for ever;
 *   - a rank has the data that it sends when the round begins;
 *   - nothing is concatenated or combined twice;
 *   - each rank ends with exactly the promised result: the elements of the right
 *     ranks, in a reduction each operand once, and in the order of ranks if the algorithm
 *     promises that.
 *
 * It replays the ops of all ranks on sets of ranks, one for each row of elements that
 * travel together. Local. Errors: STATUS_MEMORY, without a message.
 */
status collective_check(const collective_algorithm *algorithm,
                        const collective_schedule *schedule, collective_verdict *verdict);

/* Counts. Local. */
collective_totals collective_count(const collective_schedule *schedule);

#endif
