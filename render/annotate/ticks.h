/* The ticks of scalar bars and plots, and their labels. */
#ifndef RENDER_ANNOTATE_TICKS_H
#define RENDER_ANNOTATE_TICKS_H

#include "annotate.h"

enum { ANNOTATE_TICK_SIZE = 48 };

/* Ticks in ascending order. */
typedef struct annotate_ticks {
    int count;
    double values[ANNOTATE_MAX_TICKS];
    /* Labels in UTF-8, to be multiplied by 10^exponent. All have the same number of
     * digits after the point. */
    char texts[ANNOTATE_MAX_TICKS][ANNOTATE_TICK_SIZE];
    int exponent; /* 0, or a multiple of 3 */
    int nminor;   /* ticks without labels between them: multiples of powers of ten */
    double minor[ANNOTATE_MAX_TICKS];
} annotate_ticks;

/* Makes at most `most` (2 to ANNOTATE_MAX_TICKS) ticks at round numbers in [lo, hi].
 * These are multiples of 1, 2, 2.5 or 5 times a power of ten, with the finest step that
 * gives no more ticks. After P. S. Heckbert: Nice Numbers for Graph Labels. Graphics Gems
 * (1990), whose labels may lie outside the range; ours stay inside. If fewer than two lie
 * inside, the ends have the ticks. If lo = hi (to twelve digits), only lo has one. */
annotate_ticks annotate_ticks_round(double lo, double hi, int most);

/* Makes at most `most` ticks for a scale: round ones for a linear scale. On a logarithmic
 * scale they are powers of ten, or 1, 2 and 5 times these if there are few of them in the
 * range; labels are as 0.01, or as 10⁻⁶ if one would need many zeros. The symmetric scale
 * has 0 and powers of ten from its threshold on, to both sides. */
annotate_ticks annotate_ticks_scaled(const base_scale *scale, int most);

/* Writes the labels anew, each number by itself: e, f or g with so many digits, as printf
 * has them. */
void annotate_ticks_format(annotate_ticks *ticks, annotate_format format);

/* Makes ticks at most `most` of these `count` ascending values: all, or every second,
 * third and so on. The labels have enough digits to write the smallest distance between
 * two values to three digits (a single value: six digits), and fewer if the rest are
 * zeros. */
annotate_ticks annotate_ticks_at(int count, const double *values, int most);

/* The factor of an exponent, such as "×10⁻³"; "" for 0. */
void annotate_ticks_factor(int exponent, char text[ANNOTATE_TICK_SIZE]);

/* The title of an axis, with the common factor and the unit: "pressure [10³ Pa]",
 * "pressure (×10³)". title and unit may be NULL. */
void annotate_ticks_title(const char *title, const char *unit, int exponent, char *out,
                          size_t size);

/* An upright bar's title wider than this part of the picture has two lines. */
#define ANNOTATE_TITLE_SHARE 0.13

/* The place in a title at which the second of two lines begins, behind a blank or a '_',
 * so that both are about as long; 0: there is none. */
size_t annotate_title_break(const char *title);

#endif
