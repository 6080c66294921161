/*
 * Circular: in round t rank r sends to r + t and receives from r - t, so that all ports
 * are busy in each round.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, section 2.6.
 */
#include "algorithms.h"

static int alltoall(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    int ended = 0;
    for (int t = 1; t < problem->size; t++) {
        for (int way = 0; way < 2 && !ended; way++) {
            const int src = way == 0 ? to->rank : collective_wrap(problem, to->rank - t);
            const int dst = (src + t) % problem->size;
            const collective_op op = {.round = t - 1,
                                      .src = src,
                                      .dst = dst,
                                      .kind = COLLECTIVE_MOVE,
                                      .from = src,
                                      .into = src};
            ended = collective_emit(to, op, collective_blocks(problem, dst, dst + 1));
        }
    }
    return ended;
}

static collective_cost alltoall_cost(const collective_problem *problem)
{
    return collective_cost_times(problem->size - 1, collective_block_most(problem), 0);
}

const collective_algorithm collective_alltoall_circular = {
    .operation = &collective_alltoall,
    .name = "circular",
    .summary = "each rank sends to the others in a ring, the nearest first",
    .source = "Vadhiyar, Fagg, Dongarra 2000",
    .formula = "(p − 1)(α + bβ)",
    .cost = alltoall_cost,
    .generate = alltoall,
};
