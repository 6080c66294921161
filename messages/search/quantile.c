#include "quantile.h"

#include "base/array.h"

#include <stdlib.h>

void tune_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, base_array_compare_doubles);
}

double tune_quartile(const double *sorted, int count, int quarter)
{
    const double at = (count - 1) * quarter / 4.0;
    const int below = (int)at;
    const double rest = at - below;
    return rest > 0 ? sorted[below] + rest * (sorted[below + 1] - sorted[below])
                    : sorted[below];
}
