/*
 * Recursive halving: partners send each other the blocks of the other one's half, and
 * combine those of their own half. The farthest partner comes first, so that each rank
 * ends with its own block. Operands are not combined in the order of ranks.
 *
 *     group 0 keeps   0 1 2 3   0 1   0
 *     with group          4      2    1
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", International Journal of High Performance Computing Applications
 * 19(1), 2005.
 */
#include "algorithms.h"

static collective_range half_of(const collective_stream *to,
                                const collective_groups *groups, int group, int stride)
{
    const int first = group / stride * stride;
    return collective_blocks(to->problem, collective_group_begin(groups, first),
                             collective_group_begin(groups, first + stride));
}

static int halve(const collective_stream *to, const collective_groups *groups, int round)
{
    const int group = collective_group_of(groups, to->rank);
    int ended = 0;
    for (int stride = groups->count / 2; stride >= 1; stride /= 2, round++) {
        const int partner = group ^ stride;
        for (int way = 0; way < 2 && !ended; way++) {
            const int src = way == 0 ? group : partner;
            const int dst = way == 0 ? partner : group;
            const collective_op op = {.round = round,
                                      .src = collective_group_actor(groups, src),
                                      .dst = collective_group_actor(groups, dst),
                                      .kind = COLLECTIVE_REDUCE};
            ended = collective_emit(to, op, half_of(to, groups, dst, stride));
        }
    }
    return ended;
}

static int reduce_scatter(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    const collective_groups groups = collective_groups_of(problem->size, -1);
    const int group = collective_group_of(&groups, to->rank);
    const int first = groups.pairs > 0 ? 1 : 0;
    collective_op op = {.kind = COLLECTIVE_REDUCE};
    int ended = collective_fold(to, &groups, op, true, collective_all(problem));
    if (!ended && to->rank == collective_group_actor(&groups, group)) {
        ended = halve(to, &groups, first);
    }
    op = (collective_op){.round = first + collective_log_down(problem->size),
                         .kind = COLLECTIVE_COPY};
    const int other = collective_group_begin(&groups, group) + 1;
    return ended ? ended
                 : collective_fold(to, &groups, op, false,
                                   collective_blocks(problem, other, other + 1));
}

static collective_cost reduce_scatter_cost(const collective_problem *problem)
{
    const int log = collective_log_down(problem->size);
    const int64_t block = collective_block_most(problem);
    const int64_t others = ((1 << log) - 1) * block;
    if (problem->size == 1 << log) {
        return (collective_cost){log, others, others};
    }
    return (collective_cost){log + 2, problem->count + 2 * others + block,
                             problem->count + 2 * others};
}

const collective_algorithm collective_reduce_scatter_halving = {
    .operation = &collective_reduce_scatter,
    .name = "recursive-halving",
    .summary = "partners send each other's half and combine their own",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .formula = "⌈lg p⌉α + (p − 1)b(β + γ)",
    .order = COLLECTIVE_ORDER_NEVER,
    .cost = reduce_scatter_cost,
    .generate = reduce_scatter,
};
