/* What the algorithms share: ranges, ops and numbers. */
#include "algorithms.h"

collective_range collective_all(const collective_problem *problem)
{
    return (collective_range){0, problem->count};
}

collective_range collective_blocks(const collective_problem *problem, int first, int end)
{
    return (collective_range){collective_block_begin(problem, first),
                              collective_block_begin(problem, end)};
}

int collective_emit(const collective_stream *to, collective_op op, collective_range range)
{
    const bool notifies = op.kind == COLLECTIVE_NOTIFY;
    if ((op.src != to->rank && op.dst != to->rank) ||
        (range.begin >= range.end && !notifies)) {
        return 0;
    }
    op.first = notifies ? 0 : range.begin;
    op.count = notifies ? 0 : range.end - range.begin;
    return to->visit(&op, to->context);
}

int collective_emit_ring(const collective_stream *to, collective_op op, int first,
                         int count)
{
    const int size = to->problem->size;
    const int beyond = first + count - size;
    const int end = beyond > 0 ? size : first + count;
    const int ended =
        beyond > 0 ? collective_emit(to, op, collective_blocks(to->problem, 0, beyond))
                   : 0;
    return ended ? ended
                 : collective_emit(to, op, collective_blocks(to->problem, first, end));
}

int64_t collective_block_most(const collective_problem *problem)
{
    return (problem->count + problem->size - 1) / problem->size;
}

int collective_log_up(int n)
{
    int log = 0;
    while ((1 << log) < n) {
        log++;
    }
    return log;
}

int collective_log_down(int n)
{
    int log = 0;
    while ((2 << log) <= n) {
        log++;
    }
    return log;
}
