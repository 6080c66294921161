/* Schedules of no real algorithm that the contract of schedule.h allows. */
#include "test_composite.h"

#include <stddef.h>

static status accept_params(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

/* The position whose messages are asked for, and the receiver of the answer. */
typedef struct stream {
    int position;
    composite_visit *visit;
    void *context;
    int ended;
} stream;

static void yield(stream *to, composite_op op)
{
    if (!to->ended && op.npix > 0 && (op.src == to->position || op.dst == to->position)) {
        to->ended = to->visit(&op, to->context);
    }
}

/* ---- Boomerang --------------------------------------------------------------------- */

/* All pixels go to the last position, which returns the first half to the first one. */
static int throw_boomerang(const composite_problem *problem,
                           const composite_params *params, int position,
                           composite_visit *visit, void *context)
{
    (void)params;
    const int last = problem->size - 1;
    stream to = {position, visit, context, 0};
    for (int src = last - 1; src >= 0; src--) {
        yield(&to, (composite_op){0, src, last, src, src + 1, 0, problem->pixels});
    }
    if (last > 0) {
        yield(&to, (composite_op){1, last, 0, 0, problem->size, 0, problem->pixels / 2});
    }
    return to.ended;
}

/* ---- Relay ------------------------------------------------------------------------- */

/* From the last position to the first, merging at each, and all the way back. */
static int run_relay(const composite_problem *problem, const composite_params *params,
                     int position, composite_visit *visit, void *context)
{
    (void)params;
    const int size = problem->size;
    stream to = {position, visit, context, 0};
    for (int src = size - 1; src > 0; src--) {
        const int round = size - 1 - src;
        yield(&to, (composite_op){round, src, src - 1, src, size, 0, problem->pixels});
    }
    for (int src = 0; src < size - 1; src++) {
        const int round = size - 1 + src;
        yield(&to, (composite_op){round, src, src + 1, 0, size, 0, problem->pixels});
    }
    return to.ended;
}

/* ---- Stripes ----------------------------------------------------------------------- */

/* The messages of all stripes that belong to dst. */
static void send_stripes(const composite_problem *problem, int src, int dst, stream *to)
{
    const int64_t length = problem->pixels / (4 * problem->size) + 1;
    for (int64_t i = dst; i * length < problem->pixels; i += problem->size) {
        const int64_t left = problem->pixels - i * length;
        yield(to, (composite_op){0, src, dst, src, src + 1, i * length,
                                 left < length ? left : length});
    }
}

/* Direct-send in which each position owns several pieces that are not adjacent. */
static int deal_stripes(const composite_problem *problem, const composite_params *params,
                        int position, composite_visit *visit, void *context)
{
    (void)params;
    stream to = {position, visit, context, 0};
    for (int dst = 0; dst < problem->size; dst++) {
        if (dst != position) {
            send_stripes(problem, position, dst, &to);
        }
    }
    for (int src = position - 1; src >= 0; src--) {
        send_stripes(problem, src, position, &to);
    }
    for (int src = position + 1; src < problem->size; src++) {
        send_stripes(problem, src, position, &to);
    }
    return to.ended;
}

/* ---- Lopsided ---------------------------------------------------------------------- */

/* The first position gets the second half one round before the first half. */
static void lean(const composite_problem *problem, stream *to)
{
    const int64_t half = problem->pixels / 2;
    for (int src = 1; src < problem->size; src++) {
        yield(to, (composite_op){0, src, 0, src, src + 1, half, problem->pixels - half});
    }
    for (int src = 1; src < problem->size; src++) {
        yield(to, (composite_op){1, src, 0, src, src + 1, 0, half});
    }
}

static int generate_lopsided(const composite_problem *problem,
                             const composite_params *params, int position,
                             composite_visit *visit, void *context)
{
    (void)params;
    stream to = {position, visit, context, 0};
    lean(problem, &to);
    return to.ended;
}

/* And then the last one gets it all. */
static int generate_passed_on(const composite_problem *problem,
                              const composite_params *params, int position,
                              composite_visit *visit, void *context)
{
    (void)params;
    const int last = problem->size - 1;
    stream to = {position, visit, context, 0};
    lean(problem, &to);
    if (last > 0) {
        yield(&to, (composite_op){2, 0, last, 0, problem->size, 0, problem->pixels});
    }
    return to.ended;
}

/* ---- Handed on --------------------------------------------------------------------- */

/* The second position gives its image away. Then it passes on the images of all positions
 * behind it, one by one: each is a run of one position, but not its own. */
static int hand_on(const composite_problem *problem, const composite_params *params,
                   int position, composite_visit *visit, void *context)
{
    (void)params;
    stream to = {position, visit, context, 0};
    for (int src = 1; src < problem->size; src++) {
        const int round = 2 * src;
        if (src > 1) {
            yield(&to,
                  (composite_op){round - 1, src, 1, src, src + 1, 0, problem->pixels});
        }
        yield(&to, (composite_op){round, 1, 0, src, src + 1, 0, problem->pixels});
    }
    return to.ended;
}

/* ------------------------------------------------------------------------------------ */

const composite_algorithm *test_odd_at(int n)
{
    static const composite_algorithm all[] = {
        {.name = "boomerang",
         .summary = "pixels come back",
         .source = "this test",
         .check_params = accept_params,
         .generate = throw_boomerang},
        {.name = "relay",
         .summary = "through all, and back",
         .source = "this test",
         .check_params = accept_params,
         .generate = run_relay},
        {.name = "stripes",
         .summary = "many pieces",
         .source = "this test",
         .check_params = accept_params,
         .generate = deal_stripes},
        {.name = "lopsided",
         .summary = "halves in two rounds",
         .source = "this test",
         .check_params = accept_params,
         .generate = generate_lopsided},
        {.name = "passed-on",
         .summary = "the same, passed on",
         .source = "this test",
         .check_params = accept_params,
         .generate = generate_passed_on},
        {.name = "handed-on",
         .summary = "by way of the second",
         .source = "this test",
         .check_params = accept_params,
         .generate = hand_on},
    };
    return n < (int)(sizeof all / sizeof all[0]) ? &all[n] : NULL;
}

/* Random factors of `size`; none if it is 1. */
static void choose_factors(uint64_t *random, int size, composite_params *params)
{
    for (int left = size; left > 1; left /= params->factors[params->nfactors++]) {
        int factor;
        do {
            factor = 2 + random_below(random, left - 1);
        } while (left % factor != 0);
        params->factors[params->nfactors] = factor;
    }
}

const composite_algorithm *test_random_algorithm(uint64_t *random, int size,
                                                 composite_params *params)
{
    enum { ALGORITHMS = 8, ODD = 6 };
    const int n = random_below(random, ALGORITHMS + ODD);
    const composite_algorithm *algorithm = composite_algorithm_at(n);
    *params = (composite_params){0};
    if (n >= ALGORITHMS || !algorithm) {
        return test_odd_at(n % ODD);
    }
    const bool is_chosen = random_below(random, 2) == 0;
    const bool is_tod = algorithm == composite_algorithm_find("tod-tree");
    if (!is_chosen && algorithm == composite_algorithm_find("radix-k")) {
        choose_factors(random, size, params);
    }
    const bool is_chain = algorithm == composite_algorithm_find("chain");
    if (!is_chosen && (is_tod || is_chain)) {
        params->group = 1 + random_below(random, size);
    }
    if (!is_chosen && (is_tod || algorithm == composite_algorithm_find("tree"))) {
        params->fan_in = 2 + random_below(random, 7);
    }
    return algorithm;
}
