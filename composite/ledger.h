/* The ledger: what one position holds while its ops are replayed. Private to composite/.
 */
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

/* Holdings by ascending pixels; they do not overlap, and neighbours differ in their run.
 */
typedef struct composite_holdings {
    composite_holding *items; /* [count] */
    int64_t count, capacity;
} composite_holdings;

typedef struct composite_op_list {
    composite_op *items; /* [count] */
    int64_t count, capacity;
} composite_op_list;

/* Ops of one position: what it sends, and what it receives. Zero is empty. */
typedef struct composite_ops {
    composite_op_list sends, receives;
} composite_ops;

typedef struct composite_ledger {
    const char *algorithm; /* for messages */
    int position;
    composite_operator op;
    composite_memory *memory; /* borrowed */
    composite_holdings held;
    composite_holdings given; /* in the present round */
    composite_holdings
        fresh; /* received in the present round, of pixels not held before */
} composite_ledger;

/*
 * Collects the ops of a position, each list in the order of the algorithm. They are
 * emptied first. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL for a record that cannot
 * be, or rounds that descend.
 */
status composite_ops_collect(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, int position,
                             composite_memory *memory, composite_ops *out);

/* Frees what they hold; the struct is the caller's. */
void composite_ops_clear(composite_ops *ops);

/* The ops of one round of a position, as half-open ranges of its two lists. */
typedef struct composite_round_ops {
    int64_t send0, send1, receive0, receive1;
} composite_round_ops;

/* Moves on to the next round that has ops; `round` is zero at first. False after the
 * last. */
bool composite_ops_next_round(const composite_ops *ops, composite_round_ops *round);

/* Starts over with a position that holds the whole image, its own. Errors: STATUS_MEMORY.
 */
status composite_ledger_start(composite_ledger *ledger, const char *algorithm,
                              const composite_problem *problem, int position);

/*
 * Replays one round as schedule.h defines it: takes away what `sends` ([nsends]) give up,
 * then merges `receives` in their order; in_front[i], [nreceives], says whether the i-th
 * lies in front of what it meets. Local. Errors: STATUS_INTERNAL with a sentence on what
 * is wrong with the schedule; STATUS_MEMORY.
 */
status composite_ledger_round(composite_ledger *ledger, const composite_op *sends,
                              int64_t nsends, const composite_op *receives,
                              int64_t nreceives, bool *in_front);

/* Frees what it holds; the struct is the caller's. */
void composite_ledger_clear(composite_ledger *ledger);

#endif
