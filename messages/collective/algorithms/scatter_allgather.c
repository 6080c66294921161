/*
 * Broadcast by scatter and allgather: the root scatters the blocks of its vector in a
 * binomial tree, then all ranks exchange them by recursive doubling. Twice as many
 * messages as in a binomial tree, but each element passes a port about twice only.
 *
 * R. A. van de Geijn, M. Barnett and others; C. Atala, M. Morrison, G. Ballard,
 * "Visualizing MPI collective communication", algorithms 2 and 3 and figure 5.
 */
#include "algorithms.h"

static int broadcast(const collective_stream *to)
{
    const collective_tree tree = {.shape = collective_binomial_shape,
                                  .root = to->problem->root,
                                  .kind = COLLECTIVE_MOVE,
                                  .has_blocks = true};
    const int ended = collective_tree_visit(&tree, to);
    const int rounds = collective_tree_rounds(tree.shape, to->problem->size);
    return ended ? ended : collective_doubling_visit(to, rounds);
}

static collective_cost broadcast_cost(const collective_problem *problem)
{
    const collective_cost scatter = {collective_log_up(problem->size),
                                     (problem->size - 1) * collective_block_most(problem),
                                     0};
    return collective_cost_add(scatter, collective_doubling_cost(problem));
}

const collective_algorithm collective_broadcast_scatter_allgather = {
    .operation = &collective_broadcast,
    .name = "scatter-allgather",
    .summary = "the root scatters its blocks, then all ranks exchange them",
    .source = "Chan, Heimlich, Purkayastha, van de Geijn 2007",
    .formula = "2⌈lg p⌉α + 2(p − 1)bβ",
    .cost = broadcast_cost,
    .generate = broadcast,
};
