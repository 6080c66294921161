/* To front: every position sends its whole image to position 0. */
#include "algorithms.h"

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    const composite_range image = {0, problem->pixels};
    int ended = 0;
    for (int src = 1; src < problem->size && !ended; src++) {
        if (position != 0 && position != src) {
            continue; /* a message between two others */
        }
        const composite_op op = {.src = src, .dst = 0, .run0 = src, .run1 = src + 1};
        ended = composite_visit_range(op, image, visit, context);
    }
    return ended;
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    return composite_params_reject(composite_to_front.name, params);
}

const composite_algorithm composite_to_front = {
    .name = "to-front",
    .summary = "every position sends its whole image to the first one",
    .source = "the obvious way",
    .check_params = check_params,
    .generate = generate,
};
