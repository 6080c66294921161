/* Direct-send around late positions: proved for all sets of late positions of small
 * problems and for random ones of larger problems; a late position owns nothing. */
#include "composite/check.h"
#include "composite/late.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

enum { MOST_POSITIONS = 40, PIXELS = 4801 };

static const composite_params no_params;

static void prove(const composite_problem *problem)
{
    if (composite_schedule_check(&composite_around_late, problem, &no_params, NULL) !=
        STATUS_OK) {
        char late[MOST_POSITIONS + 1] = "";
        for (int i = 0; i < problem->size; i++) {
            late[i] = problem->late[i] ? 'L' : '.';
        }
        fail_msg("%d positions, late %s, root %d, %lld pixels, %d bytes to gather: %s",
                 problem->size, late, problem->root, (long long)problem->pixels,
                 problem->gather_bytes, base_fail_message());
    }
}

static void all_late_positions_of_small_problems_are_proved(void **state)
{
    (void)state;
    static const int64_t pixels[] = {1, 2, 61};
    bool late[7];
    for (int size = 1; size <= 7; size++) {
        for (unsigned set = 0; set < 1u << size; set++) {
            for (int i = 0; i < size; i++) {
                late[i] = set >> i & 1u;
            }
            for (int n = 0; n < 3 * size; n++) {
                const composite_problem problem = {.size = size,
                                                   .pixels = pixels[n % 3],
                                                   .root = n / 3,
                                                   .gather_bytes = COMPOSITE_PIXEL_BYTES,
                                                   .late = late};
                prove(&problem);
            }
        }
    }
}

static void random_ones_with_cuts_are_proved(void **state)
{
    (void)state;
    uint64_t random = 4711;
    bool late[MOST_POSITIONS];
    for (int n = 0; n < 300; n++) {
        composite_problem problem = {.size = 1 + random_below(&random, MOST_POSITIONS),
                                     .pixels = 1 + random_below(&random, PIXELS),
                                     .op = (composite_operator)random_below(&random, 2),
                                     .late = late};
        problem.root = random_below(&random, problem.size);
        problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
        const int one_in = 1 + random_below(&random, 9);
        for (int i = 0; i < problem.size; i++) {
            late[i] = random_below(&random, one_in) == 0;
        }
        for (int band = 0; band < COMPOSITE_BANDS && n % 2; band++) {
            problem.cuts.before[band + 1] =
                problem.cuts.before[band] + random_below(&random, 9);
        }
        prove(&problem);
    }
}

/* ---- The late position ------------------------------------------------------------- */

typedef struct tally {
    int position;
    int64_t sent, received; /* pixels */
} tally;

static int count(const composite_op *op, void *context)
{
    tally *t = context;
    t->sent += op->src == t->position ? op->npix : 0;
    t->received += op->dst == t->position ? op->npix : 0;
    return 0;
}

static tally tally_of(const composite_problem *problem, int position)
{
    tally t = {.position = position};
    composite_schedule_generate(&composite_around_late, problem, &no_params, position,
                                count, &t);
    return t;
}

static void a_late_position_sends_its_image_once_and_gets_nothing(void **state)
{
    (void)state;
    const bool late[] = {false, false, false, true, false, false, false, false};
    const composite_problem problem = {
        .size = 8, .pixels = PIXELS, .gather_bytes = COMPOSITE_PIXEL_BYTES, .late = late};
    const tally t = tally_of(&problem, 3);
    assert_int_equal(t.sent, PIXELS);
    assert_int_equal(t.received, 0);
}

/* The merged image of each of the two units, and the late one. */
static void the_root_gets_an_image_of_each_unit(void **state)
{
    (void)state;
    const bool late[] = {false, false, false, true, false, false};
    const composite_problem problem = {.size = 6,
                                       .pixels = PIXELS,
                                       .root = 1,
                                       .gather_bytes = COMPOSITE_PIXEL_BYTES,
                                       .late = late};
    assert_int_equal(tally_of(&problem, 1).received, 3 * PIXELS);
}

/* The merged images in front of a late root and behind it. */
static void a_late_root_gets_the_others_merged(void **state)
{
    (void)state;
    const bool late[] = {false, false, true, false, false, false};
    const composite_problem problem = {.size = 6,
                                       .pixels = PIXELS,
                                       .root = 2,
                                       .gather_bytes = COMPOSITE_PIXEL_BYTES,
                                       .late = late};
    const tally t = tally_of(&problem, 2);
    assert_int_equal(t.received, 2 * PIXELS);
    assert_int_equal(t.sent, 0);
}

static void it_applies_to_unfinished_pixels_of_flat_problems(void **state)
{
    (void)state;
    const bool late[] = {false, true, false, false};
    const bool none[] = {false, false, false, false};
    const int node[] = {0, 0, 1, 1};
    composite_nodes nodes = {0};
    assert_int_equal(composite_nodes_find(4, node, &nodes), STATUS_OK);
    composite_problem problem = {
        .size = 4, .pixels = 100, .gather_bytes = COMPOSITE_PIXEL_BYTES, .late = late};
    assert_true(composite_late_applies(&problem));
    problem.nodes = &nodes;
    assert_false(composite_late_applies(&problem));
    problem.nodes = NULL;
    problem.root = 1;
    assert_true(composite_late_applies(&problem));
    problem.gather_bytes = 3;
    assert_false(composite_late_applies(&problem));
    problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
    problem.late = none;
    assert_false(composite_late_applies(&problem));
    problem.late = NULL;
    assert_false(composite_late_applies(&problem));
    composite_nodes_clear(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_late_positions_of_small_problems_are_proved),
        cmocka_unit_test(random_ones_with_cuts_are_proved),
        cmocka_unit_test(a_late_position_sends_its_image_once_and_gets_nothing),
        cmocka_unit_test(the_root_gets_an_image_of_each_unit),
        cmocka_unit_test(a_late_root_gets_the_others_merged),
        cmocka_unit_test(it_applies_to_unfinished_pixels_of_flat_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
