/*
 * Binary tree: each rank has up to two children, which divide the ranks behind it in
 * halves. A parent serves one child after the other, so that a segment takes two rounds.
 *
 * Subtrees are rows of neighbours (pre-order), not those of a heap: so blocks of a
 * subtree lie together, and a reduction combines them in the order of ranks.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, section 2.3.
 */
#include "algorithms.h"

static const char source[] = "Vadhiyar, Fagg, Dongarra 2000";

static collective_cost pipe(const collective_problem *problem, bool reduces)
{
    const int64_t rounds = collective_tree_rounds(collective_binary_shape, problem->size);
    const int64_t segment = collective_segment_of(problem);
    return collective_cost_times(rounds + 2 * (collective_segments(problem) - 1), segment,
                                 reduces ? segment : 0);
}

static collective_cost broadcast_cost(const collective_problem *problem)
{
    return pipe(problem, false);
}

static collective_cost reduce_cost(const collective_problem *problem)
{
    return pipe(problem, true);
}

/* The most blocks on a path from a node with so many ranks: through the child that is
 * served first, or past that to the other one. */
static int64_t find_blocks(int length)
{
    const int far = length / 2;
    const int near = length - 1 - far;
    if (length <= 1) {
        return 0;
    }
    const int64_t by_far = far + find_blocks(far);
    const int64_t by_near = near > 0 ? length - 1 + find_blocks(near) : 0;
    return by_far > by_near ? by_far : by_near;
}

static collective_cost blocks_cost(const collective_problem *problem)
{
    return (collective_cost){
        collective_tree_rounds(collective_binary_shape, problem->size),
        find_blocks(problem->size) * collective_block_most(problem), 0};
}

const collective_algorithm collective_broadcast_binary = {
    .operation = &collective_broadcast,
    .name = "binary",
    .summary = "each rank sends to two children, segment by segment",
    .source = source,
    .formula = "(r + 2k − 2)(α + sβ)",
    .has_segments = true,
    .cost = broadcast_cost,
    .generate = collective_tree_generate,
    .shape = collective_binary_shape,
    .segment_rounds = 2,
};

const collective_algorithm collective_scatter_binary = {
    .operation = &collective_scatter,
    .name = "binary",
    .summary = "each rank sends the blocks of two subtrees to its children",
    .source = source,
    .formula = "rα + (p − 1 + ⌊(p − 3)/2⌋ + …)bβ",
    .cost = blocks_cost,
    .generate = collective_tree_generate,
    .shape = collective_binary_shape,
};

const collective_algorithm collective_gather_binary = {
    .operation = &collective_gather,
    .name = "binary",
    .summary = "each rank collects the blocks of two subtrees for its parent",
    .source = source,
    .formula = "rα + (p − 1 + ⌊(p − 3)/2⌋ + …)bβ",
    .cost = blocks_cost,
    .generate = collective_tree_generate,
    .shape = collective_binary_shape,
};

const collective_algorithm collective_reduce_binary = {
    .operation = &collective_reduce,
    .name = "binary",
    .summary = "each rank combines the vectors of two children, segment by segment",
    .source = source,
    .formula = "(r + 2k − 2)(α + sβ + sγ)",
    .order = COLLECTIVE_ORDER_ROOT_0,
    .has_segments = true,
    .cost = reduce_cost,
    .generate = collective_tree_generate,
    .shape = collective_binary_shape,
    .segment_rounds = 2,
};
