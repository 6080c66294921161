/* Messages and costs of collectives against those of a paper. C. Atala, M. Morrison, G.
 * Ballard, "Visualizing MPI collective communication", figure 5: 8 ranks, 8 elements. */
#include "messages/collective/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static collective_schedule schedule;
static collective_walker *walker;

static const collective_algorithm *find(const char *operation, const char *algorithm)
{
    const collective_algorithm *found =
        collective_algorithm_find(collective_operation_find(operation), algorithm);
    assert_non_null(found);
    return found;
}

static void collect(const char *operation, const char *algorithm,
                    collective_problem problem)
{
    assert_int_equal(
        collective_schedule_collect(find(operation, algorithm), &problem, &schedule),
        STATUS_OK);
}

static collective_machine machine_of(double alpha, double beta, double gamma, int ports)
{
    return (collective_machine){
        .alpha = alpha, .beta = beta, .gamma = gamma, .ports = ports};
}

/* Lists a round as "0>1:8 1>3:8 ", by senders. */
static void expect_round(int round, const char *expected)
{
    char text[400] = "";
    size_t used = 0;
    for (int rank = 0; rank < schedule.problem.size; rank++) {
        for (int64_t i = schedule.begin[rank]; i < schedule.begin[rank + 1]; i++) {
            const collective_op *op = &schedule.ops[i];
            if (op->src == rank && op->round == round) {
                used +=
                    (size_t)snprintf(text + used, sizeof text - used,
                                     "%d>%d:%" PRId64 " ", op->src, op->dst, op->count);
            }
        }
    }
    assert_string_equal(text, expected);
}

static collective_times walk(const collective_machine *machine, const double *late)
{
    collective_times times;
    assert_int_equal(collective_walk(walker, &schedule, machine, late, &times),
                     STATUS_OK);
    return times;
}

static void expect_cost(collective_cost cost, int64_t alpha, int64_t beta, int64_t gamma)
{
    assert_int_equal(cost.alpha, alpha);
    assert_int_equal(cost.beta, beta);
    assert_int_equal(cost.gamma, gamma);
}

static void a_binomial_broadcast_sends_the_messages_of_figure_5(void **state)
{
    (void)state;
    collect("broadcast", "binomial", (collective_problem){8, 8, 0, 0});
    expect_round(0, "0>1:8 ");
    expect_round(1, "0>2:8 1>3:8 ");
    expect_round(2, "0>4:8 1>5:8 2>6:8 3>7:8 ");
    expect_round(3, "");
}

static void scatter_and_allgather_send_the_messages_of_figure_5(void **state)
{
    (void)state;
    collect("broadcast", "scatter-allgather", (collective_problem){8, 8, 0, 0});
    expect_round(0, "0>4:4 ");
    expect_round(1, "0>2:2 4>6:2 ");
    expect_round(2, "0>1:1 2>3:1 4>5:1 6>7:1 ");
    expect_round(3, "0>1:1 1>0:1 2>3:1 3>2:1 4>5:1 5>4:1 6>7:1 7>6:1 ");
    expect_round(4, "0>2:2 1>3:2 2>0:2 3>1:2 4>6:2 5>7:2 6>4:2 7>5:2 ");
    expect_round(5, "0>4:4 1>5:4 2>6:4 3>7:4 4>0:4 5>1:4 6>2:4 7>3:4 ");
    expect_round(6, "");
}

static void their_costs_are_those_of_the_paper(void **state)
{
    (void)state;
    const collective_problem problem = {8, 8, 0, 0};
    const collective_machine machine = machine_of(3, 0.5, 0, 1);
    expect_cost(collective_cost_of(find("broadcast", "binomial"), &problem), 3, 24, 0);
    collect("broadcast", "binomial", problem);
    expect_cost(walk(&machine, NULL).cost, 3, 24, 0);
    assert_true(walk(&machine, NULL).seconds == 3 * 3 + 24 * 0.5);
    expect_cost(collective_cost_of(find("broadcast", "scatter-allgather"), &problem), 6,
                14, 0);
    collect("broadcast", "scatter-allgather", problem);
    expect_cost(walk(&machine, NULL).cost, 6, 14, 0);
    assert_true(walk(&machine, NULL).seconds == 6 * 3 + 14 * 0.5);
}

/* 3 alpha + 24 beta = 6 alpha + 14 beta where alpha = 10/3 beta. */
static void they_cross_where_alpha_is_ten_thirds_of_beta(void **state)
{
    (void)state;
    const collective_problem problem = {8, 8, 0, 0};
    const double alphas[] = {9.99, 10, 10.01};
    for (int i = 0; i < 3; i++) {
        const collective_machine machine = machine_of(alphas[i], 3, 0, 1);
        collect("broadcast", "binomial", problem);
        const double binomial = walk(&machine, NULL).seconds;
        collect("broadcast", "scatter-allgather", problem);
        const double both = walk(&machine, NULL).seconds;
        assert_int_equal(i - 1, (both > binomial + 1e-9) - (both < binomial - 1e-9));
    }
}

static void the_fastest_algorithm_changes_at_the_crossover(void **state)
{
    (void)state;
    const collective_problem problem = {8, 1, 0, 0};
    const collective_machine machine = machine_of(1000, 1, 0, 1);
    collective_range_of_counts ranges[COLLECTIVE_MOST_CROSSOVERS];
    int nranges;
    assert_int_equal(collective_crossovers(walker, collective_operation_find("broadcast"),
                                           &problem, &machine, ranges, &nranges),
                     STATUS_OK);
    assert_int_equal(nranges, 2);
    assert_string_equal(ranges[0].algorithm->name, "binomial");
    assert_string_equal(ranges[1].algorithm->name, "scatter-allgather");
    /* 3 alpha + 3 n beta = 6 alpha + 2 (7/8) n beta: n = 2400. */
    assert_in_range(ranges[1].count, 2395, 2410);
}

/* ---- Ports and late ranks -----------------------------------------------------------
 */

static void ports_share_the_messages_of_a_sequential_broadcast(void **state)
{
    (void)state;
    const collective_machine one = machine_of(1, 1, 0, 1), three = machine_of(1, 1, 0, 3);
    collect("broadcast", "sequential", (collective_problem){7, 4, 2, 0});
    assert_true(walk(&one, NULL).seconds == 6 * 5);
    assert_true(walk(&three, NULL).seconds == 2 * 5);
}

static void a_late_leaf_holds_nobody_up_and_a_late_root_all(void **state)
{
    (void)state;
    const collective_machine machine = machine_of(1, 0, 0, 1);
    double late[8] = {0};
    collect("broadcast", "binomial", (collective_problem){8, 1, 0, 0});
    late[7] = 2.5;
    assert_true(walk(&machine, late).seconds == 3);
    late[7] = 5;
    assert_true(walk(&machine, late).seconds == 5);
    late[7] = 0;
    late[0] = 5;
    const collective_times times = walk(&machine, late);
    assert_true(times.seconds == 8 && times.begin == 5);
}

static void the_critical_path_is_a_chain_of_messages(void **state)
{
    (void)state;
    const collective_machine machine = machine_of(1, 1, 1, 1);
    collect("reduce", "binomial", (collective_problem){8, 2, 3, 0});
    const collective_times times = walk(&machine, NULL);
    assert_int_equal(times.npath, 3);
    for (int64_t i = 1; i < times.npath; i++) {
        const collective_message *before = &times.messages[times.path[i - 1]];
        const collective_message *after = &times.messages[times.path[i]];
        assert_true(before->dst == after->src || before->dst == after->dst);
        assert_true(before->is_critical && after->is_critical);
        assert_true(before->done <= after->done);
    }
    assert_int_equal(times.messages[times.path[2]].dst, 3);
    expect_cost(times.cost, 3, 6, 6);
}

/* For powers of two no message waits for another one at a port, so the path explains the
 * whole time. Times that no float holds exactly must not cut the path. */
static void the_critical_path_explains_the_whole_time(void **state)
{
    (void)state;
    const collective_machine machine = collective_machine_usual();
    const collective_algorithm *algorithm;
    for (int n = 0; (algorithm = collective_algorithm_at(n)); n++) {
        for (int size = 2; size <= 16; size *= 2) {
            const collective_problem problem = {size, (int64_t)512 * size, 0, 0};
            assert_int_equal(collective_schedule_collect(algorithm, &problem, &schedule),
                             STATUS_OK);
            const collective_times times = walk(&machine, NULL);
            const double explained = (double)times.cost.alpha * machine.alpha +
                                     (double)times.cost.beta * machine.beta +
                                     (double)times.cost.gamma * machine.gamma;
            if (!(explained > times.seconds * (1 - 1e-9) &&
                  explained < times.seconds * (1 + 1e-9))) {
                fail_msg("%s %s on %d ranks takes %g s, but its path explains %g s",
                         algorithm->operation->name, algorithm->name, size, times.seconds,
                         explained);
            }
        }
    }
}

static void the_root_combines_what_it_gathered_by_itself(void **state)
{
    (void)state;
    const collective_machine machine = machine_of(1, 1, 1, 1);
    collect("reduce", "gather-op", (collective_problem){4, 3, 1, 0});
    const collective_times times = walk(&machine, NULL);
    const collective_message *last = &times.messages[times.count - 1];
    assert_int_equal(last->src, last->dst);
    assert_int_equal(last->combined, 9);
    expect_cost(times.cost, 2, 9, 9);
}

/* ---- Nodes ------------------------------------------------------------------------- */

/* Ranks 0 to 3, 4 to 7 and 8 to 10 lie on three nodes. */
static composite_nodes three_nodes(void)
{
    const int node[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
    composite_nodes nodes = {0};
    assert_int_equal(composite_nodes_find(11, node, &nodes), STATUS_OK);
    return nodes;
}

static void ranks_of_a_node_share_its_port_and_read_each_other_in_place(void **state)
{
    (void)state;
    composite_nodes nodes = three_nodes();
    collective_machine machine = machine_of(10, 1, 0, 1);
    machine.near_alpha = 1;
    machine.nodes = &nodes;
    collect("broadcast", "binomial", (collective_problem){11, 5, 0, 0});
    const collective_times times = walk(&machine, NULL);
    /* 0, 1, 2 and 3 send to 4, 5, 6 and 7, then 0, 1 and 2 to 8, 9 and 10: one after
     * another, while the node's own messages take no port. */
    expect_cost(times.cost, 7, 35, 0);
    expect_cost(times.near, 0, 0, 0);
    assert_true(times.seconds == 7 * 15);
    assert_true(times.messages[0].is_near && times.messages[0].done == 1);
    machine.ports = 4;
    assert_true(walk(&machine, NULL).seconds == 2 + 2 * 15);
    composite_nodes_clear(&nodes);
}

static void within_one_node_a_reader_pays_alone(void **state)
{
    (void)state;
    const int node[8] = {0};
    composite_nodes nodes = {0};
    assert_int_equal(composite_nodes_find(8, node, &nodes), STATUS_OK);
    collective_machine machine = machine_of(1000, 1000, 1, 1);
    machine.near_alpha = 2;
    machine.near_beta = 3;
    machine.nodes = &nodes;
    collect("reduce", "binomial", (collective_problem){8, 4, 0, 0});
    const collective_times times = walk(&machine, NULL);
    expect_cost(times.cost, 0, 0, 12);
    expect_cost(times.near, 3, 12, 0);
    assert_true(times.seconds == 3 * 2 + 12 * 3 + 12);
    composite_nodes_clear(&nodes);
}

/* Whatever waits at a shared port, waits for a message that the path has. */
static void paths_begin_at_the_beginning_with_nodes_too(void **state)
{
    (void)state;
    composite_nodes nodes = three_nodes();
    collective_machine machine = collective_machine_usual();
    const collective_algorithm *algorithm;
    machine.nodes = &nodes;
    for (int n = 0; (algorithm = collective_algorithm_at(n)); n++) {
        for (int64_t count = 1; count <= 4096; count *= 8) {
            const collective_problem problem = {11, count, 0, 0};
            assert_int_equal(collective_schedule_collect(algorithm, &problem, &schedule),
                             STATUS_OK);
            const collective_times times = walk(&machine, NULL);
            if (times.begin > 1e-15) {
                fail_msg("the path of %s %s with %" PRId64 " elements begins at %g s",
                         algorithm->operation->name, algorithm->name, count, times.begin);
            }
        }
    }
    composite_nodes_clear(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binomial_broadcast_sends_the_messages_of_figure_5),
        cmocka_unit_test(scatter_and_allgather_send_the_messages_of_figure_5),
        cmocka_unit_test(their_costs_are_those_of_the_paper),
        cmocka_unit_test(they_cross_where_alpha_is_ten_thirds_of_beta),
        cmocka_unit_test(the_fastest_algorithm_changes_at_the_crossover),
        cmocka_unit_test(ports_share_the_messages_of_a_sequential_broadcast),
        cmocka_unit_test(a_late_leaf_holds_nobody_up_and_a_late_root_all),
        cmocka_unit_test(the_critical_path_is_a_chain_of_messages),
        cmocka_unit_test(the_critical_path_explains_the_whole_time),
        cmocka_unit_test(the_root_combines_what_it_gathered_by_itself),
        cmocka_unit_test(ranks_of_a_node_share_its_port_and_read_each_other_in_place),
        cmocka_unit_test(within_one_node_a_reader_pays_alone),
        cmocka_unit_test(paths_begin_at_the_beginning_with_nodes_too),
    };
    if (collective_walker_create(&walker) != STATUS_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    collective_walker_destroy(&walker);
    collective_schedule_clear(&schedule);
    return failed;
}
