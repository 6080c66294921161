/* Parameters: descriptions, values from JSON and words, and back. */
#include "base/status.h"
#include "run/steer/parameters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"raycast", "planes"};

static const steer_parameter cfl = {
    "solver.cfl", STEER_REAL, 1, 0.0, 1.0, 0, NULL, "", "Courant number", false};
static const steer_parameter position = {"camera.position", STEER_REAL, 3,    -INFINITY,
                                         INFINITY,          0,          NULL, NULL,
                                         "the eye",         false};
static const steer_parameter every = {"every", STEER_INT, 1,    1,    1000,
                                      0,       NULL,      NULL, NULL, false};
static const steer_parameter lit = {"lit", STEER_BOOL, 1,    0,    0,
                                    0,     NULL,       NULL, NULL, false};
static const steer_parameter method = {"method", STEER_CHOICE, 0,    0,    0,
                                       2,        methods,      NULL, NULL, false};
static const steer_parameter colors = {"colors", STEER_TEXT, 0,    0,    0,
                                       0,        NULL,       NULL, NULL, false};

/* A table of all of them. */
static void fill(steer_table *table)
{
    base_fail_set_message("");
    *table = (steer_table){0};
    const steer_value word = {{0}, "planes"}, one = {{1.0}, ""}, half = {{0.5}, ""},
                      point = {{1.0, -2.5, 0.1}, ""}, text = {{0}, "viridis"};
    assert_int_equal(steer_table_add(table, &cfl, &half, NULL, NULL), STATUS_OK);
    assert_int_equal(steer_table_add(table, &position, &point, NULL, NULL), STATUS_OK);
    assert_int_equal(steer_table_add(table, &every, &one, NULL, NULL), STATUS_OK);
    assert_int_equal(steer_table_add(table, &lit, &one, NULL, NULL), STATUS_OK);
    assert_int_equal(steer_table_add(table, &method, &word, NULL, NULL), STATUS_OK);
    assert_int_equal(steer_table_add(table, &colors, &text, NULL, NULL), STATUS_OK);
}

/* Checks a JSON text for a parameter; the message of a refusal must hold `message`. */
static void expect(const steer_table *table, const char *name, const char *text,
                   const char *message, steer_value *value)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    status s = steer_entry_check(steer_table_find(table, name), json, value);
    json_decref(json);
    if (message) {
        assert_int_equal(s, STATUS_USAGE);
        if (!strstr(base_fail_message(), message)) {
            fail_msg("%s %s: expected '%s', got '%s'", name, text, message,
                     base_fail_message());
        }
        base_fail_set_message("");
    } else if (s != STATUS_OK) {
        fail_msg("%s %s: %s", name, text, base_fail_message());
    }
}

static void right_values_are_taken(void **state)
{
    (void)state;
    steer_table table;
    steer_value value;
    fill(&table);
    expect(&table, "solver.cfl", "0.4", NULL, &value);
    assert_true(value.numbers[0] == 0.4);
    expect(&table, "solver.cfl", "[1]", NULL, &value); /* limits belong to it */
    assert_true(value.numbers[0] == 1.0);
    expect(&table, "camera.position", "[1, 2.5, -1e300]", NULL, &value);
    assert_true(value.numbers[2] == -1e300);
    expect(&table, "every", "7", NULL, &value);
    expect(&table, "every", "7.0", NULL, &value);
    assert_true(value.numbers[0] == 7.0);
    expect(&table, "lit", "false", NULL, &value);
    assert_true(value.numbers[0] == 0.0);
    expect(&table, "method", "\"raycast\"", NULL, &value);
    assert_string_equal(value.text, "raycast");
    expect(&table, "colors", "[[0, 0.5], [1, 2]]", NULL, &value);
    assert_string_equal(value.text, "[[0, 0.5], [1, 2]]");
    steer_table_clear(&table);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    steer_table table;
    steer_value value;
    fill(&table);
    expect(&table, "solver.cfl", "1.0000001", "0 to 1", &value);
    expect(&table, "solver.cfl", "-0.1", "out of range", &value);
    expect(&table, "solver.cfl", "\"0.4\"", "takes a number", &value);
    expect(&table, "solver.cfl", "true", "takes a number", &value);
    expect(&table, "solver.cfl", "null", "takes a number", &value);
    expect(&table, "solver.cfl", "[0.1, 0.2]", "takes a number", &value);
    expect(&table, "solver.cfl", "{}", "takes a number", &value);
    expect(&table, "camera.position", "[1, 2]", "3 numbers", &value);
    expect(&table, "camera.position", "1", "3 numbers", &value);
    expect(&table, "camera.position", "[1, 2, [3]]", "3 numbers", &value);
    expect(&table, "every", "1.5", "whole number", &value);
    expect(&table, "every", "0", "1 to 1000", &value);
    expect(&table, "lit", "1", "true or false", &value);
    expect(&table, "method", "\"rays\"", "raycast, planes", &value);
    expect(&table, "method", "1", "as text", &value);
    char *longest = malloc(STEER_MAX_TEXT + 3);
    assert_non_null(longest);
    memset(longest, 'x', STEER_MAX_TEXT + 2);
    longest[0] = longest[STEER_MAX_TEXT + 1] = '"';
    longest[STEER_MAX_TEXT + 2] = '\0';
    expect(&table, "colors", longest, "at most 4095 bytes", &value);
    longest[STEER_MAX_TEXT] = '"';
    longest[STEER_MAX_TEXT + 1] = '\0';
    expect(&table, "colors", longest, NULL, &value);
    free(longest);
    steer_table_clear(&table);
}

static void expect_word(const steer_table *table, const char *name, const char *word,
                        const char *json_text)
{
    json_t *json = NULL;
    status s = steer_entry_parse(steer_table_find(table, name), word, &json);
    if (!json_text) {
        assert_int_equal(s, STATUS_USAGE);
        base_fail_set_message("");
        return;
    }
    assert_int_equal(s, STATUS_OK);
    char *text = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT);
    assert_string_equal(text, json_text);
    free(text);
    json_decref(json);
}

static void words_become_values(void **state)
{
    (void)state;
    steer_table table;
    fill(&table);
    expect_word(&table, "camera.position", "1,2,3", "[1,2,3]");
    expect_word(&table, "camera.position", "[ 1, -2.5 ,3]", "[1,-2.5,3]");
    expect_word(&table, "camera.position", "1,,3", NULL);
    expect_word(&table, "camera.position", "1,2,x", NULL);
    expect_word(&table, "solver.cfl", "0.5", "0.5");
    expect_word(&table, "solver.cfl", "nan", NULL);
    expect_word(&table, "solver.cfl", "inf", NULL);
    expect_word(&table, "solver.cfl", "1e999", NULL);
    expect_word(&table, "solver.cfl", "", NULL);
    expect_word(&table, "lit", "true", "true");
    expect_word(&table, "lit", "0", "false");
    expect_word(&table, "lit", "yes", NULL);
    expect_word(&table, "method", "planes", "\"planes\"");
    expect_word(&table, "colors", "[[0, 1]]", "\"[[0, 1]]\"");
    expect_word(&table, "colors", "\xff", NULL);
    steer_table_clear(&table);
}

static void wrong_descriptions_are_refused(void **state)
{
    (void)state;
    steer_table table;
    fill(&table);
    const steer_value zero = {{0.0}, ""};
    steer_parameter wrong = cfl;
    assert_int_equal(steer_table_add(&table, &wrong, &zero, NULL, NULL), STATUS_USAGE);
    wrong.name = "two words";
    assert_int_equal(steer_table_add(&table, &wrong, &zero, NULL, NULL), STATUS_USAGE);
    wrong.name = "x";
    wrong.count = STEER_MAX_NUMBERS + 1;
    assert_int_equal(steer_table_add(&table, &wrong, &zero, NULL, NULL), STATUS_USAGE);
    wrong.count = 1;
    wrong.min = NAN;
    assert_int_equal(steer_table_add(&table, &wrong, &zero, NULL, NULL), STATUS_USAGE);
    wrong.min = 0.5; /* which the value is below */
    assert_int_equal(steer_table_add(&table, &wrong, &zero, NULL, NULL), STATUS_USAGE);
    assert_int_equal(table.count, 6);
    base_fail_set_message("");
    steer_table_clear(&table);
}

static void unknown_names_get_the_nearest(void **state)
{
    (void)state;
    steer_table table;
    const steer_entry *entry = NULL;
    fill(&table);
    assert_int_equal(steer_table_expect(&table, "camera.positoin", &entry), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "'camera.position'"));
    base_fail_set_message("");
    assert_int_equal(steer_table_expect(&table, "position", &entry), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "did you mean 'camera.position'"));
    base_fail_set_message("");
    assert_int_equal(steer_table_expect(&table, "ition", &entry), STATUS_USAGE);
    assert_null(strstr(base_fail_message(), "did you mean"));
    base_fail_set_message("");
    assert_int_equal(steer_table_expect(&table, "qqqq", &entry), STATUS_USAGE);
    assert_null(strstr(base_fail_message(), "did you mean"));
    base_fail_set_message("");
    steer_table_clear(&table);
}

static void tables_survive_json(void **state)
{
    (void)state;
    steer_table table, again = {0};
    fill(&table);
    assert_int_equal(steer_table_remove(&table, "camera."), 1);
    json_t *array = steer_table_write(&table);
    assert_int_equal(steer_table_read(array, &again), STATUS_OK);
    json_t *twice = steer_table_write(&again);
    assert_true(json_equal(array, twice));
    assert_int_equal(again.count, 5);
    steer_table_clear(&again);
    /* The last one is 1 where it is kept in 32 bits. */
    static const json_int_t wrong[] = {99, 0, -1, ((json_int_t)1 << 32) + 1};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        json_object_set_new(json_array_get(array, 0), "count", json_integer(wrong[n]));
        assert_int_equal(steer_table_read(array, &again), STATUS_INPUT);
        assert_int_equal(again.count, 0);
        base_fail_set_message("");
    }
    json_decref(array);
    json_decref(twice);
    steer_table_clear(&table);
}

/* The program itself may go beyond the limits: others must still be able to steer it. */
static void strange_values_do_not_spoil_a_table(void **state)
{
    (void)state;
    steer_table table, again = {0};
    fill(&table);
    steer_table_find(&table, "solver.cfl")->value.numbers[0] = 7.0;
    steer_table_find(&table, "camera.position")->value.numbers[1] = NAN;
    json_t *array = steer_table_write(&table);
    assert_int_equal(steer_table_read(array, &again), STATUS_OK);
    assert_int_equal(again.count, 6);
    json_decref(array);
    steer_table_clear(&table);
    steer_table_clear(&again);
}

static void numbers_are_printed_shortly_and_exactly(void **state)
{
    (void)state;
    static const double numbers[] = {0.1, 1.0 / 3.0, 1e300, 123456789.0, 5e-324};
    char text[32];
    steer_number_print(0.4, sizeof text, text);
    assert_string_equal(text, "0.4");
    for (int n = 0; n < 5; n++) {
        steer_number_print(numbers[n], sizeof text, text);
        assert_true(strtod(text, NULL) == numbers[n]);
    }
}

static int fails_left;

static void *fail_at_first(size_t size)
{
    return fails_left-- > 0 ? NULL : malloc(size);
}

static void no_text_is_an_empty_one_even_where_memory_runs_out(void **state)
{
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        fails_left = fails;
        json_set_alloc_funcs(fail_at_first, free);
        json_t *json = steer_string(NULL);
        json_set_alloc_funcs(malloc, free);
        assert_non_null(json);
        assert_string_equal(json_string_value(json), "");
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_values_are_taken),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(words_become_values),
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(unknown_names_get_the_nearest),
        cmocka_unit_test(tables_survive_json),
        cmocka_unit_test(strange_values_do_not_spoil_a_table),
        cmocka_unit_test(numbers_are_printed_shortly_and_exactly),
        cmocka_unit_test(no_text_is_an_empty_one_even_where_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
