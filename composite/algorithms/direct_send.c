/*
 * Direct-send: every position owns one piece of the picture and gets it from all others.
 *
 * There is one round. Position q owns piece q, an equal share of the pixels (but see
 * root_pixels). All others send it their pixels of that piece. Position q merges them
 * outward from its own: those of q - 1, q + 1, q - 2, q + 2, and so on.
 *
 *            piece 0   piece 1   piece 2
 *     pos 0   keeps     to 1      to 2
 *     pos 1   to 0      keeps     to 2
 *     pos 2   to 0      to 1      keeps
 *
 * It needs the fewest bytes for each pixel and one round, but n (n - 1) messages.
 *
 * If the picture goes to the root as unfinished pixels, and the root is in front or
 * behind, the others merge so among themselves, and the root gets their pieces in round 1
 * (composite/late_positions.h). Its own image then crosses no link.
 *
 * W. M. Hsu, "Segmented ray casting for data parallel volume rendering", Parallel
 * Rendering Symposium 1993; U. Neumann, "Communication costs for parallel
 * volume-rendering algorithms", IEEE Computer Graphics and Applications 14(4), 1994.
 */
#include "algorithms.h"

#include "composite/late_positions.h"

/*
 * Pixels of the root's piece. Finished pixels reach the root through the same link as
 * those that it has to merge. So it owns a smaller piece, which makes the loads of all
 * links equal. Let g be the bytes of a finished pixel over those of an unfinished one,
 * and s the root's share of the picture. Then (n - 1) s + g (1 - s) images reach the
 * root, and 1 - s images reach each of the others. Both are equal for
 * s = (1 - g) / (n - g).
 *
 * If g = 1 and n = 2, one image reaches the root for every s. With s = 1 each pixel is
 * sent once, and none has to wait for the other end.
 */
static int64_t root_pixels(const composite_problem *problem)
{
    const int64_t most = COMPOSITE_PIXEL_BYTES;
    if (problem->gather_bytes == most && problem->size == 2) {
        return problem->pixels;
    }
    const int64_t weight = most - problem->gather_bytes;
    const int64_t all = most * problem->size - problem->gather_bytes;
    return problem->pixels / all * weight + problem->pixels % all * weight / all;
}

static composite_range find_piece(const composite_problem *problem, int position)
{
    const composite_range all = {0, problem->pixels};
    if (problem->gather_bytes == 0) {
        return composite_share(all, problem->size, position);
    }
    /* The others get equal shares of the pixels before and behind the root's piece. */
    const int64_t own = root_pixels(problem);
    const int64_t rest = problem->pixels - own;
    const int others = problem->size - 1;
    const int64_t begin = composite_share_begin(rest, others, problem->root);
    if (position == problem->root) {
        return (composite_range){begin, begin + own};
    }
    const int n = position < problem->root ? position : position - 1;
    const int64_t shift = position < problem->root ? 0 : own;
    return (composite_range){composite_share_begin(rest, others, n) + shift,
                             composite_share_begin(rest, others, n + 1) + shift};
}

/* The message from src to dst, with dst's piece. */
static int visit_message(const composite_problem *problem, int src, int dst,
                         composite_visit *visit, void *context)
{
    const composite_op op = {.src = src, .dst = dst, .run0 = src, .run1 = src + 1};
    return composite_visit_range(op, find_piece(problem, dst), visit, context);
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    if (composite_leaves_root_alone(problem)) {
        return composite_around_late.generate(problem, params, position, visit, context);
    }
    const int size = problem->size;
    int ended = 0;
    for (int step = 0; step < size - 1 && !ended; step++) {
        int dst = composite_outward_send(size, position, step);
        int src = composite_outward(size, position, step);
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
    .is_direct = true,
    .is_exchange = true,
    .check_params = check_params,
    .generate = generate,
};
