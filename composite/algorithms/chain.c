/*
 * Chain: neighbours pass merged pixels on, towards the positions that own them.
 *
 * The picture has g (`group`) pieces. Their owners are g neighbours, one of them the
 * root. Images in front of an owner merge front to back: position 0 sends to 1, which
 * merges and sends to 2, and so on. Those behind it merge back to front. With three
 * positions that own a piece each:
 *
 *                   pos 0             pos 1             pos 2
 *     round 0       1, 2 ------------>                  0, 1
 *                                     <-----------------'
 *     round 1                         2 --------------->
 *                   <---------------- 0
 *
 * Position 0 sends the pieces 1 and 2, and position 1 passes on piece 2. So a position
 * talks to two others, and sends (g - 1) / g images or one. Segments of the picture do
 * not wait for each other: while one is at position 3, the next one is at position 2.
 * There are size - 1 rounds, and the first pixel needs all of them.
 *
 * g = size, the default, shares the work equally. g = 1 brings the whole picture to the
 * root, which needs no other message then.
 *
 * C. T. Silva, A. E. Kaufman, "Parallel performance measures for volume ray casting",
 * IEEE Visualization 1994, for g = 1; T.-Y. Lee, C. S. Raghavendra, J. B. Nicholas,
 * "Image composition schemes for sort-last polygon rendering on 2D mesh multicomputers",
 * IEEE Transactions on Visualization and Computer Graphics 2(3), 1996, for g = size, with
 * depths, which merge in any order.
 */
#include "algorithms.h"

/* The pieces of a problem: piece i belongs to position `first` + i. */
typedef struct owners {
    int first, count;
} owners;

static int limit(int n, int least, int most)
{
    return n < least ? least : n > most ? most : n;
}

static owners find_owners(const composite_problem *problem,
                          const composite_params *params)
{
    const int count = params->group ? params->group : problem->size;
    return (owners){limit(problem->root - count / 2, 0, problem->size - count), count};
}

/* Visits the message to the next position with the pieces of all owners behind. */
static int visit_forward(const composite_problem *problem, const owners *all, int src,
                         composite_visit *visit, void *context)
{
    if (src < 0 || src + 1 >= problem->size) {
        return 0;
    }
    const int piece = limit(src + 1 - all->first, 0, all->count);
    const composite_op op = {.round = src, .src = src, .dst = src + 1, .run1 = src + 1};
    const composite_range pixels = {
        composite_share_begin(problem->pixels, all->count, piece), problem->pixels};
    return composite_visit_range(op, pixels, visit, context);
}

/* Visits the message to the position before with the pieces of all owners in front. */
static int visit_backward(const composite_problem *problem, const owners *all, int src,
                          composite_visit *visit, void *context)
{
    if (src < 1 || src >= problem->size) {
        return 0;
    }
    const int piece = limit(src - all->first, 0, all->count);
    const composite_op op = {.round = problem->size - 1 - src,
                             .src = src,
                             .dst = src - 1,
                             .run0 = src,
                             .run1 = problem->size};
    const composite_range pixels = {
        0, composite_share_begin(problem->pixels, all->count, piece)};
    return composite_visit_range(op, pixels, visit, context);
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    enum { FROM_FRONT, TO_BACK, FROM_BACK, TO_FRONT, MESSAGES };
    static const int orders[3][MESSAGES] = {
        {FROM_FRONT, TO_BACK, FROM_BACK, TO_FRONT},  /* nearer to the front */
        {FROM_FRONT, FROM_BACK, TO_BACK, TO_FRONT},  /* in the middle: two rounds */
        {FROM_BACK, TO_FRONT, FROM_FRONT, TO_BACK}}; /* nearer to the back */
    const int behind = problem->size - 1 - position;
    const int *order = orders[position < behind ? 0 : position == behind ? 1 : 2];
    const owners all = find_owners(problem, params);
    int ended = 0;
    for (int n = 0; n < MESSAGES && !ended; n++) {
        const bool is_forward = order[n] == FROM_FRONT || order[n] == TO_BACK;
        const int src = position - (order[n] == FROM_FRONT) + (order[n] == FROM_BACK);
        ended = is_forward ? visit_forward(problem, &all, src, visit, context)
                           : visit_backward(problem, &all, src, visit, context);
    }
    return ended;
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    const char *name = composite_chain.name;
    const status s = composite_params_reject_except(name, params, COMPOSITE_HAS_GROUP);
    if (s == STATUS_OK && (params->group < 0 || params->group > problem->size)) {
        return base_fail(STATUS_USAGE,
                         "%s: group is %d, but 1 to %d of the %d ranks own a piece of "
                         "the picture: give a number from 1 to %d, or leave it out",
                         name, params->group, problem->size, problem->size,
                         problem->size);
    }
    return s;
}

static void choose_params(const composite_problem *problem, composite_params *params)
{
    params->group = params->group ? params->group : problem->size;
}

const composite_algorithm composite_chain = {
    .name = "chain",
    .summary = "neighbours pass merged pixels on, to the group positions that own them",
    .source = "Silva, Kaufman 1994; Lee, Raghavendra, Nicholas 1996",
    .check_params = check_params,
    .choose_params = choose_params,
    .generate = generate,
};
