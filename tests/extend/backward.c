/*
 * An algorithm for a collective: a broadcast in which the root sends to the others one by
 * one, from the last rank to the first.
 */
#include "messages/collective/algorithms/algorithms.h"

static int broadcast(const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    int ended = 0;
    for (int step = 1; step < problem->size && !ended; step++) {
        const collective_op op = {.round = step - 1,
                                  .src = problem->root,
                                  .dst = collective_wrap(problem, problem->root - step),
                                  .kind = COLLECTIVE_COPY};
        ended = collective_emit(to, op, collective_all(problem));
    }
    return ended;
}

static collective_cost broadcast_cost(const collective_problem *problem)
{
    return collective_cost_times(problem->size - 1, problem->count, 0);
}

const collective_algorithm collective_broadcast_backward = {
    .operation = &collective_broadcast,
    .name = "backward",
    .summary = "the root sends to all others, the last one first",
    .source = "this test",
    .formula = "(p − 1)(α + nβ)",
    .cost = broadcast_cost,
    .generate = broadcast,
};
