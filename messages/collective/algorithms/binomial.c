/*
 * Binomial tree: in each round the ranks that have the data double, or the ranks that
 * still have some to give halve.
 *
 * Broadcast: the first ranks send to the next ones, 0 to 1, then 0 and 1 to 2 and 3. In a
 * scatter each message takes half of the blocks away; gather and reduce are the same
 * backwards. Their subtrees are rows of neighbours, so that blocks lie together and a
 * reduction keeps the order of ranks.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, section 2.4; C. Atala, M. Morrison, G. Ballard,
 * "Visualizing MPI collective communication", algorithms 1 and 2.
 */
#include "algorithms.h"

static const char source[] = "Vadhiyar, Fagg, Dongarra 2000";

static int broadcast(const collective_stream *to)
{
    return collective_double_visit(to, to->problem->root, 0, COLLECTIVE_COPY);
}

static collective_cost broadcast_cost(const collective_problem *problem)
{
    return collective_cost_times(collective_log_up(problem->size), problem->count, 0);
}

static collective_cost reduce_cost(const collective_problem *problem)
{
    return collective_cost_times(collective_log_up(problem->size), problem->count,
                                 problem->count);
}

static collective_cost blocks_cost(const collective_problem *problem)
{
    return (collective_cost){collective_log_up(problem->size),
                             (problem->size - 1) * collective_block_most(problem), 0};
}

const collective_algorithm collective_broadcast_binomial = {
    .operation = &collective_broadcast,
    .name = "binomial",
    .summary = "all ranks that have the vector send it, so that they double",
    .source = source,
    .formula = "⌈lg p⌉(α + nβ)",
    .cost = broadcast_cost,
    .generate = broadcast,
};

const collective_algorithm collective_scatter_binomial = {
    .operation = &collective_scatter,
    .name = "binomial",
    .summary = "all ranks that have blocks send half of them",
    .source = source,
    .formula = "⌈lg p⌉α + (p − 1)bβ",
    .cost = blocks_cost,
    .generate = collective_tree_generate,
    .shape = collective_binomial_shape,
};

const collective_algorithm collective_gather_binomial = {
    .operation = &collective_gather,
    .name = "binomial",
    .summary = "half of the ranks send all blocks that they have",
    .source = source,
    .formula = "⌈lg p⌉α + (p − 1)bβ",
    .cost = blocks_cost,
    .generate = collective_tree_generate,
    .shape = collective_binomial_shape,
};

const collective_algorithm collective_reduce_binomial = {
    .operation = &collective_reduce,
    .name = "binomial",
    .summary = "half of the ranks send what they have combined",
    .source = source,
    .formula = "⌈lg p⌉(α + nβ + nγ)",
    .order = COLLECTIVE_ORDER_ROOT_0,
    .cost = reduce_cost,
    .generate = collective_tree_generate,
    .shape = collective_binomial_shape,
};
