/*
 * Dissemination: in round k rank r tells rank r + 2^k all that it knows. After
 * ⌈log2 p⌉ rounds each rank has heard of all, for any number of ranks.
 *
 * D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization",
 * International Journal of Parallel Programming 17(1), 1988.
 */
#include "algorithms.h"

static int barrier(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    int ended = 0;
    for (int k = 0; (1 << k) < problem->size; k++) {
        for (int way = 0; way < 2 && !ended; way++) {
            const int stride = 1 << k;
            const int src =
                way == 0 ? to->rank : collective_wrap(problem, to->rank - stride);
            const collective_op op = {.round = k,
                                      .src = src,
                                      .dst = (src + stride) % problem->size,
                                      .kind = COLLECTIVE_NOTIFY};
            ended = collective_emit(to, op, collective_all(problem));
        }
    }
    return ended;
}

static collective_cost barrier_cost(const collective_problem *problem)
{
    return (collective_cost){collective_log_up(problem->size), 0, 0};
}

const collective_algorithm collective_barrier_dissemination = {
    .operation = &collective_barrier,
    .name = "dissemination",
    .summary = "each rank tells ranks farther and farther ahead what it knows",
    .source = "Hensgen, Finkel, Manber 1988",
    .formula = "⌈lg p⌉α",
    .cost = barrier_cost,
    .generate = barrier,
};
