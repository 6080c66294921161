/* Numbers that are found by keys. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { COUNT = 3000 };

static void each_name_of_many_is_found(void **unused)
{
    (void)unused;
    base_lookup lookup = {.slots = NULL};
    char name[32];
    for (int n = 0; n < COUNT; n++) {
        snprintf(name, sizeof name, "block_%d", n);
        assert_int_equal(base_lookup_add(&lookup, base_lookup_name(name), n), STATUS_OK);
    }
    for (int n = 0; n < COUNT; n++) {
        int64_t at = 0;
        snprintf(name, sizeof name, "block_%d", n);
        assert_int_equal(base_lookup_next(&lookup, base_lookup_name(name), &at), n);
        assert_int_equal(base_lookup_next(&lookup, base_lookup_name(name), &at), -1);
    }
    int64_t at = 0;
    assert_int_equal(base_lookup_next(&lookup, base_lookup_name("block"), &at), -1);
    base_lookup_clear(&lookup);
}

/* Keys that share their lowest bits meet in one run of slots, around the end too. */
static void numbers_of_a_key_keep_their_order(void **unused)
{
    (void)unused;
    base_lookup lookup = {.slots = NULL};
    for (int n = 0; n < COUNT; n++) {
        const uint64_t key = (uint64_t)(n % 30) * 4096 + 4095;
        assert_int_equal(base_lookup_add(&lookup, key, n), STATUS_OK);
    }
    for (int first = 0; first < 30; first++) {
        int64_t at = 0;
        for (int n = first; n < COUNT; n += 30) {
            assert_int_equal(
                base_lookup_next(&lookup, (uint64_t)first * 4096 + 4095, &at), n);
        }
        assert_int_equal(base_lookup_next(&lookup, (uint64_t)first * 4096 + 4095, &at),
                         -1);
    }
    base_lookup_clear(&lookup);
}

static void an_empty_lookup_finds_nothing(void **unused)
{
    (void)unused;
    base_lookup lookup = {.slots = NULL};
    int64_t at = 0;
    assert_int_equal(base_lookup_next(&lookup, 7, &at), -1);
    base_lookup_clear(&lookup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_name_of_many_is_found),
        cmocka_unit_test(numbers_of_a_key_keep_their_order),
        cmocka_unit_test(an_empty_lookup_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
