/* Pictures that should be alike. */
#ifndef TESTS_INSITU_PICTURE_DIFFERENCE_H
#define TESTS_INSITU_PICTURE_DIFFERENCE_H

#include <stdbool.h>

/* Whether two PNG files have the same size and channels within `counts` of each other;
 * says what differs. `lit`: at least that share of the pixels shows something. */
bool same_pngs(const char *a, const char *b, int counts, double lit);

/* Whether two float images differ by at most 1e-5 in each channel, and in depth. */
bool same_floats(const char *a, const char *b);

#endif
