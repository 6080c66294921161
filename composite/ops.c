/* Collecting the ops of one position. */
#include "ledger.h"

#include <limits.h>
#include <stdlib.h>

typedef struct collection {
    const composite_algorithm *algorithm;
    const composite_problem *problem;
    int position;
    int round; /* of the last op */
    composite_memory *memory;
    composite_ops *ops;
    status result;
} collection;

static status append(collection *all, composite_op_list *list, const composite_op *op)
{
    status s =
        composite_memory_grow(all->memory, &list->items, &list->capacity, list->count + 1,
                              sizeof *op, "a compositing schedule");
    if (s == STATUS_OK) {
        list->items[list->count++] = *op;
    }
    return s;
}

/* The reason why the record of an op is impossible by itself, or NULL. */
static const char *find_fault(const collection *all, const composite_op *op)
{
    const composite_problem *problem = all->problem;
    if (op->src < 0 || op->src >= problem->size || op->dst < 0 ||
        op->dst >= problem->size) {
        return "names a position that does not exist";
    }
    if (op->src == op->dst) {
        return "goes from a position to itself";
    }
    if (op->src != all->position && op->dst != all->position) {
        return "neither leaves nor reaches that position";
    }
    if (op->npix < 1 || op->pix0 < 0 || op->pix0 > problem->pixels - op->npix) {
        return "has no pixels, or pixels outside the image";
    }
    if (op->run0 < 0 || op->run0 >= op->run1 || op->run1 > problem->size) {
        return "has a run that is empty or names positions that do not exist";
    }
    if (op->round < all->round) {
        return "comes after one of a later round";
    }
    return NULL;
}

static int collect(const composite_op *op, void *context)
{
    collection *all = context;
    const char *fault = find_fault(all, op);
    if (fault) {
        all->result = base_fail(
            STATUS_INTERNAL,
            "the schedule of %s is wrong: at position %d, the message of round %d from "
            "position %d to %d (pixels [%lld, %lld), run [%d, %d)) %s",
            all->algorithm->name, all->position, op->round, op->src, op->dst,
            (long long)op->pix0, (long long)op->pix0 + op->npix, op->run0, op->run1,
            fault);
    } else {
        all->round = op->round;
        all->result = append(
            all, op->src == all->position ? &all->ops->sends : &all->ops->receives, op);
    }
    return all->result != STATUS_OK;
}

status composite_ops_collect(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, int position,
                             composite_memory *memory, composite_ops *out)
{
    collection all = {.algorithm = algorithm,
                      .problem = problem,
                      .position = position,
                      .memory = memory,
                      .ops = out};
    out->sends.count = 0;
    out->receives.count = 0;
    composite_schedule_generate(algorithm, problem, params, position, collect, &all);
    return all.result;
}

void composite_ops_clear(composite_ops *ops)
{
    free(ops->sends.items);
    free(ops->receives.items);
    *ops = (composite_ops){0};
}

/* Index after the ops of the list that belong to `round`, from `begin` on. */
static int64_t round_end(const composite_op_list *list, int64_t begin, int round)
{
    int64_t end = begin;
    while (end < list->count && list->items[end].round == round) {
        end++;
    }
    return end;
}

bool composite_ops_next_round(const composite_ops *ops, composite_round_ops *round)
{
    const composite_op_list *sends = &ops->sends;
    const composite_op_list *receives = &ops->receives;
    const bool more_sends = round->send1 < sends->count;
    const bool more_receives = round->receive1 < receives->count;
    if (!more_sends && !more_receives) {
        return false;
    }
    int number = more_sends ? sends->items[round->send1].round : INT_MAX;
    if (more_receives && receives->items[round->receive1].round < number) {
        number = receives->items[round->receive1].round;
    }
    round->send0 = round->send1;
    round->send1 = round_end(sends, round->send0, number);
    round->receive0 = round->receive1;
    round->receive1 = round_end(receives, round->receive0, number);
    return true;
}
