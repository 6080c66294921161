/* karman compare: the arithmetic behind the figures. All functions are pure. */
#ifndef APP_COMPARE_STATISTICS_H
#define APP_COMPARE_STATISTICS_H

/* The middle one of values[n] in their order, or the mean of the two in the middle; what
 * is no number is left out; NaN where nothing is left. `values` is sorted. */
double compare_median(int n, double *values);

double compare_sum(int n, const double *values);
double compare_least(int n, const double *values);
double compare_most(int n, const double *values);

/*
 * Imbalance of values[n] >= 0 as the NaS/RVS report measures it: 2 (max - min) /
 * (max + min), 0 where all are equal and 2 where one does nothing.
 */
double compare_imbalance_spread(int n, const double *values);

/* max / mean: how much longer it takes than if work were shared out evenly; 1 is even. */
double compare_imbalance_mean(int n, const double *values);

/* base / value; NaN where either is not positive. */
double compare_speedup(double base, double value);

/* Speedup over the speedup that so many more ranks could bring: 1 is ideal. */
double compare_efficiency(double speedup, int base_ranks, int ranks);

#endif
