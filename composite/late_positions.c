#include "late_positions.h"

/* A run of positions [begin, end) that merge among themselves, or a single one that is
 * late, or left alone. */
typedef struct unit {
    int begin, end;
} unit;

static bool is_alone(const composite_problem *problem, int position)
{
    return (problem->late && problem->late[position]) ||
           (position == problem->root && composite_leaves_root_alone(problem));
}

/* The unit of a position; empty beyond both ends. */
static unit find_unit(const composite_problem *problem, int position)
{
    unit u = {position, position};
    if (position < 0 || position >= problem->size) {
        return u;
    }
    u.end = position + 1;
    if (is_alone(problem, position)) {
        return u;
    }
    while (u.begin > 0 && !is_alone(problem, u.begin - 1)) {
        u.begin--;
    }
    while (u.end < problem->size && !is_alone(problem, u.end)) {
        u.end++;
    }
    return u;
}

/* The pixels that a member merges for its unit: an equal share. The root merges none, if
 * it has others in its unit, as its link has the picture to carry. */
static composite_range find_share(const composite_problem *problem, unit u, int member)
{
    const int root = problem->root;
    const bool spares_root = root >= u.begin && root < u.end && u.end - u.begin > 1;
    if (spares_root && member == root) {
        return (composite_range){0, 0};
    }
    const int place = member - u.begin - (spares_root && member > root);
    return composite_share((composite_range){0, problem->pixels},
                           u.end - u.begin - spares_root, place);
}

/* ---- Round 0: within a unit -------------------------------------------------------- */

static int visit_merge(const composite_problem *problem, unit u, int src, int dst,
                       composite_visit *visit, void *context)
{
    const composite_op op = {.src = src, .dst = dst, .run0 = src, .run1 = src + 1};
    return composite_visit_range(op, find_share(problem, u, dst), visit, context);
}

static int visit_unit(const composite_problem *problem, int position,
                      composite_visit *visit, void *context)
{
    const unit own = find_unit(problem, position);
    const int members = own.end - own.begin;
    const int me = position - own.begin;
    int ended = 0;
    for (int step = 0; step < members - 1 && !ended; step++) {
        const int dst = own.begin + composite_outward_send(members, me, step);
        const int src = own.begin + composite_outward(members, me, step);
        ended = visit_merge(problem, own, position, dst, visit, context);
        if (!ended) {
            ended = visit_merge(problem, own, src, position, visit, context);
        }
    }
    return ended;
}

/* ---- Round 1: to the root ---------------------------------------------------------- */

/* The message with the merged share of a position. */
static int visit_share(const composite_problem *problem, unit u, int src,
                       composite_visit *visit, void *context)
{
    const composite_op op = {
        .round = 1, .src = src, .dst = problem->root, .run0 = u.begin, .run1 = u.end};
    return src == problem->root
               ? 0
               : composite_visit_range(op, find_share(problem, u, src), visit, context);
}

static int receive_unit(const composite_problem *problem, unit u, composite_visit *visit,
                        void *context)
{
    int ended = 0;
    for (int src = u.begin; src < u.end && !ended; src++) {
        ended = visit_share(problem, u, src, visit, context);
    }
    return ended;
}

/* The root receives its own unit, then goes outward: in front and behind in turn. */
static int visit_receives(const composite_problem *problem, composite_visit *visit,
                          void *context)
{
    const unit own = find_unit(problem, problem->root);
    unit before = find_unit(problem, own.begin - 1);
    unit behind = find_unit(problem, own.end);
    int ended = receive_unit(problem, own, visit, context);
    while (!ended && (before.begin < before.end || behind.begin < behind.end)) {
        ended = receive_unit(problem, before, visit, context);
        if (!ended) {
            ended = receive_unit(problem, behind, visit, context);
        }
        before = find_unit(problem, before.begin - 1);
        behind = find_unit(problem, behind.end);
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    const int ended = visit_unit(problem, position, visit, context);
    if (ended) {
        return ended;
    }
    return position == problem->root ? visit_receives(problem, visit, context)
                                     : visit_share(problem, find_unit(problem, position),
                                                   position, visit, context);
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

const composite_algorithm composite_around_late = {
    .name = "direct-send around late ranks",
    .summary = "positions in time merge, and late ones go to the root by themselves",
    .source = "Vadhiyar, Fagg and Dongarra 2000",
    .is_exchange = true,
    .check_params = check_params,
    .generate = generate,
};
