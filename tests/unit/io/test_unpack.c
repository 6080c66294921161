/* Stored values: which of them are missing, and how the others become numbers. */
#include "io/unpack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MANY = 1500 }; /* more than one batch, and not a whole number of them */

static io_stored float_value(double value)
{
    return (io_stored){.f64 = value};
}

static io_stored int_value(int64_t value)
{
    return (io_stored){.i64 = value};
}

static io_stored uint_value(uint64_t value)
{
    return (io_stored){.u64 = value};
}

/* Reads four stored values and compares them; NaN is expected as NaN. */
static void expect(const io_unpacking *unpacking, const void *stored,
                   const double numbers[4])
{
    float floats[4];
    double doubles[4];
    io_unpack_floats(unpacking, 4, stored, floats);
    io_unpack_doubles(unpacking, 4, stored, doubles);
    for (int n = 0; n < 4; n++) {
        const bool same = isnan(numbers[n]) ? isnan(floats[n]) && isnan(doubles[n])
                                            : floats[n] == (float)numbers[n] &&
                                                  doubles[n] == numbers[n];
        if (!same) {
            fail_msg("value %d: expected %.17g, got %.9g and %.17g", n, numbers[n],
                     (double)floats[n], doubles[n]);
        }
    }
}

static void a_fill_is_compared_in_the_stored_type(void **unused)
{
    (void)unused;
    io_unpacking u = {.type = IO_STORED_FLOAT32};
    io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(1e20)); /* no float32 */
    io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(-999.9));
    io_unpacking_add_fill(&u, IO_STORED_INT64, int_value(-1));
    const float floats[4] = {1e20f, -999.9f, -1.0f, -999.0f};
    expect(&u, floats, (double[4]){NAN, NAN, NAN, -999.0});

    io_unpacking d = {.type = IO_STORED_FLOAT64};
    io_unpacking_add_fill(&d, IO_STORED_FLOAT64, float_value(1e20));
    io_unpacking_add_fill(&d, IO_STORED_UINT64, uint_value(7));
    const double doubles[4] = {1e20, 7.0, 8.0, -7.0};
    expect(&d, doubles, (double[4]){NAN, NAN, 8.0, -7.0});
}

static void whole_numbers_are_compared_exactly(void **unused)
{
    (void)unused;
    const int64_t least = INT64_MIN + 2; /* the fill of netCDF; its neighbours are the
                                            same in double precision */
    io_unpacking u = {.type = IO_STORED_INT64};
    io_unpacking_add_fill(&u, IO_STORED_INT64, int_value(least));
    io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(-32767.0));
    const int64_t values[4] = {least, least + 1, -32767, 5};
    expect(&u, values, (double[4]){NAN, (double)least, NAN, 5.0});

    io_unpacking v = {.type = IO_STORED_UINT64};
    io_unpacking_add_fill(&v, IO_STORED_UINT64, uint_value(UINT64_MAX - 1));
    io_unpacking_add_fill(&v, IO_STORED_INT64, int_value(255));
    const uint64_t others[4] = {UINT64_MAX - 1, UINT64_MAX, 255, 0};
    expect(&v, others, (double[4]){NAN, (double)UINT64_MAX, NAN, 0.0});
}

static void a_fill_that_the_type_cannot_hold_changes_nothing(void **unused)
{
    (void)unused;
    const double not_whole[] = {1e20, -999.5, INFINITY, -0x1p64};
    io_unpacking u = {.type = IO_STORED_INT64}, v = {.type = IO_STORED_UINT64};
    for (int n = 0; n < 4; n++) {
        io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(not_whole[n]));
    }
    io_unpacking_add_fill(&u, IO_STORED_UINT64, uint_value(UINT64_MAX));
    io_unpacking_add_fill(&v, IO_STORED_INT64, int_value(-1));
    io_unpacking f = {.type = IO_STORED_FLOAT32};
    io_unpacking_add_fill(&f, IO_STORED_FLOAT64, float_value(1e300));
    io_unpacking_add_fill(&f, IO_STORED_FLOAT64, float_value(NAN)); /* missing anyway */
    assert_int_equal(u.nfills + v.nfills + f.nfills, 0);
    assert_true(io_unpacking_is_plain(&u) && io_unpacking_is_plain(&f));
}

static void a_fill_is_kept_once(void **unused)
{
    (void)unused;
    io_unpacking u = {.type = IO_STORED_FLOAT32};
    for (int n = 0; n < 2 * IO_UNPACKING_FILLS; n++) {
        io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(-999.0));
    }
    assert_int_equal(u.nfills, 1);
    for (int n = 0; n < 2 * IO_UNPACKING_FILLS; n++) {
        io_unpacking_add_fill(&u, IO_STORED_INT64, int_value(n));
    }
    assert_int_equal(u.nfills, IO_UNPACKING_FILLS);
}

static void packed_values_are_unpacked_in_double_precision(void **unused)
{
    (void)unused;
    io_unpacking u = {
        .type = IO_STORED_INT64, .is_scaled = true, .scale = 0.01, .offset = 273.15};
    io_unpacking_add_fill(&u, IO_STORED_INT64, int_value(-32768));
    const int64_t values[4] = {-32768, 0, 100, 32767};
    const double factor = 0.01, offset = 273.15;
    expect(&u, values,
           (double[4]){NAN, offset, 100.0 * factor + offset, 32767.0 * factor + offset});

    /* The fill is compared before, and values beyond the range of float32 are missing
     * after. */
    io_unpacking w = {.type = IO_STORED_FLOAT32, .is_scaled = true, .scale = 1e30};
    io_unpacking_add_fill(&w, IO_STORED_FLOAT64, float_value(2.0));
    const float packed[4] = {1.0f, 2.0f, 1e9f, 0.0f};
    float out[4];
    io_unpack_floats(&w, 4, packed, out);
    assert_true(out[0] == 1e30f && isnan(out[1]) && isnan(out[2]) && out[3] == 0.0f);
}

static void what_no_float32_holds_is_missing(void **unused)
{
    (void)unused;
    const io_unpacking u = {.type = IO_STORED_FLOAT64};
    const double most = (double)FLT_MAX;
    const double values[] = {1e300,   -1e300, INFINITY, -INFINITY, NAN,
                             3.41e38, most,   -most,    1e-300,    1.0};
    const bool missing[] = {true, true,  true,  true,  true,
                            true, false, false, false, false};
    enum { COUNT = sizeof missing / sizeof missing[0] };
    float out[COUNT];
    io_unpack_floats(&u, COUNT, values, out);
    for (int n = 0; n < COUNT; n++) {
        if (isnan(out[n]) != missing[n] || (!missing[n] && out[n] != (float)values[n])) {
            fail_msg("%g: expected %s, got %g", values[n],
                     missing[n] ? "a missing value" : "the number", (double)out[n]);
        }
    }
}

static void many_values_are_unpacked_where_they_lie(void **unused)
{
    (void)unused;
    io_unpacking u = {.type = IO_STORED_FLOAT32};
    io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(3.0));
    io_unpacking_add_fill(&u, IO_STORED_FLOAT64, float_value(511.0));
    float *values = malloc(MANY * sizeof *values);
    for (int n = 0; n < MANY; n++) {
        values[n] = (float)(n % 513);
    }
    io_unpack_floats(&u, MANY, values, values);
    for (int n = 0; n < MANY; n++) {
        const bool missing = n % 513 == 3 || n % 513 == 511;
        if (isnan(values[n]) != missing || (!missing && values[n] != (float)(n % 513))) {
            fail_msg("value %d: got %g", n, (double)values[n]);
        }
    }
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_is_compared_in_the_stored_type),
        cmocka_unit_test(whole_numbers_are_compared_exactly),
        cmocka_unit_test(a_fill_that_the_type_cannot_hold_changes_nothing),
        cmocka_unit_test(a_fill_is_kept_once),
        cmocka_unit_test(packed_values_are_unpacked_in_double_precision),
        cmocka_unit_test(what_no_float32_holds_is_missing),
        cmocka_unit_test(many_values_are_unpacked_where_they_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
