/* Plans: the work of one rank, resolved from a schedule before anything is sent. Private
 * to composite/. */
#ifndef COMPOSITE_PLAN_H
#define COMPOSITE_PLAN_H

#include "finished.h"
#include "ledger.h"

/*
 * The image is cut into segments of equal numbers of pixels, and each op into parts, one
 * for each segment that it covers. Segments do not depend on each other. So each goes
 * through its rounds by itself, as its messages arrive, and stays in the cache while
 * parts are merged into it.
 */
typedef struct composite_part {
    int peer; /* position of the other end */
    int round;
    int run0, run1; /* of the payload */
    int npix;       /* 1 to the segment */
    bool in_front;  /* of a receive: it lies in front of this rank's pixels */
    int64_t pix0;
    int64_t after; /* of a send: it is ready, or has its turn, once the group of this
                      number, counted from 1, is merged; 0: from the start */
    int64_t stage; /* number among the parts of its op, from 0 */
    int64_t order; /* used while planning */
    /* Set by the executor for each frame: */
    bool is_empty;   /* all its pixels are transparent: there is no message */
    int64_t message; /* of a receive: number of its message; -1: none */
    /* Of a receive, for composite/run/ahead.c: */
    int64_t held;   /* number of the message whose room has its pixels, and those of all
                       that were merged into it; -1: they are transparent */
    int64_t beyond; /* the next receive outward on the same side; -1: none */
    int within;     /* receives that are merged into it before its turn: the next ones
                       outward */
    bool has_owner; /* it is one of those, for another receive */
    bool is_ahead;  /* and merged */
} composite_part;

typedef struct composite_part_list {
    composite_part *items; /* [count] */
    int64_t count, capacity;
} composite_part_list;

/* The parts that one rank receives for one segment in one round: it clears, then merges
 * them in their order. Half-open ranges of the lists of the plan. */
typedef struct composite_group {
    int round;
    int64_t segment;
    int64_t receive0, receive1;
    int64_t clear0, clear1;
    int64_t final;  /* index of the final part that this group completes and that covers
                       all pixels of the group; -1: none */
    int64_t before; /* the group of the same segment that is merged before; -1: none */
    /* Set by the executor for each frame: */
    int64_t next; /* the next receive to merge */
    bool is_cleared, is_merged;
} composite_group;

/* Equal keys give equal plans. Where the contents of the nodes or of the late positions
 * change in place, their owner sets is_made of the plan to false. */
typedef struct composite_plan_key {
    const composite_algorithm *algorithm;
    composite_problem problem;
    composite_params params;
    int position;
    int segment; /* most pixels of a part, >= 1, the same on all ranks */
} composite_plan_key;

/*
 * The whole work of one rank. Zero, with `memory` set, is an empty plan; `memory` is
 * borrowed. If the key changes, the plan is made anew in the same memory.
 */
typedef struct composite_plan {
    composite_memory *memory;
    bool is_made;
    composite_plan_key key;
    composite_part_list sends;    /* those of the schedule, then the gathering; in each
                                     by `after`, then rounds */
    composite_part_list receives; /* by groups, in a group in the order of merging */
    composite_part_list clears;   /* pixels that are received but not held: memory has
                                     old values there, which were given up */
    composite_part_list finals;   /* the rank's finished pixels, in ascending order; the
                                     peer is the rank itself */
    composite_group *groups;      /* [ngroups], by rounds, then segments; in the round of
                                     gathering senders take turns */
    int64_t ngroups, groups_capacity;
    int64_t nsegments;
    const composite_holdings *pieces; /* the rank's pixels after the schedule */
    /* Items of the lists that belong to the schedule; the rest is the gathering. */
    int64_t schedule_sends, schedule_receives, schedule_groups;
    /* Used while planning: */
    int64_t *merged; /* [nsegments]: groups up to the last one of each segment so far */
    bool *in_front;
    int64_t merged_capacity, in_front_capacity;
    composite_ops ops;
    composite_ledger ledger;
} composite_plan;

/*
 * Resolves the ops of a position. If the plan already has this key, it only drops the
 * gathering. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL if the schedule is wrong for
 * this position.
 */
status composite_plan_make(composite_plan *plan, const composite_plan_key *key);

/*
 * Adds the messages that bring finished pixels to the root, after those of the schedule.
 * ops [nops]: of round COMPOSITE_GATHER_ROUND, sent or received by this position. No two
 * share pixels; those of one sender follow each other by ascending pixels. Received
 * pixels are not merged: they replace the old ones. Local. Errors: STATUS_MEMORY; then
 * the plan must be made anew.
 */
status composite_plan_gather(composite_plan *plan, const composite_op *ops, int64_t nops);

/* A half-open range of sends. */
typedef struct composite_send_range {
    int64_t begin, end;
} composite_send_range;

/* The sends with this value of `after`: of the schedule, or of the gathering. Local. */
composite_send_range composite_plan_ready(const composite_plan *plan, int64_t after,
                                          bool of_gathering);

/* Frees the plan's memory; the struct is the caller's. */
void composite_plan_clear(composite_plan *plan);

#endif
