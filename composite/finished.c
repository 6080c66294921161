#include "finished.h"

#include "ledger.h"

#include <stdlib.h>

/* The data of a replay. */
typedef struct replay {
    composite_memory memory;
    composite_ops ops;
    composite_ledger ledger;
    bool *in_front; /* [in_front_capacity] */
    int64_t in_front_capacity;
} replay;

static status replay_round(replay *r, const composite_round_ops *round)
{
    const int64_t nreceives = round->receive1 - round->receive0;
    const status s =
        composite_memory_grow(&r->memory, &r->in_front, &r->in_front_capacity, nreceives,
                              sizeof *r->in_front, "the pieces of a picture");
    return s == STATUS_OK
               ? composite_ledger_round(&r->ledger, r->ops.sends.items + round->send0,
                                        round->send1 - round->send0,
                                        r->ops.receives.items + round->receive0,
                                        nreceives, r->in_front)
               : s;
}

/* Replays the schedule; then the ledger has the finished pixels. */
static status replay_all(replay *r, const composite_algorithm *algorithm,
                         const composite_problem *problem, const composite_params *params,
                         int position)
{
    composite_round_ops round = {0};
    r->ledger.memory = &r->memory;
    status s =
        composite_ops_collect(algorithm, problem, params, position, &r->memory, &r->ops);
    s = s == STATUS_OK
            ? composite_ledger_start(&r->ledger, algorithm->name, problem, position)
            : s;
    while (s == STATUS_OK && composite_ops_next_round(&r->ops, &round)) {
        s = replay_round(r, &round);
    }
    return s;
}

static void visit_pieces(const replay *r, const composite_problem *problem,
                         composite_visit *visit, void *context)
{
    const composite_holdings *held = &r->ledger.held;
    int ended = 0;
    for (int64_t i = 0; i < held->count && !ended; i++) {
        const composite_op op = {.round = COMPOSITE_GATHER_ROUND,
                                 .src = r->ledger.position,
                                 .dst = problem->root,
                                 .run0 = 0,
                                 .run1 = problem->size,
                                 .pix0 = held->items[i].pix0,
                                 .npix = held->items[i].pix1 - held->items[i].pix0};
        ended = visit(&op, context);
    }
}

status composite_finished_visit(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int position,
                                composite_visit *visit, void *context)
{
    status s = composite_schedule_check_params(algorithm, problem, params);
    if (s != STATUS_OK || problem->gather_bytes == 0 || position == problem->root) {
        return s;
    }
    replay r = {0};
    s = replay_all(&r, algorithm, problem, params, position);
    if (s == STATUS_OK) {
        visit_pieces(&r, problem, visit, context);
    }
    composite_ops_clear(&r.ops);
    composite_ledger_clear(&r.ledger);
    free(r.in_front);
    return s;
}

typedef struct counts {
    int64_t messages, pixels;
} counts;

static int count(const composite_op *op, void *context)
{
    counts *all = context;
    all->messages++;
    all->pixels += op->npix;
    return 0;
}

status composite_finished_count(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int64_t *messages,
                                int64_t *pixels)
{
    counts all = {0};
    status s = STATUS_OK;
    for (int position = 0; position < problem->size && s == STATUS_OK; position++) {
        s = composite_finished_visit(algorithm, problem, params, position, count, &all);
    }
    *messages = all.messages;
    *pixels = all.pixels;
    return s;
}
