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

/* Messages at which a block ends; its last sender may go beyond. In all some 120 MB, and
 * as much to sort them. */
enum { BLOCK_MESSAGES = 1 << 21 };

/* An op, and its place among those of its end. */
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
    composite_replay replay; /* of one position */
    int first, end;          /* the senders of the present block */
    record_list sent;        /* by them: by dst, then src, then as src yields them */
    int64_t at;              /* the first one to the receiver */
    record_list received;    /* of one position, from these senders */
    int receiver;
} checker;

static const char purpose[] = "checking a schedule";

static status append(checker *check, record_list *list, const composite_op *op)
{
    const status s =
        composite_memory_grow(&check->replay.memory, &list->items, &list->capacity,
                              list->count + 1, sizeof *list->items, purpose);
    if (s == STATUS_OK) {
        list->items[list->count] = (record){*op, list->count};
        list->count++;
    }
    return s;
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

/* By dst, then src, then as their end yields them. */
static int compare_records(const void *left, const void *right)
{
    const record *a = left;
    const record *b = right;
    return a->op.dst != b->op.dst   ? (a->op.dst > b->op.dst) - (a->op.dst < b->op.dst)
           : a->op.src != b->op.src ? (a->op.src > b->op.src) - (a->op.src < b->op.src)
                                    : (a->number > b->number) - (a->number < b->number);
}

static void sort_records(record_list *list)
{
    if (list->count > 1) {
        qsort(list->items, (size_t)list->count, sizeof *list->items, compare_records);
    }
}

/* Collects the messages of the senders after the present block. */
static status collect_block(checker *check)
{
    composite_replay *replay = &check->replay;
    status s = STATUS_OK;
    check->first = check->end;
    check->sent.count = check->at = 0;
    while (check->end < check->problem->size && check->sent.count < BLOCK_MESSAGES &&
           s == STATUS_OK) {
        s = composite_ops_collect(check->algorithm, check->problem, check->params,
                                  check->end++, &replay->memory, &replay->ops);
        for (int64_t i = 0; i < replay->ops.sends.count && s == STATUS_OK; i++) {
            s = append(check, &check->sent, &replay->ops.sends.items[i]);
        }
    }
    sort_records(&check->sent);
    return s;
}

/* Keeps the receiver's messages from the block. The replay of the position finds
 * impossible records. */
static int keep_received(const composite_op *op, void *context)
{
    checker *check = context;
    const bool is_of_block =
        op->dst == check->receiver && op->src >= check->first && op->src < check->end;
    return is_of_block ? (int)append(check, &check->received, op) : STATUS_OK;
}

/* The i-th message to the receiver, by src, from the senders of the block; NULL after the
 * last. */
static const composite_op *sent_op(const checker *check, int64_t i)
{
    const record_list *sent = &check->sent;
    const int64_t place = check->at + i;
    return place < sent->count && sent->items[place].op.dst == check->receiver
               ? &sent->items[place].op
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
    sort_records(received);
    status s = compare_received(check);
    check->at += received->count; /* as many as were sent */
    s = s == STATUS_OK ? check_one_piece(check) : s;
    return s == STATUS_OK ? check_pairs(check) : s;
}

static status check_ends(checker *check)
{
    status s = STATUS_OK;
    while (check->end < check->problem->size && s == STATUS_OK) {
        s = collect_block(check);
        for (int receiver = 0; receiver < check->problem->size && s == STATUS_OK;
             receiver++) {
            s = check_receiver(check, receiver);
        }
    }
    return s;
}

/* ---- each position holds the right pixels ----------------------------------------- */

/*
 * Checks that all pixels that a position holds in the end have the full run. That is
 * enough. Images are only handed on, so just one position can hold the image of position
 * 0 for a pixel. Any other holder of that pixel has a run that is not full.
 */
static status check_final(const checker *check)
{
    const composite_holdings *final = &check->replay.ledger.held;
    for (int64_t i = 0; i < final->count; i++) {
        const composite_holding *held = &final->items[i];
        if (held->run0 != 0 || held->run1 != check->problem->size) {
            return base_fail(
                STATUS_INTERNAL,
                "the schedule of %s is wrong: in the end, position %d holds the "
                "pixels [%lld, %lld) with the run [%d, %d) of %d positions: the "
                "rest is missing",
                check->algorithm->name, check->replay.ledger.position,
                (long long)held->pix0, (long long)held->pix1, held->run0, held->run1,
                check->problem->size);
        }
    }
    return STATUS_OK;
}

static status replay_all(checker *check)
{
    status s = STATUS_OK;
    for (int position = 0; position < check->problem->size && s == STATUS_OK;
         position++) {
        s = composite_replay_run(&check->replay, check->algorithm, check->problem,
                                 check->params, position);
        s = s == STATUS_OK ? check_final(check) : s;
    }
    return s;
}

static void checker_release(checker *check)
{
    composite_replay_clear(&check->replay);
    free(check->sent.items);
    free(check->received.items);
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
    bool *has_messages; /* [nrounds]: each round */
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

static status note_round(tally *all, int round)
{
    const status s = composite_memory_grow(
        &all->memory, &all->has_messages, &all->rounds_capacity, (int64_t)round + 1,
        sizeof *all->has_messages, "the rounds of a schedule");
    while (s == STATUS_OK && all->nrounds <= round) {
        all->has_messages[all->nrounds++] = false;
    }
    if (s == STATUS_OK) {
        all->sum.rounds += !all->has_messages[round];
        all->has_messages[round] = true;
    }
    return s;
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
    free(all.has_messages);
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
