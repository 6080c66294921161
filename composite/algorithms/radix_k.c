/*
 * Radix-k: direct-send within small groups, one digit of the position after the other.
 *
 * The number of positions is a product k1 k2 ... kn (`factors`). A position is a number
 * with digits of these radices, the lowest first. In round i the positions that differ in
 * digit i alone form a group of ki, whose members hold the same pixels. They divide these
 * into ki pieces, and the member with digit d gets piece d from all others. For 6
 * positions and [3, 2]:
 *
 *     pos   round 0       holds       round 1    holds
 *      0    0 1 2         a           0   3      left of a
 *      1    exchange      b           1   4      left of b
 *      2                  c           2   5      left of c
 *      3    3 4 5         a           exchange   right of a
 *      4    exchange      b                      right of b
 *      5                  c                      right of c
 *
 * The lowest digit comes first, so that the members of a group hold neighbouring runs. A
 * member merges outward from its own. [size] is direct-send, [2, 2, ...] binary swap.
 *
 * Without `factors` it chooses some of 2 to 8 that give few rounds of similar radices. A
 * position then gets many small messages in a round, but no more than 7. The number of
 * positions may have no such factors. So the largest number below it that has them takes
 * part in all rounds. The remaining positions join the groups of round 0, where they only
 * send: each member of the group gets its piece from them. That costs a member one more
 * message with one piece. The alternative, to fold them into neighbours, would cost one
 * more round with a whole image. For 13 = 12 + 1 positions and [4, 3]:
 *
 *     0 1 2 3 | 4 5 6 7 | 8 9 10 11 (12)      12 sends to 8, 9, 10 and 11
 *
 * T. Peterka, D. Goodell, R. Ross, H.-W. Shen, R. Thakur, "A configurable algorithm for
 * parallel image-compositing applications", SC 2009.
 */
#include "algorithms.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST_RADIX = 8 };

/* ---- Choosing factors ---- */

/* The largest number up to `limit` of the form 2^a 3^b 5^c 7^d. */
static int find_smooth(int limit)
{
    int64_t best = 1;
    for (int64_t d = 1; d <= limit; d *= 7) {
        for (int64_t c = d; c <= limit; c *= 5) {
            for (int64_t b = c; b <= limit; b *= 3) {
                int64_t a = b;
                while (2 * a <= limit) {
                    a *= 2;
                }
                best = a > best ? a : best;
            }
        }
    }
    return (int)best;
}

/* Rounds of at most MOST_RADIX that `rest` positions need. */
static int count_rounds(int rest)
{
    int rounds = 0;
    for (int64_t product = 1; product < rest; product *= MOST_RADIX) {
        rounds++;
    }
    return rounds;
}

/* Whether radix^rounds is at least `rest`. */
static bool reaches(int radix, int rounds, int rest)
{
    int64_t product = 1;
    for (int i = 0; i < rounds && product < rest; i++) {
        product *= radix;
    }
    return product >= rest;
}

/*
 * The next factor of `rest` > 1. The first choice is the smallest up to MOST_RADIX whose
 * powers reach `rest` in the fewest rounds; the second choice the largest up to
 * MOST_RADIX; the third the smallest factor of all.
 */
static int choose_factor(int rest)
{
    const int rounds = count_rounds(rest);
    int largest = 1;
    for (int radix = 2; radix <= MOST_RADIX; radix++) {
        if (rest % radix == 0) {
            largest = radix;
            if (reaches(radix, rounds, rest)) {
                break;
            }
        }
    }
    if (largest > 1) {
        return largest;
    }
    int radix = MOST_RADIX + 1;
    while (radix <= rest / radix && rest % radix != 0) {
        radix++;
    }
    return rest % radix == 0 ? radix : rest;
}

/* Finds factors with the product `size`, none for 1. Returns their number: at most 30, as
 * each is at least 2. */
static int choose_factors(int size, int *factors)
{
    int count = 0;
    for (int rest = size; rest > 1; rest /= factors[count++]) {
        factors[count] = choose_factor(rest);
    }
    return count;
}

/* ---- Positions ---- */

/* Owners are the positions that take part in all rounds, numbered without the others. */
typedef struct layout {
    int size;
    int owners;                         /* product of the factors */
    int groups;                         /* of round 0; their positions are contiguous */
    int nfactors;                       /* >= 1 */
    int factors[COMPOSITE_MAX_FACTORS]; /* [nfactors] */
    int strides[COMPOSITE_MAX_FACTORS]; /* [nfactors]: owners whose images each owner has
                                           merged when a round begins */
} layout;

static layout make_layout(const composite_problem *problem,
                          const composite_params *params)
{
    layout all = {.size = problem->size, .owners = problem->size};
    if (params->nfactors > 0) {
        for (int i = 0; i < params->nfactors; i++) {
            all.factors[i] = params->factors[i];
        }
        all.nfactors = params->nfactors;
    } else {
        all.owners = find_smooth(problem->size);
        all.nfactors = choose_factors(all.owners, all.factors);
    }
    if (all.nfactors == 0) {
        all.factors[all.nfactors++] = 1;
    }
    all.groups = all.owners / all.factors[0];
    all.strides[0] = 1;
    for (int i = 1; i < all.nfactors; i++) {
        all.strides[i] = all.strides[i - 1] * all.factors[i - 1];
    }
    return all;
}

/* First position of a group of round 0, which has its owners, then the remaining
 * positions; for group `groups` the end of all. */
static int group_begin(const layout *all, int group)
{
    return (int)composite_share_begin(all->size, all->groups, group);
}

/* The position of an owner; for owner `owners` the end of all. */
static int find_position(const layout *all, int owner)
{
    const int radix = all->factors[0];
    return group_begin(all, owner / radix) + owner % radix;
}

/* ---- Rounds ---- */

/* The message of round 0, without pixels, from one member of the group that begins at
 * `first` to another. */
static composite_op make_first_op(int first, int src, int dst)
{
    return (composite_op){.src = first + src,
                          .dst = first + dst,
                          .run0 = first + src,
                          .run1 = first + src + 1};
}

/* Visits round 0 of member `me` of a group. */
static int visit_first_round(const layout *all, int group, int me, composite_range image,
                             composite_visit *visit, void *context)
{
    const int first = group_begin(all, group);
    const int members = group_begin(all, group + 1) - first;
    const int owners = all->factors[0];
    int ended = 0;
    for (int step = 0; step < members - 1 && !ended; step++) {
        int dst = composite_outward_send(members, me, step);
        int src = composite_outward(members, me, step);
        if (dst < owners) {
            ended = composite_visit_range(make_first_op(first, me, dst),
                                          composite_share(image, owners, dst), visit,
                                          context);
        }
        if (me < owners && !ended) {
            ended =
                composite_visit_range(make_first_op(first, src, me),
                                      composite_share(image, owners, me), visit, context);
        }
    }
    return ended;
}

/* The message of a later round between two owners, without pixels. Its run includes the
 * remaining positions among those whose images src has merged. */
static composite_op make_op(const layout *all, int round, int src, int dst)
{
    const int stride = all->strides[round];
    const int first = src / stride * stride;
    return (composite_op){.round = round,
                          .src = find_position(all, src),
                          .dst = find_position(all, dst),
                          .run0 = find_position(all, first),
                          .run1 = find_position(all, first + stride)};
}

/* The digit in which an owner differs from the others of its group of a round. */
static int find_digit(const layout *all, int round, int owner)
{
    return owner / all->strides[round] % all->factors[round];
}

/* Visits a later round of an owner that holds `range` when it begins. */
static int visit_round(const layout *all, int round, int owner, composite_range range,
                       composite_visit *visit, void *context)
{
    const int radix = all->factors[round];
    const int stride = all->strides[round];
    const int digit = find_digit(all, round, owner);
    const int first = owner - digit * stride;
    const composite_range kept = composite_share(range, radix, digit);
    int ended = 0;
    for (int step = 0; step < radix - 1 && !ended; step++) {
        int to = composite_outward_send(radix, digit, step);
        int from = composite_outward(radix, digit, step);
        ended = composite_visit_range(make_op(all, round, owner, first + to * stride),
                                      composite_share(range, radix, to), visit, context);
        if (!ended) {
            ended = composite_visit_range(
                make_op(all, round, first + from * stride, owner), kept, visit, context);
        }
    }
    return ended;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    const layout all = make_layout(problem, params);
    const int group = composite_share_find(all.size, all.groups, position);
    const int me = position - group_begin(&all, group);
    composite_range range = {0, problem->pixels};
    int ended = problem->first_round <= 0
                    ? visit_first_round(&all, group, me, range, visit, context)
                    : 0;
    const int owners = all.factors[0];
    if (ended || me >= owners) {
        return ended;
    }
    const int owner = group * owners + me;
    range = composite_share(range, owners, me);
    for (int round = 1; round < all.nfactors && !ended; round++) {
        if (round >= problem->first_round) {
            ended = visit_round(&all, round, owner, range, visit, context);
        }
        range =
            composite_share(range, all.factors[round], find_digit(&all, round, owner));
    }
    return ended;
}

/* ---- Parameters ---- */

/* Writes "[4, 3]". */
static void print_factors(char *text, size_t size, const int *factors, int count)
{
    size_t used = (size_t)snprintf(text, size, "[");
    for (int i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%d", i > 0 ? ", " : "",
                                 factors[i]);
    }
    if (used < size) {
        snprintf(text + used, size - used, "]");
    }
}

/* Reports impossible factors, for more than one position. */
static status fail_factors(const composite_problem *problem,
                           const composite_params *params, const char *fault)
{
    char given[512];
    char example[512];
    int factors[COMPOSITE_MAX_FACTORS];
    print_factors(given, sizeof given, params->factors, params->nfactors);
    print_factors(example, sizeof example, factors,
                  choose_factors(problem->size, factors));
    return base_fail(STATUS_USAGE,
                     "%s: the factors %s %s, but there are %d ranks: give factors of "
                     "at least 2 whose product is %d, for example %s, or leave them out",
                     composite_radix_k.name, given, fault, problem->size, problem->size,
                     example);
}

/* One position has no rounds: its factors are none, or [1]. */
static status check_single(const composite_params *params)
{
    if (params->nfactors == 1 && params->factors[0] == 1) {
        return STATUS_OK;
    }
    char given[512];
    print_factors(given, sizeof given, params->factors, params->nfactors);
    return base_fail(STATUS_USAGE,
                     "%s: the factors are %s, but there is one rank only: leave them out",
                     composite_radix_k.name, given);
}

/* The factors of more than one position are at least 2 and have its number as product. */
static status check_factors(const composite_problem *problem,
                            const composite_params *params)
{
    int64_t product = 1;
    for (int i = 0; i < params->nfactors; i++) {
        if (params->factors[i] < 2) {
            return fail_factors(problem, params, "have one below 2");
        }
        /* A product above INT_MAX is too large already; so it stays below 2^62. */
        product = product <= INT_MAX ? product * params->factors[i] : product;
    }
    if (product == problem->size) {
        return STATUS_OK;
    }
    char fault[64] = "have a product of 2^31 or more";
    if (product <= INT_MAX) {
        snprintf(fault, sizeof fault, "have the product %lld", (long long)product);
    }
    return fail_factors(problem, params, fault);
}

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    const char *name = composite_radix_k.name;
    status s = composite_params_reject_except(name, params, COMPOSITE_HAS_FACTORS);
    if (s != STATUS_OK || params->nfactors == 0) {
        return s;
    }
    if (params->nfactors < 0 || params->nfactors > COMPOSITE_MAX_FACTORS) {
        return base_fail(STATUS_USAGE,
                         "%s: there are %d factors: give 1 to %d, or leave them out",
                         name, params->nfactors, COMPOSITE_MAX_FACTORS);
    }
    return problem->size == 1 ? check_single(params) : check_factors(problem, params);
}

static void choose_params(const composite_problem *problem, composite_params *params)
{
    if (params->nfactors == 0) {
        params->nfactors = choose_factors(find_smooth(problem->size), params->factors);
    }
}

const composite_algorithm composite_radix_k = {
    .name = "radix-k",
    .summary = "direct-send within small groups, one digit of the position per round",
    .source = "Peterka, Goodell, Ross, Shen, Thakur 2009",
    .check_params = check_params,
    .choose_params = choose_params,
    .generate = generate,
};
