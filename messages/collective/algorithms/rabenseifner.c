/*
 * Rabenseifner's algorithm: a reduction in two halves. First partners halve their
 * vectors: each sends one half and combines the other. In the end each group has the
 * result of its own piece. Then the pieces come together, backwards on the same ways: at
 * the root, or everywhere.
 *
 *                 halving            doubling
 *     group 0   <-> 1  <-> 2       <-> 2  <-> 1
 *     group 1   <-> 0  <-> 3       <-> 3  <-> 0
 *
 * The lowest bit comes first, so that partners hold the operands of neighbours, and the
 * result has the order of ranks.
 *
 * R. Rabenseifner, "A new optimized MPI reduce algorithm", 1997; "Optimization of
 * collective reduction operations", ICCS 2004.
 */
#include "algorithms.h"

static const char source[] = "Rabenseifner 1997";

/* The piece that a group has after partners up to `stride` / 2 have halved. */
static collective_range piece_of(const collective_problem *problem, int group, int stride)
{
    collective_range piece = collective_all(problem);
    for (int bit = 1; bit < stride; bit *= 2) {
        const int64_t middle = piece.begin + (piece.end - piece.begin + 1) / 2;
        if (group & bit) {
            piece.begin = middle;
        } else {
            piece.end = middle;
        }
    }
    return piece;
}

/* A message from one group to another one. */
static int visit_pair(const collective_stream *to, const collective_groups *groups,
                      collective_op op, const int pair[2], collective_range piece)
{
    op.src = collective_group_actor(groups, pair[0]);
    op.dst = collective_group_actor(groups, pair[1]);
    return collective_emit(to, op, piece);
}

/* Each of two partners sends the piece that the other one keeps. */
static int halve(const collective_stream *to, const collective_groups *groups, int round)
{
    const int group = collective_group_of(groups, to->rank);
    int ended = 0;
    for (int stride = 1; stride < groups->count && !ended; stride *= 2, round++) {
        const int partner = group ^ stride;
        const collective_op op = {.round = round, .kind = COLLECTIVE_REDUCE};
        const int out[2] = {group, partner}, in[2] = {partner, group};
        ended =
            visit_pair(to, groups, op, out, piece_of(to->problem, partner, 2 * stride));
        if (!ended) {
            ended =
                visit_pair(to, groups, op, in, piece_of(to->problem, group, 2 * stride));
        }
    }
    return ended;
}

/* Each of two partners sends the piece that it has; or, with a root, only the one that is
 * farther from it: groups that differ from the root's in higher bits have finished. */
static int join(const collective_stream *to, const collective_groups *groups, int round,
                int root_group)
{
    const int group = collective_group_of(groups, to->rank);
    int ended = 0;
    for (int stride = groups->count / 2; stride >= 1 && !ended; stride /= 2, round++) {
        const int partner = group ^ stride;
        const collective_op op = {.round = round, .kind = COLLECTIVE_COPY};
        const int out[2] = {group, partner}, in[2] = {partner, group};
        const bool has_root = root_group >= 0;
        if (has_root && (group ^ root_group) >= 2 * stride) {
            break;
        }
        const bool sends = !has_root || ((group ^ root_group) & stride);
        const bool receives = !has_root || !sends;
        ended = sends ? visit_pair(to, groups, op, out,
                                   piece_of(to->problem, group, 2 * stride))
                      : 0;
        ended = receives && !ended
                    ? visit_pair(to, groups, op, in,
                                 piece_of(to->problem, partner, 2 * stride))
                    : ended;
    }
    return ended;
}

/* Whether the rank of a stream acts for its group. */
static bool acts(const collective_stream *to, const collective_groups *groups)
{
    return to->rank ==
           collective_group_actor(groups, collective_group_of(groups, to->rank));
}

static int visit(const collective_stream *to, int root)
{
    const collective_problem *problem = to->problem;
    const collective_groups groups = collective_groups_of(problem->size, root);
    const int log = collective_log_down(problem->size);
    const int first = groups.pairs > 0 ? 1 : 0;
    collective_op op = {.kind = COLLECTIVE_REDUCE};
    int ended = collective_fold(to, &groups, op, true, collective_all(problem));
    if (acts(to, &groups)) {
        const int root_group = root >= 0 ? collective_group_of(&groups, root) : -1;
        ended = ended ? ended : halve(to, &groups, first);
        ended = ended ? ended : join(to, &groups, first + log, root_group);
    }
    op = (collective_op){.round = first + 2 * log, .kind = COLLECTIVE_COPY};
    return ended || root >= 0
               ? ended
               : collective_fold(to, &groups, op, false, collective_all(problem));
}

static int reduce(const collective_stream *to)
{
    return visit(to, to->problem->root);
}

static int allreduce(const collective_stream *to)
{
    return visit(to, -1);
}

/* Largest pieces, added up over the rounds of halving. */
static int64_t find_halves(const collective_problem *problem)
{
    int64_t sum = 0;
    int64_t piece = problem->count;
    for (int i = 0; i < collective_log_down(problem->size); i++) {
        piece = (piece + 1) / 2;
        sum += piece;
    }
    return sum;
}

static collective_cost reduce_cost(const collective_problem *problem)
{
    const int log = collective_log_down(problem->size);
    const int64_t halves = find_halves(problem);
    const collective_cost cost = {2 * log, 2 * halves, halves};
    return problem->size == 1 << log
               ? cost
               : collective_cost_add(
                     cost, collective_cost_times(1, problem->count, problem->count));
}

static collective_cost allreduce_cost(const collective_problem *problem)
{
    const bool is_even = problem->size == 1 << collective_log_down(problem->size);
    const collective_cost cost = reduce_cost(problem);
    return is_even
               ? cost
               : collective_cost_add(cost, collective_cost_times(1, problem->count, 0));
}

const collective_algorithm collective_reduce_rabenseifner = {
    .operation = &collective_reduce,
    .name = "rabenseifner",
    .summary = "partners halve and combine, then the pieces come to the root",
    .source = source,
    .formula = "2⌈lg p⌉α + 2(p − 1)bβ + (p − 1)bγ",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = reduce_cost,
    .generate = reduce,
};

const collective_algorithm collective_allreduce_rabenseifner = {
    .operation = &collective_allreduce,
    .name = "rabenseifner",
    .summary = "partners halve and combine, then exchange the pieces",
    .source = source,
    .formula = "2⌈lg p⌉α + 2(p − 1)bβ + (p − 1)bγ",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = allreduce_cost,
    .generate = allreduce,
};
