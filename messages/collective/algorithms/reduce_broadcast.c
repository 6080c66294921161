/*
 * Allreduce by reduce and broadcast: rank 0 gets the combined vector in a binomial tree,
 * and sends it to all ranks in another one.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, table 1.
 */
#include "algorithms.h"

static int allreduce(const collective_stream *to)
{
    const collective_tree tree = {
        .shape = collective_binomial_shape, .is_up = true, .kind = COLLECTIVE_REDUCE};
    const int ended = collective_tree_visit(&tree, to);
    const int rounds = collective_tree_rounds(tree.shape, to->problem->size);
    return ended ? ended : collective_double_visit(to, 0, rounds, COLLECTIVE_COPY);
}

static collective_cost allreduce_cost(const collective_problem *problem)
{
    const int64_t log = collective_log_up(problem->size);
    return (collective_cost){2 * log, 2 * log * problem->count, log * problem->count};
}

const collective_algorithm collective_allreduce_reduce_broadcast = {
    .operation = &collective_allreduce,
    .name = "reduce-broadcast",
    .summary = "rank 0 gets the combined vector, then broadcasts it",
    .source = "Vadhiyar, Fagg, Dongarra 2000",
    .formula = "2⌈lg p⌉(α + nβ) + ⌈lg p⌉nγ",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = allreduce_cost,
    .generate = allreduce,
};
