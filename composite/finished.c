#include "finished.h"

#include "ledger.h"

static void visit_pieces(const composite_replay *r, const composite_problem *problem,
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
    composite_replay r = {0};
    s = composite_replay_run(&r, algorithm, problem, params, position);
    if (s == STATUS_OK) {
        visit_pieces(&r, problem, visit, context);
    }
    composite_replay_clear(&r);
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
