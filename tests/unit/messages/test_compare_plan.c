/* Lists of ranks and names, and the cases that follow from them. */
#include "messages/compare/partition.h"
#include "messages/compare/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
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
    assert_int_equal(compare_plan_read_projections("as-is", &plan), STATUS_OK);
    assert_false(compare_plan_projects(&plan));
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

static void every_projection_has_all_cases(void **state)
{
    (void)state;
    compare_plan plan = {0};
    assert_int_equal(compare_plan_read_ranks("2", &plan), STATUS_OK);
    assert_int_equal(compare_plan_read_names("-p", "screen-area,object-cost,screen-cost",
                                             &plan.partitions),
                     STATUS_OK);
    assert_int_equal(compare_plan_read_names("-a", "tree,radix-k", &plan.algorithms),
                     STATUS_OK);
    assert_int_equal(compare_plan_read_projections("large,as-is,small", &plan),
                     STATUS_OK);
    assert_true(compare_plan_projects(&plan));
    int count;
    compare_case *cases;
    assert_int_equal(compare_plan_cases(&plan, &count, &cases), STATUS_OK);
    assert_int_equal(count, 3 * 4);
    for (int n = 0; n < count; n++) {
        assert_int_equal(cases[n].projection, n / 4);
        assert_string_equal(cases[n].algorithm, n % 4 == 2 ? "radix-k" : "tree");
    }
    free(cases);
    const char *const wrong[] = {"", "huge", "small,small", "small,", "as-is,Large"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        assert_int_equal(compare_plan_read_projections(wrong[n], &plan), STATUS_USAGE);
        assert_non_null(strstr(base_fail_message(), "--projections"));
        base_fail_set_message("");
    }
}

static void partitions_say_how_they_are_set(void **state)
{
    (void)state;
    assert_string_equal(compare_partition_find("object")->setting, "object");
    assert_string_equal(compare_partition_find("screen-area")->setting,
                        "{kind: screen, balance: area}");
    assert_string_equal(compare_partition_words("object-cost"),
                        "sort-last (object by cost)");
    assert_null(compare_partition_find("object-area"));
    static const char *const all[] = {"object", "object-cells", "object-cost",
                                      "screen", "screen-area",  "screen-cost"};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        const compare_partition *partition = compare_partition_find(all[n]);
        assert_non_null(partition);
        bool is_screen = strstr(partition->setting, "screen") != NULL;
        assert_int_equal(compare_plan_composites(partition->name, 2), !is_screen);
        assert_false(compare_plan_composites(partition->name, 1));
        const char *balance = strchr(partition->name, '-');
        assert_true(!balance || strstr(partition->setting, balance + 1));
    }
    char names[32];
    compare_partition_list(names, sizeof names);
    assert_string_equal(names, "object,object-cells,object-cost");
}

static void cores_are_numbers_and_ranges(void **state)
{
    (void)state;
    compare_cores ours, read;
    assert_int_equal(compare_cores_get(&ours), STATUS_OK);
    assert_true(ours.count > 0);
    char list[64];
    int last = ours.at[ours.count - 1];
    snprintf(list, sizeof list, "%d-%d", last, last);
    assert_int_equal(compare_cores_read(list, &read), STATUS_OK);
    assert_int_equal(read.count, 1);
    assert_int_equal(read.at[0], last);
    char twice[64];
    snprintf(twice, sizeof twice, "%d,%d", last, last);
    const char *const wrong[] = {"",
                                 ",",
                                 "x",
                                 "-1",
                                 "0-",
                                 "1-0",
                                 "0,",
                                 "0 ,1",
                                 "0x",
                                 "1024",
                                 twice,
                                 "+0",
                                 "99999999999999999999"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        base_fail_set_message("");
        if (compare_cores_read(wrong[n], &read) != STATUS_USAGE) {
            fail_msg("expected '%s' to be refused", wrong[n]);
        }
        assert_non_null(strstr(base_fail_message(), "--cores"));
    }
    base_fail_set_message("");
}

static void a_thread_is_bound_and_set_free(void **state)
{
    (void)state;
    compare_cores before, one = {.count = 1}, now;
    assert_int_equal(compare_cores_get(&before), STATUS_OK);
    one.at[0] = before.at[before.count - 1];
    assert_int_equal(compare_cores_bind(&one), STATUS_OK);
    assert_int_equal(compare_cores_get(&now), STATUS_OK);
    assert_int_equal(now.count, 1);
    assert_int_equal(now.at[0], one.at[0]);
    assert_int_equal(compare_cores_bind(&before), STATUS_OK);
    const compare_cores none = {0};
    assert_int_equal(compare_cores_bind(&none), STATUS_OK);
    assert_int_equal(compare_cores_get(&now), STATUS_OK);
    assert_int_equal(now.count, before.count);
}

static void names_of_files_tell_cases_apart(void **state)
{
    (void)state;
    compare_plan plan = {.folder = (char *)"/out", .hash = 0xabc};
    assert_int_equal(compare_plan_read_projections("as-is,small", &plan), STATUS_OK);
    const compare_case which = {"object", "radix-k", 4, 0};
    const compare_case distant = {"object", "radix-k", 4, 1};
    char name[COMPARE_NAME], other[COMPARE_NAME];
    compare_plan_name(&plan, &which, name);
    assert_string_equal(name, "object-radix-k-4-0000000000000abc");
    compare_plan_short_name(&plan, &distant, other);
    assert_string_equal(other, "object-radix-k-4-small");
    compare_plan_name(&plan, &distant, other);
    assert_string_equal(other, "object-radix-k-4-small-0000000000000abc");
    plan.projections[1].factor = 2.5; /* another picture */
    char scaled[COMPARE_NAME];
    compare_plan_name(&plan, &distant, scaled);
    assert_string_not_equal(scaled, other);
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
        cmocka_unit_test(every_projection_has_all_cases),
        cmocka_unit_test(partitions_say_how_they_are_set),
        cmocka_unit_test(cores_are_numbers_and_ranges),
        cmocka_unit_test(a_thread_is_bound_and_set_free),
        cmocka_unit_test(names_of_files_tell_cases_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
