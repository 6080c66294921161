#include "quantile.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void tune_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
}

double tune_quartile(const double *sorted, int count, int quarter)
{
    const double at = (count - 1) * quarter / 4.0;
    const int below = (int)at;
    const double rest = at - below;
    return rest > 0 ? sorted[below] + rest * (sorted[below + 1] - sorted[below])
                    : sorted[below];
}
