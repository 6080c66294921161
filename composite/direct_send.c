/*
 * Direct-send: every position owns one piece of the picture and gets it from everybody.
 *
 * One round. Position q owns piece q, an equal share of the pixels; all others send it
 * theirs, each an image of one position, and q merges them outward from its own.
 *
 *            piece 0   piece 1   piece 2
 *     pos 0   keeps     to 1      to 2
 *     pos 1   to 0      keeps     to 2
 *     pos 2   to 0      to 1      keeps
 *
 * Fewest bytes for each pixel and the shortest way, but n (n - 1) messages.
 *
 * W. M. Hsu, "Segmented ray casting for data parallel volume rendering", Parallel
 * Rendering Symposium 1993; U. Neumann, "Communication costs for parallel
 * volume-rendering algorithms", IEEE Computer Graphics and Applications 14(4), 1994.
 */
#include "composite/algorithms.h"

/* First pixel of a piece; that of piece `size` is the end of the image. */
static int64_t piece_begin(const composite_problem *problem, int piece)
{
    int64_t share = problem->pixels / problem->size;
    int64_t rest = problem->pixels % problem->size;
    /* The first `rest` pieces hold one pixel more; no product here can overflow. */
    return share * piece + (piece < rest ? piece : rest);
}

/* The message from src to dst, with dst's piece. */
static int visit_message(const composite_problem *problem, int src, int dst,
                         composite_visit *visit, void *context)
{
    int64_t begin = piece_begin(problem, dst);
    composite_op op = {.src = src,
                       .dst = dst,
                       .run0 = src,
                       .run1 = src + 1,
                       .pix0 = begin,
                       .npix = piece_begin(problem, dst + 1) - begin};
    return op.npix > 0 ? visit(&op, context) : 0;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    (void)params;
    const int size = problem->size;
    int ended = 0;
    /* Each begins with its successor, so that not all send to the same position at once.
     */
    for (int step = 1; step < size && !ended; step++) {
        int dst = (position + step) % size;
        int src = (position - step + size) % size;
        ended = visit_message(problem, position, dst, visit, context);
        if (!ended) {
            ended = visit_message(problem, src, position, visit, context);
        }
    }
    return ended;
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    return composite_params_reject(composite_direct_send.name, params);
}

const composite_algorithm composite_direct_send = {
    .name = "direct-send",
    .summary = "every position owns a piece of the picture and gets it from all others",
    .source = "Hsu 1993; Neumann 1994",
    .check_params = check_params,
    .generate = generate,
};
