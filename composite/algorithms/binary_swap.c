/*
 * Binary swap: in each round two partners split the pixels that both hold. Each sends one
 * half and merges the other.
 *
 *                round 1          round 2
 *     group 0   <-> 1: left     <-> 2: left left
 *     group 1   <-> 0: right    <-> 3: right left
 *     group 2   <-> 3: left     <-> 0: left right
 *     group 3   <-> 2: right    <-> 1: right right
 *
 * Partners differ in one bit of their number, the lowest bit first. So they hold runs of
 * groups that are neighbours in visibility order, and `over` may merge them.
 *
 * The number of groups is the largest power of two that is not above the number of
 * positions. The remaining positions are folded in before, in round 0: the first groups
 * are pairs of neighbours, whose second position gives its whole image to the first.
 *
 * K.-L. Ma, J. S. Painter, C. D. Hansen, M. F. Krogh, "Parallel volume rendering using
 * binary-swap compositing", IEEE Computer Graphics and Applications 14(4), 1994.
 */
#include "algorithms.h"

#include <stdbool.h>

/* How the positions of a problem form groups. */
typedef struct grouping {
    int groups; /* a power of two */
    int pairs;  /* groups [0, pairs) have two positions, the others one */
} grouping;

static grouping make_grouping(int size)
{
    int groups = 1;
    while (groups <= size / 2) {
        groups *= 2;
    }
    return (grouping){groups, size - groups};
}

/* The position that acts for a group; for group `groups` the end of all positions. */
static int group_begin(grouping all, int group)
{
    return group < all.pairs ? 2 * group : group + all.pairs;
}

static int visit_fold(const composite_problem *problem, int pair, composite_visit *visit,
                      void *context)
{
    composite_op op = {.src = 2 * pair + 1,
                       .dst = 2 * pair,
                       .run0 = 2 * pair + 1,
                       .run1 = 2 * pair + 2,
                       .npix = problem->pixels};
    return op.npix > 0 ? visit(&op, context) : 0;
}

/* The message of a swap from one group to its partner, without pixels. The numbers of the
 * two differ in one bit, whose value is also the number of groups that each has merged.
 */
static composite_op make_swap(grouping all, int group, int partner, int round)
{
    const int stride = group ^ partner;
    const int first = group / stride * stride;
    return (composite_op){.round = round,
                          .src = group_begin(all, group),
                          .dst = group_begin(all, partner),
                          .run0 = group_begin(all, first),
                          .run1 = group_begin(all, first + stride)};
}

static int visit_swaps(const composite_problem *problem, grouping all, int group,
                       composite_visit *visit, void *context)
{
    composite_range held = {0, problem->pixels};
    int ended = 0;
    int round = 1;
    for (int stride = 1; stride < all.groups && !ended; stride *= 2, round++) {
        const int partner = group ^ stride;
        const int kept = group < partner ? 0 : 1;
        ended = composite_visit_range(make_swap(all, group, partner, round),
                                      composite_share(held, 2, 1 - kept), visit, context);
        held = composite_share(held, 2, kept);
        if (!ended) {
            ended = composite_visit_range(make_swap(all, partner, group, round), held,
                                          visit, context);
        }
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    grouping all = make_grouping(problem->size);
    if (position >= 2 * all.pairs) {
        return visit_swaps(problem, all, position - all.pairs, visit, context);
    }
    int ended = visit_fold(problem, position / 2, visit, context);
    bool folded_away = position % 2 == 1;
    return ended || folded_away ? ended
                                : visit_swaps(problem, all, position / 2, visit, context);
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    return composite_params_reject(composite_binary_swap.name, params);
}

const composite_algorithm composite_binary_swap = {
    .name = "binary-swap",
    .summary = "pairs swap halves of what they hold, in log2(size) rounds",
    .source = "Ma, Painter, Hansen, Krogh 1994",
    .check_params = check_params,
    .generate = generate,
};
