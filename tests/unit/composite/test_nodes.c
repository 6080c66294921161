/* Schedules for several nodes: every algorithm, wrapped, is proved for teams of all
 * kinds. A pixel of a node's image crosses its link no more often than the algorithm
 * says. */
#include "composite/check.h"
#include "composite/finished.h"
#include "composite/links.h"
#include "composite/nodes.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

enum { MOST_POSITIONS = 40, PIXELS = 4801 };

static const composite_params no_params;

static composite_nodes find_nodes(int size, const int *node)
{
    composite_nodes nodes = {0};
    assert_int_equal(composite_nodes_find(size, node, &nodes), STATUS_OK);
    return nodes;
}

static void neighbours_on_a_node_form_a_team(void **state)
{
    (void)state;
    const int node[] = {4, 4, 4, 2, 2, 4, 0};
    composite_nodes nodes = find_nodes(7, node);
    const int begin[] = {0, 3, 5, 6, 7}, of_team[] = {4, 2, 4, 0};
    assert_int_equal(nodes.count, 4);
    assert_int_equal(nodes.most_node, 4);
    assert_memory_equal(nodes.begin, begin, sizeof begin);
    assert_memory_equal(nodes.node, of_team, sizeof of_team);
    for (int position = 0; position < 7; position++) {
        assert_in_range(position, begin[nodes.team[position]],
                        begin[nodes.team[position] + 1] - 1);
    }
    assert_int_equal(nodes.slices, 6);
    const int other_node[] = {4, 4, 4, 2, 2, 2, 0};
    composite_nodes again = find_nodes(7, node), other = find_nodes(7, other_node);
    assert_true(composite_nodes_are_same(&nodes, &again));
    assert_false(composite_nodes_are_same(&nodes, &other));
    composite_nodes_clear(&other);
    composite_nodes_clear(&again);
    composite_nodes_clear(&nodes);
}

/* ---- Proofs ------------------------------------------------------------------------ */

static void prove(const composite_algorithm *algorithm, const composite_problem *problem)
{
    if (composite_schedule_check(algorithm, problem, &no_params, NULL) != STATUS_OK) {
        fail_msg("%s, %d positions in %d teams, %d slices: %s", algorithm->name,
                 problem->size, problem->nodes->count, problem->nodes->slices,
                 base_fail_message());
    }
}

static void prove_all(int size, const int *node, uint64_t *random)
{
    composite_nodes nodes = find_nodes(size, node);
    composite_problem problem = {.size = size,
                                 .pixels = 1 + random_below(random, PIXELS),
                                 .op = (composite_operator)random_below(random, 2),
                                 .root = random_below(random, size),
                                 .nodes = &nodes};
    problem.gather_bytes = random_below(random, 1 + COMPOSITE_PIXEL_BYTES);
    if (random_below(random, 2)) {
        for (int band = 0; band < COMPOSITE_BANDS; band++) {
            problem.cuts.before[band + 1] =
                problem.cuts.before[band] + random_below(random, 9);
        }
    }
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        prove(algorithm, &problem);
    }
    composite_nodes_clear(&nodes);
}

/* Nodes of 1 to 8 ranks in blocks. */
static int deal_in_blocks(uint64_t *random, int *node)
{
    const int nodes = 1 + random_below(random, 6);
    int size = 0;
    for (int n = 0; n < nodes; n++) {
        const int ranks = 1 + random_below(random, 8);
        for (int rank = 0; rank < ranks && size < MOST_POSITIONS; rank++) {
            node[size++] = n;
        }
    }
    return size;
}

static void every_algorithm_is_proved_on_ragged_nodes(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int trial = 0; trial < 60; trial++) {
        int node[MOST_POSITIONS];
        const int size = deal_in_blocks(&random, node);
        prove_all(size, node, &random);
    }
}

static void every_algorithm_is_proved_for_ranks_dealt_round_robin(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int nodes = 1; nodes <= 8; nodes++) {
        for (int size = nodes; size <= 24; size += nodes) {
            int node[MOST_POSITIONS];
            for (int position = 0; position < size; position++) {
                node[position] = position % nodes;
            }
            prove_all(size, node, &random);
        }
    }
}

static void every_algorithm_is_proved_for_nodes_in_any_order(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int trial = 0; trial < 60; trial++) {
        int node[MOST_POSITIONS];
        const int size = 1 + random_below(&random, MOST_POSITIONS);
        for (int position = 0; position < size; position++) {
            const bool stays = position > 0 && random_below(&random, 3) > 0;
            node[position] = stays ? node[position - 1] : random_below(&random, 5);
        }
        prove_all(size, node, &random);
    }
}

/* ---- Links ------------------------------------------------------------------------- */

typedef struct traffic {
    const composite_nodes *nodes;
    int position;
    int64_t out[MOST_POSITIONS], in[MOST_POSITIONS]; /* pixels over a node's link */
    int64_t most_by_rank, by_rank; /* pixels that one rank sends over a link */
} traffic;

static int count_traffic(const composite_op *op, void *context)
{
    traffic *t = context;
    const int from = t->nodes->node[t->nodes->team[op->src]];
    const int to = t->nodes->node[t->nodes->team[op->dst]];
    if (op->src == t->position && from != to) {
        t->out[from] += op->npix;
        t->in[to] += op->npix;
        t->by_rank += op->npix;
    }
    return 0;
}

static traffic find_traffic(const char *algorithm, const composite_problem *problem)
{
    traffic t = {.nodes = problem->nodes};
    for (t.position = 0; t.position < problem->size; t.position++) {
        t.by_rank = 0;
        composite_schedule_generate(composite_algorithm_find(algorithm), problem,
                                    &no_params, t.position, count_traffic, &t);
        t.most_by_rank = t.by_rank > t.most_by_rank ? t.by_rank : t.most_by_rank;
    }
    return t;
}

static void each_link_carries_each_pixel_once(void **state)
{
    (void)state;
    const int shapes[][4] = {{4, 4, 0, 0}, {4, 4, 3, 0}, {8, 1, 0, 0}, {2, 3, 5, 7}};
    for (int shape = 0; shape < 4; shape++) {
        int node[MOST_POSITIONS], size = 0, count = 0;
        for (; count < 4 && shapes[shape][count] > 0; count++) {
            for (int rank = 0; rank < shapes[shape][count]; rank++) {
                node[size++] = count;
            }
        }
        composite_nodes nodes = find_nodes(size, node);
        const composite_problem problem = {
            .size = size, .pixels = 100000, .nodes = &nodes};
        const traffic t = find_traffic("direct-send", &problem);
        const int64_t others = problem.pixels - problem.pixels / count;
        const int64_t slack = (int64_t)nodes.slices * count; /* roundings */
        for (int n = 0; n < count; n++) {
            assert_in_range(t.out[n], others - slack, others + slack);
            assert_in_range(t.in[n], others - slack, others + slack);
        }
        composite_nodes_clear(&nodes);
    }
}

static void all_ranks_of_equal_nodes_send_alike(void **state)
{
    (void)state;
    const int node[] = {0, 0, 0, 0, 1, 1, 1, 1};
    composite_nodes nodes = find_nodes(8, node);
    const composite_problem problem = {.size = 8, .pixels = 80000, .nodes = &nodes};
    const char *const names[] = {"direct-send", "radix-k", "binary-swap"};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(find_traffic(names[n], &problem).most_by_rank, 10000);
    }
    composite_nodes_clear(&nodes);
}

/* ---- Gathering --------------------------------------------------------------------- */

enum { GATHERED_PIXELS = 1000 };

typedef struct gathering {
    int root, size;
    int times[GATHERED_PIXELS]; /* that each pixel goes to the root */
    int64_t messages, pixels;
} gathering;

static int gather_op(const composite_op *op, void *context)
{
    gathering *all = context;
    assert_int_equal(op->dst, all->root);
    assert_int_not_equal(op->src, all->root);
    assert_int_equal(op->run0, 0);
    assert_int_equal(op->run1, all->size);
    for (int64_t pixel = op->pix0; pixel < op->pix0 + op->npix; pixel++) {
        all->times[pixel]++;
    }
    all->messages++;
    all->pixels += op->npix;
    return 0;
}

static gathering gather(const composite_algorithm *algorithm,
                        const composite_problem *problem)
{
    gathering all = {.root = problem->root, .size = problem->size};
    for (int position = 0; position < problem->size; position++) {
        assert_int_equal(composite_finished_visit(algorithm, problem, &no_params,
                                                  position, gather_op, &all),
                         STATUS_OK);
    }
    return all;
}

/* The root keeps its own pixels; those of the others reach it once, by as many messages
 * as the summary says, and over as many links as they cross. */
static void finished_pixels_go_to_the_root_once(void **state)
{
    (void)state;
    const int node[] = {0, 0, 0, 1, 1, 2, 2, 2, 2};
    composite_nodes nodes = find_nodes(9, node);
    const composite_problem problem = {.size = 9,
                                       .pixels = GATHERED_PIXELS,
                                       .root = 4,
                                       .gather_bytes = 3,
                                       .nodes = &nodes};
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        const gathering all = gather(algorithm, &problem);
        composite_schedule_summary sum;
        composite_link links[3];
        for (int pixel = 0; pixel < GATHERED_PIXELS; pixel++) {
            assert_in_range(all.times[pixel], 0, 1);
        }
        assert_int_equal(composite_schedule_check(algorithm, &problem, &no_params, &sum),
                         STATUS_OK);
        assert_int_equal(sum.gather_messages, all.messages);
        assert_int_equal(sum.gather_pixels, all.pixels);
        assert_int_equal(
            composite_links_count(algorithm, &problem, &no_params, &nodes, links),
            STATUS_OK);
        assert_int_equal(links[1].delivered, links[0].gathered + links[2].gathered);
        assert_in_range(links[1].delivered, 0, all.pixels);
    }
    composite_nodes_clear(&nodes);
}

static void what_the_root_has_is_not_gathered(void **state)
{
    (void)state;
    composite_problem problem = {
        .size = 5, .pixels = GATHERED_PIXELS, .root = 2, .gather_bytes = 16};
    const composite_algorithm *direct = composite_algorithm_find("direct-send");
    /* Floats: the root owns nothing (direct_send.c). */
    assert_int_equal(gather(direct, &problem).pixels, GATHERED_PIXELS);
    assert_int_equal(gather(composite_algorithm_find("tree"), &problem).messages, 0);
    problem.gather_bytes = 0;
    assert_int_equal(gather(direct, &problem).messages, 0);
}

/* ---- Parameters -------------------------------------------------------------------- */

static void parameters_are_those_among_teams(void **state)
{
    (void)state;
    const int node[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5};
    composite_nodes nodes = find_nodes(12, node);
    const composite_problem problem = {.size = 12, .pixels = 960, .nodes = &nodes};
    const composite_algorithm *radix_k = composite_algorithm_find("radix-k");
    const composite_params among_teams = {.nfactors = 2, .factors = {3, 2}};
    const composite_params among_ranks = {.nfactors = 2, .factors = {4, 3}};
    assert_int_equal(composite_schedule_check(radix_k, &problem, &among_teams, NULL),
                     STATUS_OK);
    assert_int_equal(composite_schedule_check_params(radix_k, &problem, &among_ranks),
                     STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "6 teams"));
    base_fail_set_message("");
    composite_nodes_clear(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_on_a_node_form_a_team),
        cmocka_unit_test(every_algorithm_is_proved_on_ragged_nodes),
        cmocka_unit_test(every_algorithm_is_proved_for_ranks_dealt_round_robin),
        cmocka_unit_test(every_algorithm_is_proved_for_nodes_in_any_order),
        cmocka_unit_test(each_link_carries_each_pixel_once),
        cmocka_unit_test(all_ranks_of_equal_nodes_send_alike),
        cmocka_unit_test(finished_pixels_go_to_the_root_once),
        cmocka_unit_test(what_the_root_has_is_not_gathered),
        cmocka_unit_test(parameters_are_those_among_teams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
