#include "ledger.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first holding that ends after `pixel`; count if there is none. */
static int64_t find_holding(const composite_holdings *list, int64_t pixel)
{
    int64_t low = 0;
    int64_t high = list->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list->items[middle].pix1 > pixel) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static status insert_holding(composite_memory *memory, composite_holdings *list,
                             int64_t index, composite_holding holding)
{
    status s =
        composite_memory_grow(memory, &list->items, &list->capacity, list->count + 1,
                              sizeof holding, "the ledger of a schedule");
    if (s != STATUS_OK) {
        return s;
    }
    composite_holding *at = list->items + index;
    memmove(at + 1, at, (size_t)(list->count - index) * sizeof holding);
    *at = holding;
    list->count++;
    return STATUS_OK;
}

static void remove_holdings(composite_holdings *list, int64_t begin, int64_t end)
{
    memmove(list->items + begin, list->items + end,
            (size_t)(list->count - end) * sizeof *list->items);
    list->count -= end - begin;
}

/* Cuts the holding that reaches across the border before `pixel`, if there is one. */
static status cut(composite_memory *memory, composite_holdings *list, int64_t pixel)
{
    int64_t index = find_holding(list, pixel);
    if (index == list->count || list->items[index].pix0 >= pixel) {
        return STATUS_OK;
    }
    composite_holding front = list->items[index];
    front.pix1 = pixel;
    status s = insert_holding(memory, list, index, front);
    if (s == STATUS_OK) {
        list->items[index + 1].pix0 = pixel;
    }
    return s;
}

/* Joins neighbours with the same run among [begin - 1, end]. */
static void join(composite_holdings *list, int64_t begin, int64_t end)
{
    int64_t first = begin > 0 ? begin - 1 : 0;
    int64_t last = end < list->count ? end : list->count - 1;
    int64_t kept = first;
    for (int64_t i = first + 1; i <= last; i++) {
        composite_holding *a = &list->items[kept];
        const composite_holding *b = &list->items[i];
        if (a->pix1 == b->pix0 && a->run0 == b->run0 && a->run1 == b->run1) {
            a->pix1 = b->pix1;
        } else {
            list->items[++kept] = *b;
        }
    }
    if (last > kept) {
        remove_holdings(list, kept + 1, last + 1);
    }
}

/* Adds pixels that the list does not hold. */
static status add_holding(composite_memory *memory, composite_holdings *list,
                          composite_holding holding)
{
    int64_t index = find_holding(list, holding.pix0);
    status s = insert_holding(memory, list, index, holding);
    if (s == STATUS_OK) {
        join(list, index, index + 1);
    }
    return s;
}

/* Reports an op that does not fit the holding of a position there (NULL: it holds
 * nothing). */
static status fail_op(const composite_ledger *ledger, const composite_op *op,
                      const char *fault, const composite_holding *held)
{
    char holds[128] = "nothing";
    if (held) {
        snprintf(holds, sizeof holds, "pixels [%lld, %lld) with the run [%d, %d)",
                 (long long)held->pix0, (long long)held->pix1, held->run0, held->run1);
    }
    return base_fail(
        STATUS_INTERNAL,
        "the schedule of %s is wrong: in round %d, position %d sends position %d "
        "the pixels [%lld, %lld) with the run [%d, %d), %s: position %d holds %s "
        "there",
        ledger->algorithm, op->round, op->src, op->dst, (long long)op->pix0,
        (long long)op->pix0 + op->npix, op->run0, op->run1, fault, ledger->position,
        holds);
}

/* Takes the pixels that an op sends out of the ledger. */
static status give(composite_ledger *ledger, const composite_op *op)
{
    composite_holdings *held = &ledger->held;
    int64_t index = find_holding(held, op->pix0);
    const composite_holding *at = index < held->count ? &held->items[index] : NULL;
    int64_t end = op->pix0 + op->npix;
    if (at && at->pix0 >= end) {
        at = NULL;
    }
    /* Neighbours with the same run are joined: so the whole range lies in one holding, or
     * the op is wrong. */
    if (!at || at->pix0 > op->pix0 || at->pix1 < end || at->run0 != op->run0 ||
        at->run1 != op->run1) {
        return fail_op(ledger, op, "which its sender does not hold when the round begins",
                       at);
    }
    status s = cut(ledger->memory, held, op->pix0);
    s = s == STATUS_OK ? cut(ledger->memory, held, end) : s;
    if (s != STATUS_OK) {
        return s;
    }
    index = find_holding(held, op->pix0);
    remove_holdings(held, index, index + 1);
    return add_holding(ledger->memory, &ledger->given,
                       (composite_holding){op->pix0, end, op->run0, op->run1});
}

/* Merges an op's run into a holding that the op covers. */
static status merge(const composite_ledger *ledger, const composite_op *op, bool in_front,
                    composite_holding *held)
{
    const bool neighbours = in_front ? op->run1 == held->run0 : held->run1 == op->run0;
    if (ledger->op == COMPOSITE_OVER && !neighbours) {
        return fail_op(ledger, op, "which is no neighbour of what its receiver holds",
                       held);
    }
    held->run0 = op->run0 < held->run0 ? op->run0 : held->run0;
    held->run1 = op->run1 > held->run1 ? op->run1 : held->run1;
    return STATUS_OK;
}

/* Enters the pixels of an op into a gap of the ledger. */
static status fill_gap(composite_ledger *ledger, int64_t index, const composite_op *op,
                       int64_t pix0, int64_t pix1)
{
    composite_holding gap = {pix0, pix1, op->run0, op->run1};
    status s = insert_holding(ledger->memory, &ledger->held, index, gap);
    return s == STATUS_OK ? add_holding(ledger->memory, &ledger->fresh, gap) : s;
}

/* Merges the pixels of an op into the ledger, holding by holding and gap by gap. */
static status receive(composite_ledger *ledger, const composite_op *op, bool in_front)
{
    composite_holdings *held = &ledger->held;
    const int64_t end = op->pix0 + op->npix;
    status s = cut(ledger->memory, held, op->pix0);
    s = s == STATUS_OK ? cut(ledger->memory, held, end) : s;
    if (s != STATUS_OK) {
        return s;
    }
    const int64_t first = find_holding(held, op->pix0);
    int64_t index = first;
    for (int64_t pixel = op->pix0; pixel < end; index++) {
        int64_t next = index < held->count ? held->items[index].pix0 : end;
        next = next < end ? next : end;
        s = next > pixel ? fill_gap(ledger, index, op, pixel, next)
                         : merge(ledger, op, in_front, &held->items[index]);
        if (s != STATUS_OK) {
            return s;
        }
        pixel = held->items[index].pix1;
    }
    join(held, first, index);
    return STATUS_OK;
}

/* The first holding of the list that shares a pixel with an op, or NULL. */
static const composite_holding *find_shared(const composite_holdings *list,
                                            const composite_op *op)
{
    int64_t index = find_holding(list, op->pix0);
    if (index == list->count || list->items[index].pix0 >= op->pix0 + op->npix) {
        return NULL;
    }
    return &list->items[index];
}

/* Finds whether a message lies in front of its receiver's pixels or behind them. If the
 * receiver holds none there, either will do. */
static status find_side(const composite_ledger *ledger, const composite_op *op,
                        bool *in_front)
{
    const composite_holding *given = find_shared(&ledger->given, op);
    if (given) {
        return fail_op(ledger, op, "of which its receiver sends some in the same round",
                       given);
    }
    const composite_holding *first = find_shared(&ledger->held, op);
    const composite_holding *end = ledger->held.items + ledger->held.count;
    *in_front = first && op->run0 < first->run0;
    for (const composite_holding *held = first;
         held && held < end && held->pix0 < op->pix0 + op->npix; held++) {
        if ((op->run0 < held->run0) != *in_front) {
            return fail_op(ledger, op,
                           "in front of some and behind other pixels of its receiver",
                           held);
        }
    }
    return STATUS_OK;
}

status composite_ledger_start(composite_ledger *ledger, const char *algorithm,
                              const composite_problem *problem, int position)
{
    ledger->algorithm = algorithm;
    ledger->position = position;
    ledger->op = problem->op;
    ledger->held.count = 0;
    if (problem->pixels == 0) {
        return STATUS_OK;
    }
    return add_holding(ledger->memory, &ledger->held,
                       (composite_holding){0, problem->pixels, position, position + 1});
}

status composite_ledger_round(composite_ledger *ledger, const composite_op *sends,
                              int64_t nsends, const composite_op *receives,
                              int64_t nreceives, bool *in_front)
{
    status s = STATUS_OK;
    ledger->given.count = 0;
    ledger->fresh.count = 0;
    for (int64_t i = 0; i < nsends && s == STATUS_OK; i++) {
        s = give(ledger, &sends[i]);
    }
    for (int64_t i = 0; i < nreceives && s == STATUS_OK; i++) {
        s = find_side(ledger, &receives[i], &in_front[i]);
        s = s == STATUS_OK ? receive(ledger, &receives[i], in_front[i]) : s;
    }
    return s;
}

void composite_ledger_clear(composite_ledger *ledger)
{
    free(ledger->held.items);
    free(ledger->given.items);
    free(ledger->fresh.items);
    *ledger = (composite_ledger){.memory = ledger->memory};
}

/* ---- All rounds -------------------------------------------------------------------- */

status composite_replay_run(composite_replay *r, const composite_algorithm *algorithm,
                            const composite_problem *problem,
                            const composite_params *params, int position)
{
    composite_round_ops round = {0};
    r->ledger.memory = &r->memory;
    status s =
        composite_ops_collect(algorithm, problem, params, position, &r->memory, &r->ops);
    s = s == STATUS_OK
            ? composite_ledger_start(&r->ledger, algorithm->name, problem, position)
            : s;
    s = s == STATUS_OK
            ? composite_memory_grow(&r->memory, &r->in_front, &r->in_front_capacity,
                                    r->ops.receives.count, sizeof *r->in_front,
                                    "a replay")
            : s;
    while (s == STATUS_OK && composite_ops_next_round(&r->ops, &round)) {
        s = composite_ledger_round(&r->ledger, r->ops.sends.items + round.send0,
                                   round.send1 - round.send0,
                                   r->ops.receives.items + round.receive0,
                                   round.receive1 - round.receive0, r->in_front);
    }
    return s;
}

void composite_replay_clear(composite_replay *r)
{
    composite_ops_clear(&r->ops);
    composite_ledger_clear(&r->ledger);
    free(r->in_front);
    *r = (composite_replay){0};
}
