/* karman compare: the arithmetic behind the figures. All functions are pure. */
#ifndef APP_COMPARE_STATISTICS_H
#define APP_COMPARE_STATISTICS_H

/* The middle one of values[n] in their order, or the mean of the two in the middle; what
 * is no number is left out; NaN where nothing is left. `values` is sorted. */
double compare_median(int n, double *values);

double compare_sum(int n, const double *values);
double compare_least(int n, const double *values);
double compare_most(int n, const double *values);

/* Load imbalance, max / mean of values[n] >= 0: how much longer it takes than if work
 * were shared out evenly; 1 is even. */
double compare_imbalance(int n, const double *values);

/*
 * Relative range of values[n] >= 0, 2 (max - min) / (max + min), by which the NaS/RVS
 * report measures imbalance: 0 where all are equal and 2 where one does nothing.
 */
double compare_range(int n, const double *values);

/* base / value; NaN where either is not positive. */
double compare_speedup(double base, double value);

/* Speedup over the speedup that so many more ranks could bring: 1 is ideal. */
double compare_efficiency(double speedup, int base_ranks, int ranks);

#endif
