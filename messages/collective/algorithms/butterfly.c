/*
 * Butterflies: in each round partners differ in one bit of their number. That needs a
 * power of two. Of other numbers of ranks the first ones form pairs of neighbours, of
 * which one rank acts; what the other one has goes in before, and the result goes out to
 * it afterwards. As pairs are neighbours, so are the ranks of each half of a butterfly.
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", International Journal of High Performance Computing Applications
 * 19(1), 2005.
 */
#include "algorithms.h"

collective_groups collective_groups_of(int size, int root)
{
    const int count = 1 << collective_log_down(size);
    return (collective_groups){count, size - count, root};
}

int collective_group_begin(const collective_groups *groups, int group)
{
    return group < groups->pairs ? 2 * group : group + groups->pairs;
}

int collective_group_of(const collective_groups *groups, int rank)
{
    return rank < 2 * groups->pairs ? rank / 2 : rank - groups->pairs;
}

int collective_group_actor(const collective_groups *groups, int group)
{
    const int first = collective_group_begin(groups, group);
    return group < groups->pairs && groups->root == first + 1 ? first + 1 : first;
}

int collective_fold(const collective_stream *to, const collective_groups *groups,
                    collective_op op, bool goes_in, collective_range range)
{
    const int group = collective_group_of(groups, to->rank);
    if (group >= groups->pairs) {
        return 0;
    }
    const int actor = collective_group_actor(groups, group);
    const int other = 4 * group + 1 - actor; /* both together are 2 group + 2 group + 1 */
    op.src = goes_in ? other : actor;
    op.dst = goes_in ? actor : other;
    return collective_emit(to, op, range);
}

/* The blocks of the groups that a group has after `stride` of them have exchanged. */
static collective_range doubled(const collective_stream *to,
                                const collective_groups *groups, int group, int stride)
{
    const int first = group / stride * stride;
    return collective_blocks(to->problem, collective_group_begin(groups, first),
                             collective_group_begin(groups, first + stride));
}

/* The result for a rank that waits: all but its own block. */
static int visit_result(const collective_stream *to, const collective_groups *groups,
                        int round)
{
    const int own = 2 * collective_group_of(groups, to->rank) + 1;
    const collective_op op = {.round = round, .kind = COLLECTIVE_CONCATENATE};
    const int ended =
        collective_fold(to, groups, op, false, collective_blocks(to->problem, 0, own));
    return ended ? ended
                 : collective_fold(
                       to, groups, op, false,
                       collective_blocks(to->problem, own + 1, to->problem->size));
}

int collective_doubling_visit(const collective_stream *to, int round)
{
    const collective_groups groups = collective_groups_of(to->problem->size, -1);
    const int group = collective_group_of(&groups, to->rank);
    const int other = collective_group_begin(&groups, group) + 1;
    collective_op op = {.round = round, .kind = COLLECTIVE_CONCATENATE};
    int ended = collective_fold(to, &groups, op, true,
                                collective_blocks(to->problem, other, other + 1));
    op.round += groups.pairs > 0;
    const bool acts = to->rank == collective_group_actor(&groups, group);
    for (int stride = 1; stride < groups.count; stride *= 2, op.round++) {
        const int partner = group ^ stride;
        for (int way = 0; way < 2 && acts && !ended; way++) {
            const int src = way == 0 ? group : partner;
            op.src = collective_group_actor(&groups, src);
            op.dst = collective_group_actor(&groups, group ^ partner ^ src);
            ended = collective_emit(to, op, doubled(to, &groups, src, stride));
        }
    }
    return ended || groups.pairs == 0 ? ended : visit_result(to, &groups, op.round);
}

collective_cost collective_doubling_cost(const collective_problem *problem)
{
    const int64_t block = collective_block_most(problem);
    const int log = collective_log_down(problem->size);
    const int groups = 1 << log;
    if (groups == problem->size) {
        return (collective_cost){log, (groups - 1) * block, 0};
    }
    return (collective_cost){log + 2, block + 2 * (groups - 1) * block + problem->count,
                             0};
}
