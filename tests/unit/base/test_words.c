/* Words in messages: which one was meant, and lists that are too long. */
#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const fields[] = {
    "density",     "velocity_x",          "velocity_magnitude",
    "vorticity_x", "vorticity_magnitude", "pressure"};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static const char *nearest(const char *word)
{
    const char *found = base_words_nearest(word, FIELDS, fields);
    return found != NULL ? found : "none";
}

static void a_few_wrong_letters_are_seen_through(void **unused)
{
    (void)unused;
    assert_string_equal(nearest("presure"), "pressure");
    assert_string_equal(nearest("vortcity_x"), "vorticity_x");
    assert_string_equal(nearest("velocity_y"), "velocity_x");
    assert_string_equal(nearest("smoke"), "none");
    assert_string_equal(nearest(""), "none");
}

/* By edits alone, vorticity_mag is nearer to vorticity_x. */
static void short_forms_are_known(void **unused)
{
    (void)unused;
    assert_string_equal(nearest("vorticity_mag"), "vorticity_magnitude");
    assert_string_equal(nearest("vort_mag"), "vorticity_magnitude");
    assert_string_equal(nearest("vel_mag"), "velocity_magnitude");
    assert_string_equal(nearest("dens"), "density");
    assert_string_equal(nearest("de"), "none");
    assert_string_equal(nearest("mag"), "none");
}

static void a_hint_is_there_or_empty(void **unused)
{
    (void)unused;
    char hint[64];
    base_words_hint("dens", FIELDS, fields, sizeof hint, hint);
    assert_string_equal(hint, " (did you mean 'density'?)");
    base_words_hint("smoke", FIELDS, fields, sizeof hint, hint);
    assert_string_equal(hint, "");
}

static void the_nearest_words_are_offered_in_their_order(void **unused)
{
    (void)unused;
    const char *near[3];
    char text[64];
    assert_int_equal(base_words_near("velocty", FIELDS, fields, 3, near), 2);
    assert_string_equal(near[0], "velocity_x");
    assert_string_equal(near[1], "velocity_magnitude");
    base_words_choice(3, (const char *[]){"one", "two", "three"}, sizeof text, text);
    assert_string_equal(text, "'one', 'two' or 'three'");
    base_words_choice(1, (const char *[]){"one"}, sizeof text, text);
    assert_string_equal(text, "'one'");
    assert_int_equal(base_words_near("smoke", FIELDS, fields, 3, near), 0);
}

static void a_list_that_is_too_long_ends_after_a_whole_word(void **unused)
{
    (void)unused;
    static const char *const words[] = {"one", "two", "three"};
    static const struct {
        size_t size;
        const char *list;
    } cases[] = {{16, "one, two, three"}, {15, "one, two, …"}, {14, "one, two, …"},
                 {13, "one, …"},          {9, "one, …"},       {8, "…"}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char list[32];
        memset(list, '#', sizeof list);
        base_words_list(3, words, cases[n].size, list);
        assert_string_equal(list, cases[n].list);
        assert_int_equal(list[cases[n].size], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_wrong_letters_are_seen_through),
        cmocka_unit_test(short_forms_are_known),
        cmocka_unit_test(a_hint_is_there_or_empty),
        cmocka_unit_test(the_nearest_words_are_offered_in_their_order),
        cmocka_unit_test(a_list_that_is_too_long_ends_after_a_whole_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
