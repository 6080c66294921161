/* Waits of the executor that the simulator knows. */
#include "composite/rules.h"
#include "messages/model/simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

/* Links on which a byte takes 1 ns. */
static const simulate_machine links = {
    .between = {.beta = 1e-9}, .ports = 1, .receive_ports = 1, .overlaps = true};

/* A simulator with one case. */
typedef struct trial {
    simulate_simulator *sim;
    simulate_case of;
    simulate_machine machine;
    simulate_activity activity;
    composite_nodes nodes;
} trial;

static trial start(const char *algorithm, int size, int64_t pixels)
{
    trial t = {.of = {.algorithm = composite_algorithm_find(algorithm),
                      .problem = {.size = size, .pixels = pixels}},
               .machine = links};
    assert_non_null(t.of.algorithm);
    assert_int_equal(simulate_create(&t.sim), STATUS_OK);
    return t;
}

static void end(trial *t)
{
    simulate_destroy(&t->sim);
    simulate_activity_clear(&t->activity);
    composite_nodes_clear(&t->nodes);
}

static simulate_result run(trial *t)
{
    simulate_result result;
    if (simulate_run(t->sim, &t->of, &t->machine, &result) != STATUS_OK) {
        fail_msg("%s: %s", t->of.algorithm->name, base_fail_message());
    }
    return result;
}

static void expect(double actual, double expected, double tolerance, const char *what)
{
    if (!(fabs(actual - expected) <= tolerance * fabs(expected) + 1e-15)) {
        fail_msg("%s: expected %.12g s, got %.12g s", what, expected, actual);
    }
}

/* Position 0 is a second late, and covers the upper half alone. So position 1, which owns
 * the lower half, has merged all before. */
static void nobody_waits_for_empty_messages(void **state)
{
    (void)state;
    const double late[] = {1, 0};
    for (int mixed = 0; mixed < 2; mixed++) {
        trial t = start("direct-send", 2, 64 * 64);
        assert_int_equal(simulate_activity_create(64, 64, 2, &t.activity), STATUS_OK);
        const pixel_rect upper = {0, 0, 64, 32}, all = {0, 0, 64, 64};
        simulate_activity_rectangle(&t.activity, 0, upper, 64 * 32);
        simulate_activity_rectangle(&t.activity, 1, all, 64 * 64);
        simulate_activity_finish(&t.activity);
        t.of.activity = &t.activity;
        t.of.late = late;
        t.of.segment = 64 * 8;
        t.machine.is_mixed = mixed;
        const simulate_result result = run(&t);
        expect(result.ranks[0].finish, 1, 1e-3, "the late position");
        assert_true(result.ranks[1].finish < 1e-3);
        end(&t);
    }
}

/* Position 0 has no active pixel in the half that it sends, and sends none of it.
 * Position 1 sends a half of which a quarter is active: 8 rows, or all 32. */
static void raw_messages_have_the_bytes_of_all_pixels(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    const double expected[] = {8 * SIDE * 16 + 8 * 8, 32 * SIDE * 16};
    for (int n = 0; n < COMPOSITE_ENCODINGS; n++) {
        trial t = start("direct-send", 2, SIDE * SIDE);
        const pixel_rect upper = {0, 0, SIDE, 16}, inner = {0, 8, SIDE, 16};
        assert_int_equal(simulate_activity_create(SIDE, SIDE, 2, &t.activity), STATUS_OK);
        simulate_activity_rectangle(&t.activity, 0, upper, SIDE * 16);
        simulate_activity_rectangle(&t.activity, 1, inner, SIDE * 8);
        simulate_activity_finish(&t.activity);
        t.of.activity = &t.activity;
        t.of.encoding = (composite_encoding)n;
        const simulate_result result = run(&t);
        expect(result.bytes, expected[n], 1e-9, composite_encoding_names[n]);
        end(&t);
    }
}

/* Counts the messages from position 1 to 2 that begin in the first second. */
static void count_early(const simulate_event *event, void *context)
{
    int *count = context;
    *count += event->kind == SIMULATE_EVENT_SEND && event->position == 1 &&
              event->peer == 2 && event->begin < 1;
}

/* Position 3 is a second late. The root, 0, is alone; 1, 2 and 3 own 8 segments each. 1
 * merges its first one when 3 has come, and sends its third segment to 2 after that. If
 * pieces stay where they are, each of the four has 6 segments, and none of them waits. */
static void unfinished_pixels_leave_by_stages(void **state)
{
    (void)state;
    const double late[] = {0, 0, 0, 1};
    const int gather_bytes[] = {COMPOSITE_PIXEL_BYTES, 0};
    const int expected[] = {COMPOSITE_STAGES_AHEAD, 6};
    for (int i = 0; i < 2; i++) {
        int count = 0;
        trial t = start("direct-send", 4, 24 * 512);
        t.of.problem.gather_bytes = gather_bytes[i];
        t.of.late = late;
        t.of.segment = 512;
        t.of.visit = count_early;
        t.of.context = &count;
        t.machine.is_mixed = true;
        run(&t);
        assert_int_equal(count, expected[i]);
        end(&t);
    }
}

/* Five ranks take three steps, before the first pixel and after the last one. */
static void ranks_agree_before_and_after(void **state)
{
    (void)state;
    static const int together[] = {0, 0, 0, 0, 0};
    trial t = start("tree", 5, 1000);
    const double alone = run(&t).seconds;
    t.machine.agree = 1e-3;
    const simulate_result both = run(&t);
    expect(both.seconds, alone + 6e-3, 1e-9, "both");
    expect(both.merged, alone + 3e-3, 1e-9, "merged after the first");
    t.of.has_begun = true;
    expect(run(&t).seconds, alone + 3e-3, 1e-9, "the last one");
    assert_int_equal(composite_nodes_find(5, together, &t.nodes), STATUS_OK);
    t.of.nodes = &t.nodes;
    expect(run(&t).seconds, 0, 0, "without messages");
    end(&t);
}

/* Two nodes of four ranks: each rank reads a quarter of three images. */
static void bytes_of_a_node_take_time(void **state)
{
    (void)state;
    static const int node[] = {0, 0, 0, 0, 1, 1, 1, 1};
    for (int mixed = 0; mixed < 2; mixed++) {
        trial t = start("direct-send", 8, 1 << 16);
        const double picture = 16 * (double)t.of.problem.pixels;
        t.machine.within.beta = 1e-9;
        t.machine.is_mixed = mixed;
        t.of.nodes = t.of.problem.nodes = &t.nodes;
        assert_int_equal(composite_nodes_find(8, node, &t.nodes), STATUS_OK);
        expect(run(&t).rounds[0].finish, 0.75e-9 * picture, 1e-6, "within a node");
        t.machine.within.latency = 1e-3;
        expect(run(&t).rounds[0].finish, 1e-3 + 0.75e-9 * picture, 1e-6, "with latency");
        end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_for_empty_messages),
        cmocka_unit_test(raw_messages_have_the_bytes_of_all_pixels),
        cmocka_unit_test(bytes_of_a_node_take_time),
        cmocka_unit_test(unfinished_pixels_leave_by_stages),
        cmocka_unit_test(ranks_agree_before_and_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
