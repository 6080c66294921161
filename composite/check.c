/*
 * Why this proves a schedule.
 *
 * Each position is replayed by itself, from the records of its own ops alone. A receiver
 * trusts the record of what it gets: the replay of the sender shows that it holds just
 * that, and the comparison of both ends that it is the same record. So by induction over
 * rounds every ledger tells the truth. Images are never copied, only handed on: none can
 * be blended twice into one pixel, or get lost. Payloads depend on earlier rounds only,
 * and both ends agree on the round: nothing waits in a circle.
 */
#include "composite/check.h"

#include "composite/ledger.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* An op, and its place among all that were collected. */
typedef struct record {
    composite_op op;
    int64_t number;
} record;

typedef struct record_list {
    record *items; /* [count] */
    int64_t count, capacity;
} record_list;

typedef struct checker {
    const composite_algorithm *algorithm;
    const composite_problem *problem;
    const composite_params *params;
    composite_memory memory;
    composite_op_list sends, receives; /* of one position */
    record_list sent, received;        /* of all positions, as src and as dst see them */
    composite_ledger ledger;
} checker;

static status append_records(checker *check, record_list *list,
                             const composite_op_list *ops)
{
    status s = composite_memory_grow(&check->memory, &list->items, &list->capacity,
                                     list->count + ops->count, sizeof(record),
                                     "checking a schedule");
    for (int64_t i = 0; i < ops->count && s == STATUS_OK; i++) {
        list->items[list->count] = (record){ops->items[i], list->count};
        list->count++;
    }
    return s;
}

static status collect_position(checker *check, int position)
{
    return composite_ops_collect(check->algorithm, check->problem, check->params,
                                 position, &check->memory, &check->sends,
                                 &check->receives);
}

static status collect_all(checker *check)
{
    status s = STATUS_OK;
    for (int position = 0; position < check->problem->size && s == STATUS_OK;
         position++) {
        s = collect_position(check, position);
        s = s == STATUS_OK ? append_records(check, &check->sent, &check->sends) : s;
        s = s == STATUS_OK ? append_records(check, &check->received, &check->receives)
                           : s;
    }
    return s;
}

/* By src, then dst, then as the position saw them. */
static int compare_records(const void *left, const void *right)
{
    const record *a = left;
    const record *b = right;
    if (a->op.src != b->op.src) {
        return a->op.src - b->op.src;
    }
    if (a->op.dst != b->op.dst) {
        return a->op.dst - b->op.dst;
    }
    return (a->number > b->number) - (a->number < b->number);
}

static bool same_pair(const composite_op *a, const composite_op *b)
{
    return a->src == b->src && a->dst == b->dst;
}

static bool same_op(const composite_op *a, const composite_op *b)
{
    return same_pair(a, b) && a->round == b->round && a->run0 == b->run0 &&
           a->run1 == b->run1 && a->pix0 == b->pix0 && a->npix == b->npix;
}

static void print_op(char *text, size_t size, const composite_op *op)
{
    snprintf(text, size,
             "(round %d, position %d to %d, pixels [%lld, %lld), run [%d, %d))",
             op->round, op->src, op->dst, (long long)op->pix0,
             (long long)op->pix0 + op->npix, op->run0, op->run1);
}

/* Says how the ends of a message differ; NULL where an end knows of no more messages. */
static status fail_ends(const checker *check, const composite_op *sent,
                        const composite_op *received)
{
    char text[2][160] = {"no such message", "no such message"};
    if (sent) {
        print_op(text[0], sizeof text[0], sent);
    }
    if (received) {
        print_op(text[1], sizeof text[1], received);
    }
    return base_fail(
        STATUS_INTERNAL,
        "the schedule of %s is wrong: the two ends of a message differ: the sender "
        "sees %s, the receiver sees %s",
        check->algorithm->name, text[0], text[1]);
}

/* Both ends see the same messages in the same order. */
static status compare_ends(const checker *check)
{
    int64_t count = check->sent.count > check->received.count ? check->sent.count
                                                              : check->received.count;
    for (int64_t i = 0; i < count; i++) {
        const record *sent = i < check->sent.count ? &check->sent.items[i] : NULL;
        const record *received =
            i < check->received.count ? &check->received.items[i] : NULL;
        if (sent && received && same_op(&sent->op, &received->op)) {
            continue;
        }
        if (sent && received && !same_pair(&sent->op, &received->op)) {
            /* One end misses a message of the pair that sorts first. */
            bool sender_misses = compare_records(sent, received) > 0;
            return fail_ends(check, sender_misses ? NULL : &sent->op,
                             sender_misses ? &received->op : NULL);
        }
        return fail_ends(check, sent ? &sent->op : NULL, received ? &received->op : NULL);
    }
    return STATUS_OK;
}

/* The messages of one pair in one round carry one run and ascend. */
static status check_pairs(const checker *check)
{
    for (int64_t i = 1; i < check->sent.count; i++) {
        const composite_op *a = &check->sent.items[i - 1].op;
        const composite_op *b = &check->sent.items[i].op;
        if (!same_pair(a, b) || a->round != b->round) {
            continue;
        }
        if (a->run0 != b->run0 || a->run1 != b->run1 || b->pix0 < a->pix0 + a->npix) {
            char text[2][160];
            print_op(text[0], sizeof text[0], a);
            print_op(text[1], sizeof text[1], b);
            return base_fail(
                STATUS_INTERNAL,
                "the schedule of %s is wrong: messages of one pair in one round "
                "have different runs, or pixels that do not ascend: %s, then %s",
                check->algorithm->name, text[0], text[1]);
        }
    }
    return STATUS_OK;
}

static status check_ends(checker *check)
{
    if (check->sent.count > 0) {
        qsort(check->sent.items, (size_t)check->sent.count, sizeof(record),
              compare_records);
    }
    if (check->received.count > 0) {
        qsort(check->received.items, (size_t)check->received.count, sizeof(record),
              compare_records);
    }
    status s = compare_ends(check);
    return s == STATUS_OK ? check_pairs(check) : s;
}

/* Replays all rounds of the position whose ops were collected last. */
static status replay_rounds(checker *check)
{
    composite_round_ops round = {0};
    status s = STATUS_OK;
    while (s == STATUS_OK &&
           composite_ops_next_round(&check->sends, &check->receives, &round)) {
        int64_t nfront;
        s = composite_ledger_round(&check->ledger, check->sends.items + round.send0,
                                   round.send1 - round.send0,
                                   check->receives.items + round.receive0,
                                   round.receive1 - round.receive0, &nfront);
    }
    return s;
}

/*
 * What a position holds in the end has the full run. That is enough: as images are only
 * handed on, just one position can hold what position 0 brought for a pixel, and any
 * other with a part of that pixel has a run that is not full.
 */
static status check_final(const checker *check)
{
    const composite_holdings *final = &check->ledger.held;
    for (int64_t i = 0; i < final->count; i++) {
        const composite_holding *held = &final->items[i];
        if (held->run0 != 0 || held->run1 != check->problem->size) {
            return base_fail(
                STATUS_INTERNAL,
                "the schedule of %s is wrong: in the end, position %d holds the "
                "pixels [%lld, %lld) with the run [%d, %d) of %d positions: the "
                "rest is missing",
                check->algorithm->name, check->ledger.position, (long long)held->pix0,
                (long long)held->pix1, held->run0, held->run1, check->problem->size);
        }
    }
    return STATUS_OK;
}

static status replay_all(checker *check)
{
    status s = STATUS_OK;
    for (int position = 0; position < check->problem->size && s == STATUS_OK;
         position++) {
        s = collect_position(check, position);
        s = s == STATUS_OK
                ? composite_ledger_start(&check->ledger, check->algorithm->name,
                                         check->problem, position)
                : s;
        s = s == STATUS_OK ? replay_rounds(check) : s;
        s = s == STATUS_OK ? check_final(check) : s;
    }
    return s;
}

status composite_schedule_check(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params)
{
    status s = algorithm->check_params(problem, params);
    if (s != STATUS_OK) {
        return s;
    }
    checker check = {.algorithm = algorithm, .problem = problem, .params = params};
    check.ledger.memory = &check.memory;
    s = collect_all(&check);
    s = s == STATUS_OK ? check_ends(&check) : s;
    s = s == STATUS_OK ? replay_all(&check) : s;
    composite_ledger_clear(&check.ledger);
    free(check.sends.items);
    free(check.receives.items);
    free(check.sent.items);
    free(check.received.items);
    return s;
}
