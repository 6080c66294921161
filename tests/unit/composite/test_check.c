/* The checker against schedules that are wrong, each in one way. */
#include "composite/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
/* cmocka.h needs what is above it. */
#include <cmocka.h>
#include <string.h>

enum { BOTH = -1, MOST_LINES = 8 };

/* A schedule written down op by op, each seen by one position or by both ends. */
typedef struct line {
    int seen_by;
    composite_op op;
} line;

typedef struct script {
    int size;
    int64_t pixels;
    composite_operator op;
    line lines[MOST_LINES]; /* up to the first from 0 to 0 without pixels */
} script;

/* What the scripted algorithm plays; generators have no context of their own. */
static const script *played;

static bool is_unused(const line *at)
{
    return at->op.src == 0 && at->op.dst == 0 && at->op.npix == 0;
}

static int play(const composite_problem *problem, const composite_params *params,
                int position, composite_visit *visit, void *context)
{
    (void)problem;
    (void)params;
    for (int i = 0; i < MOST_LINES && !is_unused(&played->lines[i]); i++) {
        const line *at = &played->lines[i];
        bool sees = at->seen_by == BOTH ? at->op.src == position || at->op.dst == position
                                        : at->seen_by == position;
        if (sees && visit(&at->op, context) != 0) {
            return 1;
        }
    }
    return 0;
}

static status accept_params(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

static const composite_algorithm scripted = {.name = "scripted",
                                             .summary = "as written down",
                                             .source = "this test",
                                             .check_params = accept_params,
                                             .generate = play};

static status check(const composite_algorithm *algorithm, int size, int64_t pixels,
                    composite_operator op)
{
    const composite_params params = {0};
    const composite_problem problem = {size, pixels, op};
    base_fail_set_message("");
    return composite_schedule_check(algorithm, &problem, &params);
}

static void expect_fault(status actual, const char *const *fragments)
{
    assert_int_equal(actual, STATUS_INTERNAL);
    for (; *fragments; fragments++) {
        if (!strstr(base_fail_message(), *fragments)) {
            fail_msg("expected a message with \"%s\", actual: \"%s\"", *fragments,
                     base_fail_message());
        }
    }
}

/* Plays a script that must be found wrong, with all these fragments in the message. */
#define EXPECT_FAULT(text, ...)                                                          \
    do {                                                                                 \
        played = (text);                                                                 \
        expect_fault(check(&scripted, played->size, played->pixels, played->op),         \
                     (const char *const[]){__VA_ARGS__, NULL});                          \
    } while (0)

static void a_swap_of_two_is_right(void **state)
{
    (void)state;
    played = &(script){2,
                       100,
                       COMPOSITE_OVER,
                       {{BOTH, {0, 0, 1, 0, 1, 50, 50}}, {BOTH, {0, 1, 0, 1, 2, 0, 50}}}};
    assert_int_equal(check(&scripted, 2, 100, COMPOSITE_OVER), STATUS_OK);
}

static void several_messages_of_a_round_merge_outward_from_what_is_held(void **state)
{
    (void)state;
    played = &(script){4,
                       10,
                       COMPOSITE_OVER,
                       {{BOTH, {0, 0, 2, 0, 1, 0, 10}},
                        {BOTH, {0, 3, 2, 3, 4, 0, 10}},
                        {BOTH, {0, 1, 2, 1, 2, 0, 10}}}};
    assert_int_equal(check(&scripted, 4, 10, COMPOSITE_OVER), STATUS_OK);
}

static void pixels_that_were_given_up_may_come_back(void **state)
{
    (void)state;
    played = &(script){2,
                       10,
                       COMPOSITE_OVER,
                       {{BOTH, {0, 0, 1, 0, 1, 0, 10}}, {BOTH, {1, 1, 0, 0, 2, 3, 4}}}};
    assert_int_equal(check(&scripted, 2, 10, COMPOSITE_OVER), STATUS_OK);
}

/* Binary swap of a power of two, partners far apart first. */
static int swap_high_bit_first(const composite_problem *problem,
                               const composite_params *params, int position,
                               composite_visit *visit, void *context)
{
    (void)params;
    int64_t pix0 = 0;
    int64_t npix = problem->pixels;
    int round = 0;
    int ended = 0;
    for (int bit = problem->size / 2; bit > 0 && !ended; bit /= 2, round++) {
        int partner = position ^ bit;
        bool low = position < partner;
        int64_t half = npix / 2;
        composite_op send = {
            .round = round, .src = position, .dst = partner, .npix = half};
        send.pix0 = low ? pix0 + half : pix0;
        /* The smallest run around all that the position has merged. */
        send.run0 = position % (bit * 2);
        send.run1 = problem->size - 2 * bit + send.run0 + 1;
        composite_op receive = {
            .round = round, .src = partner, .dst = position, .npix = half};
        receive.pix0 = low ? pix0 : pix0 + half;
        receive.run0 = partner % (bit * 2);
        receive.run1 = problem->size - 2 * bit + receive.run0 + 1;
        ended = visit(&send, context) || visit(&receive, context);
        pix0 = receive.pix0;
        npix = half;
    }
    return ended;
}

static const composite_algorithm high_bit_first = {.name = "high-bit-first",
                                                   .summary = "binary swap the wrong way",
                                                   .source = "this test",
                                                   .check_params = accept_params,
                                                   .generate = swap_high_bit_first};

static void swapping_the_high_bit_first_is_wrong_for_over(void **state)
{
    (void)state;
    expect_fault(check(&high_bit_first, 4, 64, COMPOSITE_OVER),
                 (const char *const[]){"high-bit-first", "round 0", "[0, 32)",
                                       "run [2, 3)", "no neighbour", "run [0, 1)", NULL});
}

static void swapping_the_high_bit_first_is_right_for_nearest(void **state)
{
    (void)state;
    assert_int_equal(check(&high_bit_first, 4, 64, COMPOSITE_NEAREST), STATUS_OK);
    assert_int_equal(check(&high_bit_first, 16, 64, COMPOSITE_NEAREST), STATUS_OK);
}

static void a_message_that_is_dropped_at_both_ends_leaves_partial_runs(void **state)
{
    (void)state;
    script text = {2, 100, COMPOSITE_OVER, {{BOTH, {0, 0, 1, 0, 1, 50, 50}}}};
    EXPECT_FAULT(&text, "in the end", "position 0", "[0, 50)", "run [0, 1) of 2",
                 "missing");
}

static void a_message_that_its_receiver_does_not_expect_is_found(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{0, {0, 0, 1, 0, 1, 50, 50}}, {BOTH, {0, 1, 0, 1, 2, 0, 50}}}};
    EXPECT_FAULT(
        &text, "the sender sees (round 0, position 0 to 1, pixels [50, 100), run [0, 1))",
        "the receiver sees no such message");
}

static void a_message_that_nobody_sends_is_found(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{1, {0, 0, 1, 0, 1, 50, 50}}, {BOTH, {0, 1, 0, 1, 2, 0, 50}}}};
    EXPECT_FAULT(&text, "the sender sees no such message", "the receiver sees (round 0");
    text.lines[1].seen_by = 0;
    EXPECT_FAULT(&text, "the sender sees no such message", "the receiver sees (round 0");
}

static void a_doubled_message_is_not_held_the_second_time(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 1, 0, 1, 50, 50}}, {BOTH, {1, 0, 1, 0, 1, 50, 50}}}};
    EXPECT_FAULT(&text, "round 1", "position 0 sends position 1", "[50, 100)",
                 "does not hold when the round begins", "position 0 holds nothing there");
}

static void a_run_that_the_sender_does_not_hold_is_found(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 1, 1, 2, 50, 50}}, {BOTH, {0, 1, 0, 0, 1, 0, 50}}}};
    EXPECT_FAULT(&text, "the run [1, 2), which its sender does not hold",
                 "position 0 holds pixels [0, 100) with the run [0, 1)");
}

static void ends_that_see_different_pixels_runs_or_rounds_are_found(void **state)
{
    (void)state;
    const composite_op right = {0, 0, 1, 0, 1, 50, 50};
    const composite_op wrong[] = {{0, 0, 1, 0, 1, 50, 49},
                                  {0, 0, 1, 0, 1, 49, 50},
                                  {1, 0, 1, 0, 1, 50, 50},
                                  {0, 0, 1, 0, 2, 50, 50},
                                  {0, 0, 1, 1, 2, 50, 50}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        script text = {2, 100, COMPOSITE_OVER, {{0, right}, {1, wrong[i]}}};
        EXPECT_FAULT(&text, "the two ends of a message differ",
                     "pixels [50, 100), run [0, 1))");
    }
}

static void two_positions_that_wait_for_each_other_are_found(void **state)
{
    (void)state;
    /* Each expects the other's message before it sends its own. */
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{0, {0, 1, 0, 1, 2, 0, 50}},
                    {0, {1, 0, 1, 0, 1, 50, 50}},
                    {1, {0, 0, 1, 0, 1, 50, 50}},
                    {1, {1, 1, 0, 1, 2, 0, 50}}}};
    EXPECT_FAULT(&text, "the two ends of a message differ", "sender sees (round 1",
                 "receiver sees (round 0");
}

static void handing_on_what_comes_in_the_same_round_is_found(void **state)
{
    (void)state;
    /* Three in a circle, each to send on what it merges. */
    script text = {3,
                   30,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 1, 0, 1, 0, 30}}, {BOTH, {0, 1, 2, 0, 2, 0, 30}}}};
    EXPECT_FAULT(&text, "position 1 sends position 2", "run [0, 2)",
                 "does not hold when the round begins");
}

static void rounds_that_descend_are_found(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {1, 0, 1, 0, 1, 50, 50}}, {BOTH, {0, 1, 0, 1, 2, 0, 50}}}};
    EXPECT_FAULT(&text, "at position 0", "round 0", "position 1 to 0",
                 "after one of a later round");
}

static void pixels_at_two_positions_are_found(void **state)
{
    (void)state;
    /* The run around 0 and 2 looks whole, but 1 has kept its image. */
    script text = {3, 30, COMPOSITE_NEAREST, {{BOTH, {0, 2, 0, 2, 3, 0, 30}}}};
    EXPECT_FAULT(&text, "in the end", "position 1", "[0, 30)", "run [1, 2) of 3");
    /* Two groups that never meet, each inside the other's gaps. */
    script four = {5,
                   30,
                   COMPOSITE_NEAREST,
                   {{BOTH, {0, 4, 0, 4, 5, 0, 30}},
                    {BOTH, {0, 3, 2, 3, 4, 0, 30}},
                    {BOTH, {0, 1, 2, 1, 2, 0, 30}}}};
    EXPECT_FAULT(&four, "in the end", "position 2", "run [1, 4) of 5");
}

static void records_that_cannot_be_are_found(void **state)
{
    (void)state;
    const struct {
        composite_op op;
        const char *fault;
    } cases[] = {{{0, 0, 2, 0, 1, 0, 5}, "position that does not exist"},
                 {{0, -1, 0, 0, 1, 0, 5}, "position that does not exist"},
                 {{0, 0, 0, 0, 1, 0, 5}, "to itself"},
                 {{0, 0, 1, 0, 1, 0, 0}, "no pixels"},
                 {{0, 0, 1, 0, 1, -1, 5}, "outside the image"},
                 {{0, 0, 1, 0, 1, 96, 5}, "outside the image"},
                 {{0, 0, 1, 1, 1, 0, 5}, "a run that is empty"},
                 {{0, 0, 1, 0, 3, 0, 5}, "names positions that do not exist"},
                 {{0, 0, 1, -1, 1, 0, 5}, "names positions that do not exist"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        script text = {2, 100, COMPOSITE_OVER, {{0, cases[i].op}}};
        EXPECT_FAULT(&text, "at position 0", cases[i].fault);
    }
    script stranger = {3, 100, COMPOSITE_OVER, {{0, {0, 1, 2, 1, 2, 0, 5}}}};
    EXPECT_FAULT(&stranger, "at position 0", "neither leaves nor reaches");
}

static void receiving_pixels_that_are_sent_in_the_same_round_is_found(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 1, 0, 1, 40, 60}}, {BOTH, {0, 1, 0, 1, 2, 0, 41}}}};
    EXPECT_FAULT(&text, "sends position", "sends some in the same round");
}

static void receiving_where_two_runs_are_held_is_found(void **state)
{
    (void)state;
    script text = {3,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 1, 0, 1, 2, 0, 50}}, {BOTH, {1, 2, 0, 2, 3, 0, 100}}}};
    EXPECT_FAULT(&text, "round 1", "position 0 holds pixels [50, 100)",
                 "more than one run");
}

static void different_runs_from_one_sender_in_one_round_are_found(void **state)
{
    (void)state;
    script text = {3,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 2, 1, 2, 3, 0, 50}},
                    {BOTH, {1, 1, 0, 1, 3, 0, 50}},
                    {BOTH, {1, 1, 0, 1, 2, 50, 50}}}};
    EXPECT_FAULT(&text, "one pair in one round", "run [1, 3)", "run [1, 2)");
}

static status refuse_params(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return base_fail(STATUS_USAGE, "no such parameter");
}

static void wrong_parameters_are_the_users_fault(void **state)
{
    (void)state;
    composite_algorithm picky = scripted;
    picky.check_params = refuse_params;
    assert_int_equal(check(&picky, 2, 100, COMPOSITE_OVER), STATUS_USAGE);
    assert_string_equal(base_fail_message(), "no such parameter");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swap_of_two_is_right),
        cmocka_unit_test(several_messages_of_a_round_merge_outward_from_what_is_held),
        cmocka_unit_test(pixels_that_were_given_up_may_come_back),
        cmocka_unit_test(swapping_the_high_bit_first_is_wrong_for_over),
        cmocka_unit_test(swapping_the_high_bit_first_is_right_for_nearest),
        cmocka_unit_test(a_message_that_is_dropped_at_both_ends_leaves_partial_runs),
        cmocka_unit_test(a_message_that_its_receiver_does_not_expect_is_found),
        cmocka_unit_test(a_message_that_nobody_sends_is_found),
        cmocka_unit_test(a_doubled_message_is_not_held_the_second_time),
        cmocka_unit_test(a_run_that_the_sender_does_not_hold_is_found),
        cmocka_unit_test(ends_that_see_different_pixels_runs_or_rounds_are_found),
        cmocka_unit_test(two_positions_that_wait_for_each_other_are_found),
        cmocka_unit_test(handing_on_what_comes_in_the_same_round_is_found),
        cmocka_unit_test(rounds_that_descend_are_found),
        cmocka_unit_test(pixels_at_two_positions_are_found),
        cmocka_unit_test(records_that_cannot_be_are_found),
        cmocka_unit_test(receiving_pixels_that_are_sent_in_the_same_round_is_found),
        cmocka_unit_test(receiving_where_two_runs_are_held_is_found),
        cmocka_unit_test(different_runs_from_one_sender_in_one_round_are_found),
        cmocka_unit_test(wrong_parameters_are_the_users_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
