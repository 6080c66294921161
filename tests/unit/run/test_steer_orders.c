/* Single orders: which are taken, which are refused, and in which state. */
#include "base/status.h"
#include "run/steer/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static steer_table table;

static int make_table(void **state)
{
    (void)state;
    const steer_parameter cfl = {"solver.cfl", STEER_REAL, 1,    0.0,  1.0, 0,
                                 NULL,         NULL,       NULL, false};
    return (int)steer_table_add(&table, &cfl, &(steer_value){{0.5}, ""}, NULL, NULL);
}

static int clear_table(void **state)
{
    (void)state;
    steer_table_clear(&table);
    return 0;
}

/* The verb of an order, or STEER_NOTHING where it is refused with this in the message. */
static steer_order check(const char *text, steer_state state, const char *message)
{
    steer_order order = {.verb = STEER_NOTHING};
    base_fail_set_message("");
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    status s = steer_order_check(json, &table, state, &order);
    json_decref(json);
    if (message && (s != STATUS_USAGE || !strstr(base_fail_message(), message))) {
        fail_msg("%s: expected '%s', got '%s'", text, message, base_fail_message());
    } else if (!message && s != STATUS_OK) {
        fail_msg("%s: %s", text, base_fail_message());
    }
    return order;
}

static void orders_are_taken(void **state)
{
    (void)state;
    assert_int_equal(check("{\"order\": \"halt\"}", STEER_RUNNING, NULL).verb,
                     STEER_HALT);
    assert_int_equal(check("{\"order\": \"resume\"}", STEER_HALTED, NULL).verb,
                     STEER_RESUME);
    assert_int_equal(check("{\"order\": \"step\"}", STEER_HALTED, NULL).steps, 1);
    assert_int_equal(
        check("{\"order\": \"step\", \"count\": 10}", STEER_HALTED, NULL).steps, 10);
    assert_int_equal(check("{\"order\": \"redraw\"}", STEER_RUNNING, NULL).verb,
                     STEER_REDRAW);
    assert_int_equal(check("{\"order\": \"stop\"}", STEER_RUNNING, NULL).verb,
                     STEER_STOP);
    steer_order order =
        check("{\"order\": \"set\", \"name\": \"solver.cfl\", \"value\": 0.25}",
              STEER_RUNNING, NULL);
    assert_int_equal(order.verb, STEER_SET);
    assert_string_equal(order.name, "solver.cfl");
    assert_true(order.value.numbers[0] == 0.25);
}

static void wrong_orders_are_refused(void **state)
{
    (void)state;
    check("[]", STEER_RUNNING, "JSON object");
    check("{\"order\": 1}", STEER_RUNNING, "JSON object");
    check("{\"order\": \"hald\"}", STEER_RUNNING, "did you mean 'halt'");
    check("{\"order\": \"\"}", STEER_RUNNING,
          "set, change, halt, resume, step, redraw, stop");
    check("{\"order\": \"set\", \"name\": \"solver.cfl\"}", STEER_RUNNING, "'value'");
    check("{\"order\": \"set\", \"value\": 1}", STEER_RUNNING, "'name'");
    check("{\"order\": \"set\", \"name\": \"solver.clf\", \"value\": 1}", STEER_RUNNING,
          "did you mean 'solver.cfl'");
    check("{\"order\": \"set\", \"name\": \"solver.cfl\", \"value\": 2}", STEER_RUNNING,
          "0 to 1");
    check("{\"order\": \"step\"}", STEER_RUNNING, "send 'halt'");
    check("{\"order\": \"step\", \"count\": 0}", STEER_HALTED, "from 1 to");
    check("{\"order\": \"step\", \"count\": 1.5}", STEER_HALTED, "from 1 to");
    check("{\"order\": \"halt\"}", STEER_STOPPED, "about to end");
}

static void names_of_files_are_checked(void **state)
{
    (void)state;
    assert_true(steer_order_is_file("1700000000-0-12.json"));
    assert_true(steer_order_is_file("a.json"));
    assert_false(steer_order_is_file(".json"));
    assert_false(steer_order_is_file(".hidden.json"));
    assert_false(steer_order_is_file("..json"));
    assert_false(steer_order_is_file("../run.json"));
    assert_false(steer_order_is_file("a b.json"));
    assert_false(steer_order_is_file("a\xc3\xa4.json"));
    assert_false(steer_order_is_file("a.json.tmp"));
    assert_false(steer_order_is_file("json"));
    char name[STEER_MAX_FILE + 16];
    memset(name, 'x', sizeof name);
    strcpy(name + STEER_MAX_FILE - 6, ".json"); /* STEER_MAX_FILE - 1 bytes */
    assert_true(steer_order_is_file(name));
    strcpy(name + STEER_MAX_FILE - 6, "x.json");
    assert_false(steer_order_is_file(name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_taken),
        cmocka_unit_test(wrong_orders_are_refused),
        cmocka_unit_test(names_of_files_are_checked),
    };
    return cmocka_run_group_tests(tests, make_table, clear_table);
}
