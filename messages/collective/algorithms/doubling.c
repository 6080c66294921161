/*
 * Recursive doubling: in each round a rank exchanges all that it has with a partner twice
 * as far away. In a scan each rank sends what it has combined so far to the rank that
 * stands as far behind, and needs no partner.
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", International Journal of High Performance Computing Applications
 * 19(1), 2005; W. D. Hillis, G. L. Steele, "Data parallel algorithms", Communications of
 * the ACM 29(12), 1986 (the scan).
 */
#include "algorithms.h"

static int allgather(const collective_stream *to)
{
    return collective_doubling_visit(to, 0);
}

static int exchange(const collective_stream *to, const collective_groups *groups,
                    int round)
{
    const int group = collective_group_of(groups, to->rank);
    int ended = 0;
    for (int stride = 1; stride < groups->count; stride *= 2, round++) {
        const int partner = collective_group_actor(groups, group ^ stride);
        for (int way = 0; way < 2 && !ended; way++) {
            const collective_op op = {.round = round,
                                      .src = way == 0 ? to->rank : partner,
                                      .dst = way == 0 ? partner : to->rank,
                                      .kind = COLLECTIVE_REDUCE};
            ended = collective_emit(to, op, collective_all(to->problem));
        }
    }
    return ended;
}

static int allreduce(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    const collective_groups groups = collective_groups_of(problem->size, -1);
    const int first = groups.pairs > 0 ? 1 : 0;
    collective_op op = {.kind = COLLECTIVE_REDUCE};
    int ended = collective_fold(to, &groups, op, true, collective_all(problem));
    const int group = collective_group_of(&groups, to->rank);
    if (!ended && to->rank == collective_group_actor(&groups, group)) {
        ended = exchange(to, &groups, first);
    }
    op = (collective_op){.round = first + collective_log_down(problem->size),
                         .kind = COLLECTIVE_COPY};
    return ended ? ended
                 : collective_fold(to, &groups, op, false, collective_all(problem));
}

static int scan(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    int ended = 0;
    for (int k = 0; (1 << k) < problem->size; k++) {
        for (int way = 0; way < 2 && !ended; way++) {
            const int src = way == 0 ? to->rank : to->rank - (1 << k);
            const int dst = src + (1 << k);
            const collective_op op = {
                .round = k, .src = src, .dst = dst, .kind = COLLECTIVE_REDUCE};
            ended = src >= 0 && dst < problem->size
                        ? collective_emit(to, op, collective_all(problem))
                        : 0;
        }
    }
    return ended;
}

static collective_cost allreduce_cost(const collective_problem *problem)
{
    const int log = collective_log_down(problem->size);
    const int64_t count = problem->count;
    const collective_cost cost = collective_cost_times(log, count, count);
    return problem->size == 1 << log
               ? cost
               : collective_cost_add(cost, (collective_cost){2, 2 * count, count});
}

static collective_cost scan_cost(const collective_problem *problem)
{
    return collective_cost_times(collective_log_up(problem->size), problem->count,
                                 problem->count);
}

const collective_algorithm collective_allgather_doubling = {
    .operation = &collective_allgather,
    .name = "recursive-doubling",
    .summary = "partners exchange all blocks that they have",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .formula = "⌈lg p⌉α + (p − 1)bβ",
    .cost = collective_doubling_cost,
    .generate = allgather,
};

const collective_algorithm collective_allreduce_doubling = {
    .operation = &collective_allreduce,
    .name = "recursive-doubling",
    .summary = "partners exchange and combine whole vectors",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .formula = "⌈lg p⌉(α + nβ + nγ)",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = allreduce_cost,
    .generate = allreduce,
};

const collective_algorithm collective_scan_doubling = {
    .operation = &collective_scan,
    .name = "recursive-doubling",
    .summary = "each rank sends what it has combined to ranks farther and farther behind",
    .source = "Hillis, Steele 1986",
    .formula = "⌈lg p⌉(α + nβ + nγ)",
    .order = COLLECTIVE_ORDER_ALWAYS,
    .cost = scan_cost,
    .generate = scan,
};
