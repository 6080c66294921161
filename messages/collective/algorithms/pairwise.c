/*
 * Pairwise exchange: each two ranks exchange in a round of their own. In an alltoall
 * partners differ by the bits of the round's number (exclusive or); without a power of
 * two some ranks have no partner in some rounds. In a reduce-scatter rank r sends to
 * r + t and receives from r - t.
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", International Journal of High Performance Computing Applications
 * 19(1), 2005.
 */
#include "algorithms.h"

static const char source[] = "Thakur, Rabenseifner, Gropp 2005";

static int alltoall(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    const int rounds = (1 << collective_log_up(problem->size)) - 1;
    int ended = 0;
    for (int t = 1; t <= rounds; t++) {
        const int partner = to->rank ^ t;
        for (int way = 0; way < 2 && partner < problem->size && !ended; way++) {
            const int src = way == 0 ? to->rank : partner;
            const int dst = way == 0 ? partner : to->rank;
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

static int reduce_scatter(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    int ended = 0;
    for (int t = 1; t < problem->size; t++) {
        for (int way = 0; way < 2 && !ended; way++) {
            const int src = way == 0 ? to->rank : collective_wrap(problem, to->rank - t);
            const int dst = (src + t) % problem->size;
            const collective_op op = {
                .round = t - 1, .src = src, .dst = dst, .kind = COLLECTIVE_REDUCE};
            ended = collective_emit(to, op, collective_blocks(problem, dst, dst + 1));
        }
    }
    return ended;
}

static collective_cost alltoall_cost(const collective_problem *problem)
{
    return collective_cost_times((1 << collective_log_up(problem->size)) - 1,
                                 collective_block_most(problem), 0);
}

static collective_cost reduce_scatter_cost(const collective_problem *problem)
{
    const int64_t block = collective_block_most(problem);
    return collective_cost_times(problem->size - 1, block, block);
}

const collective_algorithm collective_alltoall_pairwise = {
    .operation = &collective_alltoall,
    .name = "pairwise",
    .summary = "each two ranks exchange their blocks in a round of their own",
    .source = source,
    .formula = "(2^⌈lg p⌉ − 1)(α + bβ)",
    .cost = alltoall_cost,
    .generate = alltoall,
};

const collective_algorithm collective_reduce_scatter_pairwise = {
    .operation = &collective_reduce_scatter,
    .name = "pairwise",
    .summary = "each rank sends each other one its block, and combines its own",
    .source = source,
    .formula = "(p − 1)(α + bβ + bγ)",
    .order = COLLECTIVE_ORDER_NEVER,
    .cost = reduce_scatter_cost,
    .generate = reduce_scatter,
};
