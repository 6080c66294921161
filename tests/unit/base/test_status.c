/* Return values of functions, and the one message that goes with a failure. */
#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

static int forget_message(void **unused)
{
    (void)unused;
    base_fail_set_message("");
    return 0;
}

static void the_first_message_is_kept(void **unused)
{
    (void)unused;
    assert_string_equal(base_fail_message(), "");
    assert_int_equal(base_fail(STATUS_INPUT, "no file %s", "a.h5"), STATUS_INPUT);
    assert_int_equal(base_fail(STATUS_OUTPUT, "a consequence"), STATUS_OUTPUT);
    assert_string_equal(base_fail_message(), "no file a.h5");
}

static void a_cleared_message_makes_room(void **unused)
{
    (void)unused;
    base_fail(STATUS_INPUT, "first");
    base_fail_set_message("");
    base_fail(STATUS_INPUT, "second");
    assert_string_equal(base_fail_message(), "second");
}

static void a_message_from_elsewhere_replaces_ours(void **unused)
{
    (void)unused;
    base_fail(STATUS_INPUT, "ours");
    base_fail_set_message("100 %s of another rank");
    assert_string_equal(base_fail_message(), "100 %s of another rank");
}

static void long_messages_are_cut_and_ended(void **unused)
{
    (void)unused;
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    base_fail(STATUS_INPUT, "%s", text);
    size_t length = strlen(base_fail_message());
    assert_in_range(length, 1000, sizeof text - 2);
    base_fail_set_message(text);
    assert_int_equal(strlen(base_fail_message()), length);
}

static void messages_have_no_control_characters(void **unused)
{
    (void)unused;
    base_fail(STATUS_INPUT, "a name \033[31m of\n a file\x7f");
    assert_string_equal(base_fail_message(), "a name ?[31m of? a file?");
}

static void memory_failures_name_what_and_how_much(void **unused)
{
    (void)unused;
    assert_int_equal(base_fail_memory(3u << 20, "a brick"), STATUS_MEMORY);
    assert_non_null(strstr(base_fail_message(), "a brick"));
    assert_non_null(strstr(base_fail_message(), "3.0 MiB"));
}

static void exit_codes_tell_usage_from_the_rest(void **unused)
{
    (void)unused;
    assert_int_equal(base_status_exit_code(STATUS_OK), 0);
    assert_int_equal(base_status_exit_code(STATUS_USAGE), 2);
    const status others[] = {STATUS_INPUT, STATUS_OUTPUT, STATUS_MEMORY, STATUS_INTERNAL};
    for (int n = 0; n < 4; n++) {
        assert_int_equal(base_status_exit_code(others[n]), 1);
    }
}

static void *fail_often(void *number)
{
    for (int n = 0; n < 1000; n++) {
        base_fail(STATUS_INPUT, "message of thread %d", *(const int *)number);
    }
    return NULL;
}

static void threads_do_not_mix_their_messages(void **unused)
{
    (void)unused;
    pthread_t threads[2];
    int numbers[2] = {7, 8};
    for (int n = 0; n < 2; n++) {
        assert_int_equal(pthread_create(&threads[n], NULL, fail_often, &numbers[n]), 0);
    }
    for (int n = 0; n < 2; n++) {
        pthread_join(threads[n], NULL);
    }
    const char *held = base_fail_message();
    assert_true(strcmp(held, "message of thread 7") == 0 ||
                strcmp(held, "message of thread 8") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_first_message_is_kept, forget_message),
        cmocka_unit_test_setup(a_cleared_message_makes_room, forget_message),
        cmocka_unit_test_setup(a_message_from_elsewhere_replaces_ours, forget_message),
        cmocka_unit_test_setup(long_messages_are_cut_and_ended, forget_message),
        cmocka_unit_test_setup(messages_have_no_control_characters, forget_message),
        cmocka_unit_test_setup(memory_failures_name_what_and_how_much, forget_message),
        cmocka_unit_test_setup(exit_codes_tell_usage_from_the_rest, forget_message),
        cmocka_unit_test_setup(threads_do_not_mix_their_messages, forget_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
