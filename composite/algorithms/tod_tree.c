/*
 * TOD-Tree: direct-send among neighbours, then a tree for each region of the picture.
 *
 * Positions form localities of r (`group`) neighbours. Round 0 is direct-send within a
 * locality: the picture has r regions, and member j merges region j of all images of its
 * locality. Then the r regions go up r trees, in which k (`fan_in`) localities merge at
 * once. With r = 3, k = 2 and the root in the first locality:
 *
 *                     locality 0   locality 1   locality 2
 *     pos             0   1   2    3   4   5    6   7   8   9
 *     round 0 holds   a   b   c    a   b   c    a   b   c   -
 *     round 1         a   b   c  <-'---'---'    |   |   |
 *     round 2         a   b   c  <--------------'---'---'
 *
 * There are size / r localities. The remaining positions join the last one, where they
 * own no region and only send. Each owner begins with its longer side: owners in the
 * first half of a locality first merge the images behind them, front to back. Those in
 * the second half first merge the images in front of them, back to front.
 *
 * All trees end in the locality of the root. So the picture ends with the root, which
 * owns a region unless it is a remaining position, and with r - 1 of its neighbours.
 * r = 1 is a tree of whole images; r = size is direct-send with another order of merging.
 *
 * Without parameters it chooses k = 4. That needs half the rounds of k = 2, and merges
 * half as many pixels again, of regions that are small. r is a number of 12 to 20: one
 * with the fewest remaining positions, and of these the nearest to 16. Up to 20 positions
 * are one locality.
 *
 * A. V. P. Grosset, M. Prasad, C. Christensen, A. Knoll, C. Hansen, "TOD-Tree:
 * Task-overlapped direct send tree image compositing for hybrid MPI parallelism",
 * Eurographics Symposium on Parallel Graphics and Visualization, 2015.
 */
#include "algorithms.h"

#include <stdlib.h>

enum { LEAST_GROUP = 12, USUAL_GROUP = 16, MOST_GROUP = 20, USUAL_FAN_IN = 4 };

/* How the positions of a problem form localities. */
typedef struct layout {
    int size;
    int group;      /* regions; also positions of each locality but the last */
    int localities; /* the last one has the remaining positions, too */
} layout;

static int choose_group(int size)
{
    if (size <= MOST_GROUP) {
        return size;
    }
    int best = USUAL_GROUP;
    for (int group = LEAST_GROUP; group <= MOST_GROUP; group++) {
        int more = size % group - size % best;
        int farther = abs(group - USUAL_GROUP) - abs(best - USUAL_GROUP);
        if (more < 0 || (more == 0 && farther < 0)) {
            best = group;
        }
    }
    return best;
}

static layout make_layout(const composite_problem *problem,
                          const composite_params *params)
{
    int group = params->group ? params->group : choose_group(problem->size);
    return (layout){problem->size, group, problem->size / group};
}

static int find_locality(const layout *all, int position)
{
    int locality = position / all->group;
    return locality < all->localities ? locality : all->localities - 1;
}

/* The member whose image owner `me` of `members` merges in step `step`: first all on its
 * longer side, then all on the other, each from the neighbour on. */
static int find_source(int members, int me, int step)
{
    const int behind = members - 1 - me;
    if (2 * me < members) {
        return step < behind ? me + 1 + step : me - 1 - (step - behind);
    }
    return step < me ? me - 1 - step : me + 1 + (step - me);
}

/* The message of round 0, without pixels, from one member of the locality that begins at
 * `first` to another. */
static composite_op make_op(int first, int src, int dst)
{
    return (composite_op){.src = first + src,
                          .dst = first + dst,
                          .run0 = first + src,
                          .run1 = first + src + 1};
}

static int visit_locality(const composite_problem *problem, const layout *all,
                          int locality, int me, composite_visit *visit, void *context)
{
    const composite_range image = {0, problem->pixels};
    const int first = locality * all->group;
    const int members = locality == all->localities - 1 ? all->size - first : all->group;
    int ended = 0;
    for (int step = 0; step < members - 1 && !ended; step++) {
        int dst = composite_outward_send(members, me, step);
        int src = find_source(members, me, step);
        if (dst < all->group) {
            ended = composite_visit_range(make_op(first, me, dst),
                                          composite_share(image, all->group, dst), visit,
                                          context);
        }
        if (me < all->group && !ended) {
            ended = composite_visit_range(make_op(first, src, me),
                                          composite_share(image, all->group, me), visit,
                                          context);
        }
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    const layout all = make_layout(problem, params);
    const int locality = find_locality(&all, position);
    const int me = position - locality * all.group;
    int ended = visit_locality(problem, &all, locality, me, visit, context);
    if (ended || me >= all.group) {
        return ended;
    }
    const composite_range image = {0, problem->pixels};
    const composite_merge_tree tree = {.leaves = all.localities,
                                       .fan_in =
                                           params->fan_in ? params->fan_in : USUAL_FAN_IN,
                                       .root = find_locality(&all, problem->root),
                                       .spacing = all.group,
                                       .offset = me,
                                       .size = all.size,
                                       .round = 1,
                                       .range = composite_share(image, all.group, me)};
    return composite_merge_tree_visit(&tree, locality, visit, context);
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    const char *name = composite_tod_tree.name;
    status s = composite_params_reject_except(name, params,
                                              COMPOSITE_HAS_GROUP | COMPOSITE_HAS_FAN_IN);
    s = s == STATUS_OK ? composite_params_check_fan_in(name, params) : s;
    if (s == STATUS_OK && (params->group < 0 || params->group > problem->size)) {
        return base_fail(STATUS_USAGE,
                         "%s: group is %d, but a locality has 1 to %d of the %d "
                         "ranks: give a number from 1 to %d, or leave it out",
                         name, params->group, problem->size, problem->size,
                         problem->size);
    }
    return s;
}

static void choose_params(const composite_problem *problem, composite_params *params)
{
    params->group = params->group ? params->group : choose_group(problem->size);
    params->fan_in = params->fan_in ? params->fan_in : USUAL_FAN_IN;
}

const composite_algorithm composite_tod_tree = {
    .name = "tod-tree",
    .summary = "direct-send among group neighbours, then a tree for each region",
    .source = "Grosset, Prasad, Christensen, Knoll, Hansen 2015",
    .check_params = check_params,
    .choose_params = choose_params,
    .generate = generate,
};
