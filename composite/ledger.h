/* The ledger: the pixels that one position holds while its ops are replayed. Private to
 * composite/. */
#ifndef COMPOSITE_LEDGER_H
#define COMPOSITE_LEDGER_H

#include "memory.h"
#include "schedule.h"

#include <stdbool.h>

/* Pixels [pix0, pix1) with the positions [run0, run1) blended. */
typedef struct composite_holding {
    int64_t pix0, pix1;
    int run0, run1;
} composite_holding;

/* Holdings by ascending pixels. They do not overlap, and neighbours differ in their run.
 */
typedef struct composite_holdings {
    composite_holding *items; /* [count] */
    int64_t count, capacity;
} composite_holdings;

typedef struct composite_op_list {
    composite_op *items; /* [count] */
    int64_t count, capacity;
} composite_op_list;

/* The ops of one position: its sends and its receives. Zero is empty. */
typedef struct composite_ops {
    composite_op_list sends, receives;
} composite_ops;

typedef struct composite_ledger {
    const char *algorithm; /* for messages */
    int position;
    composite_operator op;
    composite_memory *memory; /* borrowed */
    composite_holdings held;
    composite_holdings given; /* sent in the present round */
    composite_holdings
        fresh; /* received in the present round, of pixels not held before */
} composite_ledger;

/*
 * Collects the ops of a position into two lists, which it empties first. Each has the
 * order of the algorithm. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL for an impossible
 * record, or rounds that descend.
 */
status composite_ops_collect(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, int position,
                             composite_memory *memory, composite_ops *out);

/* Frees their memory; the struct is the caller's. */
void composite_ops_clear(composite_ops *ops);

/* The ops of one round of a position, as half-open ranges of its two lists. */
typedef struct composite_round_ops {
    int64_t send0, send1, receive0, receive1;
} composite_round_ops;

/* Moves on to the next round that has ops; `round` is zero at first. False after the
 * last. */
bool composite_ops_next_round(const composite_ops *ops, composite_round_ops *round);

/* Starts over: the position holds its own image, whole. Errors: STATUS_MEMORY. */
status composite_ledger_start(composite_ledger *ledger, const char *algorithm,
                              const composite_problem *problem, int position);

/*
 * Replays one round as schedule.h defines it: removes the pixels of `sends` [nsends],
 * then merges `receives` in their order. in_front[i], [nreceives], says whether the i-th
 * lies in front of the pixels that it merges with. Local. Errors: STATUS_INTERNAL with a
 * sentence on the defect of the schedule; STATUS_MEMORY.
 */
status composite_ledger_round(composite_ledger *ledger, const composite_op *sends,
                              int64_t nsends, const composite_op *receives,
                              int64_t nreceives, bool *in_front);

/* Frees its memory; the struct is the caller's. */
void composite_ledger_clear(composite_ledger *ledger);

/* All rounds of one position. Zero is empty. */
typedef struct composite_replay {
    composite_memory memory;
    composite_ops ops;
    composite_ledger ledger; /* after the last round it holds the finished pixels */
    bool *in_front;          /* [in_front_capacity]: of the receives of a round */
    int64_t in_front_capacity;
} composite_replay;

/* Collects the ops of a position, and replays its rounds. Local. Errors: as
 * composite_ops_collect and composite_ledger_round. */
status composite_replay_run(composite_replay *replay,
                            const composite_algorithm *algorithm,
                            const composite_problem *problem,
                            const composite_params *params, int position);

/* Frees its memory: then it is empty. */
void composite_replay_clear(composite_replay *replay);

#endif
