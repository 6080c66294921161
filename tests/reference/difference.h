/* The difference of two pictures: the mean, the 99th percentile and the largest. */
#ifndef REFERENCE_DIFFERENCE_H
#define REFERENCE_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Differences in counts of 8 bits: 1 is 1/255 of full scale. */
typedef struct difference {
    double mean, percentile99, worst;
} difference;

/* Summarizes the absolute values of `count` differences of full scale 1; sorts them. All
 * zero if there are none. */
difference difference_summarize(int64_t count, double *values);

/* Whether a difference is within limits; false if it is not a number. */
bool difference_is_within(const difference *d, const difference *limits);

#endif
