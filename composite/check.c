/*
 * Why this proves a schedule.
 *
 * Each position is replayed by itself, from the records of its own ops alone. A receiver
 * trusts the record of each message that it gets. The replay of the sender shows that the
 * sender holds exactly these pixels, and the comparison of both ends shows that they have
 * the same record. So, by induction over rounds, every ledger is true. Images are never
 * copied, only handed on: none can be blended twice into one pixel, or get lost. There is
 * no deadlock, as payloads depend on earlier rounds only, and both ends agree on the
 * round.
 *
 * The ends are compared record by record, one block of senders after the other. The sends
 * of a block are collected and ordered by receiver. Then each receiver is generated, and
 * its receives from the block must equal these sends. So memory is bounded for any number
 * of messages; the price is one more generation of all receivers for each block.
 */
#include "check.h"

#include "finished.h"
#include "ledger.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Messages at which a block ends; its last sender may go beyond. In all about 100 to 180
 * MB. */
enum { BLOCK_MESSAGES = 1 << 21 };

/* An op, and its place among those that its receiver yields. */
typedef struct record {
    composite_op op;
    int64_t number;
} record;

typedef struct record_list {
    record *items; /* [count] */
    int64_t count, capacity;
} record_list;

/* The messages of the senders [first, end). */
typedef struct block {
    int first, end;
    composite_op_list ops; /* as the senders yield them, one after the other */
    int64_t *order; /* [ops.count], indices: by dst, then src, then as src yields them */
    int64_t order_capacity;
    int64_t *begin; /* [size + 1]: first place of a dst in `order` */
    int64_t begin_capacity;
} block;

typedef struct checker {
    const composite_algorithm *algorithm;
    const composite_problem *problem;
    const composite_params *params;
    composite_memory memory;
    composite_ops own; /* of one position */
    block senders;
    record_list received; /* of one position, from `senders` */
    int receiver;
    composite_ledger ledger;
    bool *in_front; /* [in_front_capacity]: of the receives of a round */
    int64_t in_front_capacity;
} checker;

static const char purpose[] = "checking a schedule";

static status collect_position(checker *check, int position)
{
    return composite_ops_collect(check->algorithm, check->problem, check->params,
                                 position, &check->memory, &check->own);
}

/* ---- both ends agree -------------------------------------------------------------- */

static bool same_pair(const composite_op *a, const composite_op *b)
{
    return a->src == b->src && a->dst == b->dst;
}

static bool same_but_for_round(const composite_op *a, const composite_op *b)
{
    return same_pair(a, b) && a->run0 == b->run0 && a->run1 == b->run1 &&
           a->pix0 == b->pix0 && a->npix == b->npix;
}

static bool same_op(const composite_op *a, const composite_op *b)
{
    return same_but_for_round(a, b) && a->round == b->round;
}

static void print_op(char *text, size_t size, const composite_op *op)
{
    snprintf(text, size,
             "(round %d, position %d to %d, pixels [%lld, %lld), run [%d, %d))",
             op->round, op->src, op->dst, (long long)op->pix0,
             (long long)op->pix0 + op->npix, op->run0, op->run1);
}

/* Reports how the ends of a message differ; NULL: an end has no more messages. */
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
    const char *fault = "differ";
    if (sent && received && same_but_for_round(sent, received)) {
        fault = "name different rounds, so that positions may wait for each other in a "
                "circle";
    }
    return base_fail(
        STATUS_INTERNAL,
        "the schedule of %s is wrong: the two ends of a message %s: the sender sees %s, "
        "the receiver sees %s",
        check->algorithm->name, fault, text[0], text[1]);
}

/* Appends the sends of the position whose ops were collected last. */
static status append_sends(checker *check)
{
    composite_op_list *ops = &check->senders.ops;
    const composite_op_list *sends = &check->own.sends;
    status s =
        composite_memory_grow(&check->memory, &ops->items, &ops->capacity,
                              ops->count + sends->count, sizeof *ops->items, purpose);
    for (int64_t i = 0; i < sends->count && s == STATUS_OK; i++) {
        ops->items[ops->count++] = sends->items[i];
    }
    return s;
}

/* Collects the block of senders after `senders`. */
static status collect_block(checker *check)
{
    block *senders = &check->senders;
    status s = STATUS_OK;
    senders->first = senders->end;
    senders->ops.count = 0;
    while (senders->end < check->problem->size && senders->ops.count < BLOCK_MESSAGES &&
           s == STATUS_OK) {
        s = collect_position(check, senders->end++);
        s = s == STATUS_OK ? append_sends(check) : s;
    }
    return s;
}

/* Orders a block by receivers, with a counting sort. */
static status order_block(checker *check)
{
    block *senders = &check->senders;
    const composite_op_list *ops = &senders->ops;
    const int size = check->problem->size;
    status s =
        composite_memory_grow(&check->memory, &senders->order, &senders->order_capacity,
                              ops->count, sizeof *senders->order, purpose);
    s = s == STATUS_OK
            ? composite_memory_grow(&check->memory, &senders->begin,
                                    &senders->begin_capacity, (int64_t)size + 1,
                                    sizeof *senders->begin, purpose)
            : s;
    if (s != STATUS_OK) {
        return s;
    }
    int64_t *begin = senders->begin;
    for (int dst = 0; dst <= size; dst++) {
        begin[dst] = 0;
    }
    for (int64_t i = 0; i < ops->count; i++) {
        begin[ops->items[i].dst]++;
    }
    for (int dst = 1; dst <= size; dst++) {
        begin[dst] += begin[dst - 1];
    }
    /* Fills the places of each dst from the end; the last op first keeps their order. */
    for (int64_t i = ops->count - 1; i >= 0; i--) {
        senders->order[--begin[ops->items[i].dst]] = i;
    }
    return STATUS_OK;
}

/* Keeps the receiver's messages from the block. The replay of the position finds
 * impossible records. */
static int keep_received(const composite_op *op, void *context)
{
    checker *check = context;
    record_list *list = &check->received;
    if (op->dst != check->receiver || op->src < check->senders.first ||
        op->src >= check->senders.end) {
        return STATUS_OK;
    }
    status s = composite_memory_grow(&check->memory, &list->items, &list->capacity,
                                     list->count + 1, sizeof *list->items, purpose);
    if (s == STATUS_OK) {
        list->items[list->count] = (record){*op, list->count};
        list->count++;
    }
    return (int)s;
}

/* Orders by src, then as the receiver yields them. */
static int compare_records(const void *left, const void *right)
{
    const record *a = left;
    const record *b = right;
    if (a->op.src != b->op.src) {
        return (a->op.src > b->op.src) - (a->op.src < b->op.src);
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* The i-th message to the receiver, by src, from the senders of the block; NULL after the
 * last. */
static const composite_op *sent_op(const checker *check, int64_t i)
{
    const block *senders = &check->senders;
    int64_t place = senders->begin[check->receiver] + i;
    return place < senders->begin[check->receiver + 1]
               ? &senders->ops.items[senders->order[place]]
               : NULL;
}

static const composite_op *received_op(const checker *check, int64_t i)
{
    return i < check->received.count ? &check->received.items[i].op : NULL;
}

/* Checks that block and receiver have the same messages in the same order. */
static status compare_received(const checker *check)
{
    const composite_op *sent = sent_op(check, 0);
    const composite_op *received = received_op(check, 0);
    for (int64_t i = 0; sent || received;) {
        if (!sent || !received || !same_op(sent, received)) {
            /* If the senders differ, the first one's message is missing at one end. */
            bool apart = sent && received && sent->src != received->src;
            return fail_ends(check, apart && sent->src > received->src ? NULL : sent,
                             apart && sent->src < received->src ? NULL : received);
        }
        i++;
        sent = sent_op(check, i);
        received = received_op(check, i);
    }
    return STATUS_OK;
}

/* Checks that the messages of an algorithm that is_direct have one round, and one range
 * of pixels for each receiver; those of one that is paced have such a range in round 0.
 */
static status check_one_piece(const checker *check)
{
    const bool is_direct = composite_schedule_is_direct(check->algorithm, check->problem);
    const bool is_paced = composite_is_paced(check->algorithm, check->problem);
    const composite_op *first = NULL;
    for (int64_t i = 0; (is_direct || is_paced) && i < check->received.count; i++) {
        const composite_op *op = received_op(check, i);
        if (op->round > 0 && !is_direct) {
            continue;
        }
        first = first ? first : op;
        const bool is_same = op->pix0 == first->pix0 && op->npix == first->npix;
        if (op->round != 0 || !is_same) {
            char text[160];
            print_op(text, sizeof text, op);
            return base_fail(STATUS_INTERNAL,
                             "the schedule of %s is wrong: it is %s, but has a "
                             "message %s: %s",
                             check->algorithm->name, is_direct ? "direct" : "an exchange",
                             is_same ? "after round 0" : "with other pixels than another",
                             text);
        }
    }
    return STATUS_OK;
}

/* Checks that messages of one pair in one round carry one run and ascend. */
static status check_pairs(const checker *check)
{
    for (int64_t i = 1; i < check->received.count; i++) {
        const composite_op *a = received_op(check, i - 1);
        const composite_op *b = received_op(check, i);
        if (a->src != b->src || a->round != b->round) {
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

static status check_receiver(checker *check, int receiver)
{
    record_list *received = &check->received;
    received->count = 0;
    check->receiver = receiver;
    int ended = composite_schedule_generate(
        check->algorithm, check->problem, check->params, receiver, keep_received, check);
    if (ended) {
        return (status)ended; /* the result of keep_received */
    }
    if (received->count > 1) {
        qsort(received->items, (size_t)received->count, sizeof *received->items,
              compare_records);
    }
    status s = compare_received(check);
    s = s == STATUS_OK ? check_one_piece(check) : s;
    return s == STATUS_OK ? check_pairs(check) : s;
}

static status check_ends(checker *check)
{
    status s = STATUS_OK;
    while (check->senders.end < check->problem->size && s == STATUS_OK) {
        s = collect_block(check);
        s = s == STATUS_OK ? order_block(check) : s;
        for (int receiver = 0; receiver < check->problem->size && s == STATUS_OK;
             receiver++) {
            s = check_receiver(check, receiver);
        }
    }
    return s;
}

/* ---- each position holds the right pixels ----------------------------------------- */

/* Replays all rounds of the position whose ops were collected last. */
static status replay_rounds(checker *check)
{
    composite_round_ops round = {0};
    status s = composite_memory_grow(&check->memory, &check->in_front,
                                     &check->in_front_capacity, check->own.receives.count,
                                     sizeof *check->in_front, purpose);
    while (s == STATUS_OK && composite_ops_next_round(&check->own, &round)) {
        s = composite_ledger_round(&check->ledger, check->own.sends.items + round.send0,
                                   round.send1 - round.send0,
                                   check->own.receives.items + round.receive0,
                                   round.receive1 - round.receive0, check->in_front);
    }
    return s;
}

/*
 * Checks that all pixels that a position holds in the end have the full run. That is
 * enough. Images are only handed on, so just one position can hold the image of position
 * 0 for a pixel. Any other holder of that pixel has a run that is not full.
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

static void checker_release(checker *check)
{
    composite_ledger_clear(&check->ledger);
    composite_ops_clear(&check->own);
    free(check->senders.ops.items);
    free(check->senders.order);
    free(check->senders.begin);
    free(check->received.items);
    free(check->in_front);
}

status composite_schedule_check(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params,
                                composite_schedule_summary *summary)
{
    status s = composite_schedule_check_params(algorithm, problem, params);
    if (s != STATUS_OK) {
        return s;
    }
    checker check = {.algorithm = algorithm, .problem = problem, .params = params};
    check.ledger.memory = &check.memory;
    s = check_ends(&check);
    s = s == STATUS_OK ? replay_all(&check) : s;
    checker_release(&check);
    if (s == STATUS_OK && summary) {
        s = composite_schedule_summarize(algorithm, problem, params, INT64_MAX, summary);
    }
    return s;
}

/* ---- costs ------------------------------------------------------------------------ */

typedef struct tally {
    composite_memory memory;
    int64_t most_messages; /* counting ends above this number */
    composite_schedule_summary sum;
    int *rounds; /* [nrounds]: numbers of rounds, with repetitions */
    int64_t nrounds, rounds_capacity;
    /* Of one position: */
    int position;
    int round;              /* of the last op; -1 before the first */
    int64_t in_round;       /* messages of that round */
    int64_t sent, received; /* pixels */
    status result;
} tally;

static int64_t add(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int compare_rounds(const void *left, const void *right)
{
    const int *a = left;
    const int *b = right;
    return (*a > *b) - (*a < *b);
}

/* Removes repeated numbers of rounds. */
static void compact_rounds(tally *all)
{
    int64_t kept = 0;
    if (all->nrounds > 0) {
        qsort(all->rounds, (size_t)all->nrounds, sizeof *all->rounds, compare_rounds);
    }
    for (int64_t i = 0; i < all->nrounds; i++) {
        if (i == 0 || all->rounds[i] != all->rounds[kept - 1]) {
            all->rounds[kept++] = all->rounds[i];
        }
    }
    all->nrounds = kept;
}

/* Notes a round. Positions have much the same rounds: so a full list is compacted first,
 * and grows only if it stays more than half full. */
static status note_round(tally *all, int round)
{
    enum { FIRST_CAPACITY = 1024 };
    if (all->nrounds == all->rounds_capacity) {
        compact_rounds(all);
        int64_t wanted = larger(FIRST_CAPACITY, 2 * all->nrounds);
        status s = composite_memory_grow(&all->memory, &all->rounds,
                                         &all->rounds_capacity, wanted,
                                         sizeof *all->rounds, "the rounds of a schedule");
        if (s != STATUS_OK) {
            return s;
        }
    }
    all->rounds[all->nrounds++] = round;
    return STATUS_OK;
}

static int tally_op(const composite_op *op, void *context)
{
    tally *all = context;
    if (op->round != all->round) {
        all->result = note_round(all, op->round);
        all->round = op->round;
        all->in_round = 0;
    }
    all->in_round++;
    all->sum.most_messages = larger(all->sum.most_messages, all->in_round);
    if (op->src == all->position) {
        all->sum.messages++;
        all->sent = add(all->sent, op->npix);
    } else {
        all->received = add(all->received, op->npix);
    }
    return all->result != STATUS_OK || all->sum.messages > all->most_messages;
}

/* Returns whether all messages of the position were counted. */
static bool tally_position(tally *all, const composite_algorithm *algorithm,
                           const composite_problem *problem,
                           const composite_params *params, int position)
{
    all->position = position;
    all->round = -1;
    all->sent = 0;
    all->received = 0;
    int ended =
        composite_schedule_generate(algorithm, problem, params, position, tally_op, all);
    all->sum.pixels = add(all->sum.pixels, all->sent);
    all->sum.most_sent = larger(all->sum.most_sent, all->sent);
    all->sum.most_received = larger(all->sum.most_received, all->received);
    return ended == 0;
}

status composite_schedule_summarize(const composite_algorithm *algorithm,
                                    const composite_problem *problem,
                                    const composite_params *params, int64_t most_messages,
                                    composite_schedule_summary *summary)
{
    status s = composite_schedule_check_params(algorithm, problem, params);
    if (s != STATUS_OK) {
        return s;
    }
    tally all = {.most_messages = most_messages};
    int position = 0;
    while (position < problem->size &&
           tally_position(&all, algorithm, problem, params, position)) {
        position++;
    }
    compact_rounds(&all);
    all.sum.rounds = all.nrounds;
    free(all.rounds);
    s = all.result;
    if (s == STATUS_OK && all.sum.messages <= most_messages) {
        s = composite_finished_count(algorithm, problem, params, &all.sum.gather_messages,
                                     &all.sum.gather_pixels);
    }
    if (s == STATUS_OK) {
        *summary = all.sum;
    }
    return s;
}

/* Messages that a position sends, up to MOST_SAMPLED. */
typedef struct sample {
    int position;
    int64_t messages;
} sample;

enum { SAMPLES = 16, MOST_SAMPLED = 1 << 18 };

static int sample_op(const composite_op *op, void *context)
{
    sample *one = context;
    one->messages += op->src == one->position;
    return one->messages == MOST_SAMPLED;
}

int64_t composite_schedule_estimate(const composite_algorithm *algorithm,
                                    const composite_problem *problem,
                                    const composite_params *params, bool *more)
{
    const int size = problem->size;
    const int samples = size < SAMPLES ? size : SAMPLES;
    int64_t messages = 0;
    *more = false;
    for (int i = 0; i < samples; i++) {
        /* Not all at multiples of a power of two: trees have their leaders there. */
        int64_t place = (int64_t)i * size / samples + (size > SAMPLES ? i : 0);
        sample one = {.position = (int)(place % size)};
        *more = composite_schedule_generate(algorithm, problem, params, one.position,
                                            sample_op, &one) ||
                *more;
        messages += one.messages;
    }
    return (int64_t)((double)messages / samples * size + 0.5);
}
