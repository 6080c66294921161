#include "reference/difference.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

difference difference_summarize(int64_t count, double *values)
{
    if (count == 0) {
        return (difference){0};
    }
    double sum = 0.0;
    for (int64_t n = 0; n < count; n++) {
        /* Sorting must not hide NaNs. */
        values[n] = isnan(values[n]) ? INFINITY : 255.0 * fabs(values[n]);
        sum += values[n];
    }
    qsort(values, (size_t)count, sizeof *values, compare);
    int64_t rank = (int64_t)ceil(0.99 * (double)count);
    return (difference){sum / (double)count, values[rank - 1], values[count - 1]};
}

bool difference_is_within(const difference *d, const difference *limits)
{
    return d->mean <= limits->mean && d->percentile99 <= limits->percentile99 &&
           d->worst <= limits->worst;
}
