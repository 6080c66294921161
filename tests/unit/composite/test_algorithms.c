/* Properties of each compositing algorithm alone: its parameters, and the messages,
 * rounds and pieces that its paper states. */
#include "streams.h"

#include "composite/algorithms/algorithms.h"
#include "composite/ledger.h"

#include <math.h>

static const composite_params no_params;

/* ---- Equal shares and orders ---- */

static void shares_are_equal_and_exact_for_the_largest_images(void **state)
{
    (void)state;
    const int64_t totals[] = {0, 1, 5, 131071, ((int64_t)1 << 40) + 12345, INT64_MAX};
    const int pieces[] = {1, 2, 7, 1000, 131072, INT32_MAX};
    for (int t = 0; t < 6; t++) {
        for (int p = 0; p < 6; p++) {
            const int64_t total = totals[t];
            const int n = pieces[p];
            assert_int_equal(composite_share_begin(total, n, 0), 0);
            assert_int_equal(composite_share_begin(total, n, n), total);
            for (int k = 0; k < 50; k++) {
                const int i = (int)((int64_t)n * k / 50);
                int64_t begin = composite_share_begin(total, n, i);
                int64_t end = composite_share_begin(total, n, i + 1);
                assert_in_range(end - begin - total / n, 0, 1);
                if (end > begin) {
                    assert_int_equal(composite_share_find(total, n, begin), i);
                    assert_int_equal(composite_share_find(total, n, end - 1), i);
                }
            }
        }
    }
}

static void merging_goes_outward_and_sending_mirrors_it(void **state)
{
    (void)state;
    const int merged[] = {1, 3, 0, 4, 5};
    const int sent[] = {3, 1, 4, 0, 5};
    for (int step = 0; step < 5; step++) {
        assert_int_equal(composite_outward(6, 2, step), merged[step]);
        assert_int_equal(composite_outward_send(6, 2, step), sent[step]);
    }
    for (int step = 0; step < 5; step++) {
        assert_int_equal(composite_outward(6, 0, step), 1 + step);
        assert_int_equal(composite_outward(6, 5, step), 4 - step);
    }
}

/* The k-th message that a position receives comes from sources[k]. */
static void expect_sources(const char *name, const composite_problem *problem,
                           const composite_params *params, int position, int round,
                           const int *sources, int count)
{
    stream all = stream_read(name, problem, params, position);
    int received = 0;
    for (int64_t i = 0; i < all.count; i++) {
        if (all.ops[i].dst == position && all.ops[i].round == round) {
            assert_true(received < count);
            assert_int_equal(all.ops[i].src, sources[received++]);
        }
    }
    assert_int_equal(received, count);
    free(all.ops);
}

static void direct_send_and_serial_merge_their_neighbours_first(void **state)
{
    (void)state;
    const composite_problem problem = {6,     600,  COMPOSITE_OVER, 2, 0,
                                       {{0}}, NULL, NULL,           0};
    const int sources[] = {1, 3, 0, 4, 5};
    expect_sources("direct-send", &problem, &no_params, 2, 0, sources, 5);
    expect_sources("serial", &problem, &no_params, 2, 0, sources, 5);
    const composite_problem nearest = {6,    600, COMPOSITE_NEAREST, 2, 0, {{0}}, NULL,
                                       NULL, 0};
    expect_sources("direct-send", &nearest, &no_params, 2, 0, sources, 5);
}

static void tod_tree_merges_the_longer_side_of_a_locality_first(void **state)
{
    (void)state;
    const composite_problem problem = {12,    600,  COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    const composite_params params = {.group = 6};
    const int of_first_half[] = {9, 10, 11, 7, 6};
    const int of_second_half[] = {8, 7, 6, 10, 11};
    expect_sources("tod-tree", &problem, &params, 8, 0, of_first_half, 5);
    expect_sources("tod-tree", &problem, &params, 9, 0, of_second_half, 5);
}

/* ---- Algorithms that are special cases of others ---- */

/* Both yield the same ops in the same order, but for the number of the first round. */
static void expect_same(const composite_problem *problem, const char *a_name,
                        const composite_params *a_params, const char *b_name,
                        const composite_params *b_params, int rounds_later)
{
    for (int position = 0; position < problem->size; position++) {
        stream a = stream_read(a_name, problem, a_params, position);
        stream b = stream_read(b_name, problem, b_params, position);
        assert_int_equal(a.count, b.count);
        for (int64_t i = 0; i < a.count; i++) {
            a.ops[i].round += rounds_later;
            if (!same_op(&a.ops[i], &b.ops[i])) {
                fail_msg("%s and %s, %d positions: op %d of position %d differs", a_name,
                         b_name, problem->size, (int)i, position);
            }
        }
        free(a.ops);
        free(b.ops);
    }
}

static void radix_k_with_one_factor_is_direct_send(void **state)
{
    (void)state;
    for (int size = 2; size <= 30; size++) {
        const composite_problem problem = {size,  1009, COMPOSITE_OVER, 0, 0,
                                           {{0}}, NULL, NULL,           0};
        const composite_params params = {.nfactors = 1, .factors = {size}};
        expect_same(&problem, "radix-k", &params, "direct-send", &no_params, 0);
    }
}

static void radix_k_with_factors_2_is_binary_swap(void **state)
{
    (void)state;
    composite_params params = {0};
    for (int size = 2; size <= 256; size *= 2) {
        params.factors[params.nfactors++] = 2;
        const composite_problem problem = {size,  1009, COMPOSITE_OVER, 0, 0,
                                           {{0}}, NULL, NULL,           0};
        expect_same(&problem, "radix-k", &params, "binary-swap", &no_params, 1);
    }
}

static void swap_2_3_of_a_power_of_two_is_binary_swap(void **state)
{
    (void)state;
    for (int size = 1; size <= 256; size *= 2) {
        const composite_problem problem = {size,  256 * 5, COMPOSITE_OVER, 0, 0,
                                           {{0}}, NULL,    NULL,           0};
        expect_same(&problem, "2-3-swap", &no_params, "binary-swap", &no_params, 1);
    }
}

static void a_tree_of_one_round_is_serial(void **state)
{
    (void)state;
    for (int size = 2; size <= 20; size++) {
        const composite_problem problem = {size,  100,  COMPOSITE_OVER, size / 3, 0,
                                           {{0}}, NULL, NULL,           0};
        const int fan_ins[] = {size, size + 1, INT32_MAX};
        for (int i = 0; i < 3; i++) {
            const composite_params params = {.fan_in = fan_ins[i]};
            expect_same(&problem, "tree", &params, "serial", &no_params, 0);
        }
    }
}

static void tod_tree_with_localities_of_one_is_a_tree(void **state)
{
    (void)state;
    for (int size = 1; size <= 40; size++) {
        const composite_problem problem = {size,  100,  COMPOSITE_OVER, size / 3, 0,
                                           {{0}}, NULL, NULL,           0};
        const composite_params tree = {.fan_in = 3};
        const composite_params localities = {.group = 1, .fan_in = 3};
        expect_same(&problem, "tree", &tree, "tod-tree", &localities, 1);
    }
}

/* ---- All parameters give right schedules ---- */

/* Ordered vectors of factors of `rest`, each from 2 to `most`: every n-th is proved. */
typedef struct factor_walk {
    int size, most, every;
    int count; /* vectors so far */
    composite_params params;
} factor_walk;

static void expect_factors_right(factor_walk *walk)
{
    if (walk->count++ % walk->every != 0) {
        return;
    }
    const int64_t pixels[] = {4099, 61, (int64_t)1 << 40};
    const composite_problem problem = {walk->size,
                                       pixels[walk->count % 3],
                                       walk->count % 4 == 3 ? COMPOSITE_NEAREST
                                                            : COMPOSITE_OVER,
                                       0,
                                       0,
                                       {{0}},
                                       NULL,
                                       NULL,
                                       0};
    composite_schedule_summary sum;
    expect_right(composite_algorithm_find("radix-k"), &problem, &walk->params, &sum);
    if (problem.pixels < walk->size) {
        return; /* some messages have no pixels */
    }
    int messages = 0;
    for (int i = 0; i < walk->params.nfactors; i++) {
        messages += walk->params.factors[i] - 1;
    }
    assert_int_equal(sum.rounds, walk->params.nfactors);
    assert_int_equal(sum.messages, (int64_t)messages * walk->size);
    assert_int_equal(sum.pixels, (walk->size - 1) * problem.pixels);
}

static void walk_factors(factor_walk *walk, int rest)
{
    if (rest == 1) {
        expect_factors_right(walk);
    }
    for (int factor = 2; factor <= rest && factor <= walk->most; factor++) {
        if (rest % factor == 0) {
            walk->params.factors[walk->params.nfactors++] = factor;
            walk_factors(walk, rest / factor);
            walk->params.nfactors--;
        }
    }
}

static void radix_k_is_right_for_all_factors_of_2_to_64(void **state)
{
    (void)state;
    for (int size = 2; size <= 64; size++) {
        factor_walk walk = {.size = size, .most = size, .every = EVERY};
        walk_factors(&walk, size);
        assert_true(walk.count >= 1);
    }
}

static void radix_k_is_right_for_factors_of_larger_numbers(void **state)
{
    (void)state;
    /* As many vectors as [every] leaves, of 76 to 401. */
    const int sizes[] = {72, 96, 100, 121, 128, 144, 210, 256, 360, 1000, 1024};
    const int every[] = {1, 3, 1, 1, 2, 5, 3, 5, 31, 29, 37};
    for (int i = 0; i < 11; i++) {
        factor_walk walk = {.size = sizes[i], .most = 16, .every = every[i] * EVERY};
        walk_factors(&walk, sizes[i]);
        assert_true(walk.count >= every[i]);
    }
}

static void tree_is_right_for_any_fan_in(void **state)
{
    (void)state;
    for (int size = 1; size <= 130; size += size < 20 ? 1 : EVERY) {
        const int fan_ins[] = {2, 3, 4, 8, size > 1 ? size : 2, INT32_MAX};
        for (int i = 0; i < 6; i++) {
            const composite_params params = {.fan_in = fan_ins[i]};
            for (int root = 0; root < size; root += 1 + size / 4) {
                const composite_problem problem = {
                    size, 100,  i % 2 ? COMPOSITE_OVER : COMPOSITE_NEAREST,
                    root, 0,    {{0}},
                    NULL, NULL, 0};
                composite_schedule_summary sum;
                expect_right(composite_algorithm_find("tree"), &problem, &params, &sum);
                assert_int_equal(sum.messages, size - 1);
            }
        }
    }
}

static void expect_tod_tree_right(int size, int group, int fan_in)
{
    const int64_t pixels[] = {4099, 97, 5};
    const composite_params params = {.group = group, .fan_in = fan_in};
    const composite_problem problem = {size,
                                       pixels[(size + group) % 3],
                                       group % 3 == 1 ? COMPOSITE_NEAREST
                                                      : COMPOSITE_OVER,
                                       (group * 5 + fan_in) % size,
                                       0,
                                       {{0}},
                                       NULL,
                                       NULL,
                                       0};
    expect_right(composite_algorithm_find("tod-tree"), &problem, &params, NULL);
}

static void tod_tree_is_right_for_all_groups(void **state)
{
    (void)state;
    const int fan_ins[] = {0, 2, 3, 4, 8};
    for (int size = 1; size <= 48; size += size < 20 ? 1 : EVERY) {
        for (int group = 1; group <= size; group++) {
            /* All fan-ins where there are few positions, then one for each group. */
            for (int i = 0; i < (size < 20 ? 5 : 1); i++) {
                expect_tod_tree_right(size, group, fan_ins[(i + size + group) % 5]);
            }
        }
    }
    const int sizes[] = {100, 255, 257, 1000, 1024};
    for (int s = 0; s < 5; s++) {
        for (int group = 1; group <= sizes[s] / 2; group = group * 2 + 1) {
            expect_tod_tree_right(sizes[s], group, fan_ins[group % 5]);
        }
    }
}

/* All positions but the owners send whole images, each owner those of the others. */
static void expect_chain_right(int size, int group, int root)
{
    const int64_t pixels = (int64_t)group * 8;
    const composite_params params = {.group = group};
    const composite_problem problem = {size,  pixels, COMPOSITE_OVER, root, 0,
                                       {{0}}, NULL,   NULL,           0};
    composite_schedule_summary sum;
    expect_right(composite_algorithm_find("chain"), &problem, &params, &sum);
    assert_int_equal(sum.pixels, pixels * (size - group) + 8 * group * (group - 1));
    const bool has_both = group == size || (root > 0 && root < size - 1);
    assert_true(!has_both || sum.messages >= size - 1);
    assert_true(sum.messages <= 2 * (size - 1));
}

static void chain_is_right_for_all_groups_and_roots(void **state)
{
    (void)state;
    for (int size = 1; size <= 40; size += size < 12 ? 1 : EVERY) {
        for (int group = 1; group <= size; group++) {
            for (int root = 0; root < size; root += 1 + size / 5) {
                expect_chain_right(size, group, root);
            }
        }
    }
}

/* ---- Pixels of a position in the end ---- */

/* The ledger of one position in the end; the caller clears the ledger. */
static composite_ledger replay(const char *name, const composite_problem *problem,
                               const composite_params *params, int position,
                               composite_memory *memory)
{
    const composite_algorithm *algorithm = composite_algorithm_find(name);
    composite_ledger ledger = {.memory = memory};
    composite_ops ops = {0};
    composite_round_ops round = {0};
    assert_int_equal(
        composite_ops_collect(algorithm, problem, params, position, memory, &ops),
        STATUS_OK);
    assert_int_equal(composite_ledger_start(&ledger, name, problem, position), STATUS_OK);
    bool *in_front = calloc((size_t)ops.receives.count + 1, sizeof *in_front);
    assert_non_null(in_front);
    while (composite_ops_next_round(&ops, &round)) {
        status s = composite_ledger_round(&ledger, ops.sends.items + round.send0,
                                          round.send1 - round.send0,
                                          ops.receives.items + round.receive0,
                                          round.receive1 - round.receive0, in_front);
        assert_int_equal(s, STATUS_OK);
    }
    free(in_front);
    composite_ops_clear(&ops);
    return ledger;
}

/* Pixels that one position holds in the end, all in one piece. */
static int64_t count_final_pixels(const char *name, const composite_problem *problem,
                                  const composite_params *params, int position)
{
    composite_memory memory = {0};
    composite_ledger ledger = replay(name, problem, params, position, &memory);
    assert_true(ledger.held.count <= 1);
    int64_t pixels =
        ledger.held.count ? ledger.held.items[0].pix1 - ledger.held.items[0].pix0 : 0;
    composite_ledger_clear(&ledger);
    return pixels;
}

static void expect_balance(const char *name, int size, int64_t pixels,
                           const composite_params *params, int owners)
{
    const composite_problem problem = {size,  pixels, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL,   NULL,           0};
    int holding = 0;
    for (int position = 0; position < size; position++) {
        int64_t held = count_final_pixels(name, &problem, params, position);
        if (held > 0) {
            assert_in_range(held, pixels / owners, pixels / owners + 1);
            holding++;
        }
    }
    assert_int_equal(holding, owners);
}

/* So that no link carries more than the root's: (n - 1) s + g (1 - s) images come in
 * there, and 1 - s at each of the others. */
static void direct_send_spares_a_root_that_the_picture_comes_to(void **state)
{
    (void)state;
    const int bytes[] = {1, 3, 4, COMPOSITE_PIXEL_BYTES};
    const composite_algorithm *algorithm = composite_algorithm_find("direct-send");
    for (int size = 2; size <= 200; size += size < 20 ? 1 : 9 * EVERY) {
        for (int b = 0; b < 4; b++) {
            const int64_t pixels = (int64_t)1 << 30;
            const composite_problem problem = {
                size, pixels, COMPOSITE_OVER, size / 3, bytes[b], {{0}}, NULL, NULL, 0};
            expect_right(algorithm, &problem, &no_params, NULL);
            const double root =
                (double)count_final_pixels("direct-send", &problem, &no_params, size / 3);
            const double rest = (double)pixels - root;
            const double gathered = bytes[b] / (double)COMPOSITE_PIXEL_BYTES * rest;
            const double in = ((size - 1) * root + gathered) / (double)pixels;
            const double others =
                bytes[b] == COMPOSITE_PIXEL_BYTES ? 1.0 : rest / (double)pixels;
            assert_true(fabs(in - others) < 1e-6);
            /* Images with fewer pixels than positions are right, too. */
            const composite_problem tiny = {
                size, size / 2, COMPOSITE_OVER, size / 3, bytes[b], {{0}}, NULL, NULL, 0};
            expect_right(algorithm, &tiny, &no_params, NULL);
        }
    }
}

static void swaps_leave_pieces_that_differ_by_one_pixel_at_most(void **state)
{
    (void)state;
    for (int size = 1; size <= 70; size += size < 20 ? 1 : EVERY) {
        int power = 1;
        while (2 * power <= size) {
            power *= 2;
        }
        expect_balance("direct-send", size, 1009, &no_params, size);
        expect_balance("2-3-swap", size, 1009, &no_params, size);
        expect_balance("binary-swap", size, 1009, &no_params, power);
    }
    expect_balance("radix-k", 24, 1009,
                   &(composite_params){.nfactors = 3, .factors = {2, 3, 4}}, 24);
    expect_balance("radix-k", 105, 100003,
                   &(composite_params){.nfactors = 3, .factors = {7, 3, 5}}, 105);
    expect_balance("tod-tree", 47, 1009, &(composite_params){.group = 9}, 9);
    expect_balance("chain", 31, 1009, &no_params, 31);
}

static void trees_and_serial_end_at_the_root(void **state)
{
    (void)state;
    const char *const names[] = {"tree", "serial"};
    for (int n = 0; n < 2; n++) {
        for (int root = 0; root < 23; root++) {
            const composite_problem problem = {23,    100,  COMPOSITE_OVER, root, 0,
                                               {{0}}, NULL, NULL,           0};
            assert_int_equal(count_final_pixels(names[n], &problem, &no_params, root),
                             100);
        }
    }
}

static void chain_ends_at_the_root_and_its_neighbours(void **state)
{
    (void)state;
    const composite_params params = {.group = 4};
    for (int root = 0; root < 23; root++) {
        const composite_problem problem = {23,    100,  COMPOSITE_OVER, root, 0,
                                           {{0}}, NULL, NULL,           0};
        const int first = root < 2 ? 0 : root > 21 ? 19 : root - 2;
        for (int position = 0; position < 23; position++) {
            bool owner = position >= first && position < first + 4;
            assert_int_equal(count_final_pixels("chain", &problem, &params, position),
                             owner ? 25 : 0);
        }
    }
}

static void tod_tree_ends_in_the_locality_of_the_root(void **state)
{
    (void)state;
    /* 23 = 4 localities of 5, the last with 3 more. */
    const composite_params params = {.group = 5};
    for (int root = 0; root < 23; root++) {
        const composite_problem problem = {23,    100,  COMPOSITE_OVER, root, 0,
                                           {{0}}, NULL, NULL,           0};
        const int first = root < 20 ? root / 5 * 5 : 15;
        for (int position = 0; position < 23; position++) {
            bool owner = position >= first && position < first + 5;
            assert_int_equal(count_final_pixels("tod-tree", &problem, &params, position),
                             owner ? 20 : 0);
        }
    }
}

/* ---- Messages, rounds and pixels ---- */

/* Messages and pixels that one position sends, and the rounds in which it has messages.
 */
typedef struct tally {
    int messages, rounds;
    int64_t pixels;
} tally;

static tally tally_position(const char *name, const composite_problem *problem,
                            const composite_params *params, int position)
{
    tally sum = {0};
    int last_round = -1;
    stream all = stream_read(name, problem, params, position);
    for (int64_t i = 0; i < all.count; i++) {
        if (all.ops[i].src == position) {
            sum.messages++;
            sum.pixels += all.ops[i].npix;
        }
        sum.rounds += all.ops[i].round != last_round;
        last_round = all.ops[i].round;
    }
    free(all.ops);
    return sum;
}

static void expect_tally(const char *name, const composite_problem *problem,
                         const composite_params *params, int position, tally expected)
{
    tally actual = tally_position(name, problem, params, position);
    assert_int_equal(actual.messages, expected.messages);
    assert_int_equal(actual.rounds, expected.rounds);
    assert_int_equal(actual.pixels, expected.pixels);
}

static void direct_send_sends_every_piece_but_its_own_in_one_round(void **state)
{
    (void)state;
    const composite_problem problem = {12,    1200, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    for (int position = 0; position < 12; position++) {
        expect_tally("direct-send", &problem, &no_params, position, (tally){11, 1, 1100});
    }
}

static void binary_swap_of_a_power_of_two_halves_the_image_in_each_round(void **state)
{
    (void)state;
    const composite_problem problem = {16,    1600, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    for (int position = 0; position < 16; position++) {
        expect_tally("binary-swap", &problem, &no_params, position,
                     (tally){4, 4, 800 + 400 + 200 + 100});
    }
}

static void binary_swap_folds_leftover_positions_into_their_neighbours(void **state)
{
    (void)state;
    /* 6 = 4 groups, of which two are pairs: 1 and 3 give everything away and are done. */
    const composite_problem problem = {6,     1200, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    const tally folded = {1, 1, 1200};
    const tally paired = {2, 3, 600 + 300};
    const tally alone = {2, 2, 600 + 300};
    const tally expected[] = {paired, folded, paired, folded, alone, alone};
    for (int position = 0; position < 6; position++) {
        expect_tally("binary-swap", &problem, &no_params, position, expected[position]);
    }
}

static void radix_k_sends_what_others_own_of_its_piece(void **state)
{
    (void)state;
    const composite_problem problem = {24,    2400, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    const composite_params params = {.nfactors = 3, .factors = {4, 3, 2}};
    for (int position = 0; position < 24; position++) {
        expect_tally("radix-k", &problem, &params, position,
                     (tally){3 + 2 + 1, 3, 3 * 600 + 2 * 200 + 100});
    }
}

static void radix_k_deals_leftover_positions_to_the_groups_of_round_0(void **state)
{
    (void)state;
    /* 13 = 12 + 1 in groups of 4, 4 and 5: the last of all sends, and is done. */
    const composite_problem problem = {13,    1200, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    for (int position = 0; position < 12; position++) {
        expect_tally("radix-k", &problem, &no_params, position,
                     (tally){3 + 2, 2, 3 * 300 + 2 * 100});
    }
    expect_tally("radix-k", &problem, &no_params, 12, (tally){4, 1, 1200});
}

/* Rounds that radix-k takes where it chooses: of factors up to 8, for any size. */
static void radix_k_chooses_few_rounds_for_any_size(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 7, 8, 9, 11, 13, 16, 25, 63, 64, 67, 127, 512, 1000, 1021};
    const int rounds[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 2, 2, 3, 3, 4, 4};
    for (int i = 0; i < 16; i++) {
        const composite_problem problem = {sizes[i], 4096, COMPOSITE_OVER, 0, 0,
                                           {{0}},    NULL, NULL,           0};
        composite_schedule_summary sum;
        expect_right(composite_algorithm_find("radix-k"), &problem, &no_params, &sum);
        assert_int_equal(sum.rounds, rounds[i]);
        assert_true(sum.most_messages <= 2 * 8);
    }
}

static void radix_k_chooses_radices_that_are_alike(void **state)
{
    (void)state;
    /* [4, 3], [4, 4], [6, 4], [8, 4], [6, 4, 3], [8, 4, 4], [8, 5, 5, 5] */
    const int sizes[] = {12, 16, 24, 32, 72, 128, 1000};
    const int messages[] = {3 + 2,     3 + 3,     5 + 3,        7 + 3,
                            5 + 3 + 2, 7 + 3 + 3, 7 + 4 + 4 + 4};
    for (int i = 0; i < 7; i++) {
        const composite_problem problem = {sizes[i], 4096, COMPOSITE_OVER, 0, 0,
                                           {{0}},    NULL, NULL,           0};
        tally actual = tally_position("radix-k", &problem, &no_params, sizes[i] / 2);
        assert_int_equal(actual.messages, messages[i]);
    }
}

static void tod_tree_chooses_groups_that_leave_few_over(void **state)
{
    (void)state;
    const int sizes[] = {1, 13, 20, 21, 24, 25, 32, 34, 36, 37, 240, 1000};
    const int groups[] = {1, 13, 20, 20, 12, 12, 16, 17, 18, 18, 16, 20};
    for (int i = 0; i < 12; i++) {
        expect_balance("tod-tree", sizes[i], 4099, &no_params, groups[i]);
    }
}

static void swap_2_3_has_the_rounds_of_binary_swap_and_few_messages(void **state)
{
    (void)state;
    int rounds = 0;
    for (int size = 1; size <= 300; size += size < 70 ? 1 : 5 * EVERY) {
        while (size >> (rounds + 1)) {
            rounds++;
        }
        const composite_problem problem = {
            size, (int64_t)size * 7, COMPOSITE_OVER, 0, 0, {{0}}, NULL, NULL, 0};
        composite_schedule_summary sum;
        expect_right(composite_algorithm_find("2-3-swap"), &problem, &no_params, &sum);
        assert_int_equal(sum.rounds, rounds);
        assert_true(sum.most_messages <= 8);
        assert_int_equal(sum.pixels, (size - 1) * problem.pixels);
    }
}

static void tod_tree_sends_regions_in_localities_and_up_trees(void **state)
{
    (void)state;
    /* 14 = 3 localities of 4 and 2 left over; 3 localities merge at once. */
    const composite_problem problem = {14,    1200, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    const composite_params params = {.group = 4, .fan_in = 3};
    for (int position = 0; position < 4; position++) {
        expect_tally("tod-tree", &problem, &params, position, (tally){3, 2, 900});
    }
    for (int position = 4; position < 12; position++) {
        expect_tally("tod-tree", &problem, &params, position, (tally){3 + 1, 2, 1200});
    }
    for (int position = 12; position < 14; position++) {
        expect_tally("tod-tree", &problem, &params, position, (tally){4, 1, 1200});
    }
}

/* ---- A hundred thousand positions ---- */

/* The other end of an op yields the same record. */
static void expect_other_end(const char *name, const composite_problem *problem,
                             const composite_params *params, const composite_op *op,
                             int other)
{
    stream all = stream_read(name, problem, params, other);
    bool found = false;
    for (int64_t i = 0; i < all.count && !found; i++) {
        found = same_op(&all.ops[i], op);
    }
    if (!found) {
        fail_msg("%s, %d positions: %d does not know of the message of round %d from %d "
                 "to %d",
                 name, problem->size, other, op->round, op->src, op->dst);
    }
    free(all.ops);
}

/* Both ends of all ops of some positions agree, each has at most `most` ops, and they
 * hold full runs in the end. */
static void expect_streams(const char *name, int size, const composite_params *params,
                           int64_t most)
{
    const composite_problem problem = {
        size, (int64_t)3840 * 2160, COMPOSITE_OVER, size / 3, 0, {{0}}, NULL, NULL, 0};
    const int positions[] = {0, 1, size / 3, size / 2, size - 2, size - 1};
    for (int p = 0; p < 6; p++) {
        const int position = positions[p];
        stream all = stream_read(name, &problem, params, position);
        assert_in_range(all.count, 1, most);
        for (int64_t i = 0; i < all.count; i++) {
            const composite_op *op = &all.ops[i];
            expect_other_end(name, &problem, params, op,
                             op->src == position ? op->dst : op->src);
        }
        free(all.ops);
        composite_memory memory = {0};
        composite_ledger ledger = replay(name, &problem, params, position, &memory);
        for (int64_t i = 0; i < ledger.held.count; i++) {
            assert_int_equal(ledger.held.items[i].run0, 0);
            assert_int_equal(ledger.held.items[i].run1, size);
        }
        composite_ledger_clear(&ledger);
    }
}

static void streams_agree_for_131072_positions(void **state)
{
    (void)state;
    const int size = 1 << 17;
    composite_params twos = {.nfactors = 17};
    for (int i = 0; i < 17; i++) {
        twos.factors[i] = 2;
    }
    expect_streams("binary-swap", size, &no_params, 2 * 17);
    expect_streams("2-3-swap", size, &no_params, 2 * 17);
    expect_streams("radix-k", size, &twos, 2 * 17);
    expect_streams("radix-k", size, &no_params, 2 * (6 * 7));
    expect_streams("tree", size, &no_params, 17);
    expect_streams("tod-tree", size, &no_params, 2 * 15 + 3 * 7);
    expect_streams("chain", size, &no_params, 4);
    /* Of 2^17, in six rounds: 8 and 4. */
    const composite_problem problem = {size,  3840 * 2160, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL,        NULL,           0};
    stream all = stream_read("radix-k", &problem, &no_params, 77);
    assert_int_equal(all.ops[all.count - 1].round, 5);
    free(all.ops);
}

static void streams_agree_for_a_hundred_thousand_and_a_prime_of_positions(void **state)
{
    (void)state;
    const int sizes[] = {100003, 131071};
    for (int i = 0; i < 2; i++) {
        expect_streams("binary-swap", sizes[i], &no_params, 1 + 2 * 16);
        expect_streams("2-3-swap", sizes[i], &no_params, 8 * 16);
        expect_streams("radix-k", sizes[i], &no_params, 2 * 8 * 6);
        expect_streams("tree", sizes[i], &no_params, 17);
        expect_streams("tod-tree", sizes[i], &no_params, 2 * 40 + 3 * 7);
    }
}

/* ---- Factors that cannot be ---- */

static void expect_refused_factors(int size, const composite_params *params,
                                   const char *sentence)
{
    const composite_problem problem = {size,  100,  COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    base_fail_set_message("");
    status s = composite_algorithm_find("radix-k")->check_params(&problem, params);
    assert_int_equal(s, STATUS_USAGE);
    assert_string_equal(base_fail_message(), sentence);
}

static void factors_that_do_not_fit_are_refused_with_some_that_do(void **state)
{
    (void)state;
    expect_refused_factors(
        12, &(composite_params){.nfactors = 2, .factors = {4, 4}},
        "radix-k: the factors [4, 4] have the product 16, but there are 12 ranks: "
        "give factors of at least 2 whose product is 12, for example [4, 3], or leave "
        "them out");
    expect_refused_factors(
        286, &(composite_params){.nfactors = 1, .factors = {287}},
        "radix-k: the factors [287] have the product 287, but there are 286 ranks: "
        "give factors of at least 2 whose product is 286, for example [2, 11, 13], or "
        "leave them out");
    expect_refused_factors(
        12, &(composite_params){.nfactors = 3, .factors = {4, 1, 3}},
        "radix-k: the factors [4, 1, 3] have one below 2, but there are 12 ranks: "
        "give factors of at least 2 whose product is 12, for example [4, 3], or leave "
        "them out");
    expect_refused_factors(
        13, &(composite_params){.nfactors = 2, .factors = {-13, -1}},
        "radix-k: the factors [-13, -1] have one below 2, but there are 13 ranks: "
        "give factors of at least 2 whose product is 13, for example [13], or leave them "
        "out");
    expect_refused_factors(
        4, &(composite_params){.nfactors = 3, .factors = {INT32_MAX, INT32_MAX, 4}},
        "radix-k: the factors [2147483647, 2147483647, 4] have a product of 2^31 or "
        "more, but there are 4 ranks: give factors of at least 2 whose product is 4, "
        "for example [4], or leave them out");
}

static void as_many_factors_as_there_is_room_for_are_checked(void **state)
{
    (void)state;
    composite_params params = {.nfactors = COMPOSITE_MAX_FACTORS};
    for (int i = 0; i < COMPOSITE_MAX_FACTORS; i++) {
        params.factors[i] = INT32_MIN;
    }
    const composite_problem problem = {4,     100,  COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    const composite_algorithm *radix_k = composite_algorithm_find("radix-k");
    base_fail_set_message("");
    assert_int_equal(radix_k->check_params(&problem, &params), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "for example [4]"));
    params.nfactors = COMPOSITE_MAX_FACTORS + 1;
    expect_refused_factors(4, &params,
                           "radix-k: there are 33 factors: give 1 to 32, or leave them "
                           "out");
    params.nfactors = -1;
    expect_refused_factors(4, &params,
                           "radix-k: there are -1 factors: give 1 to 32, or leave them "
                           "out");
}

static void one_position_needs_no_factors(void **state)
{
    (void)state;
    const composite_problem problem = {1,     100,  COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    const composite_params one = {.nfactors = 1, .factors = {1}};
    expect_right(composite_algorithm_find("radix-k"), &problem, &one, NULL);
    expect_right(composite_algorithm_find("radix-k"), &problem, &no_params, NULL);
    expect_refused_factors(1, &(composite_params){.nfactors = 2, .factors = {1, 1}},
                           "radix-k: the factors are [1, 1], but there is one rank only: "
                           "leave them out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_equal_and_exact_for_the_largest_images),
        cmocka_unit_test(merging_goes_outward_and_sending_mirrors_it),
        cmocka_unit_test(direct_send_and_serial_merge_their_neighbours_first),
        cmocka_unit_test(tod_tree_merges_the_longer_side_of_a_locality_first),
        cmocka_unit_test(radix_k_with_one_factor_is_direct_send),
        cmocka_unit_test(radix_k_with_factors_2_is_binary_swap),
        cmocka_unit_test(swap_2_3_of_a_power_of_two_is_binary_swap),
        cmocka_unit_test(a_tree_of_one_round_is_serial),
        cmocka_unit_test(tod_tree_with_localities_of_one_is_a_tree),
        cmocka_unit_test(radix_k_is_right_for_all_factors_of_2_to_64),
        cmocka_unit_test(radix_k_is_right_for_factors_of_larger_numbers),
        cmocka_unit_test(tree_is_right_for_any_fan_in),
        cmocka_unit_test(tod_tree_is_right_for_all_groups),
        cmocka_unit_test(chain_is_right_for_all_groups_and_roots),
        cmocka_unit_test(direct_send_spares_a_root_that_the_picture_comes_to),
        cmocka_unit_test(swaps_leave_pieces_that_differ_by_one_pixel_at_most),
        cmocka_unit_test(trees_and_serial_end_at_the_root),
        cmocka_unit_test(chain_ends_at_the_root_and_its_neighbours),
        cmocka_unit_test(tod_tree_ends_in_the_locality_of_the_root),
        cmocka_unit_test(direct_send_sends_every_piece_but_its_own_in_one_round),
        cmocka_unit_test(binary_swap_of_a_power_of_two_halves_the_image_in_each_round),
        cmocka_unit_test(binary_swap_folds_leftover_positions_into_their_neighbours),
        cmocka_unit_test(radix_k_sends_what_others_own_of_its_piece),
        cmocka_unit_test(radix_k_deals_leftover_positions_to_the_groups_of_round_0),
        cmocka_unit_test(radix_k_chooses_few_rounds_for_any_size),
        cmocka_unit_test(radix_k_chooses_radices_that_are_alike),
        cmocka_unit_test(tod_tree_chooses_groups_that_leave_few_over),
        cmocka_unit_test(swap_2_3_has_the_rounds_of_binary_swap_and_few_messages),
        cmocka_unit_test(tod_tree_sends_regions_in_localities_and_up_trees),
        cmocka_unit_test(streams_agree_for_131072_positions),
        cmocka_unit_test(streams_agree_for_a_hundred_thousand_and_a_prime_of_positions),
        cmocka_unit_test(factors_that_do_not_fit_are_refused_with_some_that_do),
        cmocka_unit_test(as_many_factors_as_there_is_room_for_are_checked),
        cmocka_unit_test(one_position_needs_no_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
