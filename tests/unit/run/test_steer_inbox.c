/* Orders are looked for in parts: the work of a look, and which orders get a turn. */
#include "run/steer/inbox.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Names and orders that the period between two looks adds to the allowance. */
enum { NAMES = 512, ORDERS = 8 };

static char folder[1024];
static steer_inbox *inbox;
static double now;

static int begin(void **state)
{
    if (scratch_setup(state) != 0 || !(inbox = calloc(1, sizeof *inbox))) {
        return -1;
    }
    snprintf(folder, sizeof folder, "%s", scratch_path(""));
    now = 1000.0;
    return 0;
}

static int end(void **state)
{
    steer_inbox_clear(inbox);
    free(inbox);
    return scratch_teardown(state);
}

static void put(const char *format, int first, int count)
{
    for (int n = first; n < first + count; n++) {
        char name[64];
        snprintf(name, sizeof name, format, n);
        scratch_write(scratch_path(name), "", 0);
    }
}

/* The next look, one period later. */
static int look(void)
{
    now += 1.001 * STEER_LOOK_PERIOD;
    return steer_inbox_look(inbox, folder, now);
}

/* Takes all orders that may be taken, as the program does: those files go. Returns how
 * many; `last` is the last one's name. */
static int take_all(char last[64])
{
    int count = 0;
    for (const char *file; (file = steer_inbox_take(inbox)); count++) {
        assert_true(strcmp(file, last) > 0); /* in the order of their names */
        snprintf(last, 64, "%s", file);
        assert_int_equal(unlink(scratch_path(file)), 0);
    }
    return count;
}

static void few_orders_are_found_at_one_look(void **state)
{
    (void)state;
    char last[64] = "";
    put("%03d.json", 0, 20);
    put("readme-%d.txt", 0, 20);
    look();
    assert_int_equal(take_all(last), 20);
    assert_string_equal(last, "019.json");
    put("%03d.json", 20, 1);
    assert_int_equal(steer_inbox_look(inbox, folder, now + 0.001), 0); /* too early */
    look();
    assert_int_equal(take_all(last), 1);
    look();
    assert_int_equal(take_all(last), 0);
}

static void foreign_files_are_passed_in_parts(void **state)
{
    enum { FOREIGN = 5200 };
    (void)state;
    char last[64] = "";
    put("foreign-%04d.txt", 0, FOREIGN);
    put("%03d.json", 0, 3);
    int read = look(), taken = take_all(last), looks = 1;
    assert_true(read <= STEER_MAX_NAMES);
    for (; taken == 0 && looks < 100; looks++) {
        const int names = look();
        assert_true(names > 0 && names <= NAMES + 1);
        read += names;
        taken = take_all(last);
    }
    assert_int_equal(taken, 3);
    assert_true(read >= FOREIGN + 3 && read <= FOREIGN + 5); /* once, with . and .. */
    assert_true(looks <= 1 + (FOREIGN - STEER_MAX_NAMES) / NAMES + 1);
}

static void a_flood_is_taken_in_parts_and_in_order(void **state)
{
    enum { FLOOD = 1100 };
    (void)state;
    char last[64] = "";
    put("%04d.json", 0, FLOOD);
    look();
    int taken = take_all(last);
    assert_int_equal(taken, STEER_MAX_PER_POLL);
    for (int looks = 0; taken < FLOOD; looks++) {
        assert_true(looks < FLOOD);
        look();
        const int now_taken = take_all(last);
        assert_true(now_taken <= ORDERS + 1);
        taken += now_taken;
    }
    assert_string_equal(last, "1099.json");
    assert_false(steer_inbox_waits(inbox));
}

/* However long a step takes: no more than the most at one look. */
static void long_steps_do_not_save_up_for_more(void **state)
{
    (void)state;
    char last[64] = "";
    put("%04d.json", 0, 200);
    for (int n = 1; n <= 3; n++) {
        now += 1000.0;
        look();
        assert_int_equal(take_all(last), STEER_MAX_PER_POLL);
    }
}

static void slow_orders_are_followed_by_fewer(void **state)
{
    (void)state;
    char last[64] = "";
    put("%04d.json", 0, 200);
    look();
    assert_int_equal(take_all(last), 64);
    steer_inbox_charge(inbox, 64, 0.1); /* a tenth of a second: worth two seconds */
    int looks = 0;
    for (; take_all(last) == 0; looks++) {
        look();
    }
    assert_true(looks > 80 && looks < 120);
    now += 10.0; /* quick ones cost no more than they are worth */
    steer_inbox_charge(inbox, 64, 1e-6);
    look();
    assert_int_equal(take_all(last), 64);
}

/* Files that cannot be removed fill the inbox: the orders behind them get their turn. */
static void stuck_files_starve_nobody(void **state)
{
    (void)state;
    put("%04d.json", 0, STEER_MAX_INBOX + 9);
    put("9%03d.json", 0, 1);
    bool seen = false;
    int repeated = 0;
    for (int n = 0; n < 2000 && (!seen || repeated < 2); n++) {
        now += 1.0;
        look();
        for (const char *file; (file = steer_inbox_take(inbox));) {
            seen |= strcmp(file, "9000.json") == 0;
            repeated += strcmp(file, "0000.json") == 0; /* tried again later */
            steer_inbox_stick(inbox);
        }
    }
    assert_true(seen && repeated == 2);
}

static void a_clock_that_is_set_back_stops_nothing(void **state)
{
    (void)state;
    char last[64] = "";
    put("%03d.json", 0, 1);
    look();
    assert_int_equal(take_all(last), 1);
    put("%03d.json", 1, 1);
    now -= 3600.0;
    look();
    assert_int_equal(take_all(last), 1);
}

static void a_directory_that_is_gone_is_no_failure(void **state)
{
    (void)state;
    char last[64] = "";
    assert_int_equal(steer_inbox_look(inbox, "/nowhere/orders", now), 0);
    put("%03d.json", 0, 1);
    look();
    assert_int_equal(take_all(last), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {TEST(few_orders_are_found_at_one_look),
                                       TEST(foreign_files_are_passed_in_parts),
                                       TEST(a_flood_is_taken_in_parts_and_in_order),
                                       TEST(long_steps_do_not_save_up_for_more),
                                       TEST(slow_orders_are_followed_by_fewer),
                                       TEST(stuck_files_starve_nobody),
                                       TEST(a_clock_that_is_set_back_stops_nothing),
                                       TEST(a_directory_that_is_gone_is_no_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
