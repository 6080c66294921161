#include "messages.h"

#include "composite/check.h"
#include "composite/finished.h"

#include <stdlib.h>

static const char *const PURPOSE = "the messages of a schedule";

/* A message as its receiver sees it. */
typedef struct simulate_receipt {
    int src, round, number; /* number: in the order of merging */
    int message;
} receipt;

typedef struct collector {
    simulate_messages *messages;
    const composite_algorithm *algorithm;
    int position;
    status result;
} collector;

/* ---- Sending ----------------------------------------------------------------------- */

static status fail_many(const collector *c)
{
    return base_fail(STATUS_USAGE,
                     "the schedule of %s has more than %d million messages, too many to "
                     "simulate: give fewer --ranks, or smaller --factors",
                     c->algorithm->name, SIMULATE_MOST_MESSAGES / 1000000);
}

static status append_send(collector *c, const composite_op *op)
{
    simulate_messages *m = c->messages;
    if (m->count == SIMULATE_MOST_MESSAGES) {
        return fail_many(c);
    }
    status s = composite_memory_grow(m->memory, &m->sends, &m->sends_capacity,
                                     m->count + 1, sizeof *m->sends, PURPOSE);
    s = s == STATUS_OK
            ? composite_memory_grow(m->memory, &m->senders, &m->senders_capacity,
                                    m->count + 1, sizeof *m->senders, PURPOSE)
            : s;
    if (s == STATUS_OK) {
        m->senders[m->count] = op->src;
        m->sends[m->count++] = (simulate_message){op->dst,  op->round, op->run0,
                                                  op->run1, op->pix0,  op->npix};
        m->receive0[op->dst + 1]++;
        if (op->round != COMPOSITE_GATHER_ROUND && op->round > m->most_round) {
            m->most_round = op->round;
        }
    }
    return s;
}

static int visit_send(const composite_op *op, void *context)
{
    collector *c = context;
    c->result = op->src == c->position ? append_send(c, op) : STATUS_OK;
    return c->result != STATUS_OK;
}

/* Adds the finished pixels of a position, unless the root reads them in place. */
static status append_finished(collector *c, const composite_problem *problem,
                              const composite_params *params,
                              const composite_nodes *nodes)
{
    if (nodes && nodes->node[nodes->team[c->position]] ==
                     nodes->node[nodes->team[problem->root]]) {
        return STATUS_OK;
    }
    const status s = composite_finished_visit(c->algorithm, problem, params, c->position,
                                              visit_send, c);
    return s == STATUS_OK ? c->result : s;
}

/* Finished pixels have the round after all others. */
static void number_gathering(simulate_messages *m)
{
    m->gather_round = m->most_round + 1;
    for (int64_t n = 0; n < m->count; n++) {
        if (m->sends[n].round == COMPOSITE_GATHER_ROUND) {
            m->sends[n].round = m->gather_round;
        }
    }
}

static status collect_sends(collector *c, const composite_problem *problem,
                            const composite_params *params, const composite_nodes *nodes)
{
    simulate_messages *m = c->messages;
    for (; c->position < m->size && c->result == STATUS_OK; c->position++) {
        m->send0[c->position] = m->count;
        composite_schedule_generate(c->algorithm, problem, params, c->position,
                                    visit_send, c);
        if (c->result == STATUS_OK && problem->gather_bytes > 0) {
            c->result = append_finished(c, problem, params, nodes);
        }
    }
    m->send0[m->size] = m->count;
    if (problem->gather_bytes > 0) {
        number_gathering(m);
    }
    return c->result;
}

/* ---- Receiving --------------------------------------------------------------------- */

static void append_receipt(collector *c, int src, int round)
{
    simulate_messages *m = c->messages;
    c->result = composite_memory_grow(m->memory, &m->receipts, &m->receipts_capacity,
                                      m->nreceipts + 1, sizeof *m->receipts, PURPOSE);
    if (c->result == STATUS_OK) {
        m->receipts[m->nreceipts] = (receipt){src, round, (int)m->nreceipts, 0};
        m->nreceipts++;
    }
}

static int visit_receive(const composite_op *op, void *context)
{
    collector *c = context;
    if (op->dst == c->position) {
        append_receipt(c, op->src, op->round);
    }
    return c->result != STATUS_OK;
}

/* The root receives finished pixels, too. */
static void receive_finished(collector *c)
{
    const simulate_messages *m = c->messages;
    for (int64_t n = 0; n < m->count && c->result == STATUS_OK; n++) {
        if (m->sends[n].round == m->gather_round) {
            append_receipt(c, m->senders[n], m->gather_round);
        }
    }
}

static int compare_senders(const void *left, const void *right)
{
    const receipt *a = left;
    const receipt *b = right;
    return a->src != b->src       ? (a->src > b->src) - (a->src < b->src)
           : a->round != b->round ? (a->round > b->round) - (a->round < b->round)
                                  : (a->number > b->number) - (a->number < b->number);
}

/* Lists the messages to each position by sender, as they were sent. */
static void list_by_sender(simulate_messages *m)
{
    for (int q = 0; q < m->size; q++) {
        m->receive0[q + 1] += m->receive0[q];
    }
    for (int64_t n = m->count - 1; n >= 0; n--) {
        m->receives[--m->receive0[m->sends[n].dst + 1]] = (int)n;
    }
    for (int q = 0; q < m->size; q++) {
        m->receive0[q] = m->receive0[q + 1];
    }
    m->receive0[m->size] = m->count;
}

/* Puts the messages to a position into the order in which it merges them. The messages of
 * one pair keep their order, as both ends see them alike. */
static status put_in_order(collector *c)
{
    simulate_messages *m = c->messages;
    int *receives = m->receives + m->receive0[c->position];
    const int64_t count = m->receive0[c->position + 1] - m->receive0[c->position];
    bool is_same = count == m->nreceipts;
    if (is_same && count > 1) {
        qsort(m->receipts, (size_t)count, sizeof *m->receipts, compare_senders);
    }
    for (int64_t i = 0; i < count && is_same; i++) {
        const int n = receives[i];
        m->receipts[i].message = n;
        is_same = m->senders[n] == m->receipts[i].src &&
                  m->sends[n].round == m->receipts[i].round;
    }
    for (int64_t i = 0; i < count && is_same; i++) {
        receives[m->receipts[i].number] = m->receipts[i].message;
    }
    return is_same
               ? STATUS_OK
               : base_fail(STATUS_INTERNAL,
                           "the schedule of %s is wrong: position %d does not receive "
                           "the messages that others send it",
                           c->algorithm->name, c->position);
}

static status collect_receives(collector *c, const composite_problem *problem,
                               const composite_params *params)
{
    simulate_messages *m = c->messages;
    status s = composite_memory_grow(m->memory, &m->receives, &m->receives_capacity,
                                     m->count, sizeof *m->receives, PURPOSE);
    if (s == STATUS_OK) {
        list_by_sender(m);
    }
    for (c->position = 0; c->position < m->size && s == STATUS_OK; c->position++) {
        m->nreceipts = 0;
        composite_schedule_generate(c->algorithm, problem, params, c->position,
                                    visit_receive, c);
        if (c->position == problem->root && c->result == STATUS_OK) {
            receive_finished(c);
        }
        s = c->result == STATUS_OK ? put_in_order(c) : c->result;
    }
    return s;
}

/* ---- Both -------------------------------------------------------------------------- */

status simulate_messages_start(simulate_messages *m, int size)
{
    m->size = size;
    m->count = 0;
    m->most_round = m->gather_round = -1;
    status s = composite_memory_grow(m->memory, &m->send0, &m->send0_capacity,
                                     (int64_t)size + 1, sizeof *m->send0, PURPOSE);
    s = s == STATUS_OK
            ? composite_memory_grow(m->memory, &m->receive0, &m->receive0_capacity,
                                    (int64_t)size + 1, sizeof *m->receive0, PURPOSE)
            : s;
    for (int q = 0; q <= size && s == STATUS_OK; q++) {
        m->receive0[q] = 0;
    }
    return s;
}

status simulate_messages_collect(const composite_algorithm *algorithm,
                                 const composite_problem *problem,
                                 const composite_params *params,
                                 const composite_nodes *nodes,
                                 simulate_messages *messages)
{
    collector c = {.messages = messages, .algorithm = algorithm};
    bool more;
    if ((int64_t)problem->size * problem->size > SIMULATE_MOST_MESSAGES &&
        composite_schedule_estimate(algorithm, problem, params, &more) >
            SIMULATE_MOST_MESSAGES) {
        return fail_many(&c); /* now, not after minutes */
    }
    status s = simulate_messages_start(messages, problem->size);
    s = s == STATUS_OK ? collect_sends(&c, problem, params, nodes) : s;
    return s == STATUS_OK ? collect_receives(&c, problem, params) : s;
}

void simulate_messages_clear(simulate_messages *messages)
{
    free(messages->sends);
    free(messages->receives);
    free(messages->senders);
    free(messages->send0);
    free(messages->receive0);
    free(messages->payloads);
    free(messages->receipts);
    *messages = (simulate_messages){.memory = messages->memory};
}
