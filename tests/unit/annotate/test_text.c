/* Placeholders in texts, and texts that only resemble placeholders. */
#include "render/annotate/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const annotate_values values = {12, 0.362, "vorticity_magnitude"};

static void assert_expands(const char *text, const char *expected)
{
    char *found = NULL;
    base_fail_set_message("");
    if (annotate_text_expand("test", text, &values, &found) != STATUS_OK) {
        fail_msg("'%s': %s", text, base_fail_message());
    }
    assert_string_equal(found, expected);
    free(found);
    assert_int_equal(annotate_text_check("test", text), STATUS_OK);
}

static void placeholders_are_filled_in(void **state)
{
    (void)state;
    assert_expands("", "");
    assert_expands("plain", "plain");
    assert_expands("step {step}   t = {time:.2f}", "step 12   t = 0.36");
    assert_expands("{field}", "vorticity_magnitude");
    assert_expands("{step}{step}", "1212");
    assert_expands("{step:04}|{step:5}|{step:04d}|{step:d}", "0012|   12|0012|12");
    assert_expands("{time}|{time:.1e}|{time:8.2f}|{time:08.2f}|{time:.2}|{time:f}",
                   "0.362|3.6e-01|    0.36|00000.36|0.36|0.362000");
    assert_expands("{{step}} {{{step}}}", "{step} {12}");
    assert_expands("größer: {time} µs", "größer: 0.362 µs");
}

static void numbers_may_be_large_small_and_none(void **state)
{
    (void)state;
    const annotate_values odd = {INT64_MIN, NAN, NULL};
    char *found = NULL;
    assert_int_equal(
        annotate_text_expand("test", "{step} {time:.3f} {field}.", &odd, &found),
        STATUS_OK);
    assert_string_equal(found, "-9223372036854775808 nan .");
    free(found);
    const annotate_values large = {0, -1e308, ""};
    assert_int_equal(annotate_text_expand("test", "{time:64.17f}", &large, &found),
                     STATUS_OK);
    assert_int_equal(strlen(found), 1 + 309 + 1 + 17);
    free(found);
}

static void long_texts_stay_whole(void **state)
{
    (void)state;
    char text[6 * 500 + 1] = "";
    for (int n = 0; n < 500; n++) {
        memcpy(text + 6 * n, "{step}", 7);
    }
    char *found = NULL;
    assert_int_equal(annotate_text_expand("test", text, &values, &found), STATUS_OK);
    assert_int_equal(strlen(found), 2 * 500);
    for (int n = 0; n < 500; n++) {
        assert_memory_equal(found + 2 * n, "12", 2);
    }
    free(found);
}

static void what_is_no_placeholder_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{tme}",
         "wake.yaml:4: '{tme}': unknown placeholder {tme}; the placeholders are {step}, "
         "{time} and {field}"},
        {"t = {time:.3x}", "unknown placeholder {time:.3x}"},
        {"{time:.18f}", "unknown placeholder {time:.18f}"},
        {"{time:65}", "unknown placeholder {time:65}"},
        {"{time:.f}", "unknown placeholder {time:.f}"},
        {"{time:%n}", "unknown placeholder {time:%n}"},
        {"{time:.3ff}", "unknown placeholder {time:.3ff}"},
        {"{time:99999999999999999999}", "unknown placeholder"},
        {"{step:.2}", "unknown placeholder {step:.2}"},
        {"{step:f}", "unknown placeholder {step:f}"},
        {"{step:-4}", "unknown placeholder {step:-4}"},
        {"{field:10}", "unknown placeholder {field:10}"},
        {"{}", "unknown placeholder {}"},
        {"{ step}", "unknown placeholder { step}"},
        {"{Step}", "unknown placeholder {Step}"},
        {"{step", "unmatched brace {step; the placeholders are {step}, "},
        {"step}", "unmatched brace };"},
        {"{{step}", "unmatched brace };"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        base_fail_set_message("");
        const status found = annotate_text_check("wake.yaml:4", cases[i][0]);
        if (found != STATUS_USAGE || !strstr(base_fail_message(), cases[i][1])) {
            fail_msg("'%s': expected %s, found %d: %s", cases[i][0], cases[i][1],
                     (int)found, base_fail_message());
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_are_filled_in),
        cmocka_unit_test(numbers_may_be_large_small_and_none),
        cmocka_unit_test(long_texts_stay_whole),
        cmocka_unit_test(what_is_no_placeholder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
