/* The checker of collectives against schedules that are broken, each in one way. */
#include "messages/collective/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

enum { BOTH_ENDS, SENDER, RECEIVER };

static collective_schedule schedule;
static const collective_algorithm *algorithm;

static void collect(const char *operation, const char *name, collective_problem problem)
{
    algorithm = collective_algorithm_find(collective_operation_find(operation), name);
    assert_non_null(algorithm);
    assert_int_equal(collective_schedule_collect(algorithm, &problem, &schedule),
                     STATUS_OK);
}

static void expect(const char *sentence)
{
    collective_verdict verdict;
    assert_int_equal(collective_check(algorithm, &schedule, &verdict), STATUS_OK);
    assert_string_equal(verdict.sentence, sentence);
    assert_int_equal(verdict.is_right, sentence[0] == '\0');
}

/* The op of a message in the stream of a rank. */
static int64_t find(int rank, int src, int dst)
{
    for (int64_t i = schedule.begin[rank]; i < schedule.begin[rank + 1]; i++) {
        if (schedule.ops[i].src == src && schedule.ops[i].dst == dst) {
            return i;
        }
    }
    fail_msg("there is no message %d→%d", src, dst);
    return -1;
}

static void take_out(int rank, int64_t at)
{
    for (int64_t i = at; i + 1 < schedule.count; i++) {
        schedule.ops[i] = schedule.ops[i + 1];
    }
    schedule.count--;
    for (int other = rank + 1; other <= schedule.problem.size; other++) {
        schedule.begin[other]--;
    }
}

static void leave_out(int src, int dst, int seen_by)
{
    if (seen_by != RECEIVER) {
        take_out(src, find(src, src, dst));
    }
    if (seen_by != SENDER) {
        take_out(dst, find(dst, src, dst));
    }
}

/* Changes an op at both ends. */
static collective_op *ends[2];
static void find_ends(int src, int dst)
{
    ends[0] = &schedule.ops[find(src, src, dst)];
    ends[1] = &schedule.ops[find(dst, src, dst)];
}

static void swap_ops(int64_t a, int64_t b)
{
    const collective_op op = schedule.ops[a];
    schedule.ops[a] = schedule.ops[b];
    schedule.ops[b] = op;
}

/* ---- Left out -----------------------------------------------------------------------
 */

static void a_message_that_is_left_out_is_missed(void **state)
{
    (void)state;
    collect("broadcast", "binomial", (collective_problem){8, 8, 0, 0});
    expect("");
    leave_out(1, 3, BOTH_ENDS);
    leave_out(3, 7, BOTH_ENDS);
    expect("rank 3 ends without element 0 of rank 0's input: no message comes from a "
           "rank that has it");
}

static void the_next_rank_has_nothing_to_send(void **state)
{
    (void)state;
    collect("broadcast", "binomial", (collective_problem){8, 8, 0, 0});
    leave_out(1, 3, BOTH_ENDS);
    expect("the message 3→7 in round 2 carries element 0 of rank 0's input, which rank 3 "
           "does not have by then");
}

static void a_message_that_is_cut_off_is_named(void **state)
{
    (void)state;
    collect("broadcast", "binomial", (collective_problem){4, 8, 0, 0});
    find_ends(1, 3);
    ends[0]->count = ends[1]->count = 5;
    expect("rank 3 ends without element 5 of rank 0's input: the message 1→3 in round 1 "
           "does not carry it");
}

static void a_reduction_misses_an_operand(void **state)
{
    (void)state;
    collect("reduce", "binomial", (collective_problem){8, 2, 0, 0});
    leave_out(5, 4, BOTH_ENDS);
    expect("rank 0 ends without element 0 of rank 5's input: no message comes from a "
           "rank that has it");
    collect("allreduce", "ring", (collective_problem){4, 8, 0, 0});
    leave_out(3, 0, BOTH_ENDS);
    collective_verdict verdict;
    assert_int_equal(collective_check(algorithm, &schedule, &verdict), STATUS_OK);
    assert_false(verdict.is_right);
}

static void a_rank_that_nobody_heard_of_breaks_a_barrier(void **state)
{
    (void)state;
    collect("barrier", "dissemination", (collective_problem){4, 0, 0, 0});
    leave_out(0, 1, BOTH_ENDS);
    expect("rank 1 goes on without knowing that rank 0 has come");
}

/* ---- Ends that differ ----------------------------------------------------------------
 */

static void each_receive_needs_its_send(void **state)
{
    (void)state;
    collect("broadcast", "binomial", (collective_problem){8, 8, 0, 0});
    leave_out(1, 3, SENDER);
    expect(
        "rank 3 waits for a message of rank 1 in round 1, but rank 1 does not send it");
    collect("broadcast", "binomial", (collective_problem){8, 8, 0, 0});
    leave_out(1, 3, RECEIVER);
    expect("rank 1 sends to rank 3 in round 1, but rank 3 does not receive it");
    collect("scatter", "binomial", (collective_problem){8, 8, 0, 0});
    schedule.ops[find(4, 0, 4)].count = 3;
    expect("the two ends of the message 0→4 in round 0 differ: one has elements [4, 8), "
           "the other one [4, 7)");
}

/* ---- Another order ------------------------------------------------------------------
 */

static void a_message_in_an_earlier_round_has_no_data(void **state)
{
    (void)state;
    collect("broadcast", "chain", (collective_problem){4, 3, 0, 0});
    find_ends(1, 2);
    ends[0]->round = ends[1]->round = 0;
    swap_ops(find(1, 0, 1), find(1, 1, 2));
    expect("the message 1→2 in round 0 carries element 0 of rank 0's input, which rank 1 "
           "does not have by then");
}

static void two_messages_that_change_places_are_noticed(void **state)
{
    (void)state;
    collect("scatter", "sequential", (collective_problem){4, 8, 0, 0});
    find_ends(0, 1);
    collective_op *one[2] = {ends[0], ends[1]};
    find_ends(0, 2);
    for (int end = 0; end < 2; end++) {
        const int64_t first = one[end]->first;
        one[end]->first = ends[end]->first;
        ends[end]->first = first;
    }
    expect("rank 1 ends without element 2 of rank 0's input: the message 0→1 in round 0 "
           "does not carry it");
}

static void rounds_ascend_at_each_rank(void **state)
{
    (void)state;
    collect("broadcast", "chain", (collective_problem){4, 3, 0, 0});
    swap_ops(find(1, 0, 1), find(1, 1, 2));
    expect("an op of rank 1, the message 0→1 in round 0, comes after one of a later "
           "round");
}

static void a_reduction_that_promises_it_keeps_the_order_of_ranks(void **state)
{
    (void)state;
    collect("reduce", "binary", (collective_problem){3, 1, 0, 0});
    expect("");
    find_ends(1, 0);
    ends[0]->round = ends[1]->round = 1;
    find_ends(2, 0);
    ends[0]->round = ends[1]->round = 0;
    swap_ops(find(0, 1, 0), find(0, 2, 0));
    expect("rank 0 ends with element 0 combined out of the order of ranks: the message "
           "1→0 in round 1 brings operands from between those that are there");
}

/* ---- Twice ---------------------------------------------------------------------------
 */

static void no_operand_is_combined_twice(void **state)
{
    (void)state;
    collect("reduce-scatter", "ring", (collective_problem){3, 3, 0, 0});
    for (int64_t i = 0; i < schedule.count; i++) {
        collective_op *op = &schedule.ops[i];
        op->first = op->round == 1 ? (op->src + 2) % 3 : op->first; /* as in round 0 */
    }
    expect("the message 2→0 in round 1 brings element 1 of rank 2's input, which rank 0 "
           "has already");
    collect("gather", "chain", (collective_problem){3, 3, 0, 0});
    find_ends(1, 0);
    ends[0]->first = ends[1]->first = 0;
    ends[0]->count = ends[1]->count = 3;
    expect("the message 1→0 in round 1 carries element 0 of rank 0's input, which rank 1 "
           "does not have by then");
    collect("allgather", "ring", (collective_problem){3, 3, 0, 0});
    for (int64_t i = 0; i < schedule.count; i++) {
        collective_op *op = &schedule.ops[i];
        op->first = op->round == 1 ? op->src : op->first;
    }
    expect("the message 2→0 in round 1 brings element 2 of rank 2's input, which rank 0 "
           "has already");
}

static void ops_that_are_impossible_are_refused(void **state)
{
    (void)state;
    collect("broadcast", "chain", (collective_problem){4, 3, 0, 0});
    schedule.ops[0].dst = 9;
    expect("an op of rank 0, the message 0→9 in round 0, names a rank that does not "
           "exist");
    schedule.ops[0].dst = 1;
    schedule.ops[0].count = INT64_MAX;
    expect("an op of rank 0, the message 0→1 in round 0, names elements that do not "
           "exist");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_that_is_left_out_is_missed),
        cmocka_unit_test(the_next_rank_has_nothing_to_send),
        cmocka_unit_test(a_message_that_is_cut_off_is_named),
        cmocka_unit_test(a_reduction_misses_an_operand),
        cmocka_unit_test(a_rank_that_nobody_heard_of_breaks_a_barrier),
        cmocka_unit_test(each_receive_needs_its_send),
        cmocka_unit_test(a_message_in_an_earlier_round_has_no_data),
        cmocka_unit_test(two_messages_that_change_places_are_noticed),
        cmocka_unit_test(rounds_ascend_at_each_rank),
        cmocka_unit_test(a_reduction_that_promises_it_keeps_the_order_of_ranks),
        cmocka_unit_test(no_operand_is_combined_twice),
        cmocka_unit_test(ops_that_are_impossible_are_refused),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    collective_schedule_clear(&schedule);
    return failed;
}
