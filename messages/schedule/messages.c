#include "messages.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- too many --------------------------------------------------------------------- */

/* Writes "about 17 billion", or "more than 17 billion". */
static void print_amount(char *text, size_t size, int64_t messages, bool more)
{
    const char *about = more ? "more than" : "about";
    if (messages < 1000000000) {
        snprintf(text, size, "%s %.0f million", about, (double)messages / 1e6);
    } else {
        snprintf(text, size, "%s %.0f billion", about, (double)messages / 1e9);
    }
}

status messages_limit(const messages_schedule *schedule, int64_t most, const char *done,
                      const char *advice, composite_schedule_summary *summary)
{
    const composite_algorithm *algorithm = schedule->algorithm;
    const composite_problem *problem = &schedule->problem;
    const composite_params *params = &schedule->params;
    status s = composite_schedule_check_params(algorithm, problem, params);
    if (s != STATUS_OK) {
        return s;
    }
    bool more;
    int64_t messages = composite_schedule_estimate(algorithm, problem, params, &more);
    if (messages <= most) {
        s = composite_schedule_summarize(algorithm, problem, params, most, summary);
        if (s != STATUS_OK || summary->messages <= most) {
            return s;
        }
        messages = most;
        more = true;
    }
    char text[64];
    print_amount(text, sizeof text, messages, more);
    return base_fail(STATUS_USAGE,
                     "the schedule of %s for %d ranks has %s messages, and at most %.0f "
                     "million are %s: %s",
                     algorithm->name, problem->size, text, (double)most / 1e6, done,
                     advice);
}

/* ---- listing the messages --------------------------------------------------------- */

static status append(messages_of_frame *list, const composite_op *op, bool received)
{
    return base_array_add(list->entries, list->count,
                          ((messages_message){*op, received, list->count}),
                          "the messages of a schedule");
}

static int list_op(const composite_op *op, void *context)
{
    messages_of_frame *list = context;
    bool received = op->src != list->position;
    if (received && list->schedule->position == APP_ALL_POSITIONS) {
        return 0; /* listed with its sender */
    }
    if (list->count == list->most) {
        list->result =
            base_fail(STATUS_USAGE,
                      "position %d has more messages than the limit of %" PRId64
                      " for printing: give fewer --ranks",
                      list->position, list->most);
        return 1;
    }
    int64_t *pixels = messages_message_gathers(op) ? &list->finished
                      : received                   ? &list->received
                                                   : &list->sent;
    *pixels = *pixels > INT64_MAX - op->npix ? INT64_MAX : *pixels + op->npix;
    list->result = append(list, op, received);
    return list->result != STATUS_OK;
}

static int compare_entries(const void *left, const void *right)
{
    const messages_message *a = left;
    const messages_message *b = right;
    if (a->op.round != b->op.round) {
        return a->op.round < b->op.round ? -1 : 1;
    }
    if (a->received != b->received) {
        return b->received ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* Lists the messages of gathering that positions [first, end) send. */
static status list_gathering(messages_of_frame *list, int first, int end)
{
    const messages_schedule *schedule = list->schedule;
    status s = STATUS_OK;
    for (int position = first; position < end && s == STATUS_OK; position++) {
        s = composite_finished_visit(schedule->algorithm, &schedule->problem,
                                     &schedule->params, position, list_op, list);
        s = s == STATUS_OK ? list->result : s;
    }
    return s;
}

/* The root alone receives finished pixels, from all others. */
static status list_gathering_of_position(messages_of_frame *list)
{
    const messages_schedule *schedule = list->schedule;
    const composite_problem *problem = &schedule->problem;
    list->position = schedule->position;
    if (list->position != problem->root || problem->gather_bytes == 0) {
        return list_gathering(list, list->position, list->position + 1);
    }
    composite_schedule_summary unused;
    const status s =
        messages_limit(schedule, list->most, "read for the pixels that the root gathers",
                       "give --gather 0, or another position", &unused);
    return s == STATUS_OK ? list_gathering(list, 0, problem->size) : s;
}

status messages_list(messages_of_frame *list)
{
    const messages_schedule *schedule = list->schedule;
    const bool all = schedule->position == APP_ALL_POSITIONS;
    const int end = all ? schedule->problem.size : schedule->position + 1;
    list->position = all ? 0 : schedule->position;
    for (; list->position < end && list->result == STATUS_OK; list->position++) {
        composite_schedule_generate(schedule->algorithm, &schedule->problem,
                                    &schedule->params, list->position, list_op, list);
        if (all && list->result == STATUS_OK) {
            list->result = list_gathering(list, list->position, list->position + 1);
        }
    }
    if (!all && list->result == STATUS_OK) {
        list->result = list_gathering_of_position(list);
    }
    if (list->count > 0) {
        qsort(list->entries, (size_t)list->count, sizeof *list->entries, compare_entries);
    }
    return list->result;
}

int64_t messages_round_end(const messages_of_frame *list, int64_t begin)
{
    int64_t end = begin;
    while (end < list->count &&
           list->entries[end].op.round == list->entries[begin].op.round) {
        end++;
    }
    return end;
}

int64_t messages_count(const messages_of_frame *list, bool received)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->count; i++) {
        count += list->entries[i].received == received;
    }
    return count;
}

int64_t messages_rounds(const messages_of_frame *list)
{
    int64_t rounds = 0;
    for (int64_t i = 0; i < list->count; i = messages_round_end(list, i)) {
        rounds += !messages_message_gathers(&list->entries[i].op);
    }
    return rounds;
}

int64_t messages_gathering(const messages_of_frame *list)
{
    int64_t begin = list->count;
    while (begin > 0 && messages_message_gathers(&list->entries[begin - 1].op)) {
        begin--;
    }
    return begin;
}

void messages_clear(messages_of_frame *list)
{
    free(list->entries);
    *list = (messages_of_frame){0};
}
