/*
 * Chain: each rank hands on to its neighbour. A vector in segments flows through the
 * chain like through a pipe: while one rank sends a segment, it receives the next.
 *
 *     round      0      1      2      3
 *     0 -> 1    s0     s1     s2
 *     1 -> 2           s0     s1     s2
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, section 2.2.
 */
#include "algorithms.h"

static const char source[] = "Vadhiyar, Fagg, Dongarra 2000";

/* Each rank adds its vector to those of all ranks before it. */
static int scan(const collective_stream *to)
{
    int ended = 0;
    for (int dst = to->rank; dst <= to->rank + 1 && !ended; dst++) {
        if (dst > 0 && dst < to->problem->size) {
            const collective_op op = {
                .round = dst - 1, .src = dst - 1, .dst = dst, .kind = COLLECTIVE_REDUCE};
            ended = collective_emit(to, op, collective_all(to->problem));
        }
    }
    return ended;
}

static collective_cost pipe(const collective_problem *problem, bool reduces)
{
    const int64_t segment = collective_segment_of(problem);
    return collective_cost_times(problem->size - 2 + collective_segments(problem),
                                 segment, reduces ? segment : 0);
}

static collective_cost broadcast_cost(const collective_problem *problem)
{
    return pipe(problem, false);
}

static collective_cost reduce_cost(const collective_problem *problem)
{
    return pipe(problem, true);
}

static collective_cost scan_cost(const collective_problem *problem)
{
    return collective_cost_times(problem->size - 1, problem->count, problem->count);
}

/* Messages of p - 1, p - 2, ..., 1 blocks. */
static collective_cost blocks_cost(const collective_problem *problem)
{
    const int64_t messages = problem->size - 1;
    return (collective_cost){
        messages, messages * (messages + 1) / 2 * collective_block_most(problem), 0};
}

const collective_algorithm collective_broadcast_chain = {
    .operation = &collective_broadcast,
    .name = "chain",
    .summary = "each rank sends to its neighbour, segment by segment",
    .source = source,
    .formula = "(p − 2 + k)(α + sβ)",
    .has_segments = true,
    .cost = broadcast_cost,
    .generate = collective_tree_generate,
    .shape = collective_chain_shape,
    .segment_rounds = 1,
};

const collective_algorithm collective_scatter_chain = {
    .operation = &collective_scatter,
    .name = "chain",
    .summary = "each rank keeps its block and sends the others to its neighbour",
    .source = source,
    .formula = "(p − 1)α + p(p − 1)/2 bβ",
    .cost = blocks_cost,
    .generate = collective_tree_generate,
    .shape = collective_chain_shape,
};

const collective_algorithm collective_gather_chain = {
    .operation = &collective_gather,
    .name = "chain",
    .summary = "each rank adds its block and sends all to its neighbour",
    .source = source,
    .formula = "(p − 1)α + p(p − 1)/2 bβ",
    .cost = blocks_cost,
    .generate = collective_tree_generate,
    .shape = collective_chain_shape,
};

const collective_algorithm collective_reduce_chain = {
    .operation = &collective_reduce,
    .name = "chain",
    .summary = "each rank combines its vector and sends to its neighbour, by segments",
    .source = source,
    .formula = "(p − 2 + k)(α + sβ + sγ)",
    .order = COLLECTIVE_ORDER_ROOT_0,
    .has_segments = true,
    .cost = reduce_cost,
    .generate = collective_tree_generate,
    .shape = collective_chain_shape,
    .segment_rounds = 1,
};

const collective_algorithm collective_scan_chain = {
    .operation = &collective_scan,
    .name = "chain",
    .summary = "each rank combines its vector and sends to the next rank",
    .source = source,
    .formula = "(p − 1)(α + nβ + nγ)",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = scan_cost,
    .generate = scan,
};
