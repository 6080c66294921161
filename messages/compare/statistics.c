#include "statistics.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

double compare_median(int n, double *values)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            values[kept++] = values[i];
        }
    }
    if (kept == 0) {
        return NAN;
    }
    qsort(values, (size_t)kept, sizeof *values, base_array_compare_doubles);
    return 0.5 * (values[(kept - 1) / 2] + values[kept / 2]);
}

double compare_sum(int n, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum;
}

double compare_least(int n, const double *values)
{
    double least = NAN;
    for (int i = 0; i < n; i++) {
        least = fmin(least, values[i]); /* fmin ignores NaN */
    }
    return least;
}

double compare_most(int n, const double *values)
{
    double most = NAN;
    for (int i = 0; i < n; i++) {
        most = fmax(most, values[i]);
    }
    return most;
}

double compare_range(int n, const double *values)
{
    double least = compare_least(n, values), most = compare_most(n, values);
    return least + most > 0.0 ? 2.0 * (most - least) / (most + least) : 0.0;
}

double compare_imbalance(int n, const double *values)
{
    double sum = compare_sum(n, values);
    return sum > 0.0 ? compare_most(n, values) * n / sum : 1.0;
}

double compare_speedup(double base, double value)
{
    return base > 0.0 && value > 0.0 ? base / value : NAN;
}

double compare_efficiency(double speedup, int base_ranks, int ranks)
{
    return speedup * base_ranks / ranks;
}
