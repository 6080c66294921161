#include "plan.h"

#include <stdlib.h>
#include <string.h>

static const char *const PURPOSE = "the plan of compositing";

/* ---- Parts ------------------------------------------------------------------------- */

static int64_t segment_of(const composite_plan *plan, int64_t pixel)
{
    return pixel / plan->key.segment;
}

/* Appends pixels [pix0, pix1) to the list, cut at the borders of segments. */
static status append_parts(composite_plan *plan, composite_part_list *list, int64_t pix0,
                           int64_t pix1, composite_part part)
{
    while (pix0 < pix1) {
        int64_t border = (segment_of(plan, pix0) + 1) * plan->key.segment;
        int64_t end = border < pix1 ? border : pix1;
        status s = composite_memory_grow(plan->memory, &list->items, &list->capacity,
                                         list->count + 1, sizeof part, PURPOSE);
        if (s != STATUS_OK) {
            return s;
        }
        part.pix0 = pix0;
        part.npix = (int)(end - pix0);
        part.after = plan->merged[segment_of(plan, pix0)];
        list->items[list->count++] = part;
        part.stage++;
        pix0 = end;
    }
    return STATUS_OK;
}

static status append_op(composite_plan *plan, composite_part_list *list,
                        const composite_op *op, bool in_front)
{
    composite_part part = {.peer = list == &plan->sends ? op->dst : op->src,
                           .round = op->round,
                           .run0 = op->run0,
                           .run1 = op->run1,
                           .in_front = in_front};
    return append_parts(plan, list, op->pix0, op->pix0 + op->npix, part);
}

static status append_holdings(composite_plan *plan, composite_part_list *list,
                              const composite_holdings *holdings, int round)
{
    status s = STATUS_OK;
    for (int64_t i = 0; i < holdings->count && s == STATUS_OK; i++) {
        const composite_holding *held = &holdings->items[i];
        composite_part part = {.peer = plan->key.position,
                               .round = round,
                               .run0 = held->run0,
                               .run1 = held->run1};
        s = append_parts(plan, list, held->pix0, held->pix1, part);
    }
    return s;
}

/* ---- Groups ------------------------------------------------------------------------ */

static int compare_parts(const void *left, const void *right)
{
    const composite_part *a = left;
    const composite_part *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

static void sort_parts(composite_part_list *list, int64_t first,
                       int (*compare)(const void *, const void *))
{
    if (list->count > first) {
        qsort(list->items + first, (size_t)(list->count - first), sizeof *list->items,
              compare);
    }
}

/* Sorts by segments; within one as they were appended, which is the stream's order. */
static void sort_receives(composite_plan *plan, int64_t first)
{
    composite_part_list *list = &plan->receives;
    for (int64_t i = first; i < list->count; i++) {
        list->items[i].order = segment_of(plan, list->items[i].pix0) * list->count + i;
    }
    sort_parts(list, first, compare_parts);
}

static int compare_sends(const void *left, const void *right)
{
    const composite_part *a = left;
    const composite_part *b = right;
    const int by_time = (a->after > b->after) - (a->after < b->after);
    const int by_round = (a->round > b->round) - (a->round < b->round);
    return by_time ? by_time : by_round ? by_round : compare_parts(left, right);
}

/* Groups of round 0. */
static int64_t count_first_groups(const composite_plan *plan)
{
    int64_t count = 0;
    while (count < plan->ngroups && plan->groups[count].round == 0) {
        count++;
    }
    return count;
}

/* Lets the sends of round 0 wait for their stages (composite_is_paced). */
static void pace(composite_plan *plan)
{
    const int64_t groups = count_first_groups(plan);
    for (int64_t i = 0; i < plan->sends.count; i++) {
        composite_part *part = &plan->sends.items[i];
        const int64_t merged = part->stage - COMPOSITE_STAGES_AHEAD + 1;
        if (part->round == 0 && merged > 0) {
            part->after = merged < groups ? merged : groups;
        }
    }
}

/* Sorts sends from `first` on by the time at which they become ready, then by rounds, by
 * stages, by turns, and as they were appended. */
static void sort_sends(composite_plan *plan, int64_t first)
{
    const composite_plan_key *key = &plan->key;
    const bool has_stages =
        first == 0 && composite_is_paced(key->algorithm, &key->problem);
    composite_part_list *list = &plan->sends;
    if (has_stages) {
        pace(plan);
    }
    for (int64_t i = first; i < list->count; i++) {
        composite_part *part = &list->items[i];
        const int64_t stage = has_stages && part->round == 0 ? part->stage : 0;
        const int64_t turn =
            composite_send_turn(key->algorithm, &key->problem, key->position, part->peer);
        part->order = (stage * key->problem.size + turn) * list->count + i;
    }
    sort_parts(list, first, compare_sends);
}

static status append_group(composite_plan *plan, composite_group group)
{
    status s = composite_memory_grow(plan->memory, &plan->groups, &plan->groups_capacity,
                                     plan->ngroups + 1, sizeof group, PURPOSE);
    if (s == STATUS_OK) {
        group.before = plan->merged[group.segment] - 1;
        plan->groups[plan->ngroups++] = group;
        plan->merged[group.segment] = plan->ngroups;
    }
    return s;
}

/* Index after the parts of a list that lie in the segment of the one at `begin`. */
static int64_t segment_end(const composite_plan *plan, const composite_part_list *list,
                           int64_t begin)
{
    int64_t end = begin;
    while (end < list->count && segment_of(plan, list->items[end].pix0) ==
                                    segment_of(plan, list->items[begin].pix0)) {
        end++;
    }
    return end;
}

/* Makes groups of the parts of one round, which begin at `receive` and `clear`. */
static status append_groups(composite_plan *plan, int64_t receive, int64_t clear)
{
    status s = STATUS_OK;
    while (receive < plan->receives.count && s == STATUS_OK) {
        composite_group group = {.round = plan->receives.items[receive].round,
                                 .segment =
                                     segment_of(plan, plan->receives.items[receive].pix0),
                                 .receive0 = receive,
                                 .receive1 = segment_end(plan, &plan->receives, receive),
                                 .clear0 = clear,
                                 .clear1 = clear,
                                 .final = -1};
        /* Only received pixels are cleared: no segment has clears alone. */
        if (clear < plan->clears.count &&
            segment_of(plan, plan->clears.items[clear].pix0) == group.segment) {
            group.clear1 = segment_end(plan, &plan->clears, clear);
        }
        receive = group.receive1;
        clear = group.clear1;
        s = append_group(plan, group);
    }
    return s;
}

/* Whether a part holds all pixels that a group receives. */
static bool holds_group(const composite_plan *plan, const composite_part *part,
                        const composite_group *group)
{
    for (int64_t i = group->receive0; i < group->receive1; i++) {
        const composite_part *received = &plan->receives.items[i];
        if (received->pix0 < part->pix0 ||
            received->pix0 + received->npix > part->pix0 + part->npix) {
            return false;
        }
    }
    return true;
}

static void link_finals(composite_plan *plan)
{
    for (int64_t i = 0; i < plan->finals.count; i++) {
        /* Its `after`: the last group of its segment. */
        const composite_part *part = &plan->finals.items[i];
        if (part->after > 0 && holds_group(plan, part, &plan->groups[part->after - 1])) {
            plan->groups[part->after - 1].final = i;
        }
    }
}

/* ---- Rounds ------------------------------------------------------------------------ */

static status plan_receives(composite_plan *plan, const composite_op *ops, int64_t nops)
{
    const int64_t receive0 = plan->receives.count;
    status s = STATUS_OK;
    for (int64_t i = 0; i < nops && s == STATUS_OK; i++) {
        s = append_op(plan, &plan->receives, &ops[i], plan->in_front[i]);
    }
    sort_receives(plan, receive0);
    return s;
}

static status plan_round(composite_plan *plan, const composite_round_ops *ops)
{
    const composite_op *sends = plan->ops.sends.items + ops->send0;
    const composite_op *receives = plan->ops.receives.items + ops->receive0;
    const int64_t nsends = ops->send1 - ops->send0;
    const int64_t nreceives = ops->receive1 - ops->receive0;
    const int64_t receive0 = plan->receives.count;
    const int64_t clear0 = plan->clears.count;
    status s =
        composite_memory_grow(plan->memory, &plan->in_front, &plan->in_front_capacity,
                              nreceives, sizeof(bool), PURPOSE);
    s = s == STATUS_OK ? composite_ledger_round(&plan->ledger, sends, nsends, receives,
                                                nreceives, plan->in_front)
                       : s;
    for (int64_t i = 0; i < nsends && s == STATUS_OK; i++) {
        s = append_op(plan, &plan->sends, &sends[i], false);
    }
    s = s == STATUS_OK && nreceives > 0
            ? append_holdings(plan, &plan->clears, &plan->ledger.fresh, receives[0].round)
            : s;
    s = s == STATUS_OK ? plan_receives(plan, receives, nreceives) : s;
    return s == STATUS_OK ? append_groups(plan, receive0, clear0) : s;
}

/* ---- The plan ---------------------------------------------------------------------- */

/* Drops the last plan, and keeps its memory. */
static status start_over(composite_plan *plan, const composite_plan_key *key)
{
    plan->is_made = false;
    plan->key = *key;
    plan->ledger.memory = plan->memory;
    plan->pieces = &plan->ledger.held;
    plan->ngroups = 0;
    plan->clears.count = 0;
    plan->sends.count = 0;
    plan->receives.count = 0;
    plan->finals.count = 0;
    plan->nsegments = (key->problem.pixels + key->segment - 1) / key->segment;
    status s = composite_memory_grow(plan->memory, &plan->merged, &plan->merged_capacity,
                                     plan->nsegments, sizeof *plan->merged, PURPOSE);
    for (int64_t i = 0; i < plan->nsegments && s == STATUS_OK; i++) {
        plan->merged[i] = 0;
    }
    return s;
}

static status plan_rounds(composite_plan *plan)
{
    const composite_plan_key *key = &plan->key;
    composite_round_ops ops = {0};
    status s = composite_ops_collect(key->algorithm, &key->problem, &key->params,
                                     key->position, plan->memory, &plan->ops);
    s = s == STATUS_OK ? composite_ledger_start(&plan->ledger, key->algorithm->name,
                                                &key->problem, key->position)
                       : s;
    while (s == STATUS_OK && composite_ops_next_round(&plan->ops, &ops)) {
        s = plan_round(plan, &ops);
    }
    return s;
}

static bool same_key(const composite_plan_key *a, const composite_plan_key *b)
{
    return a->algorithm == b->algorithm && a->position == b->position &&
           a->segment == b->segment && a->problem.size == b->problem.size &&
           a->problem.pixels == b->problem.pixels && a->problem.op == b->problem.op &&
           a->problem.root == b->problem.root &&
           a->problem.gather_bytes == b->problem.gather_bytes &&
           a->problem.nodes == b->problem.nodes && a->problem.late == b->problem.late &&
           memcmp(&a->problem.cuts, &b->problem.cuts, sizeof a->problem.cuts) == 0 &&
           memcmp(&a->params, &b->params, sizeof a->params) == 0;
}

static void forget_gathering(composite_plan *plan)
{
    while (plan->ngroups > plan->schedule_groups) {
        const composite_group *last = &plan->groups[--plan->ngroups];
        plan->merged[last->segment] = last->before + 1;
    }
    plan->sends.count = plan->schedule_sends;
    plan->receives.count = plan->schedule_receives;
}

status composite_plan_make(composite_plan *plan, const composite_plan_key *key)
{
    if (plan->is_made && same_key(&plan->key, key)) {
        forget_gathering(plan);
        return STATUS_OK;
    }
    status s = start_over(plan, key);
    s = s == STATUS_OK ? plan_rounds(plan) : s;
    s = s == STATUS_OK ? append_holdings(plan, &plan->finals, plan->pieces, 0) : s;
    if (s == STATUS_OK) {
        link_finals(plan);
        sort_sends(plan, 0);
        plan->schedule_sends = plan->sends.count;
        plan->schedule_receives = plan->receives.count;
        plan->schedule_groups = plan->ngroups;
        plan->is_made = true;
    }
    return s;
}

/* Orders the gathering so that senders take turns: all of them finish pixels at about the
 * same time, and none should wait for a free slot until another one is done. */
static void take_turns(composite_plan *plan)
{
    composite_part_list *list = &plan->receives;
    int64_t turn = 0;
    for (int64_t i = plan->schedule_receives; i < list->count; i++) {
        const bool goes_on =
            i > plan->schedule_receives && list->items[i].peer == list->items[i - 1].peer;
        turn = goes_on ? turn + 1 : 0;
        list->items[i].order = turn * plan->key.problem.size + list->items[i].peer;
    }
    sort_parts(list, plan->schedule_receives, compare_parts);
}

status composite_plan_gather(composite_plan *plan, const composite_op *ops, int64_t nops)
{
    status s = STATUS_OK;
    forget_gathering(plan);
    for (int64_t i = 0; i < nops && s == STATUS_OK; i++) {
        const bool is_sent = ops[i].src == plan->key.position;
        s = append_op(plan, is_sent ? &plan->sends : &plan->receives, &ops[i], false);
    }
    take_turns(plan);
    sort_sends(plan, plan->schedule_sends);
    s = s == STATUS_OK ? append_groups(plan, plan->schedule_receives, plan->clears.count)
                       : s;
    plan->is_made = s == STATUS_OK;
    return s;
}

/* The first of the sends [begin, end) whose `after` is at least this. */
static int64_t lower_bound(const composite_plan *plan, int64_t begin, int64_t end,
                           int64_t after)
{
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (plan->sends.items[middle].after < after) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

composite_send_range composite_plan_ready(const composite_plan *plan, int64_t after,
                                          bool of_gathering)
{
    const int64_t begin = of_gathering ? plan->schedule_sends : 0;
    const int64_t end = of_gathering ? plan->sends.count : plan->schedule_sends;
    return (composite_send_range){lower_bound(plan, begin, end, after),
                                  lower_bound(plan, begin, end, after + 1)};
}

void composite_plan_clear(composite_plan *plan)
{
    free(plan->groups);
    free(plan->merged);
    free(plan->in_front);
    free(plan->clears.items);
    free(plan->sends.items);
    free(plan->receives.items);
    free(plan->finals.items);
    composite_ops_clear(&plan->ops);
    composite_ledger_clear(&plan->ledger);
    *plan = (composite_plan){.memory = plan->memory};
}
