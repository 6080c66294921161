/*
 * Allgather by gather and broadcast: the blocks come to rank 0 in a binomial tree, and
 * the whole vector goes to all ranks in another one.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, table 1.
 */
#include "algorithms.h"

static int allgather(const collective_stream *to)
{
    const collective_tree tree = {.shape = collective_binomial_shape,
                                  .is_up = true,
                                  .kind = COLLECTIVE_CONCATENATE,
                                  .has_blocks = true};
    const int ended = collective_tree_visit(&tree, to);
    const int rounds = collective_tree_rounds(tree.shape, to->problem->size);
    return ended ? ended : collective_double_visit(to, 0, rounds, COLLECTIVE_COPY);
}

static collective_cost allgather_cost(const collective_problem *problem)
{
    const int log = collective_log_up(problem->size);
    const int64_t others = (problem->size - 1) * collective_block_most(problem);
    return (collective_cost){2 * log, others + log * problem->count, 0};
}

const collective_algorithm collective_allgather_gather_broadcast = {
    .operation = &collective_allgather,
    .name = "gather-broadcast",
    .summary = "rank 0 gathers all blocks, then broadcasts the vector",
    .source = "Vadhiyar, Fagg, Dongarra 2000",
    .formula = "2⌈lg p⌉α + ((p − 1)b + ⌈lg p⌉n)β",
    .cost = allgather_cost,
    .generate = allgather,
};
