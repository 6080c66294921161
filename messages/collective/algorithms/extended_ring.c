/*
 * Extended ring: a message goes around from rank 0 to rank 0, which then knows that all
 * have come. A second one tells the others.
 *
 * S. S. Vadhiyar, G. E. Fagg, J. Dongarra, "Automatically tuned collective
 * communications", Supercomputing 2000, section 2.8.
 */
#include "algorithms.h"

static int barrier(const collective_stream *to)
{
    const int size = to->problem->size;
    const int messages = size > 1 ? 2 * size - 2 : 0;
    int ended = 0;
    for (int round = 0; round < messages && !ended; round++) {
        const collective_op op = {.round = round,
                                  .src = round % size,
                                  .dst = (round + 1) % size,
                                  .kind = COLLECTIVE_NOTIFY};
        ended = collective_emit(to, op, collective_all(to->problem));
    }
    return ended;
}

static collective_cost barrier_cost(const collective_problem *problem)
{
    return (collective_cost){2 * problem->size - 2, 0, 0};
}

const collective_algorithm collective_barrier_extended_ring = {
    .operation = &collective_barrier,
    .name = "extended-ring",
    .summary = "a message goes around, then another one",
    .source = "Vadhiyar, Fagg, Dongarra 2000",
    .formula = "(2p − 2)α",
    .cost = barrier_cost,
    .generate = barrier,
};
