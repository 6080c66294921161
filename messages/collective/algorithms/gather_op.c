/*
 * Reduce by gather: the vectors of all ranks come to the root in a binomial tree, as they
 * are. The root combines them alone, outward from its own, and so in the order of ranks.
 *
 * The root and the ranks on the way need memory for all vectors: number 1 + s is that of
 * rank s on its way.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, table 1.
 */
#include "algorithms.h"

/* The vectors of a message: one by one, from the ranks of a subtree. */
typedef struct spreading {
    const collective_stream *to;
} spreading;

/* Turns an op of the tree, with the blocks of ranks, into one with whole vectors. The
 * problem of the tree has one element for each rank, so that blocks are ranks. */
static int visit_vectors(const collective_op *op, void *context)
{
    const spreading *s = context;
    int ended = 0;
    for (int64_t of = op->first; of < op->first + op->count && !ended; of++) {
        collective_op vector = *op;
        vector.from = of == op->src ? 0 : 1 + (int)of;
        vector.into = 1 + (int)of;
        ended = collective_emit(s->to, vector, collective_all(s->to->problem));
    }
    return ended;
}

static int combine(const collective_stream *to, int round)
{
    const int root = to->problem->root;
    const int size = to->problem->size;
    int ended = 0;
    for (int step = 1; step < size && !ended; step++) {
        const int of = step <= root ? root - step : step;
        const collective_op op = {.round = round,
                                  .src = root,
                                  .dst = root,
                                  .kind = COLLECTIVE_REDUCE,
                                  .from = 1 + of};
        ended = collective_emit(to, op, collective_all(to->problem));
    }
    return ended;
}

static int reduce(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    const collective_problem ranks = {problem->size, problem->size, problem->root, 0};
    spreading s = {to};
    const collective_stream through = {&ranks, to->rank, visit_vectors, &s,
                                       to->algorithm};
    const collective_tree tree = {.shape = collective_binomial_shape,
                                  .root = problem->root,
                                  .is_up = true,
                                  .kind = COLLECTIVE_CONCATENATE,
                                  .has_blocks = true};
    const int ended = collective_tree_visit(&tree, &through);
    return ended ? ended : combine(to, collective_tree_rounds(tree.shape, problem->size));
}

static collective_cost reduce_cost(const collective_problem *problem)
{
    const int64_t elements = (problem->size - 1) * problem->count;
    return (collective_cost){collective_log_up(problem->size), elements, elements};
}

const collective_algorithm collective_reduce_gather_op = {
    .operation = &collective_reduce,
    .name = "gather-op",
    .summary = "the root gathers all vectors, then combines them alone",
    .source = "Vadhiyar, Fagg, Dongarra 2000",
    .formula = "⌈lg p⌉α + (p − 1)n(β + γ)",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = reduce_cost,
    .generate = reduce,
};
