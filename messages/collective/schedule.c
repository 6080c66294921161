#include "schedule.h"

#include "base/array.h"
#include "composite/shares.h"

#include <stdlib.h>

const char *collective_kind_name(collective_kind kind)
{
    static const char *const names[COLLECTIVE_KINDS] = {"copy", "move", "reduce",
                                                        "concatenate", "notify"};
    return names[kind];
}

int64_t collective_block_begin(const collective_problem *problem, int rank)
{
    return composite_share_begin(problem->count, problem->size, rank);
}

int collective_block_owner(const collective_problem *problem, int64_t element)
{
    return composite_share_find(problem->count, problem->size, element);
}

/* ---- Costs and promises ------------------------------------------------------------ */

collective_cost collective_cost_of(const collective_algorithm *algorithm,
                                   const collective_problem *problem)
{
    const bool sends = problem->count > 0 || algorithm->operation->is_barrier;
    return problem->size > 1 && sends ? algorithm->cost(problem) : (collective_cost){0};
}

bool collective_is_ordered(const collective_algorithm *algorithm,
                           const collective_problem *problem)
{
    return algorithm->order == COLLECTIVE_ORDER_ALWAYS ||
           (algorithm->order == COLLECTIVE_ORDER_ROOT_0 && problem->root == 0);
}

/* ---- The ops of all ranks ---------------------------------------------------------- */

static int append_op(const collective_op *op, void *context)
{
    collective_schedule *schedule = context;
    collective_op *ops = base_array_reserve(schedule->ops, &schedule->capacity,
                                            schedule->count + 1, sizeof *ops);
    if (!ops) {
        return 1;
    }
    schedule->ops = ops;
    ops[schedule->count++] = *op;
    return 0;
}

status collective_schedule_collect(const collective_algorithm *algorithm,
                                   const collective_problem *problem,
                                   collective_schedule *schedule)
{
    schedule->problem = *problem;
    schedule->count = 0;
    for (int rank = 0; rank < problem->size; rank++) {
        const collective_stream to = {problem, rank, append_op, schedule, algorithm};
        schedule->begin[rank] = schedule->count;
        if (algorithm->generate(&to) != 0) {
            return STATUS_MEMORY;
        }
    }
    schedule->begin[problem->size] = schedule->count;
    return STATUS_OK;
}

void collective_schedule_clear(collective_schedule *schedule)
{
    free(schedule->ops);
    *schedule = (collective_schedule){0};
}
