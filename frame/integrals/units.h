/* Inside frame/integrals: products of units. */
#ifndef FRAME_INTEGRALS_UNITS_H
#define FRAME_INTEGRALS_UNITS_H

#include <stdbool.h>

enum { INTEGRALS_FACTORS = 8, INTEGRALS_UNIT_SIZE = 100 };

/* A product of powers of symbols, such as kg, m and s. Zero is 1. */
typedef struct integrals_unit {
    int count; /* below 0: the unit is not known */
    struct {
        char symbol[12];
        int power;
    } factors[INTEGRALS_FACTORS];
} integrals_unit;

/* Reads "kg/m^3", "kg m-3" or "Pa*s"; NULL, or what is none of these, is not known. N,
 * Pa, J and W become kg, m and s. Local. */
integrals_unit integrals_unit_read(const char *text);

/* a times a power of b. Local. */
integrals_unit integrals_unit_times(integrals_unit a, integrals_unit b, int power);

/* Prints a unit, as N, Pa or W where it is one; "": it is 1 or not known. Local. */
void integrals_unit_print(const integrals_unit *unit, char text[INTEGRALS_UNIT_SIZE]);

#endif
