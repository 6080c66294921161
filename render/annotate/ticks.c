#include "ticks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing numbers ---- */

/* Numbers are stored as whole multiples of a power of ten, so that no digit results from
 * rounding. For example, 0.3 is 3 times 10^-1, not a double near it. */

/* count * 10^exponent, as exactly as a double can be. Powers of ten beyond 10^22 are not
 * exact, and those beyond 10^308 do not exist. */
static double scaled(double count, int exponent)
{
    const int most = 300;
    if (exponent > most || exponent < -most) {
        const int part = exponent > 0 ? most : -most;
        return scaled(scaled(count, part), exponent - part);
    }
    return exponent < 0 ? count / pow(10.0, -exponent) : count * pow(10.0, exponent);
}

static int floor_log10(double value)
{
    int exponent = (int)floor(log10(value));
    if (scaled(1.0, exponent + 1) <= value) {
        exponent++;
    }
    return scaled(1.0, exponent) > value ? exponent - 1 : exponent;
}

/* The common exponent for numbers of this magnitude. It replaces three or more digits
 * that only show the place of the point. */
static int common_exponent(double greatest)
{
    if (greatest == 0.0) {
        return 0;
    }
    const int decade = floor_log10(greatest);
    if (decade >= -2 && decade < 5) {
        return 0;
    }
    return 3 * (int)floor(decade / 3.0);
}

/* number * 10^-decimals; decimals in 0..18. The minus is U+2212, as wide as a digit. */
static void write_number(int64_t number, int decimals, char *text)
{
    const char *sign = number < 0 ? "\xE2\x88\x92" : "";
    char digits[ANNOTATE_TICK_SIZE];
    const int length = snprintf(digits, sizeof digits, "%0*" PRId64, decimals + 1,
                                number < 0 ? -number : number);
    const int whole = length - decimals;
    snprintf(text, ANNOTATE_TICK_SIZE, "%s%.*s%s%s", sign, whole, digits,
             decimals > 0 ? "." : "", digits + whole);
}

/* A count of 10^power in units of 10^exponent. */
static void write_tick(int64_t count, int power, int exponent, char *text)
{
    int64_t number = count;
    for (int p = power; p > exponent; p--) {
        number *= 10;
    }
    write_number(number, power < exponent ? exponent - power : 0, text);
}

void annotate_ticks_factor(int exponent, char text[ANNOTATE_TICK_SIZE])
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    text[0] = '\0';
    if (exponent == 0) {
        return;
    }
    char digits[16];
    snprintf(digits, sizeof digits, "%d", abs(exponent));
    strcpy(text, exponent < 0 ? "×10⁻" : "×10");
    for (const char *digit = digits; *digit; digit++) {
        strcat(text, raised[*digit - '0']);
    }
}

/* Whether all numbers, in units of their last digit, end with a zero. */
static bool all_end_with_zero(int count, const int64_t *numbers)
{
    bool any = false;
    for (int n = 0; n < count; n++) {
        if (numbers[n] % 10 != 0) {
            return false;
        }
        any = any || numbers[n] != 0;
    }
    return any;
}

/* Writes ticks whose values are these numbers (changed here) times 10^power. */
static void write_ticks(int64_t *numbers, int power, annotate_ticks *ticks)
{
    double greatest = 0.0;
    for (int n = 0; n < ticks->count; n++) {
        greatest = fmax(greatest, fabs(scaled((double)numbers[n], power)));
    }
    ticks->exponent = common_exponent(greatest);
    for (; all_end_with_zero(ticks->count, numbers); power++) {
        for (int n = 0; n < ticks->count; n++) {
            numbers[n] /= 10;
        }
    }
    for (int n = 0; n < ticks->count; n++) {
        write_tick(numbers[n], power, ticks->exponent, ticks->texts[n]);
    }
}

/* ---- Given numbers ---- */

/* The power of ten of the last written digit. */
static int last_digit(int count, const double *values, double greatest)
{
    double distance = 0.0;
    for (int n = 1; n < count; n++) {
        const double step = values[n] - values[n - 1];
        if (step > 0.0 && (step < distance || distance == 0.0)) {
            distance = step;
        }
    }
    if (greatest == 0.0) {
        return 0;
    }
    const int wanted =
        distance > 0.0 ? floor_log10(distance) - 2 : floor_log10(greatest) - 5;
    const int finest = floor_log10(greatest) - 14;
    return wanted > finest ? wanted : finest;
}

annotate_ticks annotate_ticks_at(int count, const double *values, int most)
{
    annotate_ticks ticks = {0};
    const int every = count > most ? (count + most - 1) / most : 1;
    double greatest = 0.0;
    for (int n = 0; n < count; n += every) {
        ticks.values[ticks.count++] = values[n];
        greatest = fmax(greatest, fabs(values[n]));
    }
    const int power = last_digit(ticks.count, ticks.values, greatest);
    int64_t numbers[ANNOTATE_MAX_TICKS];
    for (int n = 0; n < ticks.count; n++) {
        numbers[n] = (int64_t)llround(scaled(ticks.values[n], -power));
    }
    write_ticks(numbers, power, &ticks);
    return ticks;
}

/* ---- Round numbers ---- */

/* Ticks at i * mantissa * 10^power for i in [first, last]. */
typedef struct tick_grid {
    int mantissa, power;
    double first, last;
} tick_grid;

/* Makes a grid. A value may miss an end of the range by rounding and still counts as
 * inside. */
static tick_grid grid_of(double lo, double hi, int mantissa, int power)
{
    const double slack = 1e-9;
    const double a = scaled(lo, -power) / mantissa, b = scaled(hi, -power) / mantissa;
    return (tick_grid){mantissa, power, ceil(a - slack), floor(b + slack)};
}

/* The finest grid with at most `most` ticks. Steps are tried from fine to coarse. */
static tick_grid choose_grid(double lo, double hi, int most)
{
    static const int mantissas[] = {10, 20, 25, 50};
    for (int power = floor_log10((hi - lo) / most) - 2;; power++) {
        for (int m = 0; m < 4; m++) {
            const tick_grid grid = grid_of(lo, hi, mantissas[m], power);
            if (grid.last - grid.first + 1.0 <= most) {
                return grid;
            }
        }
    }
}

annotate_ticks annotate_ticks_round(double lo, double hi, int most)
{
    const double ends[2] = {lo, hi};
    if (!(hi - lo > 1e-12 * fmax(fabs(lo), fabs(hi)))) {
        return annotate_ticks_at(1, ends, 1);
    }
    const tick_grid grid = choose_grid(lo, hi, most);
    if (grid.last - grid.first < 1.0) {
        return annotate_ticks_at(2, ends, 2);
    }
    annotate_ticks ticks = {0};
    int64_t numbers[ANNOTATE_MAX_TICKS];
    for (double i = grid.first; i <= grid.last; i += 1.0) {
        const int n = ticks.count++;
        numbers[n] = (int64_t)i * grid.mantissa;
        ticks.values[n] = fmin(fmax(scaled((double)numbers[n], grid.power), lo), hi);
    }
    write_ticks(numbers, grid.power, &ticks);
    return ticks;
}
