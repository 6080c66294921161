/*
 * Tournament: in each round half of the ranks that are left tell a winner that they have
 * come. Rank 0 wins, and tells all others in a binomial tree.
 *
 * D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization",
 * International Journal of Parallel Programming 17(1), 1988.
 */
#include "algorithms.h"

static int barrier(const collective_stream *to)
{
    const collective_tree tree = {
        .shape = collective_binomial_shape, .is_up = true, .kind = COLLECTIVE_NOTIFY};
    const int ended = collective_tree_visit(&tree, to);
    const int rounds = collective_tree_rounds(tree.shape, to->problem->size);
    return ended ? ended : collective_double_visit(to, 0, rounds, COLLECTIVE_NOTIFY);
}

static collective_cost barrier_cost(const collective_problem *problem)
{
    return (collective_cost){2 * collective_log_up(problem->size), 0, 0};
}

const collective_algorithm collective_barrier_tournament = {
    .operation = &collective_barrier,
    .name = "tournament",
    .summary = "half of the ranks lose in each round, and the winner tells all",
    .source = "Hensgen, Finkel, Manber 1988",
    .formula = "2⌈lg p⌉α",
    .cost = barrier_cost,
    .generate = barrier,
};
