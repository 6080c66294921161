#include "replay.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool replay_fail(replay *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(r->sentence, r->sentence_size, format, values);
    va_end(values);
    return false;
}

/* ---- Rows -------------------------------------------------------------------------- */

static int compare_borders(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts, and drops duplicates. */
static int64_t sort_borders(int64_t *borders, int64_t count)
{
    int64_t kept = 0;
    qsort(borders, (size_t)count, sizeof *borders, compare_borders);
    for (int64_t i = 0; i < count; i++) {
        if (kept == 0 || borders[i] != borders[kept - 1]) {
            borders[kept++] = borders[i];
        }
    }
    return kept;
}

/* Cuts the elements at the blocks and at the ends of all ops. A barrier has one row. */
static void find_rows(replay *r)
{
    const collective_schedule *schedule = r->schedule;
    int64_t count = 0;
    for (int rank = 0; rank <= schedule->problem.size; rank++) {
        r->borders[count++] = collective_block_begin(&schedule->problem, rank);
    }
    for (int64_t i = 0; i < schedule->count; i++) {
        r->borders[count++] = schedule->ops[i].first;
        r->borders[count++] = schedule->ops[i].first + schedule->ops[i].count;
    }
    if (r->algorithm->operation->is_barrier) {
        r->borders[0] = 0;
        r->borders[1] = 1;
        r->rows = 1;
        return;
    }
    r->rows = (int)sort_borders(r->borders, count) - 1;
}

/* The first row from an element on. */
static int find_row(const replay *r, int64_t element)
{
    int low = 0, high = r->rows;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (r->borders[middle] < element) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The rows [*first, *end) of an op. */
static void rows_of(const replay *r, const collective_op *op, int *first, int *end)
{
    const bool notifies = op->kind == COLLECTIVE_NOTIFY;
    *first = notifies ? 0 : find_row(r, op->first);
    *end = notifies ? r->rows : find_row(r, op->first + op->count);
}

/* ---- Memory ------------------------------------------------------------------------ */

static int count_vectors(const replay *r)
{
    int vectors = r->algorithm->operation->has_vectors ? r->schedule->problem.size : 1;
    for (int64_t i = 0; i < r->schedule->count; i++) {
        const collective_op *op = &r->schedule->ops[i];
        const int most = op->from > op->into ? op->from : op->into;
        vectors = most + 1 > vectors ? most + 1 : vectors;
    }
    return vectors;
}

status replay_create(replay *r)
{
    const int64_t size = r->schedule->problem.size;
    const size_t ops = (size_t)r->schedule->count + 1;
    r->vectors = count_vectors(r);
    r->borders = malloc(((size_t)size + 3 + 2 * ops) * sizeof *r->borders);
    r->mate = malloc(ops * sizeof *r->mate);
    r->payload = malloc(ops * sizeof *r->payload);
    if (!r->borders || !r->mate || !r->payload) {
        return STATUS_MEMORY;
    }
    find_rows(r);
    const size_t cells = (size_t)size * (size_t)r->vectors * (size_t)r->rows + 1;
    r->cells = malloc(cells * sizeof *r->cells);
    return r->cells ? STATUS_OK : STATUS_MEMORY;
}

void replay_clear(replay *r)
{
    free(r->borders);
    free(r->cells);
    free(r->mate);
    free(r->payload);
    free(r->taken);
}

static void fill(replay *r)
{
    const collective_problem *problem = &r->schedule->problem;
    for (int rank = 0; rank < problem->size; rank++) {
        r->at[rank] = r->schedule->begin[rank];
        for (int vector = 0; vector < r->vectors; vector++) {
            for (int row = 0; row < r->rows; row++) {
                const uint64_t given = r->algorithm->operation->given(
                    problem, rank, vector, r->borders[row]);
                *replay_at(r, rank, vector, row) = (replay_cell){given, -1};
            }
        }
    }
}

/* ---- Taking payloads --------------------------------------------------------------- */

/* The rank of whose input an element is that no reduction has touched. */
static int owner_of(const replay *r, int vector, int row)
{
    const collective_problem *problem = &r->schedule->problem;
    const collective_operation *operation = r->algorithm->operation;
    for (int rank = 0; rank < problem->size; rank++) {
        if (operation->given(problem, rank, vector, r->borders[row])) {
            return rank;
        }
    }
    return problem->root;
}

/* Says that a message carries data that its sender lacks. */
static bool fail_early(replay *r, const collective_op *op, int row)
{
    const long long element = r->borders[row];
    return r->algorithm->operation->reduces
               ? replay_fail(r,
                             "the message %d→%d in round %d carries element %lld, which "
                             "rank %d does not have by then",
                             op->src, op->dst, op->round, element, op->src)
               : replay_fail(r,
                             "the message %d→%d in round %d carries element %lld of rank "
                             "%d's input, which rank %d does not have by then",
                             op->src, op->dst, op->round, element,
                             owner_of(r, op->from, row), op->src);
}

/* Notes whether a message to the watched rank has the input, or could have. */
static void look(replay *r, const collective_op *op)
{
    replay_watch *w = &r->watch;
    if (op->dst != w->rank || op->src == op->dst) {
        return;
    }
    const uint64_t input = UINT64_C(1) << w->input;
    int first, end;
    rows_of(r, op, &first, &end);
    const bool carries = first <= w->row && w->row < end &&
                         (replay_at(r, op->src, op->from, w->row)->ranks & input);
    bool has = false;
    for (int vector = 0; vector < r->vectors; vector++) {
        has |= (replay_at(r, op->src, vector, w->row)->ranks & input) != 0;
    }
    if (carries) {
        w->brought_src = op->src;
        w->brought_round = op->round;
    } else if (has) {
        w->src = op->src;
        w->round = op->round;
    }
}

static bool take(replay *r, int64_t number)
{
    const collective_op *op = &r->schedule->ops[number];
    int first, end;
    rows_of(r, op, &first, &end);
    replay_cell *taken = base_array_reserve(r->taken, &r->taken_capacity,
                                            r->ntaken + end - first + 1, sizeof *taken);
    if (!taken) {
        r->out_of_memory = true;
        return false;
    }
    r->taken = taken;
    r->payload[number] = r->ntaken;
    for (int row = first; row < end; row++) {
        const replay_cell cell = *replay_at(r, op->src, op->from, row);
        if (cell.ranks == 0) {
            return fail_early(r, op, row);
        }
        taken[r->ntaken++] = cell;
    }
    look(r, op);
    return true;
}

/* Moved data leave its sender when all payloads of the round are taken. */
static void give_up(replay *r, const collective_op *op)
{
    int first, end;
    rows_of(r, op, &first, &end);
    for (int row = first; row < end && op->kind == COLLECTIVE_MOVE; row++) {
        *replay_at(r, op->src, op->from, row) = (replay_cell){0, -1};
    }
}

/* ---- Merging payloads -------------------------------------------------------------- */

/* Whether all ranks of a set come before those of another one. */
static bool is_before(uint64_t a, uint64_t b)
{
    return a < (b & (0 - b)); /* its lowest bit */
}

/* Says that inputs come a second time. */
static bool fail_twice(replay *r, const collective_op *op, int row, uint64_t inputs)
{
    return replay_fail(r,
                       "the message %d→%d in round %d brings element %lld of rank %d's "
                       "input, which rank %d has already",
                       op->src, op->dst, op->round, (long long)r->borders[row],
                       replay_lowest(inputs), op->dst);
}

/* One row of a payload enters the receiver's memory. */
static bool merge(replay *r, int64_t number, int row, replay_cell payload)
{
    const collective_op *op = &r->schedule->ops[number];
    replay_cell *cell = replay_at(r, op->dst, op->into, row);
    const uint64_t both = cell->ranks & payload.ranks;
    switch (op->kind) {
    case COLLECTIVE_REDUCE:
        if (cell->ranks == 0) {
            return replay_fail(r,
                               "the message %d→%d in round %d reduces, but rank %d has "
                               "no element %lld to combine it with",
                               op->src, op->dst, op->round, op->dst,
                               (long long)r->borders[row]);
        }
        if (both) {
            return fail_twice(r, op, row, both);
        }
        cell->culprit = cell->culprit >= 0     ? cell->culprit
                        : payload.culprit >= 0 ? payload.culprit
                        : is_before(cell->ranks, payload.ranks) ||
                                is_before(payload.ranks, cell->ranks)
                            ? -1
                            : number;
        cell->ranks |= payload.ranks;
        return true;
    case COLLECTIVE_CONCATENATE:
        if (cell->ranks) {
            return fail_twice(r, op, row, cell->ranks);
        }
        *cell = payload;
        return true;
    case COLLECTIVE_NOTIFY:
        cell->ranks |= payload.ranks;
        return true;
    default:
        *cell = payload;
        return true;
    }
}

static bool receive(replay *r, int64_t number)
{
    const collective_op *op = &r->schedule->ops[number];
    int64_t payload = r->payload[r->mate[number]];
    int first, end;
    rows_of(r, op, &first, &end);
    for (int row = first; row < end; row++) {
        if (!merge(r, number, row, r->taken[payload++])) {
            return false;
        }
    }
    return true;
}

/* ---- Rounds ------------------------------------------------------------------------ */

enum { NO_ROUND = INT32_MAX };

static int next_round(const replay *r)
{
    const collective_schedule *schedule = r->schedule;
    int round = NO_ROUND;
    for (int rank = 0; rank < schedule->problem.size; rank++) {
        if (r->at[rank] < schedule->begin[rank + 1] &&
            schedule->ops[r->at[rank]].round < round) {
            round = schedule->ops[r->at[rank]].round;
        }
    }
    return round;
}

/* The end of a rank's ops in a round. */
static int64_t round_end(const replay *r, int rank, int round)
{
    int64_t end = r->at[rank];
    while (end < r->schedule->begin[rank + 1] && r->schedule->ops[end].round == round) {
        end++;
    }
    return end;
}

enum { TAKE, GIVE_UP, RECEIVE, STEPS };

static bool run_step(replay *r, int rank, int round, int step)
{
    const int64_t end = round_end(r, rank, round);
    for (int64_t i = r->at[rank]; i < end; i++) {
        const collective_op *op = &r->schedule->ops[i];
        if ((step == TAKE && op->src == rank && !take(r, i)) ||
            (step == RECEIVE && op->dst == rank && !receive(r, i))) {
            return false;
        }
        if (step == GIVE_UP && op->src == rank) {
            give_up(r, op);
        }
    }
    r->at[rank] = step == RECEIVE ? end : r->at[rank];
    return true;
}

bool replay_run(replay *r)
{
    fill(r);
    for (int round = next_round(r); round != NO_ROUND; round = next_round(r)) {
        r->ntaken = 0;
        for (int step = TAKE; step < STEPS; step++) {
            for (int rank = 0; rank < r->schedule->problem.size; rank++) {
                if (!run_step(r, rank, round, step)) {
                    return false;
                }
            }
        }
    }
    return true;
}
