/*
 * Why this proves a schedule.
 *
 * The contents of a memory do not matter, only where they come from. So an element is the
 * set of ranks whose inputs are combined in it, and a schedule is right for all inputs if
 * it is right for these sets. Elements that no op and no block separates behave alike:
 * the replay has one cell for each such row.
 *
 * In a round all payloads are taken first, then all are merged. So a message that needs
 * data of its own round finds them missing.
 */
#include "check.h"

#include "replay.h"

#include <stdio.h>

/* ---- Ops by themselves ------------------------------------------------------------- */

/* Says that an op of a rank is impossible. */
static bool fail_op(replay *r, int rank, const collective_op *op, const char *fault)
{
    return replay_fail(r, "an op of rank %d, the message %d→%d in round %d, %s", rank,
                       op->src, op->dst, op->round, fault);
}

static bool check_op(replay *r, int rank, const collective_op *op, int round)
{
    const collective_problem *problem = &r->schedule->problem;
    const int64_t count = r->algorithm->operation->is_barrier ? 0 : problem->count;
    const bool notifies = op->kind == COLLECTIVE_NOTIFY;
    const int vectors = problem->size + 1;
    if (op->src < 0 || op->src >= problem->size || op->dst < 0 ||
        op->dst >= problem->size) {
        return fail_op(r, rank, op, "names a rank that does not exist");
    }
    if (op->src != rank && op->dst != rank) {
        return fail_op(r, rank, op, "belongs to other ranks");
    }
    if (op->round < round) {
        return fail_op(r, rank, op, "comes after one of a later round");
    }
    if (op->from < 0 || op->into < 0 || op->from >= vectors || op->into >= vectors) {
        return fail_op(r, rank, op, "names a vector that does not exist");
    }
    if (op->first < 0 || op->count < (notifies ? 0 : 1) || op->first > count ||
        op->count > count - op->first) {
        return fail_op(r, rank, op, "names elements that do not exist");
    }
    return true;
}

static bool check_ops(replay *r)
{
    const collective_schedule *schedule = r->schedule;
    for (int rank = 0; rank < schedule->problem.size; rank++) {
        int round = 0;
        for (int64_t i = schedule->begin[rank]; i < schedule->begin[rank + 1]; i++) {
            if (!check_op(r, rank, &schedule->ops[i], round)) {
                return false;
            }
            round = schedule->ops[i].round;
        }
    }
    return true;
}

/* ---- Both ends agree --------------------------------------------------------------- */

static bool same_op(const collective_op *a, const collective_op *b)
{
    return a->round == b->round && a->kind == b->kind && a->from == b->from &&
           a->into == b->into && a->first == b->first && a->count == b->count;
}

/* Says how the ends of a message differ; NULL: an end has no more messages. */
static bool fail_ends(replay *r, const collective_op *sent, const collective_op *received)
{
    const bool is_unsent = !sent || (received && received->round < sent->round);
    const bool is_lost = !received || (sent && sent->round < received->round);
    const collective_op *op = is_unsent ? received : sent;
    if (is_lost) {
        return replay_fail(r,
                           "rank %d sends to rank %d in round %d, but rank %d does not "
                           "receive it",
                           op->src, op->dst, op->round, op->dst);
    }
    if (is_unsent) {
        return replay_fail(r,
                           "rank %d waits for a message of rank %d in round %d, but rank "
                           "%d does not send it",
                           op->dst, op->src, op->round, op->src);
    }
    return replay_fail(r,
                       "the two ends of the message %d→%d in round %d differ: one has "
                       "elements [%lld, %lld), the other one [%lld, %lld)",
                       op->src, op->dst, op->round, (long long)sent->first,
                       (long long)(sent->first + sent->count), (long long)received->first,
                       (long long)(received->first + received->count));
}

/* The next op in [*at, end) with these ends, or NULL; *at is the place behind it. */
static const collective_op *next_of(const collective_schedule *schedule, int64_t *at,
                                    int64_t end, int src, int dst)
{
    while (*at < end) {
        const collective_op *op = &schedule->ops[(*at)++];
        if (op->src == src && op->dst == dst) {
            return op;
        }
    }
    return NULL;
}

/* Finds the send of each receive of a pair. */
static bool check_pair(replay *r, int src, int dst)
{
    const collective_schedule *schedule = r->schedule;
    int64_t at = schedule->begin[src], to = schedule->begin[dst];
    for (;;) {
        const collective_op *sent =
            next_of(schedule, &at, schedule->begin[src + 1], src, dst);
        const collective_op *received =
            src == dst ? sent
                       : next_of(schedule, &to, schedule->begin[dst + 1], src, dst);
        if (!sent && !received) {
            return true;
        }
        if (!sent || !received || !same_op(sent, received)) {
            return fail_ends(r, sent, received);
        }
        r->mate[received - schedule->ops] = sent - schedule->ops;
    }
}

static bool check_ends(replay *r)
{
    const int size = r->schedule->problem.size;
    for (int src = 0; src < size; src++) {
        for (int dst = 0; dst < size; dst++) {
            if (!check_pair(r, src, dst)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- The end ----------------------------------------------------------------------- */

/* Says that a rank ends without an input, and which message does not bring it: replays
 * the schedule once more and watches. */
static bool fail_without(replay *r, int rank, int row, int missing)
{
    r->watch = (replay_watch){
        .rank = rank, .row = row, .input = missing, .src = -1, .brought_src = -1};
    if (!replay_run(r)) {
        return false;
    }
    if (r->algorithm->operation->is_barrier) {
        return replay_fail(r, "rank %d goes on without knowing that rank %d has come",
                           rank, missing);
    }
    const replay_watch *w = &r->watch;
    char way[160] = "no message comes from a rank that has it";
    if (w->brought_src >= 0) {
        snprintf(way, sizeof way,
                 "the message %d→%d in round %d brings it, but it does not stay",
                 w->brought_src, rank, w->brought_round);
    } else if (w->src >= 0) {
        snprintf(way, sizeof way, "the message %d→%d in round %d does not carry it",
                 w->src, rank, w->round);
    }
    return replay_fail(r, "rank %d ends without element %lld of rank %d's input: %s",
                       rank, (long long)r->borders[row], missing, way);
}

static bool check_cell(replay *r, int rank, int vector, int row)
{
    const collective_problem *problem = &r->schedule->problem;
    const uint64_t promised =
        r->algorithm->operation->promised(problem, rank, vector, r->borders[row]);
    const replay_cell cell = *replay_at(r, rank, vector, row);
    if (promised == 0) {
        return true;
    }
    if (promised & ~cell.ranks) {
        return fail_without(r, rank, row, replay_lowest(promised & ~cell.ranks));
    }
    if (cell.ranks & ~promised) {
        return replay_fail(r,
                           "rank %d ends with element %lld of rank %d's input in "
                           "its result, where it does not belong",
                           rank, (long long)r->borders[row],
                           replay_lowest(cell.ranks & ~promised));
    }
    if (cell.culprit >= 0 && collective_is_ordered(r->algorithm, problem)) {
        const collective_op *op = &r->schedule->ops[cell.culprit];
        return replay_fail(r,
                           "rank %d ends with element %lld combined out of the "
                           "order of ranks: the message %d→%d in round %d brings "
                           "operands from between those that are there",
                           rank, (long long)r->borders[row], op->src, op->dst, op->round);
    }
    return true;
}

static bool is_result(const replay *r, int rank, int vector, int row)
{
    return r->algorithm->operation->promised(&r->schedule->problem, rank, vector,
                                             r->borders[row]) != 0;
}

static bool check_end(replay *r, bool *in_order)
{
    for (int rank = 0; rank < r->schedule->problem.size; rank++) {
        for (int vector = 0; vector < r->vectors; vector++) {
            for (int row = 0; row < r->rows; row++) {
                if (!check_cell(r, rank, vector, row)) {
                    return false;
                }
                *in_order &= !is_result(r, rank, vector, row) ||
                             replay_at(r, rank, vector, row)->culprit < 0;
            }
        }
    }
    return true;
}

/* ---- A schedule -------------------------------------------------------------------- */

status collective_check(const collective_algorithm *algorithm,
                        const collective_schedule *schedule, collective_verdict *verdict)
{
    *verdict = (collective_verdict){.in_order = algorithm->operation->reduces};
    replay r = {.algorithm = algorithm,
                .schedule = schedule,
                .sentence = verdict->sentence,
                .sentence_size = sizeof verdict->sentence,
                .watch = {.rank = -1}};
    status s = STATUS_OK;
    if (check_ops(&r)) {
        s = replay_create(&r);
        verdict->is_right = s == STATUS_OK && check_ends(&r) && replay_run(&r) &&
                            check_end(&r, &verdict->in_order);
        s = r.out_of_memory ? STATUS_MEMORY : s;
        replay_clear(&r);
    }
    return s;
}

collective_totals collective_count(const collective_schedule *schedule)
{
    collective_totals totals = {0};
    int most_round = -1;
    for (int rank = 0; rank < schedule->problem.size; rank++) {
        int64_t sent = 0, received = 0;
        int round = -1;
        uint64_t peers = 0; /* that have had a message in this round */
        for (int64_t i = schedule->begin[rank]; i < schedule->begin[rank + 1]; i++) {
            const collective_op *op = &schedule->ops[i];
            peers = op->round == round ? peers : 0;
            round = op->round;
            most_round = round > most_round ? round : most_round;
            if (op->src == rank && op->dst != rank) {
                totals.messages += !(peers >> op->dst & 1);
                peers |= UINT64_C(1) << op->dst;
                sent += op->count;
            } else if (op->src != op->dst) {
                received += op->count;
            }
        }
        totals.elements += sent;
        totals.most_sent = sent > totals.most_sent ? sent : totals.most_sent;
        totals.most_received =
            received > totals.most_received ? received : totals.most_received;
    }
    totals.rounds = most_round + 1;
    return totals;
}
