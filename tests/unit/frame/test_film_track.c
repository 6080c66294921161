/* Keys over the frames of a film. */
#include "frame/film/track.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 4 };

/* A track with room for a few values; its arrays are on the caller's stack. */
typedef struct room {
    double at[MOST];
    bool rests[MOST];
    json_t *values[MOST];
    film_track track;
} room;

static void add(room *r, double at, const char *value)
{
    const int n = r->track.count++;
    r->track.at = r->at;
    r->track.rests = r->rests;
    r->track.values = r->values;
    r->at[n] = at;
    r->values[n] = json_loads(value, JSON_DECODE_ANY, NULL);
    assert_non_null(r->values[n]);
}

static void clear(room *r)
{
    for (int n = 0; n < r->track.count; n++) {
        json_decref(r->values[n]);
    }
}

/* Part c of the value at a place. */
static double at(const room *r, double place, size_t c)
{
    json_t *value = film_track_value(&r->track, place);
    const double number =
        json_number_value(json_is_array(value) ? json_array_get(value, c) : value);
    json_decref(value);
    return number;
}

static void numbers_are_interpolated_and_other_values_last(void **state)
{
    (void)state;
    room r = {.track.is_whole = false};
    add(&r, 2, "[[0, 1], [1, 3]]");
    add(&r, 4, "[[0, 2], [1, 7]]");
    json_t *value = film_track_value(&r.track, 2.5), *expected;
    expected = json_loads("[[0.0, 1.25], [1.0, 4.0]]", 0, NULL);
    assert_true(json_equal(value, expected));
    json_decref(value);
    json_decref(expected);
    clear(&r);
    room words = {.track.is_whole = false};
    add(&words, 0, "false");
    add(&words, 5, "true");
    value = film_track_value(&words.track, 4.9);
    assert_true(json_is_false(value));
    json_decref(value);
    value = film_track_value(&words.track, 5.0);
    assert_true(json_is_true(value));
    json_decref(value);
    clear(&words);
    room whole = {.track.is_whole = true};
    add(&whole, 0, "1");
    add(&whole, 10, "4");
    assert_float_equal(at(&whole, 4, 0), 2.0, 0.0);
    assert_float_equal(at(&whole, 99, 0), 4.0, 0.0);
    assert_float_equal(at(&whole, -1, 0), 1.0, 0.0);
    clear(&whole);
}

static void curves_pass_their_values_evenly(void **state)
{
    (void)state;
    const double step = 1e-6;
    room r = {.track.is_smooth = true, .rests = {true, false, false, true}};
    add(&r, 0, "[0, 0, 0]");
    add(&r, 10, "[4, 1, 0]");
    add(&r, 30, "[6, 9, 2]");
    add(&r, 40, "[0, 9, 2]");
    for (int n = 0; n < r.track.count; n++) {
        for (size_t c = 0; c < 3; c++) {
            const double value = json_number_value(json_array_get(r.values[n], c));
            assert_float_equal(at(&r, r.at[n], c), value, 1e-12);
            const double before = (at(&r, r.at[n], c) - at(&r, r.at[n] - step, c)) / step,
                         after = (at(&r, r.at[n] + step, c) - at(&r, r.at[n], c)) / step;
            assert_float_equal(before, after, 1e-5);
            assert_true(!r.rests[n] || fabs(after) < 1e-5);
        }
    }
    clear(&r);
}

/* A near value beside a far one: without a limit of velocities the curve of Catmull and
 * Rom would swing to about 6 below 0. */
static void curves_do_not_swing_past_near_values(void **state)
{
    (void)state;
    room r = {.track.is_smooth = true};
    add(&r, 0, "0");
    add(&r, 10, "0.1");
    add(&r, 20, "100");
    add(&r, 30, "100.1");
    for (double place = 0.0; place <= 30.0; place += 0.25) {
        assert_true(at(&r, place, 0) > -0.05 && at(&r, place, 0) < 100.15);
    }
    clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_interpolated_and_other_values_last),
        cmocka_unit_test(curves_pass_their_values_evenly),
        cmocka_unit_test(curves_do_not_swing_past_near_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
