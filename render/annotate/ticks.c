#include "ticks.h"

#include <inttypes.h>
#include <locale.h>
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

/* Appends "10⁻³". */
static void append_power(int exponent, char text[ANNOTATE_TICK_SIZE])
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", abs(exponent));
    strcat(text, exponent < 0 ? "10⁻" : "10");
    for (const char *digit = digits; *digit; digit++) {
        strcat(text, raised[*digit - '0']);
    }
}

void annotate_ticks_factor(int exponent, char text[ANNOTATE_TICK_SIZE])
{
    text[0] = '\0';
    if (exponent != 0) {
        strcpy(text, "×");
        append_power(exponent, text);
    }
}

void annotate_ticks_title(const char *title, const char *unit, int exponent, char *out,
                          size_t size)
{
    char factor[ANNOTATE_TICK_SIZE];
    annotate_ticks_factor(exponent, factor);
    const char *name = title ? title : "", *gap = name[0] != '\0' ? " " : "";
    if (unit) {
        const char *power = factor[0] != '\0' ? factor + strlen("×") : "";
        snprintf(out, size, "%s%s[%s%s%s]", name, gap, power, power[0] != '\0' ? " " : "",
                 unit);
    } else if (factor[0] != '\0' && name[0] != '\0') {
        snprintf(out, size, "%s (%s)", name, factor);
    } else {
        snprintf(out, size, "%s%s", name, factor);
    }
}

/* Replaces hyphens by U+2212 and the locale's separator by a point. */
static void copy_number(const char *number, char text[ANNOTATE_TICK_SIZE])
{
    const char *point = localeconv()->decimal_point;
    const size_t length = strlen(point);
    size_t used = 0;
    while (*number != '\0' && used + 4 < ANNOTATE_TICK_SIZE) {
        if (*number == '-') {
            memcpy(text + used, "\xE2\x88\x92", 3);
            used += 3;
            number++;
        } else if (length > 0 && strncmp(number, point, length) == 0) {
            text[used++] = '.';
            number += length;
        } else {
            text[used++] = *number++;
        }
    }
    text[used] = '\0';
}

void annotate_ticks_format(annotate_ticks *ticks, annotate_format format)
{
    char number[400]; /* 1e308 in full */
    ticks->exponent = 0;
    for (int n = 0; n < ticks->count; n++) {
        const double value = ticks->values[n];
        switch (format.letter) {
        case 'e':
            snprintf(number, sizeof number, "%.*e", format.digits, value);
            break;
        case 'f':
            snprintf(number, sizeof number, "%.*f", format.digits, value);
            break;
        default:
            snprintf(number, sizeof number, "%.*g", format.digits, value);
        }
        copy_number(number, ticks->texts[n]);
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

/* ---- Logarithmic scales ---- */

/* Multiples of powers of ten, mantissa * 10^power, from first to last. */
typedef struct decades {
    int first, last; /* powers */
    int every;       /* only every so many powers */
    int nmantissas;
    int mantissas[3];
} decades;

/* The powers of ten within a range, up to rounding. */
static decades find_decades(double lo, double hi)
{
    const double slack = 1e-9;
    return (decades){.first = (int)ceil(log10(lo) - slack),
                     .last = (int)floor(log10(hi) + slack),
                     .every = 1,
                     .nmantissas = 1,
                     .mantissas = {1}};
}

/* Labels as 0.01 need few zeros. */
static bool are_short(double lo, double hi)
{
    return lo >= 0.999e-4 && hi < 1e5;
}

static void write_decade(int mantissa, int power, bool is_short, char *text)
{
    if (is_short) {
        write_tick(mantissa, power, 0, text);
        return;
    }
    text[0] = '\0';
    if (mantissa < 0) {
        strcat(text, "\xE2\x88\x92");
    }
    if (abs(mantissa) != 1) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d×", abs(mantissa));
        strcat(text, digits);
    }
    append_power(power, text);
}

static void add_tick(int mantissa, int power, bool is_short, annotate_ticks *ticks)
{
    if (ticks->count < ANNOTATE_MAX_TICKS) {
        ticks->values[ticks->count] = scaled(mantissa, power);
        write_decade(mantissa, power, is_short, ticks->texts[ticks->count]);
        ticks->count++;
    }
}

/* Whether a value lies in the range, up to rounding. */
static bool is_inside(double value, const double range[2])
{
    const double slack = 1e-9;
    return value >= range[0] - slack * fabs(range[0]) &&
           value <= range[1] + slack * fabs(range[1]);
}

static annotate_ticks make_decades(const decades *of, const double range[2])
{
    annotate_ticks ticks = {0};
    const bool is_short = are_short(range[0], range[1]);
    for (int power = of->first - 1; power <= of->last; power++) {
        const bool is_wanted = (power - of->first) % of->every == 0;
        for (int m = 0; m < of->nmantissas && is_wanted; m++) {
            if (is_inside(scaled(of->mantissas[m], power), range)) {
                add_tick(of->mantissas[m], power, is_short, &ticks);
            }
        }
    }
    return ticks;
}

/* Adds ticks without labels at 2 to 9 times powers of ten, or at powers left out. */
static void add_minor(const decades *of, const double range[2], annotate_ticks *ticks)
{
    const bool is_dense = of->every == 1;
    for (int power = of->first - 1; power <= of->last; power++) {
        for (int m = is_dense ? 2 : 1; m <= (is_dense ? 9 : 1); m++) {
            const double value = scaled(m, power);
            if (is_inside(value, range) && ticks->nminor < ANNOTATE_MAX_TICKS) {
                ticks->minor[ticks->nminor++] = value;
            }
        }
    }
}

/* Ticks at 1, 2 and 5, or 1 and 3, times powers of ten; none if these are too many or too
 * few. */
static annotate_ticks few_decades(decades of, const double range[2], int most)
{
    static const int sets[2][3] = {{1, 2, 5}, {1, 3, 0}};
    annotate_ticks ticks = {0};
    for (int set = 0; set < 2; set++) {
        of.nmantissas = 3 - set;
        memcpy(of.mantissas, sets[set], sizeof sets[set]);
        ticks = make_decades(&of, range);
        if (ticks.count >= 3 && ticks.count <= most) {
            return ticks;
        }
    }
    return (annotate_ticks){0};
}

static annotate_ticks log_ticks(const double range[2], int most)
{
    decades of = find_decades(range[0], range[1]);
    const int count = of.last - of.first + 1;
    if (count < 4) {
        const annotate_ticks ticks = few_decades(of, range, most);
        if (ticks.count > 0 || count < 2) {
            return ticks.count > 0 ? ticks
                                   : annotate_ticks_round(range[0], range[1], most);
        }
    }
    of.every = count > most ? (count + most - 1) / most : 1;
    annotate_ticks ticks = make_decades(&of, range);
    add_minor(&of, range, &ticks);
    return ticks;
}

/* Adds powers of ten on one side of 0, which `sign` says, upwards in value. */
static void add_side(const base_scale *scale, int sign, int every, annotate_ticks *ticks)
{
    const double end = sign < 0 ? -scale->range[0] : scale->range[1];
    if (!(end > scale->threshold)) {
        return;
    }
    const decades of = find_decades(scale->threshold, end);
    for (int n = 0; n <= of.last - of.first; n++) {
        const int power = sign < 0 ? of.last - n : of.first + n;
        if ((of.last - power) % every == 0 &&
            is_inside(scaled(sign, power), scale->range)) {
            add_tick(sign, power, are_short(scale->threshold, end), ticks);
        }
    }
}

static annotate_ticks symlog_ticks(const base_scale *scale, int most)
{
    const int most_powers = 640; /* of doubles */
    annotate_ticks ticks = {0};
    for (int every = 1; every <= most_powers; every++) {
        ticks.count = 0;
        add_side(scale, -1, every, &ticks);
        if (is_inside(0.0, scale->range) && ticks.count < ANNOTATE_MAX_TICKS) {
            write_number(0, 0, ticks.texts[ticks.count]);
            ticks.values[ticks.count++] = 0.0;
        }
        add_side(scale, 1, every, &ticks);
        if (ticks.count <= most) {
            break;
        }
    }
    return ticks.count >= 2
               ? ticks
               : annotate_ticks_round(scale->range[0], scale->range[1], most);
}

annotate_ticks annotate_ticks_scaled(const base_scale *scale, int most)
{
    const double *range = scale->range;
    const bool is_single =
        !(range[1] - range[0] > 1e-12 * fmax(fabs(range[0]), fabs(range[1])));
    if (is_single || scale->kind == BASE_SCALE_LINEAR) {
        return annotate_ticks_round(range[0], range[1], most);
    }
    return scale->kind == BASE_SCALE_LOG ? log_ticks(range, most)
                                         : symlog_ticks(scale, most);
}

size_t annotate_title_break(const char *title)
{
    const size_t length = strlen(title);
    size_t best = 0, longest = length;
    for (size_t n = 1; n < length; n++) {
        const size_t line = n > length - n ? n : length - n;
        if ((title[n - 1] == ' ' || title[n - 1] == '_') && line < longest) {
            best = n;
            longest = line;
        }
    }
    return best;
}
