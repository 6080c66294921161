/* Arrays that grow. */
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void items_stay_while_an_array_grows(void **unused)
{
    (void)unused;
    int64_t *items = NULL, capacity = 0, moves = 0;
    for (int64_t n = 0; n < 100000; n++) {
        const int64_t before = capacity;
        int64_t *more = base_array_reserve(items, &capacity, n + 1, sizeof *items);
        assert_non_null(more);
        assert_true(capacity > n);
        moves += capacity != before;
        items = more;
        items[n] = 3 * n;
    }
    /* Doubling: not one move an item. */
    assert_true(moves < 17);
    for (int64_t n = 0; n < 100000; n++) {
        assert_int_equal(items[n], 3 * n);
    }
    free(items);
}

static void a_list_keeps_its_items_without_a_capacity(void **unused)
{
    (void)unused;
    int64_t *items = NULL;
    int count = 0, moves = 0;
    while (count < 100000) {
        const int64_t *before = items;
        assert_int_equal(base_array_add(items, count, 3 * (int64_t)count, "items"),
                         STATUS_OK);
        moves += items != before;
    }
    assert_true(moves < 13);
    for (int n = 0; n < count; n++) {
        assert_int_equal(items[n], 3 * n);
    }
    /* Room for more than one, where a power of two is passed. */
    assert_int_equal(base_array_room(items, count, 200000, "items"), STATUS_OK);
    items[count + 199999] = 1;
    int64_t *same = items;
    assert_int_equal(base_array_room(items, count, INT64_MAX - count, "items"),
                     STATUS_MEMORY);
    assert_ptr_equal(items, same);
    assert_non_null(strstr(base_fail_message(), "not enough memory for items"));
    free(items);
}

static void many_items_at_once_have_room(void **unused)
{
    (void)unused;
    int64_t capacity = 0;
    char *items = base_array_reserve(NULL, &capacity, 12345, 1);
    assert_non_null(items);
    assert_true(capacity >= 12345);
    items[12344] = 'x';
    char *same = base_array_reserve(items, &capacity, 12345, 1);
    assert_ptr_equal(same, items);
    free(items);
}

static void bytes_beyond_counting_change_nothing(void **unused)
{
    (void)unused;
    int64_t capacity = 0;
    double *items = base_array_reserve(NULL, &capacity, 10, sizeof *items);
    assert_non_null(items);
    items[9] = 0.5;
    const int64_t counts[] = {INT64_MAX, INT64_MAX / 8 + 1, -1};
    for (int n = 0; n < 3; n++) {
        int64_t room = capacity;
        assert_null(base_array_grow(items, &room, counts[n], sizeof *items));
        assert_int_equal(room, capacity);
    }
    assert_true(items[9] == 0.5);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_while_an_array_grows),
        cmocka_unit_test(a_list_keeps_its_items_without_a_capacity),
        cmocka_unit_test(many_items_at_once_have_room),
        cmocka_unit_test(bytes_beyond_counting_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
