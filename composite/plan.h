/* Plans: what one rank does, resolved from a schedule before anything is sent. Private to
 * composite/. */
#ifndef COMPOSITE_PLAN_H
#define COMPOSITE_PLAN_H

#include "composite/ledger.h"

/*
 * One message. Ops are cut at the multiples of the segment, in the pixels of the image,
 * so that parts stay in the cache and those of different ops that meet begin and end
 * together.
 */
typedef struct composite_part {
    int peer; /* position of the other end */
    int npix; /* 1 to the segment */
    int64_t pix0;
    int64_t order; /* received: by ascending order merging goes, within a segment */
    bool in_front; /* received: it lies in front of what is held */
} composite_part;

typedef struct composite_part_list {
    composite_part *items; /* [count] */
    int64_t count, capacity;
} composite_part_list;

/* What a rank does in one round, as half-open ranges of the lists of the plan: it clears,
 * then sends, receives and merges in the order of `receives`. */
typedef struct composite_plan_round {
    int64_t clear0, clear1, send0, send1, receive0, receive1;
} composite_plan_round;

/*
 * Everything that one rank does, and most of what it needs for that. Zero is an empty
 * plan but for `memory`, which is borrowed. Made anew for each frame, in the same memory.
 */
typedef struct composite_plan {
    composite_memory *memory;
    composite_plan_round *rounds; /* [nrounds] */
    int64_t nrounds, rounds_capacity;
    composite_part_list clears; /* received though not held: what is there is from before
                                   it was given up */
    composite_part_list sends, receives;
    composite_holdings *pieces; /* what the rank holds in the end; that of `ledger` */
    int64_t most_sends, most_receives;       /* parts of one round */
    int64_t most_sent_pixels;                /* of one round */
    int largest_receive;                     /* pixels of the largest part */
    composite_op_list op_sends, op_receives; /* used while planning */
    composite_ledger ledger;                 /* likewise */
} composite_plan;

/*
 * Resolves the ops of a position. `segment`: most pixels of a part, >= 1, the same on all
 * ranks. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL where the schedule is wrong for
 * this position.
 */
status composite_plan_make(composite_plan *plan, const composite_algorithm *algorithm,
                           const composite_problem *problem,
                           const composite_params *params, int position, int segment);

/* Frees what the plan holds; the struct is the caller's. */
void composite_plan_clear(composite_plan *plan);

#endif
