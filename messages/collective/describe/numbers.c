#include "numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Costs ------------------------------------------------------------------------- */

static void append(char text[NUMBERS_COST], int64_t times, const char *what)
{
    const size_t used = strlen(text);
    if (times == 0) {
        return;
    }
    const char *plus = used > 0 ? " + " : "";
    if (times == 1) {
        snprintf(text + used, NUMBERS_COST - used, "%s%s", plus, what);
    } else {
        snprintf(text + used, NUMBERS_COST - used, "%s%" PRId64 "%s", plus, times, what);
    }
}

void numbers_cost(collective_cost cost, char text[NUMBERS_COST])
{
    text[0] = '\0';
    append(text, cost.alpha, "α");
    append(text, cost.beta, "β");
    append(text, cost.gamma, "γ");
    if (text[0] == '\0') {
        snprintf(text, NUMBERS_COST, "0");
    }
}

void numbers_walk(const collective_times *times, char text[NUMBERS_COST])
{
    const collective_cost *cost = &times->cost, *near = &times->near;
    const bool is_free = cost->alpha == 0 && cost->beta == 0 && cost->gamma == 0;
    numbers_cost(*cost, text);
    if (is_free && (near->alpha > 0 || near->beta > 0)) {
        text[0] = '\0';
    }
    append(text, near->alpha, "α′");
    append(text, near->beta, "β′");
}

double numbers_walk_seconds(const collective_times *times,
                            const collective_machine *machine)
{
    return numbers_seconds(times->cost, machine) +
           (double)times->near.alpha * machine->near_alpha +
           (double)times->near.beta * machine->near_beta;
}

double numbers_seconds(collective_cost cost, const collective_machine *machine)
{
    return (double)cost.alpha * machine->alpha + (double)cost.beta * machine->beta +
           (double)cost.gamma * machine->gamma;
}

static int64_t find_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool numbers_crossover(collective_cost a, collective_cost b, char text[NUMBERS_TIME])
{
    int64_t more = a.alpha - b.alpha, less = b.beta - a.beta;
    if (more < 0) {
        more = -more;
        less = -less;
    }
    if (more == 0 || less <= 0 || a.gamma != b.gamma) {
        return false;
    }
    const int64_t divisor = find_divisor(less, more);
    if (more == divisor) {
        snprintf(text, NUMBERS_TIME, "%" PRId64, less / divisor);
    } else {
        snprintf(text, NUMBERS_TIME, "%" PRId64 "/%" PRId64, less / divisor,
                 more / divisor);
    }
    return true;
}

/* ---- Times ------------------------------------------------------------------------- */

void numbers_time(double seconds, char text[NUMBERS_TIME])
{
    static const struct {
        double least;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}, {1e-12, "ps"}};
    size_t unit = 0;
    while (unit + 1 < sizeof units / sizeof units[0] &&
           seconds < 0.9995 * units[unit].least) {
        unit++;
    }
    if (seconds < 1e-15) {
        snprintf(text, NUMBERS_TIME, "0 s");
    } else {
        snprintf(text, NUMBERS_TIME, "%.4g %s", seconds / units[unit].least,
                 units[unit].name);
    }
}

/* ---- Columns ----------------------------------------------------------------------- */

void numbers_print(const char *text, int columns)
{
    int letters = 0;
    for (const char *c = text; *c; c++) {
        letters += (*c & 0xC0) != 0x80; /* bytes that begin a letter */
    }
    printf("%s%*s", text, columns > letters ? columns - letters : 0, "");
}
