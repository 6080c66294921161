#include "units.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const integrals_unit unknown = {.count = -1};

/* Units with names; N m and not J, as moments have it. */
static const struct {
    const char *name, *factors;
} named[] = {{"N", "kg m s^-2"},   {"Pa", "kg m^-1 s^-2"}, {"N m", "kg m^2 s^-2"},
             {"W", "kg m^2 s^-3"}, {"J", "kg m^2 s^-2"},   {NULL, NULL}};

static void add(integrals_unit *unit, const char *symbol, int power)
{
    int n = 0;
    while (n < unit->count && strcmp(unit->factors[n].symbol, symbol) != 0) {
        n++;
    }
    if (unit->count < 0 || n == INTEGRALS_FACTORS) {
        *unit = unknown;
        return;
    }
    if (n == unit->count) {
        snprintf(unit->factors[n].symbol, sizeof unit->factors[n].symbol, "%s", symbol);
        unit->factors[unit->count++].power = 0;
    }
    unit->factors[n].power += power;
}

integrals_unit integrals_unit_times(integrals_unit a, integrals_unit b, int power)
{
    if (b.count < 0) {
        return unknown;
    }
    for (int n = 0; n < b.count; n++) {
        add(&a, b.factors[n].symbol, power * b.factors[n].power);
    }
    return a;
}

/* Reads a symbol and its power from *text on; false: there is none. */
static bool read_factor(const char **text, char symbol[12], int *power)
{
    const char *c = *text;
    size_t length = 0;
    while (isalpha((unsigned char)c[length]) || (unsigned char)c[length] >= 0x80) {
        length++;
    }
    if (length == 0 || length >= 12) {
        return false;
    }
    memcpy(symbol, c, length);
    symbol[length] = '\0';
    c += length;
    c += *c == '^' || (c[0] == '*' && c[1] == '*' ? 1 : 0);
    c += c[-1] == '*' ? 1 : 0;
    char *end = NULL;
    *power = 1;
    if (*c == '-' || *c == '+' || isdigit((unsigned char)*c)) {
        *power = (int)strtol(c, &end, 10);
        c = end;
    }
    *text = c;
    return *power > -20 && *power < 20;
}

/* Adds a symbol; a unit with a name as its factors. */
static void add_symbol(integrals_unit *unit, const char *symbol, int power)
{
    for (int n = 0; named[n].name; n++) {
        if (strcmp(named[n].name, symbol) == 0) {
            *unit =
                integrals_unit_times(*unit, integrals_unit_read(named[n].factors), power);
            return;
        }
    }
    add(unit, symbol, power);
}

integrals_unit integrals_unit_read(const char *text)
{
    integrals_unit unit = {0};
    char symbol[12];
    int power, sign = 1;
    if (!text) {
        return unknown;
    }
    text += strspn(text, " ");
    text += text[0] == '1' && strchr(" /", text[1]);
    while (*text && unit.count >= 0) {
        text += strspn(text, " .*");
        if (*text == '/') {
            sign = -1;
            text += 1 + strspn(text + 1, " ");
        }
        if (*text == '\0' || !read_factor(&text, symbol, &power)) {
            return *text == '\0' ? unit : unknown;
        }
        add_symbol(&unit, symbol, sign * power);
        sign = 1;
    }
    return unit;
}

static bool is_one(const integrals_unit *unit)
{
    bool is = unit->count >= 0;
    for (int n = 0; n < unit->count; n++) {
        is = is && unit->factors[n].power == 0;
    }
    return is;
}

/* Prints the factors with powers of this sign; returns their number. */
static int print_factors(const integrals_unit *unit, int sign, char *text)
{
    int printed = 0;
    for (int n = 0; n < unit->count; n++) {
        const int power = sign * unit->factors[n].power;
        const size_t used = strlen(text);
        if (power > 0) {
            snprintf(text + used, INTEGRALS_UNIT_SIZE - used,
                     power > 1 ? "%s%s^%d" : "%s%s", printed++ > 0 ? " " : "",
                     unit->factors[n].symbol, power);
        }
    }
    return printed;
}

void integrals_unit_print(const integrals_unit *unit, char text[INTEGRALS_UNIT_SIZE])
{
    char below[INTEGRALS_UNIT_SIZE] = "", above[INTEGRALS_UNIT_SIZE] = "";
    text[0] = '\0';
    if (unit->count < 0 || is_one(unit)) {
        return;
    }
    for (int n = 0; named[n].name; n++) {
        const integrals_unit ratio =
            integrals_unit_times(*unit, integrals_unit_read(named[n].factors), -1);
        if (is_one(&ratio)) {
            snprintf(text, INTEGRALS_UNIT_SIZE, "%s", named[n].name);
            return;
        }
    }
    const bool has_above = print_factors(unit, 1, above) > 0;
    const int count = print_factors(unit, -1, below);
    snprintf(text, INTEGRALS_UNIT_SIZE,
             count > 1 ? "%s/(%s)"
             : count   ? "%s/%s"
                       : "%s%s",
             has_above ? above : "1", below);
}
