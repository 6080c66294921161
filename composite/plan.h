/* Plans: what one rank does, resolved from a schedule before anything is sent. Private to
 * composite/. */
#ifndef COMPOSITE_PLAN_H
#define COMPOSITE_PLAN_H

#include "ledger.h"

#include <limits.h>

/* Round of the messages that bring the picture to the root: after all of the schedule. */
enum { COMPOSITE_GATHER_ROUND = INT_MAX };

/*
 * The image is cut at the multiples of a segment of pixels, and all ops with it: a part
 * is what an op has in one segment. Pixels of one segment depend on no other: so each
 * goes through its rounds by itself, as far as its messages have come, and stays in the
 * cache while parts are merged into it.
 */
typedef struct composite_part {
    int peer; /* position of the other end */
    int round;
    int run0, run1; /* of the payload */
    int npix;       /* 1 to the segment */
    bool in_front;  /* received: it lies in front of what is held */
    int64_t pix0;
    int64_t after; /* sent: groups that are merged before */
    int64_t order; /* used while planning */
} composite_part;

typedef struct composite_part_list {
    composite_part *items; /* [count] */
    int64_t count, capacity;
} composite_part_list;

/* What one rank receives for one segment in one round: it clears, then merges parts in
 * their order. Half-open ranges of the lists of the plan. */
typedef struct composite_group {
    int round;
    int64_t segment;
    int64_t receive0, receive1;
    int64_t clear0, clear1;
    int64_t final; /* index of the final part that is complete with this group and holds
                      all of it; -1: none */
} composite_group;

/* What a plan follows from. */
typedef struct composite_plan_key {
    const composite_algorithm *algorithm;
    composite_problem problem;
    composite_params params;
    int position;
    int segment; /* most pixels of a part, >= 1, the same on all ranks */
} composite_plan_key;

/*
 * Everything that one rank does. Zero is an empty plan but for `memory`, which is
 * borrowed. Made anew where the key changes, in the same memory.
 */
typedef struct composite_plan {
    composite_memory *memory;
    bool is_made;
    composite_plan_key key;
    composite_part_list sends;    /* by rounds; in a round as they become ready */
    composite_part_list receives; /* by groups, in a group in the order of merging */
    composite_part_list clears;   /* received though not held: what is there is from
                                     before it was given up */
    composite_part_list finals;   /* what the rank holds after the schedule, by ascending
                                     pixels; the peer is the rank itself */
    composite_group *groups;      /* [ngroups], by rounds, then segments; those of
                                     gathering as senders take turns */
    int64_t ngroups, groups_capacity;
    int64_t nsegments;
    const composite_holdings *pieces; /* what the rank holds after the schedule */
    /* So much of the lists is the schedule's; the rest is the gathering. */
    int64_t schedule_sends, schedule_receives, schedule_groups;
    /* Used while planning: */
    int64_t *merged; /* [nsegments]: groups up to the last one of a segment so far */
    int64_t *latest; /* [positions]: groups before the last part for each so far */
    bool *in_front;
    int64_t merged_capacity, latest_capacity, in_front_capacity;
    composite_ops ops;
    composite_ledger ledger;
} composite_plan;

/*
 * Resolves the ops of a position; where the plan is that one already, it only forgets the
 * gathering. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL where the schedule is wrong
 * for this position.
 */
status composite_plan_make(composite_plan *plan, const composite_plan_key *key);

/*
 * Adds the messages that bring finished pixels to the root, after those of the schedule:
 * ops [nops] of round COMPOSITE_GATHER_ROUND that this position sends or receives, none
 * sharing pixels, those of one sender one after the other and by ascending pixels. Those
 * that it receives are not merged: they replace what is there. Local. Errors:
 * STATUS_MEMORY; then the plan is to be made anew.
 */
status composite_plan_gather(composite_plan *plan, const composite_op *ops, int64_t nops);

/* Frees what the plan holds; the struct is the caller's. */
void composite_plan_clear(composite_plan *plan);

#endif
