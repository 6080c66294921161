/* All messages of a schedule, by sender and by receiver. Private to messages/model.
 */
#ifndef MESSAGES_MODEL_MESSAGES_H
#define MESSAGES_MODEL_MESSAGES_H

#include "composite/memory.h"
#include "composite/schedule.h"

#include <stdbool.h>

enum {
    SIMULATE_MOST_MESSAGES = 64000000, /* some 5 GB */
    SIMULATE_MANY_MESSAGES = 8000000   /* some 500 MB */
};

typedef struct simulate_message {
    int dst, round;
    int run0, run1;
    int64_t pix0, npix;
} simulate_message;

/* The bytes and the blended pixels of a given message, and its place among those that its
 * receiver merges in the round. */
typedef struct simulate_payload {
    double bytes, blended;
    int64_t place;
} simulate_payload;

/*
 * The messages of all positions. Position q sends `sends` [send0[q], send0[q + 1]), in
 * that order, and merges `receives` [receive0[q], receive0[q + 1]), numbers of messages,
 * in that order. Both ascend by rounds, and finished pixels on their way to the root come
 * last. Zero, with `memory` set, is empty.
 */
typedef struct simulate_messages {
    composite_memory *memory; /* borrowed */
    int size;
    int64_t count;
    simulate_message *sends;   /* [count] */
    int *receives;             /* [count] */
    int *senders;              /* [count]: of each message */
    int64_t *send0, *receive0; /* [size + 1] */
    int most_round;            /* of the schedule */
    int gather_round;          /* of finished pixels: the next one; -1: there are none */
    int64_t sends_capacity, receives_capacity, senders_capacity, send0_capacity,
        receive0_capacity;
    bool is_given;              /* messages have payloads of their own, not pixels */
    simulate_payload *payloads; /* [count], of given messages */
    int64_t payloads_capacity;
    struct simulate_receipt *receipts; /* while collecting: of one position */
    int64_t nreceipts, receipts_capacity;
} simulate_messages;

/*
 * Collects the messages of a schedule, in the memory of the last one, and those that
 * bring finished pixels to the root from other nodes (nodes NULL: each position has its
 * own). Takes parameters that were checked, and a right schedule (composite/check.h).
 * Local. Generates each position twice, three times with finished pixels. Errors:
 * STATUS_MEMORY; STATUS_USAGE if there are more than SIMULATE_MOST_MESSAGES;
 * STATUS_INTERNAL if both ends of a message differ.
 */
status simulate_messages_collect(const composite_algorithm *algorithm,
                                 const composite_problem *problem,
                                 const composite_params *params,
                                 const composite_nodes *nodes,
                                 simulate_messages *messages);

/* Empties the lists for the messages of `size` positions. Local. Errors: STATUS_MEMORY.
 */
status simulate_messages_start(simulate_messages *messages, int size);

void simulate_messages_clear(simulate_messages *messages);

#endif
