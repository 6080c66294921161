/*
 * Serial: the root gets the whole images of all others and merges them one by one.
 *
 * There is one round. The root starts with its own image and goes outward from there, in
 * front and behind in turn: root - 1, root + 1, root - 2, root + 2, and so on. If the
 * root is in front of all others, this is front-to-back compositing.
 *
 *     pos 0     1     2     3     4
 *      ----> ---->  [root] <---- <----
 *      3rd    1st           2nd   4th
 *
 * It is the reference for the other algorithms: the order of merging is easy to see. One
 * position receives all images and does all the work.
 */
#include "algorithms.h"

static int visit_image(const composite_problem *problem, int src, composite_visit *visit,
                       void *context)
{
    const composite_op op = {
        .src = src, .dst = problem->root, .run0 = src, .run1 = src + 1};
    return composite_visit_range(op, (composite_range){0, problem->pixels}, visit,
                                 context);
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    if (position != problem->root) {
        return visit_image(problem, position, visit, context);
    }
    int ended = 0;
    for (int step = 0; step < problem->size - 1 && !ended; step++) {
        int src = composite_outward(problem->size, position, step);
        ended = visit_image(problem, src, visit, context);
    }
    return ended;
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    return composite_params_reject(composite_serial.name, params);
}

const composite_algorithm composite_serial = {
    .name = "serial",
    .summary = "the root merges the whole images of all others one by one; the reference",
    .source = "the definition of the picture: one image over the next",
    .check_params = check_params,
    .generate = generate,
};
