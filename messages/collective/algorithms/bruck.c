/*
 * Bruck's algorithms: few rounds for any number of ranks.
 *
 * Allgather: after k rounds rank r has 2^k blocks from its own on. It sends them to the
 * rank 2^k before it. Alltoall: the block of rank s for rank d travels d - s ranks, by
 * the bits of that distance: in round k all blocks whose distance has bit k go 2^k ranks
 * on.
 *
 * J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for
 * all-to-all communications in multiport message-passing systems", IEEE Transactions on
 * Parallel and Distributed Systems 8(11), 1997.
 */
#include "algorithms.h"

static const char source[] = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997";

static int allgather(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    const int size = problem->size;
    int ended = 0;
    for (int k = 0; (1 << k) < size; k++) {
        const int stride = 1 << k;
        const int blocks = stride < size - stride ? stride : size - stride;
        for (int way = 0; way < 2 && !ended; way++) {
            const int src = way == 0 ? to->rank : (to->rank + stride) % size;
            const collective_op op = {.round = k,
                                      .src = src,
                                      .dst = collective_wrap(problem, src - stride),
                                      .kind = COLLECTIVE_CONCATENATE};
            ended = collective_emit_ring(to, op, src, blocks);
        }
    }
    return ended;
}

/* The blocks that a rank sends in round k of an alltoall. */
static int visit_blocks(const collective_stream *to, int src, int k)
{
    const collective_problem *problem = to->problem;
    const int stride = 1 << k;
    int ended = 0;
    for (int distance = stride; distance < problem->size && !ended; distance++) {
        if (distance & stride) {
            const int owner = collective_wrap(problem, src - (distance & (stride - 1)));
            const int target = (owner + distance) % problem->size;
            const collective_op op = {.round = k,
                                      .src = src,
                                      .dst = (src + stride) % problem->size,
                                      .kind = COLLECTIVE_MOVE,
                                      .from = owner,
                                      .into = owner};
            ended =
                collective_emit(to, op, collective_blocks(problem, target, target + 1));
        }
    }
    return ended;
}

static int alltoall(const collective_stream *to)
{
    int ended = 0;
    for (int k = 0; (1 << k) < to->problem->size && !ended; k++) {
        ended = visit_blocks(to, to->rank, k);
        ended =
            ended
                ? ended
                : visit_blocks(to, collective_wrap(to->problem, to->rank - (1 << k)), k);
    }
    return ended;
}

static collective_cost allgather_cost(const collective_problem *problem)
{
    return (collective_cost){collective_log_up(problem->size),
                             (problem->size - 1) * collective_block_most(problem), 0};
}

static collective_cost alltoall_cost(const collective_problem *problem)
{
    int64_t hops = 0; /* bits that are set in all distances */
    for (int distance = 1; distance < problem->size; distance++) {
        for (int bits = distance; bits > 0; bits /= 2) {
            hops += bits % 2;
        }
    }
    return (collective_cost){collective_log_up(problem->size),
                             hops * collective_block_most(problem), 0};
}

const collective_algorithm collective_allgather_bruck = {
    .operation = &collective_allgather,
    .name = "bruck",
    .summary = "each rank sends all that it has backwards, twice as far each time",
    .source = source,
    .formula = "⌈lg p⌉α + (p − 1)bβ",
    .cost = allgather_cost,
    .generate = allgather,
};

const collective_algorithm collective_alltoall_bruck = {
    .operation = &collective_alltoall,
    .name = "bruck",
    .summary = "blocks travel by the bits of their distance",
    .source = source,
    .formula = "⌈lg p⌉(α + p/2 bβ)",
    .cost = alltoall_cost,
    .generate = alltoall,
};
