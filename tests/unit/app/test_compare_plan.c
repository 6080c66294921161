/* Lists of ranks and names, and the cases that follow from them. */
#include "app/compare_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void ranks_are_sorted(void **state)
{
    (void)state;
    compare_plan plan = {0};
    assert_int_equal(compare_plan_read_ranks("8,1,3", &plan), STATUS_OK);
    assert_int_equal(plan.nranks, 3);
    assert_int_equal(plan.ranks[0], 1);
    assert_int_equal(plan.ranks[1], 3);
    assert_int_equal(plan.ranks[2], 8);
}

static void ranks_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const char *const wrong[] = {"",
                                 "0",
                                 "-1",
                                 "1,,2",
                                 "1,",
                                 "two",
                                 "2.5",
                                 "+4",
                                 "1,2,1",
                                 "100001",
                                 " 4",
                                 "4x",
                                 "99999999999999999999"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        compare_plan plan = {0};
        base_fail_set_message("");
        if (compare_plan_read_ranks(wrong[n], &plan) != STATUS_USAGE) {
            fail_msg("expected '%s' to be refused", wrong[n]);
        }
        assert_non_null(strstr(base_fail_message(), "--ranks"));
    }
    base_fail_set_message("");
}

static void names_are_cut_at_commas(void **state)
{
    (void)state;
    compare_names names;
    assert_int_equal(compare_plan_read_names("--x", "tree,radix-k", &names), STATUS_OK);
    assert_int_equal(names.count, 2);
    assert_string_equal(names.at[0], "tree");
    assert_string_equal(names.at[1], "radix-k");
    char many[1000];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    const char *const wrong[] = {"", ",a", "a,", "a,b,a", many};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        assert_int_equal(compare_plan_read_names("--x", wrong[n], &names), STATUS_USAGE);
    }
    base_fail_set_message("");
}

static void where_nothing_is_composited_one_algorithm_runs(void **state)
{
    (void)state;
    compare_plan plan = {0};
    assert_int_equal(compare_plan_read_ranks("1,4", &plan), STATUS_OK);
    assert_int_equal(compare_plan_read_names("-p", "object,screen", &plan.partitions),
                     STATUS_OK);
    assert_int_equal(compare_plan_read_names("-a", "tree,radix-k", &plan.algorithms),
                     STATUS_OK);
    int count;
    compare_case *cases;
    assert_int_equal(compare_plan_cases(&plan, &count, &cases), STATUS_OK);
    assert_int_equal(count, 5);
    const int ranks[] = {1, 4, 4, 1, 4};
    for (int n = 0; n < count; n++) {
        assert_int_equal(cases[n].ranks, ranks[n]);
        assert_string_equal(cases[n].partition, n < 3 ? "object" : "screen");
        assert_string_equal(cases[n].algorithm, n == 2 ? "radix-k" : "tree");
    }
    free(cases);
}

static void names_of_files_tell_cases_apart(void **state)
{
    (void)state;
    compare_plan plan = {.folder = (char *)"/out", .hash = 0xabc};
    const compare_case which = {"object", "radix-k", 4};
    char name[COMPARE_NAME], other[COMPARE_NAME];
    compare_plan_name(&plan, &which, name);
    assert_string_equal(name, "object-radix-k-4-0000000000000abc");
    plan.hash++;
    compare_plan_name(&plan, &which, other);
    assert_string_not_equal(name, other);
    char *path = compare_plan_path(&plan, "runs", name, ".json");
    assert_string_equal(path, "/out/runs/object-radix-k-4-0000000000000abc.json");
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_sorted),
        cmocka_unit_test(ranks_that_cannot_be_are_refused),
        cmocka_unit_test(names_are_cut_at_commas),
        cmocka_unit_test(where_nothing_is_composited_one_algorithm_runs),
        cmocka_unit_test(names_of_files_tell_cases_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
