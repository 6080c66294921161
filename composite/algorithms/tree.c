/*
 * Tree: whole images merge, k at once, until one is left.
 *
 * Positions in groups of k (`fan_in`) merge into one member of their group; these members
 * merge in groups of k again, and so on. A group merges into the root if it contains the
 * root, else into its first member. So the root ends with the picture, without another
 * message. With k = 2 and position 2 as the root:
 *
 *     round 0     0 <- 1     2 <- 3     4 <- 5     6
 *     round 1        `----> 2              4 <----'
 *     round 2               2 <------------'
 *
 * The members of a group are neighbours, so their runs are. A position that merges
 * several images goes outward from its own. The last group of a round may be smaller; if
 * it has one member only, that waits for the next round.
 *
 * The tree sends size - 1 messages, fewer than any other algorithm, but each has the
 * whole image, and most positions are idle most of the time. The default is k = 2: the
 * root merges (k - 1) log_k(size) images, the least for k = 2. If k is at least the
 * number of positions, all send to the root.
 *
 * K.-L. Ma, J. S. Painter, C. D. Hansen, M. F. Krogh, "Parallel volume rendering using
 * binary-swap compositing", IEEE Computer Graphics and Applications 14(4), 1994. They
 * describe it for k = 2, and improve on it by binary swap.
 */
#include "algorithms.h"

enum { USUAL_FAN_IN = 2 };

/* The leaf that holds the merged image of the subtree of `span` leaves around `leaf`. */
static int find_holder(const composite_merge_tree *tree, int64_t leaf, int64_t span)
{
    int64_t first = leaf / span * span;
    return tree->root >= first && tree->root < first + span ? tree->root : (int)first;
}

/* The first position of a leaf; for leaf `leaves` and above the end of all. */
static int leaf_begin(const composite_merge_tree *tree, int64_t leaf)
{
    return leaf < tree->leaves ? (int)leaf * tree->spacing : tree->size;
}

/* The message from one leaf to another, without pixels, with the image of the subtree of
 * `span` leaves around src. */
static composite_op make_op(const composite_merge_tree *tree, int src, int dst,
                            int64_t span, int round)
{
    const int64_t first = src / span * span;
    return (composite_op){.round = round,
                          .src = src * tree->spacing + tree->offset,
                          .dst = dst * tree->spacing + tree->offset,
                          .run0 = leaf_begin(tree, first),
                          .run1 = leaf_begin(tree, first + span)};
}

/* Visits the messages of a leaf that holds the image of a subtree of `span` leaves, when
 * fan_in such subtrees merge: the leaf sends its image, or merges the others. */
static int visit_merge(const composite_merge_tree *tree, int leaf, int64_t span,
                       int round, composite_visit *visit, void *context)
{
    const int64_t wide = span * tree->fan_in;
    const int holder = find_holder(tree, leaf, wide);
    if (holder != leaf) {
        return composite_visit_range(make_op(tree, leaf, holder, span, round),
                                     tree->range, visit, context);
    }
    const int64_t first = leaf / wide * wide;
    const int64_t end = first + wide < tree->leaves ? first + wide : tree->leaves;
    const int members = (int)((end - first + span - 1) / span);
    const int me = (int)((leaf - first) / span);
    int ended = 0;
    for (int step = 0; step < members - 1 && !ended; step++) {
        int64_t other = first + composite_outward(members, me, step) * span;
        const int src = find_holder(tree, other, span);
        ended = composite_visit_range(make_op(tree, src, leaf, span, round), tree->range,
                                      visit, context);
    }
    return ended;
}

int composite_merge_tree_visit(const composite_merge_tree *tree, int leaf,
                               composite_visit *visit, void *context)
{
    int ended = 0;
    int round = tree->round;
    for (int64_t span = 1; span < tree->leaves && !ended; span *= tree->fan_in) {
        if (find_holder(tree, leaf, span) != leaf) {
            break; /* it has sent its image */
        }
        ended = visit_merge(tree, leaf, span, round++, visit, context);
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    const composite_merge_tree tree = {.leaves = problem->size,
                                       .fan_in =
                                           params->fan_in ? params->fan_in : USUAL_FAN_IN,
                                       .root = problem->root,
                                       .spacing = 1,
                                       .size = problem->size,
                                       .range = {0, problem->pixels}};
    return composite_merge_tree_visit(&tree, position, visit, context);
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    status s =
        composite_params_reject_except(composite_tree.name, params, COMPOSITE_HAS_FAN_IN);
    return s == STATUS_OK ? composite_params_check_fan_in(composite_tree.name, params)
                          : s;
}

static void choose_params(const composite_problem *problem, composite_params *params)
{
    (void)problem;
    params->fan_in = params->fan_in ? params->fan_in : USUAL_FAN_IN;
}

const composite_algorithm composite_tree = {
    .name = "tree",
    .summary = "whole images merge, fan_in at once, until the root has the picture",
    .source = "as in Ma, Painter, Hansen, Krogh 1994, there for two at once",
    .check_params = check_params,
    .choose_params = choose_params,
    .generate = generate,
};
