/* Direct-send around late positions: proved for all sets of late positions of small
 * problems and for random ones of larger problems; a late position owns nothing. */
#include "composite/check.h"
#include "composite/late_positions.h"
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

/* ---- On nodes ---------------------------------------------------------------------- */

/* Proves the schedule of ranks of nodes around late positions. */
static void prove_on_nodes(composite_problem problem, const int *node)
{
    composite_nodes nodes = {0};
    assert_int_equal(
        composite_nodes_find_around(problem.size, node, problem.late, &nodes), STATUS_OK);
    problem.nodes = &nodes;
    prove(&problem);
    composite_nodes_clear(&nodes);
}

static void all_late_positions_on_nodes_are_proved(void **state)
{
    (void)state;
    enum { SIZE = 7, KINDS = 4 };
    static const int nodes[KINDS][SIZE] = {{0, 0, 0, 0, 1, 1, 1},
                                           {0, 0, 1, 1, 2, 2, 2},
                                           {0, 1, 0, 1, 0, 1, 0},
                                           {0, 0, 0, 0, 0, 0, 0}};
    bool late[SIZE];
    for (unsigned set = 0; set < 1u << SIZE; set++) {
        for (int i = 0; i < SIZE; i++) {
            late[i] = set >> i & 1u;
        }
        for (int n = 0; n < KINDS * SIZE; n++) {
            const composite_problem problem = {.size = SIZE,
                                               .pixels = n % 2 ? 61 : 5,
                                               .root = n / KINDS,
                                               .gather_bytes = COMPOSITE_PIXEL_BYTES,
                                               .late = late};
            prove_on_nodes(problem, nodes[n % KINDS]);
        }
    }
}

static void random_ones_on_nodes_are_proved(void **state)
{
    (void)state;
    uint64_t random = 4712;
    bool late[MOST_POSITIONS];
    int node[MOST_POSITIONS];
    for (int n = 0; n < 400; n++) {
        composite_problem problem = {.size = 1 + random_below(&random, MOST_POSITIONS),
                                     .pixels = 1 + random_below(&random, PIXELS),
                                     .op = (composite_operator)random_below(&random, 2),
                                     .gather_bytes = COMPOSITE_PIXEL_BYTES,
                                     .late = late};
        const int ranks = 1 + random_below(&random, 8);
        problem.root = random_below(&random, problem.size);
        for (int i = 0; i < problem.size; i++) {
            late[i] = random_below(&random, 4) == 0;
            node[i] = n % 2 ? i / ranks : random_below(&random, 3);
        }
        prove_on_nodes(problem, node);
    }
}

/* Two nodes of four; two ranks of the second one are late. The others of their node merge
 * without them: each late image is sent once, over the node's link, and so are the images
 * of the two runs of neighbours that are in time. */
static void late_ranks_of_a_node_are_gone_around(void **state)
{
    (void)state;
    const bool late[] = {false, false, false, false, false, true, true, false};
    const int node[] = {0, 0, 0, 0, 1, 1, 1, 1};
    composite_nodes nodes = {0};
    assert_int_equal(composite_nodes_find_around(8, node, late, &nodes), STATUS_OK);
    assert_int_equal(nodes.count, 5);
    const composite_problem problem = {.size = 8,
                                       .pixels = PIXELS,
                                       .gather_bytes = COMPOSITE_PIXEL_BYTES,
                                       .nodes = &nodes,
                                       .late = late};
    for (int position = 4; position < 8; position++) {
        const tally t = tally_of(&problem, position);
        if (late[position]) {
            assert_int_equal(t.sent, PIXELS);
            assert_int_equal(t.received, 0);
        }
    }
    /* The link of node 0 brings the image of 4, or what it merged, that of 7, and the
     * late ones, each once. */
    int64_t received = 0;
    for (int position = 0; position < 4; position++) {
        received += tally_of(&problem, position).received;
    }
    const int64_t inside = 3 * PIXELS; /* direct-send of four within node 0 */
    assert_in_range(received - inside, 4 * PIXELS, 5 * PIXELS);
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
        cmocka_unit_test(all_late_positions_on_nodes_are_proved),
        cmocka_unit_test(random_ones_on_nodes_are_proved),
        cmocka_unit_test(late_ranks_of_a_node_are_gone_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
