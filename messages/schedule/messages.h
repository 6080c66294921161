/* The messages of a compositing schedule, as a list. */
#ifndef APP_MESSAGES_H
#define APP_MESSAGES_H

#include "composite/check.h"
#include "composite/finished.h"
#include "composite/nodes.h"

#include <stdbool.h>

enum { APP_ALL_POSITIONS = -1 };

/* A schedule, and the part of it to describe. */
typedef struct messages_schedule {
    const composite_algorithm *algorithm;
    composite_problem problem;
    composite_params params;
    composite_nodes nodes; /* of the positions; .size is 0 if none were given */
    int position;          /* whose messages are printed, or APP_ALL_POSITIONS */
    bool json;
} messages_schedule;

typedef struct messages_message {
    composite_op op;
    bool received;  /* by the position whose messages are listed */
    int64_t number; /* its index as it was listed */
} messages_message;

/* Zero, with schedule and most set, is an empty list. */
typedef struct messages_of_frame {
    const messages_schedule *schedule;
    int64_t most;              /* messages that may be listed */
    messages_message *entries; /* [count]: by round, then sent or received, then number;
                             those that gather the picture come last */
    int64_t count;
    int64_t sent, received; /* pixels of the rounds */
    int64_t finished;       /* pixels that are gathered */
    /* Used while listing: */
    int position; /* whose stream is read */
    status result;
} messages_of_frame;

/*
 * Fails with STATUS_USAGE if the schedule has more than `most` messages. The message says
 * about how many it has, how many are `done` ("printed"), and gives `advice`. Surplus
 * messages are not counted. summary: the costs of a schedule that is not too large.
 * Local. Errors: also STATUS_USAGE from the algorithm, STATUS_MEMORY.
 */
status messages_limit(const messages_schedule *schedule, int64_t most, const char *done,
                      const char *advice, composite_schedule_summary *summary);

/*
 * Lists the messages of all positions, each with its sender, or those of one. The root
 * alone receives finished pixels: their list takes the ops of all positions. Local.
 * Errors: STATUS_USAGE if there are too many, STATUS_MEMORY.
 */
status messages_list(messages_of_frame *list);

/* Whether a message brings finished pixels to the root, after all rounds. */
static inline bool messages_message_gathers(const composite_op *op)
{
    return op->round == COMPOSITE_GATHER_ROUND;
}

/* Index after the messages of the round that begins at index `begin`. */
int64_t messages_round_end(const messages_of_frame *list, int64_t begin);

/* Index of the first message that gathers; `count` if none does. */
int64_t messages_gathering(const messages_of_frame *list);

/* The number of received or sent messages. */
int64_t messages_count(const messages_of_frame *list, bool received);

/* The number of rounds. */
int64_t messages_rounds(const messages_of_frame *list);

/* Frees the list; the struct is the caller's. */
void messages_clear(messages_of_frame *list);

#endif
