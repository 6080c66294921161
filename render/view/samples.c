#include "samples.h"

#include <math.h>

/* [count]: the step of its lattice. */
static const int steps[RENDER_MOST_SAMPLES + 1] = {
    0,  1,  1,  2,  3,  3,  5,  5,  5,  4,  7,  7,  5,  5,  11, 11, 13,
    10, 13, 8,  9,  13, 13, 18, 17, 7,  19, 16, 11, 17, 19, 19, 9,  14,
    21, 13, 7,  23, 27, 32, 29, 9,  19, 25, 25, 19, 13, 18, 11, 40, 29,
    29, 37, 30, 23, 32, 31, 16, 41, 22, 23, 11, 23, 10, 27};

/* The place with the share u of the filter's weight on its left. */
static double invert(render_filter filter, double u)
{
    return filter == RENDER_FILTER_BOX ? u - 0.5
           : u < 0.5                   ? sqrt(2.0 * u) - 1.0
                                       : 1.0 - sqrt(2.0 * (1.0 - u));
}

void render_sample_shift(render_filter filter, int number, int count, double shift[2])
{
    const int row = number * steps[count] % count;
    shift[0] = invert(filter, (number + 0.5) / count);
    shift[1] = invert(filter, (row + 0.5) / count);
}
