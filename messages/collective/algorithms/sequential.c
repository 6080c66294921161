/*
 * Sequential: the root sends to all others, or receives from all others, one after
 * another. With several ports it has as many messages under way.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, section 2.1.
 */
#include "algorithms.h"

static const char source[] = "Vadhiyar, Fagg, Dongarra 2000";

static collective_cost vectors(const collective_problem *problem)
{
    return collective_cost_times(problem->size - 1, problem->count, 0);
}

static collective_cost blocks(const collective_problem *problem)
{
    return collective_cost_times(problem->size - 1, collective_block_most(problem), 0);
}

const collective_algorithm collective_broadcast_sequential = {
    .operation = &collective_broadcast,
    .name = "sequential",
    .summary = "the root sends to all others, one after another",
    .source = source,
    .formula = "(p − 1)(α + nβ)",
    .cost = vectors,
    .generate = collective_tree_generate,
    .shape = collective_sequential_shape,
};

const collective_algorithm collective_scatter_sequential = {
    .operation = &collective_scatter,
    .name = "sequential",
    .summary = "the root sends each block to its rank, one after another",
    .source = source,
    .formula = "(p − 1)(α + bβ)",
    .cost = blocks,
    .generate = collective_tree_generate,
    .shape = collective_sequential_shape,
};

const collective_algorithm collective_gather_sequential = {
    .operation = &collective_gather,
    .name = "sequential",
    .summary = "all ranks send their blocks to the root",
    .source = source,
    .formula = "(p − 1)(α + bβ)",
    .cost = blocks,
    .generate = collective_tree_generate,
    .shape = collective_sequential_shape,
};
