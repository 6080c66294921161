/* The checker against schedules that are wrong, each in one way. */
#include "composite/check.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
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

/* The script that the scripted algorithm plays; generators have no context of their own.
 */
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
    const composite_problem problem = {size, pixels, op, 0, 0, {{0}}, NULL, NULL, 0};
    base_fail_set_message("");
    return composite_schedule_check(algorithm, &problem, &params, NULL);
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

static void messages_of_a_round_merge_in_the_order_of_their_receiver(void **state)
{
    (void)state;
    played = &(script){4,
                       10,
                       COMPOSITE_OVER,
                       {{BOTH, {0, 1, 2, 1, 2, 0, 10}},
                        {BOTH, {0, 3, 2, 3, 4, 0, 10}},
                        {BOTH, {0, 0, 2, 0, 1, 0, 10}}}};
    assert_int_equal(check(&scripted, 4, 10, COMPOSITE_OVER), STATUS_OK);
    /* 0 before 1, which lies between. */
    script text = {4,
                   10,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 2, 0, 1, 0, 10}},
                    {BOTH, {0, 1, 2, 1, 2, 0, 10}},
                    {BOTH, {0, 3, 2, 3, 4, 0, 10}}}};
    EXPECT_FAULT(&text, "in round 0, position 0 sends position 2", "[0, 10)",
                 "run [0, 1), which is no neighbour",
                 "position 2 holds pixels [0, 10) with the run [2, 3)");
    text.op = COMPOSITE_NEAREST;
    played = &text;
    assert_int_equal(check(&scripted, 4, 10, COMPOSITE_NEAREST), STATUS_OK);
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
        EXPECT_FAULT(&text, "the two ends of a message",
                     wrong[i].round == right.round ? "differ" : "different rounds",
                     "pixels [50, 100), run [0, 1))");
    }
    script text = {3,
                   100,
                   COMPOSITE_OVER,
                   {{1, {0, 1, 2, 1, 2, 0, 100}}, {2, {0, 1, 2, 0, 2, 0, 100}}}};
    EXPECT_FAULT(&text, "the two ends of a message differ", "run [1, 2)", "run [0, 2)");
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
    EXPECT_FAULT(&text, "name different rounds", "wait for each other in a circle",
                 "sender sees (round 1, position 1 to 0",
                 "receiver sees (round 0, position 1 to 0");
}

static void handing_on_what_comes_in_the_same_round_is_found(void **state)
{
    (void)state;
    /* Three in a circle, each sends on the pixels that it merges. */
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

static void what_is_not_direct_is_found(void **state)
{
    (void)state;
    script text = {2,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 1, 0, 1, 50, 50}}, {BOTH, {1, 1, 0, 1, 2, 0, 50}}}};
    composite_algorithm direct = scripted;
    played = &text;
    assert_int_equal(check(&direct, 2, 100, COMPOSITE_OVER), STATUS_OK);
    direct.is_direct = true;
    expect_fault(check(&direct, 2, 100, COMPOSITE_OVER),
                 (const char *const[]){"is direct", "round 1", NULL});
    text.lines[1].op.round = 0;
    assert_int_equal(check(&direct, 2, 100, COMPOSITE_OVER), STATUS_OK);
    script two = {2,
                  100,
                  COMPOSITE_OVER,
                  {{BOTH, {0, 0, 1, 0, 1, 0, 20}},
                   {BOTH, {0, 0, 1, 0, 1, 70, 30}},
                   {BOTH, {0, 1, 0, 1, 2, 20, 50}}}};
    played = &two;
    assert_int_equal(check(&scripted, 2, 100, COMPOSITE_OVER), STATUS_OK);
    expect_fault(check(&direct, 2, 100, COMPOSITE_OVER),
                 (const char *const[]){"is direct", "other pixels", NULL});
}

static void what_is_no_exchange_is_found(void **state)
{
    (void)state;
    script text = {3,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 0, 1, 0, 1, 0, 50}},
                    {BOTH, {0, 2, 1, 2, 3, 50, 50}},
                    {BOTH, {1, 0, 1, 0, 1, 50, 50}},
                    {BOTH, {1, 2, 1, 2, 3, 0, 50}}}};
    composite_algorithm exchange = scripted;
    composite_problem problem = {
        .size = 3, .pixels = 100, .root = 1, .gather_bytes = COMPOSITE_PIXEL_BYTES};
    const composite_params none = {0};
    played = &text;
    assert_int_equal(composite_schedule_check(&exchange, &problem, &none, NULL),
                     STATUS_OK);
    exchange.is_exchange = true;
    base_fail_set_message("");
    expect_fault(composite_schedule_check(&exchange, &problem, &none, NULL),
                 (const char *const[]){"is an exchange", "other pixels", NULL});
    problem.gather_bytes = 3; /* then nothing waits for stages */
    assert_int_equal(composite_schedule_check(&exchange, &problem, &none, NULL),
                     STATUS_OK);
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

static void a_message_may_lie_in_front_of_different_runs(void **state)
{
    (void)state;
    /* 1 has merged 2 into one half of its image when 0 arrives for both halves. */
    played = &(script){3,
                       100,
                       COMPOSITE_OVER,
                       {{BOTH, {0, 2, 1, 2, 3, 0, 50}},
                        {BOTH, {1, 0, 1, 0, 1, 0, 100}},
                        {BOTH, {1, 2, 1, 2, 3, 50, 50}}}};
    assert_int_equal(check(&scripted, 3, 100, COMPOSITE_OVER), STATUS_OK);
}

static void a_message_in_front_of_some_pixels_and_behind_others_is_found(void **state)
{
    (void)state;
    /* 2 holds its own image on the left, and that of 0 on the right: 1 lies between. */
    script text = {4,
                   100,
                   COMPOSITE_OVER,
                   {{BOTH, {0, 2, 3, 2, 3, 50, 50}},
                    {BOTH, {0, 0, 3, 0, 1, 0, 50}},
                    {BOTH, {1, 0, 2, 0, 1, 50, 50}},
                    {BOTH, {2, 1, 2, 1, 2, 0, 100}}}};
    for (int op = COMPOSITE_OVER; op <= COMPOSITE_NEAREST; op++) {
        text.op = (composite_operator)op;
        EXPECT_FAULT(&text, "in round 2, position 1 sends position 2", "[0, 100)",
                     "in front of some and behind other pixels",
                     "position 2 holds pixels [50, 100) with the run [0, 1)");
    }
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

/* ---- more messages than a block of the checker holds ------------------------------ */

enum { MANY = 1 << 21 };

/* Whether position 2 expects the message of 1. */
static bool last_is_expected;

/* 0 sends 1 each pixel by itself, then 1 sends all to 2. */
static int drip(const composite_problem *problem, const composite_params *params,
                int position, composite_visit *visit, void *context)
{
    (void)params;
    int ended = 0;
    for (int64_t pixel = 0; pixel < problem->pixels && position < 2 && !ended; pixel++) {
        const composite_op op = {0, 0, 1, 0, 1, pixel, 1};
        ended = visit(&op, context);
    }
    if (!ended && (position == 1 || (position == 2 && last_is_expected))) {
        const composite_op op = {1, 1, 2, 0, 2, 0, problem->pixels};
        ended = visit(&op, context);
    }
    return ended;
}

static const composite_algorithm dripping = {.name = "dripping",
                                             .summary = "pixel by pixel",
                                             .source = "this test",
                                             .check_params = accept_params,
                                             .generate = drip};

static void ends_are_compared_beyond_the_first_two_million_messages(void **state)
{
    (void)state;
    last_is_expected = true;
    assert_int_equal(check(&dripping, 3, MANY, COMPOSITE_OVER), STATUS_OK);
    last_is_expected = false;
    expect_fault(check(&dripping, 3, MANY, COMPOSITE_OVER),
                 (const char *const[]){"the sender sees (round 1, position 1 to 2",
                                       "the receiver sees no such message", NULL});
}

/* ---- cost of a schedule ----------------------------------------------------------- */

static void assert_summary(composite_schedule_summary actual,
                           composite_schedule_summary expected)
{
    assert_int_equal(actual.rounds, expected.rounds);
    assert_int_equal(actual.messages, expected.messages);
    assert_int_equal(actual.pixels, expected.pixels);
    assert_int_equal(actual.most_sent, expected.most_sent);
    assert_int_equal(actual.most_received, expected.most_received);
    assert_int_equal(actual.most_messages, expected.most_messages);
}

static void a_right_schedule_says_what_it_costs(void **state)
{
    (void)state;
    const composite_params params = {0};
    const composite_problem problem = {4,     100,  COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    composite_schedule_summary sum;
    /* Only rounds with messages count; their numbers do not matter. */
    played = &(script){4,
                       100,
                       COMPOSITE_OVER,
                       {{BOTH, {3, 1, 2, 1, 2, 0, 100}},
                        {BOTH, {3, 3, 2, 3, 4, 0, 40}},
                        {BOTH, {9, 0, 2, 0, 1, 0, 40}},
                        {BOTH, {9, 2, 3, 1, 3, 40, 60}},
                        {BOTH, {2000000000, 0, 3, 0, 1, 40, 60}}}};
    assert_int_equal(composite_schedule_check(&scripted, &problem, &params, &sum),
                     STATUS_OK);
    const composite_schedule_summary expected = {.rounds = 3,
                                                 .messages = 5,
                                                 .pixels = 300,
                                                 .most_sent = 100,
                                                 .most_received = 180,
                                                 .most_messages = 2};
    assert_summary(sum, expected);
    assert_int_equal(composite_schedule_summarize(&scripted, &problem, &params, 5, &sum),
                     STATUS_OK);
    assert_summary(sum, expected);
}

static void counting_ends_where_there_are_too_many_messages(void **state)
{
    (void)state;
    const composite_params params = {0};
    const composite_problem problem = {3,     MANY, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL, NULL,           0};
    composite_schedule_summary sum;
    assert_int_equal(composite_schedule_summarize(&dripping, &problem, &params, 10, &sum),
                     STATUS_OK);
    assert_int_equal(sum.messages, 11);
}

static void more_pixels_than_can_be_counted_are_the_largest_number(void **state)
{
    (void)state;
    const composite_params params = {0};
    const composite_problem problem = {3,     INT64_MAX, COMPOSITE_OVER, 0, 0,
                                       {{0}}, NULL,      NULL,           0};
    composite_schedule_summary sum;
    played = &(script){
        3,
        INT64_MAX,
        COMPOSITE_OVER,
        {{BOTH, {0, 1, 0, 1, 2, 0, INT64_MAX}}, {BOTH, {0, 2, 0, 2, 3, 0, INT64_MAX}}}};
    assert_int_equal(composite_schedule_check(&scripted, &problem, &params, &sum),
                     STATUS_OK);
    assert_int_equal(sum.pixels, INT64_MAX);
    assert_int_equal(sum.most_received, INT64_MAX);
}

static void messages_are_estimated_from_some_positions(void **state)
{
    (void)state;
    const composite_params params = {0};
    const composite_algorithm *direct = composite_algorithm_find("direct-send");
    bool more;
    composite_problem problem = {16, 1000, COMPOSITE_OVER, 0, 0, {{0}}, NULL, NULL, 0};
    assert_int_equal(composite_schedule_estimate(direct, &problem, &params, &more),
                     16 * 15);
    assert_false(more);
    problem = (composite_problem){1000, 1000, COMPOSITE_OVER, 0, 0, {{0}}, NULL, NULL, 0};
    assert_int_equal(composite_schedule_estimate(direct, &problem, &params, &more),
                     1000 * 999);
    assert_false(more);
    problem = (composite_problem){3, MANY, COMPOSITE_OVER, 0, 0, {{0}}, NULL, NULL, 0};
    last_is_expected = true;
    int64_t messages = composite_schedule_estimate(&dripping, &problem, &params, &more);
    assert_true(more);
    assert_true(messages > 100000 && messages < MANY);
}

/* ---- one random change to a right schedule ---------------------------------------- */

enum { MOST_STREAM = 64, MOST_SIZE = 13, CHANGES = 300 };

/* The operations of each position. */
typedef struct table {
    composite_op ops[MOST_SIZE][MOST_STREAM];
    int counts[MOST_SIZE];
} table;

/* The table that the tabled algorithm plays. */
static const table *shown;

static int show(const composite_problem *problem, const composite_params *params,
                int position, composite_visit *visit, void *context)
{
    (void)problem;
    (void)params;
    for (int i = 0; i < shown->counts[position]; i++) {
        if (visit(&shown->ops[position][i], context) != 0) {
            return 1;
        }
    }
    return 0;
}

static const composite_algorithm tabled = {.name = "tabled",
                                           .summary = "as in a table",
                                           .source = "this test",
                                           .check_params = accept_params,
                                           .generate = show};

typedef struct entry {
    table *to;
    int position;
} entry;

static int enter(const composite_op *op, void *context)
{
    entry *at = context;
    int *count = &at->to->counts[at->position];
    assert_true(*count < MOST_STREAM - 1);
    at->to->ops[at->position][(*count)++] = *op;
    return 0;
}

static table make_table(const composite_algorithm *algorithm,
                        const composite_problem *problem)
{
    const composite_params params = {0};
    table all = {0};
    for (int position = 0; position < problem->size; position++) {
        entry at = {&all, position};
        assert_int_equal(composite_schedule_generate(algorithm, problem, &params,
                                                     position, enter, &at),
                         0);
    }
    return all;
}

/* Not 0. */
static int random_step(uint64_t *seed)
{
    int step = 1 + random_below(seed, 3);
    return random_below(seed, 2) ? step : -step;
}

static void remove_op(table *all, int position, int index)
{
    int count = --all->counts[position];
    for (int i = index; i < count; i++) {
        all->ops[position][i] = all->ops[position][i + 1];
    }
}

/* Behind all ops of the same round. */
static void insert_op(table *all, int position, composite_op op)
{
    int index = all->counts[position]++;
    for (; index > 0 && all->ops[position][index - 1].round > op.round; index--) {
        all->ops[position][index] = all->ops[position][index - 1];
    }
    all->ops[position][index] = op;
}

static int find_op(const table *all, int position, const composite_op *op)
{
    for (int i = 0; i < all->counts[position]; i++) {
        const composite_op *at = &all->ops[position][i];
        if (at->round == op->round && at->src == op->src && at->dst == op->dst &&
            at->pix0 == op->pix0) {
            return i;
        }
    }
    fail_msg("expected the op at its other end, actual: none");
    return -1;
}

/* Changes one end: drops the op, doubles it, or changes one number. Never right, as the
 * other end sees it as it was. */
static void change_one_end(table *all, int position, int index, uint64_t *seed)
{
    composite_op *op = &all->ops[position][index];
    switch (random_below(seed, 9)) {
    case 0:
        remove_op(all, position, index);
        break;
    case 1:
        insert_op(all, position, *op);
        break;
    case 2:
        op->round += random_step(seed);
        break;
    case 3:
        op->src += random_step(seed);
        break;
    case 4:
        op->dst += random_step(seed);
        break;
    case 5:
        op->run0 += random_step(seed);
        break;
    case 6:
        op->run1 += random_step(seed);
        break;
    case 7:
        op->pix0 += random_step(seed);
        break;
    default:
        op->npix += random_step(seed);
    }
}

/*
 * Changes both ends of an op whose run is not full. Never right with `over`:
 *   - no other run is held by the sender for these pixels, nor this one by anybody else;
 *   - a pixel that is not sent, or sent too, or to somebody else, is missed at its
 *     receiver, or at its sender. Later messages of that position with the pixel, or the
 *     pixel that it holds in the end, lack the run.
 * The round is left alone: a message may well be early or late and the schedule right.
 */
static void change_both_ends(table *all, int size, int position, int index,
                             uint64_t *seed)
{
    const composite_op op = all->ops[position][index];
    const int peer = op.src == position ? op.dst : op.src;
    composite_op changed = op;
    remove_op(all, position, index);
    remove_op(all, peer, find_op(all, peer, &op));
    switch (random_below(seed, 8)) {
    case 0:
        return;
    case 1: /* twice */
        insert_op(all, op.src, op);
        insert_op(all, op.dst, op);
        break;
    case 2:
        do {
            changed.src = random_below(seed, size);
        } while (changed.src == op.src);
        break;
    case 3:
        do {
            changed.dst = random_below(seed, size);
        } while (changed.dst == op.dst);
        break;
    case 4:
        changed.run0 += random_step(seed);
        break;
    case 5:
        changed.run1 += random_step(seed);
        break;
    case 6:
        changed.pix0 += random_step(seed);
        break;
    default:
        changed.npix += random_step(seed);
    }
    insert_op(all, changed.src, changed);
    if (changed.dst != changed.src) {
        insert_op(all, changed.dst, changed);
    }
}

/* Makes one change to a random op and expects the checker to find it. */
static void expect_found(const composite_algorithm *algorithm,
                         const composite_problem *problem, bool both, uint64_t seed)
{
    const uint64_t first_seed = seed;
    table all = make_table(algorithm, problem);
    shown = &all;
    int position, index;
    composite_op op;
    do {
        position = random_below(&seed, problem->size);
        index = all.counts[position] > 0 ? random_below(&seed, all.counts[position]) : 0;
        op = all.ops[position][index];
    } while (all.counts[position] == 0 ||
             (op.run0 == 0 &&
              op.run1 == problem->size)); /* a finished piece may lie anywhere */
    if (both) {
        change_both_ends(&all, problem->size, position, index, &seed);
    } else {
        change_one_end(&all, position, index, &seed);
    }
    if (check(&tabled, problem->size, problem->pixels, problem->op) != STATUS_INTERNAL ||
        !strstr(base_fail_message(), "the schedule of tabled is wrong: ")) {
        fail_msg("%s, %d positions, %lld pixels, seed %llu: expected a change of the op "
                 "(round %d, %d to %d, run [%d, %d), pixels from %lld, %lld of them), at "
                 "%s, to be found, actual: '%s'",
                 algorithm->name, problem->size, (long long)problem->pixels,
                 (unsigned long long)first_seed, op.round, op.src, op.dst, op.run0,
                 op.run1, (long long)op.pix0, (long long)op.npix,
                 both ? "both ends" : "one end", base_fail_message());
    }
}

static void change_all_algorithms(bool both)
{
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        uint64_t seed = random_start(12345, 0);
        for (int change = 0; change < CHANGES; change++) {
            int size = 2 + random_below(&seed, MOST_SIZE - 1);
            int64_t pixels = 20 + random_below(&seed, 200);
            int root = random_below(&seed, size);
            const composite_problem problem = {size,  pixels, COMPOSITE_OVER, root, 0,
                                               {{0}}, NULL,   NULL,           0};
            table all = make_table(algorithm, &problem);
            shown = &all;
            if (change % 10 == 0) {
                assert_int_equal(check(&tabled, size, pixels, COMPOSITE_OVER), STATUS_OK);
            }
            expect_found(algorithm, &problem, both, seed);
        }
    }
}

static void any_change_to_one_end_is_found(void **state)
{
    (void)state;
    change_all_algorithms(false);
}

static void any_change_to_both_ends_that_must_be_wrong_is_found(void **state)
{
    (void)state;
    change_all_algorithms(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swap_of_two_is_right),
        cmocka_unit_test(messages_of_a_round_merge_in_the_order_of_their_receiver),
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
        cmocka_unit_test(what_is_not_direct_is_found),
        cmocka_unit_test(what_is_no_exchange_is_found),
        cmocka_unit_test(pixels_at_two_positions_are_found),
        cmocka_unit_test(records_that_cannot_be_are_found),
        cmocka_unit_test(receiving_pixels_that_are_sent_in_the_same_round_is_found),
        cmocka_unit_test(a_message_may_lie_in_front_of_different_runs),
        cmocka_unit_test(a_message_in_front_of_some_pixels_and_behind_others_is_found),
        cmocka_unit_test(different_runs_from_one_sender_in_one_round_are_found),
        cmocka_unit_test(wrong_parameters_are_the_users_fault),
        cmocka_unit_test(ends_are_compared_beyond_the_first_two_million_messages),
        cmocka_unit_test(a_right_schedule_says_what_it_costs),
        cmocka_unit_test(counting_ends_where_there_are_too_many_messages),
        cmocka_unit_test(more_pixels_than_can_be_counted_are_the_largest_number),
        cmocka_unit_test(messages_are_estimated_from_some_positions),
        cmocka_unit_test(any_change_to_one_end_is_found),
        cmocka_unit_test(any_change_to_both_ends_that_must_be_wrong_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
