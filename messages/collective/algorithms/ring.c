/*
 * Ring: in each round all ranks send a block to their next rank. In a reduce-scatter a
 * block starts behind its owner and collects operands on its way around. In an allgather
 * it starts at its owner. An allreduce is both, one after the other.
 *
 *     3 ranks, block 0:   1 -> 2 -> 0   is combined,   0 -> 1 -> 2   is handed out
 *
 * P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", Journal of Parallel and Distributed Computing 69(2), 2009; R. Thakur, R.
 * Rabenseifner, W. Gropp, 2005.
 */
#include "algorithms.h"

static const char source[] = "Patarasuk, Yuan 2009";

/* p - 1 rounds. In the first one rank r sends block r + `ahead`. */
static int visit(const collective_stream *to, int round, int ahead, collective_kind kind)
{
    const collective_problem *problem = to->problem;
    const int size = problem->size;
    int ended = 0;
    for (int t = 0; t < size - 1 && !ended; t++) {
        for (int way = 0; way < 2 && !ended; way++) {
            const int src = collective_wrap(problem, to->rank - way);
            const int block = (src + ahead - t + 2 * size) % size;
            const collective_op op = {
                .round = round + t, .src = src, .dst = (src + 1) % size, .kind = kind};
            ended = collective_emit(to, op, collective_blocks(problem, block, block + 1));
        }
    }
    return ended;
}

static int reduce_scatter(const collective_stream *to)
{
    return visit(to, 0, -1, COLLECTIVE_REDUCE);
}

static int allgather(const collective_stream *to)
{
    return visit(to, 0, 0, COLLECTIVE_CONCATENATE);
}

static int allreduce(const collective_stream *to)
{
    const int ended = reduce_scatter(to);
    return ended ? ended : visit(to, to->problem->size - 1, 0, COLLECTIVE_COPY);
}

static collective_cost reduce_scatter_cost(const collective_problem *problem)
{
    const int64_t block = collective_block_most(problem);
    return collective_cost_times(problem->size - 1, block, block);
}

static collective_cost allgather_cost(const collective_problem *problem)
{
    return collective_cost_times(problem->size - 1, collective_block_most(problem), 0);
}

static collective_cost allreduce_cost(const collective_problem *problem)
{
    return collective_cost_add(reduce_scatter_cost(problem), allgather_cost(problem));
}

const collective_algorithm collective_reduce_scatter_ring = {
    .operation = &collective_reduce_scatter,
    .name = "ring",
    .summary = "each block goes around and collects operands, up to its owner",
    .source = source,
    .formula = "(p − 1)(α + bβ + bγ)",
    .order = COLLECTIVE_ORDER_NEVER,
    .cost = reduce_scatter_cost,
    .generate = reduce_scatter,
};

const collective_algorithm collective_allgather_ring = {
    .operation = &collective_allgather,
    .name = "ring",
    .summary = "each block goes around, from its owner",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .formula = "(p − 1)(α + bβ)",
    .cost = allgather_cost,
    .generate = allgather,
};

const collective_algorithm collective_allreduce_ring = {
    .operation = &collective_allreduce,
    .name = "ring",
    .summary = "each block goes around twice: to be combined, and to be handed out",
    .source = source,
    .formula = "2(p − 1)(α + bβ) + (p − 1)bγ",
    .order = COLLECTIVE_ORDER_NEVER,
    .cost = allreduce_cost,
    .generate = allreduce,
};
