/* Every algorithm of the registry, for every number of positions up to 200. */
#include "streams.h"

static const composite_params no_params;

/* All combinations of pixels, operator and root. */
static void expect_all_right(const composite_algorithm *algorithm, int size)
{
    const int64_t pixels[] = {0, 1, 7, 97, 4099};
    const composite_operator ops[] = {COMPOSITE_OVER, COMPOSITE_NEAREST};
    const int roots[] = {0, size / 3, size - 1};
    for (size_t p = 0; p < sizeof pixels / sizeof pixels[0]; p++) {
        for (int i = 0; i < 2; i++) {
            for (int r = 0; r < 3; r++) {
                expect_right(
                    algorithm,
                    &(composite_problem){
                        size, pixels[p], ops[i], roots[r], 0, {{0}}, NULL, NULL, 0},
                    &no_params, NULL);
            }
        }
    }
}

/* One combination, another one for each size. */
static void expect_one_right(const composite_algorithm *algorithm, int size)
{
    const int64_t pixels[] = {(int64_t)size - 1, 4099, 97, (int64_t)1 << 40, size, 65536};
    const int roots[] = {size / 2, 0, size - 1, 1, size / 7};
    const composite_problem problem = {size,
                                       pixels[size % 6],
                                       size % 4 == 1 ? COMPOSITE_NEAREST : COMPOSITE_OVER,
                                       roots[size % 5],
                                       0,
                                       {{0}},
                                       NULL,
                                       NULL,
                                       0};
    expect_right(algorithm, &problem, &no_params, NULL);
}

static void every_algorithm_is_right_for_1_to_200_positions(void **state)
{
    (void)state;
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int size = 1; size <= 24; size++) {
            expect_all_right(algorithm, size);
        }
        for (int size = 25; size <= 200; size += EVERY) {
            expect_one_right(algorithm, size);
        }
    }
}

static void every_algorithm_is_right_around_powers_of_two_and_for_1000(void **state)
{
    (void)state;
    const int sizes[] = {255, 256, 257, 1024};
    /* A million messages once is enough for direct-send: 97 pixels have fewer. */
    const composite_problem thousand = {1000,  97,   COMPOSITE_OVER, 500, 0,
                                        {{0}}, NULL, NULL,           0};
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            expect_one_right(algorithm, sizes[i]);
        }
        expect_right(algorithm, &thousand, &no_params, NULL);
        if (strcmp(algorithm->name, "direct-send") != 0) {
            expect_one_right(algorithm, 1000);
        }
    }
}

static void every_algorithm_is_right_for_an_image_of_the_largest_size(void **state)
{
    (void)state;
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        const composite_problem problem = {
            53, ((int64_t)1 << 40) + 1, COMPOSITE_OVER, 31, 0, {{0}}, NULL, NULL, 0};
        expect_right(algorithm, &problem, &no_params, NULL);
    }
}

/* Every message is merged at its end: nothing is moved about only. */
static void every_algorithm_sends_one_image_less_than_there_are(void **state)
{
    (void)state;
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int size = 1; size <= 150; size += size < 20 ? 1 : 5 * EVERY) {
            const composite_problem problem = {size,  3001, COMPOSITE_OVER, size / 2, 0,
                                               {{0}}, NULL, NULL,           0};
            composite_schedule_summary sum;
            expect_right(algorithm, &problem, &no_params, &sum);
            assert_int_equal(sum.pixels, (size - 1) * problem.pixels);
        }
    }
}

static void algorithms_are_found_by_their_unique_names(void **state)
{
    (void)state;
    const char *const names[] = {"direct-send", "binary-swap", "2-3-swap", "radix-k",
                                 "tree",        "tod-tree",    "chain",    "serial"};
    for (int n = 0; n < 8; n++) {
        const composite_algorithm *algorithm = composite_algorithm_at(n);
        assert_non_null(algorithm);
        assert_string_equal(algorithm->name, names[n]);
        assert_ptr_equal(composite_algorithm_find(names[n]), algorithm);
        assert_true(strlen(algorithm->summary) > 0);
        assert_true(strlen(algorithm->source) > 0);
    }
    assert_null(composite_algorithm_at(8));
    assert_null(composite_algorithm_at(-1));
    assert_null(composite_algorithm_find("binary swap"));
    assert_null(composite_algorithm_find(""));
}

/* Visits until `left` is used up. */
static int stop_when_used_up(const composite_op *op, void *context)
{
    (void)op;
    int64_t *left = context;
    return --*left == 0 ? 42 : 0;
}

static void generation_ends_where_the_visitor_says_so(void **state)
{
    (void)state;
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int position = 0; position < 29; position++) {
            const composite_problem problem = {29,    1000, COMPOSITE_OVER, 4, 0,
                                               {{0}}, NULL, NULL,           0};
            stream all = stream_read(algorithm->name, &problem, &no_params, position);
            for (int64_t stop = 1; stop <= all.count; stop++) {
                int64_t left = stop;
                int ended = composite_schedule_generate(
                    algorithm, &problem, &no_params, position, stop_when_used_up, &left);
                assert_int_equal(ended, 42);
                assert_int_equal(left, 0);
            }
            free(all.ops);
        }
    }
}

static void only_messages_before_the_first_round_are_left_out(void **state)
{
    (void)state;
    enum { POSITIONS = 45 };
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int of = 0; of < POSITIONS * 7; of++) {
            composite_problem problem = {POSITIONS, 1000, COMPOSITE_OVER, 4, 0,
                                         {{0}},     NULL, NULL,           0};
            const int position = of / 7;
            stream all = stream_read(algorithm->name, &problem, &no_params, position);
            problem.first_round = of % 7;
            stream late = stream_read(algorithm->name, &problem, &no_params, position);
            const composite_op *end = late.ops + late.count;
            const composite_op *next = late.ops;
            for (int64_t i = 0; i < all.count; i++) {
                while (next < end && next->round < problem.first_round) {
                    next++;
                }
                if (all.ops[i].round >= problem.first_round) {
                    assert_true(next < end && same_op(next, &all.ops[i]));
                    next++;
                }
            }
            assert_ptr_equal(next, end);
            free(all.ops);
            free(late.ops);
        }
    }
}

/* ---- Parameters ---- */

/* check_params must refuse, with all these fragments in the message. */
static void expect_refusal(const char *name, const composite_params *params,
                           const char *const *fragments)
{
    const composite_problem problem = {4,     100,  COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    base_fail_set_message("");
    status s = composite_algorithm_find(name)->check_params(&problem, params);
    if (s != STATUS_USAGE) {
        fail_msg("%s: expected a refusal with \"%s\", actual: status %d", name,
                 fragments[0], (int)s);
    }
    for (; *fragments; fragments++) {
        if (!strstr(base_fail_message(), *fragments)) {
            fail_msg("expected a message with \"%s\", actual: \"%s\"", *fragments,
                     base_fail_message());
        }
    }
}

#define EXPECT_REFUSAL(name, params, ...)                                                \
    expect_refusal((name), (params), (const char *const[]){__VA_ARGS__, NULL})

static void parameters_that_an_algorithm_does_not_have_are_rejected_by_name(void **state)
{
    (void)state;
    const composite_params factors = {.nfactors = 1, .factors = {4}};
    const composite_params group = {.group = 2};
    const composite_params fan_in = {.fan_in = 2};
    const char *const none[] = {"direct-send", "binary-swap", "2-3-swap", "serial"};
    for (int n = 0; n < 4; n++) {
        EXPECT_REFUSAL(none[n], &factors, none[n], "has no parameters: remove 'factors'");
        EXPECT_REFUSAL(none[n], &group, none[n], "has no parameters: remove 'group'");
        EXPECT_REFUSAL(none[n], &fan_in, none[n], "has no parameters: remove 'fan_in'");
    }
    EXPECT_REFUSAL("radix-k", &group, "radix-k", "no parameter but 'factors'",
                   "remove 'group'");
    EXPECT_REFUSAL("radix-k", &fan_in, "radix-k", "remove 'fan_in'");
    EXPECT_REFUSAL("tree", &factors, "tree", "no parameter but 'fan_in'",
                   "remove 'factors'");
    EXPECT_REFUSAL("tree", &group, "tree", "remove 'group'");
    EXPECT_REFUSAL("tod-tree", &factors, "tod-tree",
                   "no parameter but 'group' and 'fan_in'", "remove 'factors'");
    EXPECT_REFUSAL("chain", &fan_in, "chain", "no parameter but 'group'",
                   "remove 'fan_in'");
    const composite_params all = {.nfactors = 1, .group = 2, .fan_in = 2};
    EXPECT_REFUSAL("serial", &all, "remove 'factors' and 'group' and 'fan_in'");
}

static void parameters_out_of_range_are_rejected_with_what_is_possible(void **state)
{
    (void)state;
    const char *const with_fan_in[] = {"tree", "tod-tree"};
    for (int n = 0; n < 2; n++) {
        EXPECT_REFUSAL(with_fan_in[n], &(composite_params){.fan_in = 1}, with_fan_in[n],
                       "fan_in is 1", "give 2 or more");
        EXPECT_REFUSAL(with_fan_in[n], &(composite_params){.fan_in = -3}, with_fan_in[n],
                       "fan_in is -3", "give 2 or more");
    }
    EXPECT_REFUSAL("tod-tree", &(composite_params){.group = 5}, "tod-tree: group is 5",
                   "the 4 ranks", "from 1 to 4");
    EXPECT_REFUSAL("tod-tree", &(composite_params){.group = -1}, "tod-tree: group is -1",
                   "from 1 to 4");
    EXPECT_REFUSAL("chain", &(composite_params){.group = 5}, "chain: group is 5",
                   "the 4 ranks", "from 1 to 4");
    EXPECT_REFUSAL("chain", &(composite_params){.group = -1}, "chain: group is -1",
                   "from 1 to 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_is_right_for_1_to_200_positions),
        cmocka_unit_test(every_algorithm_is_right_around_powers_of_two_and_for_1000),
        cmocka_unit_test(every_algorithm_is_right_for_an_image_of_the_largest_size),
        cmocka_unit_test(every_algorithm_sends_one_image_less_than_there_are),
        cmocka_unit_test(algorithms_are_found_by_their_unique_names),
        cmocka_unit_test(generation_ends_where_the_visitor_says_so),
        cmocka_unit_test(only_messages_before_the_first_round_are_left_out),
        cmocka_unit_test(parameters_that_an_algorithm_does_not_have_are_rejected_by_name),
        cmocka_unit_test(parameters_out_of_range_are_rejected_with_what_is_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
