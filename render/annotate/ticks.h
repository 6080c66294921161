/* Where a scalar bar has ticks, and what they say. */
#ifndef RENDER_ANNOTATE_TICKS_H
#define RENDER_ANNOTATE_TICKS_H

#include "annotate.h"

enum { ANNOTATE_TICK_SIZE = 32 };

/* Ticks in ascending order. */
typedef struct annotate_ticks {
    int count;
    double values[ANNOTATE_MAX_TICKS];
    /* Numbers as people write them, UTF-8, to be multiplied by 10^exponent; all have
     * equally many digits after the point. */
    char texts[ANNOTATE_MAX_TICKS][ANNOTATE_TICK_SIZE];
    int exponent; /* 0, or a multiple of 3 */
} annotate_ticks;

/*
 * At most `most` (2 to ANNOTATE_MAX_TICKS) ticks at round numbers in [lo, hi], evenly
 * apart: multiples of 1, 2, 2.5 or 5 times a power of ten, the finest that are not more
 * than `most`. After P. S. Heckbert: Nice Numbers for Graph Labels. Graphics Gems (1990),
 * whose labels may reach beyond the range; ours stay inside. Where fewer than two lie
 * inside, the ends have the ticks; where lo = hi (to twelve digits), lo has.
 */
annotate_ticks annotate_ticks_round(double lo, double hi, int most);

/*
 * At most `most` of these `count` values, which ascend: all, or every second, third …;
 * with as many digits as it takes to write the smallest distance between two of them to
 * three digits (a single value: six digits), fewer where the rest are zeros.
 */
annotate_ticks annotate_ticks_at(int count, const double *values, int most);

/* "×10⁻³" for an exponent; "" for 0. */
void annotate_ticks_factor(int exponent, char text[ANNOTATE_TICK_SIZE]);

#endif
