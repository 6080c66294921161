#include "composite/plan.h"

#include <stdlib.h>

static const char *const PURPOSE = "the plan of compositing";

/* Appends pixels [pix0, pix1) to the list, cut at the multiples of the segment. */
static status append_parts(composite_plan *plan, composite_part_list *list, int64_t pix0,
                           int64_t pix1, int segment, composite_part part)
{
    while (pix0 < pix1) {
        int64_t border = (pix0 / segment + 1) * segment;
        int64_t end = border < pix1 ? border : pix1;
        status s = composite_memory_grow(plan->memory, &list->items, &list->capacity,
                                         list->count + 1, sizeof part, PURPOSE);
        if (s != STATUS_OK) {
            return s;
        }
        part.pix0 = pix0;
        part.npix = (int)(end - pix0);
        list->items[list->count++] = part;
        pix0 = end;
    }
    return STATUS_OK;
}

static status append_clears(composite_plan *plan, int segment)
{
    const composite_holdings *fresh = &plan->ledger.fresh;
    status s = STATUS_OK;
    for (int64_t i = 0; i < fresh->count && s == STATUS_OK; i++) {
        s = append_parts(plan, &plan->clears, fresh->items[i].pix0, fresh->items[i].pix1,
                         segment, (composite_part){0});
    }
    return s;
}

static status append_sends(composite_plan *plan, const composite_op *ops, int64_t nops,
                           int segment)
{
    status s = STATUS_OK;
    int64_t pixels = 0;
    for (int64_t i = 0; i < nops && s == STATUS_OK; i++) {
        composite_part part = {.peer = ops[i].dst};
        s = append_parts(plan, &plan->sends, ops[i].pix0, ops[i].pix0 + ops[i].npix,
                         segment, part);
        pixels += ops[i].npix;
    }
    plan->most_sent_pixels =
        pixels > plan->most_sent_pixels ? pixels : plan->most_sent_pixels;
    return s;
}

/* By segments, and within a segment as merging goes. */
static int compare_parts(const void *left, const void *right)
{
    const composite_part *a = left;
    const composite_part *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

/*
 * Receives ops that are sorted in merging order, of which the first nfront lie in front.
 * Parts go segment by segment, so that the first segments are complete early and merging
 * one segment stays in the cache.
 */
static status append_receives(composite_plan *plan, const composite_op *ops, int64_t nops,
                              int64_t nfront, int segment)
{
    composite_part_list *list = &plan->receives;
    const int64_t first = list->count;
    status s = STATUS_OK;
    for (int64_t i = 0; i < nops && s == STATUS_OK; i++) {
        composite_part part = {.peer = ops[i].src, .in_front = i < nfront};
        int64_t begin = list->count;
        s = append_parts(plan, list, ops[i].pix0, ops[i].pix0 + ops[i].npix, segment,
                         part);
        for (int64_t p = begin; p < list->count; p++) {
            list->items[p].order = list->items[p].pix0 / segment * nops + i;
        }
    }
    for (int64_t p = first; p < list->count && s == STATUS_OK; p++) {
        int npix = list->items[p].npix;
        plan->largest_receive =
            npix > plan->largest_receive ? npix : plan->largest_receive;
    }
    if (s == STATUS_OK && list->count > first) {
        qsort(list->items + first, (size_t)(list->count - first), sizeof *list->items,
              compare_parts);
    }
    return s;
}

static status append_round(composite_plan *plan, composite_plan_round round)
{
    status s = composite_memory_grow(plan->memory, &plan->rounds, &plan->rounds_capacity,
                                     plan->nrounds + 1, sizeof round, PURPOSE);
    if (s != STATUS_OK) {
        return s;
    }
    plan->rounds[plan->nrounds++] = round;
    int64_t sends = round.send1 - round.send0;
    int64_t receives = round.receive1 - round.receive0;
    plan->most_sends = sends > plan->most_sends ? sends : plan->most_sends;
    plan->most_receives = receives > plan->most_receives ? receives : plan->most_receives;
    return STATUS_OK;
}

static status plan_round(composite_plan *plan, const composite_round_ops *ops,
                         int segment)
{
    const composite_op *sends = plan->op_sends.items + ops->send0;
    composite_op *receives = plan->op_receives.items + ops->receive0;
    const int64_t nsends = ops->send1 - ops->send0;
    const int64_t nreceives = ops->receive1 - ops->receive0;
    composite_plan_round round = {.clear0 = plan->clears.count,
                                  .send0 = plan->sends.count,
                                  .receive0 = plan->receives.count};
    int64_t nfront;
    status s = composite_ledger_round(&plan->ledger, sends, nsends, receives, nreceives,
                                      &nfront);
    s = s == STATUS_OK ? append_clears(plan, segment) : s;
    s = s == STATUS_OK ? append_sends(plan, sends, nsends, segment) : s;
    s = s == STATUS_OK ? append_receives(plan, receives, nreceives, nfront, segment) : s;
    round.clear1 = plan->clears.count;
    round.send1 = plan->sends.count;
    round.receive1 = plan->receives.count;
    return s == STATUS_OK ? append_round(plan, round) : s;
}

/* Forgets the last frame, but not its memory. */
static void start_over(composite_plan *plan)
{
    plan->ledger.memory = plan->memory;
    plan->pieces = &plan->ledger.held;
    plan->nrounds = 0;
    plan->clears.count = 0;
    plan->sends.count = 0;
    plan->receives.count = 0;
    plan->most_sends = 0;
    plan->most_receives = 0;
    plan->most_sent_pixels = 0;
    plan->largest_receive = 0;
}

status composite_plan_make(composite_plan *plan, const composite_algorithm *algorithm,
                           const composite_problem *problem,
                           const composite_params *params, int position, int segment)
{
    start_over(plan);
    status s = composite_ops_collect(algorithm, problem, params, position, plan->memory,
                                     &plan->op_sends, &plan->op_receives);
    s = s == STATUS_OK
            ? composite_ledger_start(&plan->ledger, algorithm->name, problem, position)
            : s;
    composite_round_ops ops = {0};
    while (s == STATUS_OK &&
           composite_ops_next_round(&plan->op_sends, &plan->op_receives, &ops)) {
        s = plan_round(plan, &ops, segment);
    }
    return s;
}

void composite_plan_clear(composite_plan *plan)
{
    free(plan->rounds);
    free(plan->clears.items);
    free(plan->sends.items);
    free(plan->receives.items);
    free(plan->op_sends.items);
    free(plan->op_receives.items);
    composite_ledger_clear(&plan->ledger);
    *plan = (composite_plan){.memory = plan->memory};
}
