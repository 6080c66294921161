/* karman compare: the arithmetic behind the figures. No function has state. */
#ifndef MESSAGES_COMPARE_STATISTICS_H
#define MESSAGES_COMPARE_STATISTICS_H

/* The median of values[n]: the middle one, or the mean of the two in the middle. NaNs are
 * ignored; NaN if there are no other values. Sorts `values`. */
double compare_median(int n, double *values);

double compare_sum(int n, const double *values);
double compare_least(int n, const double *values);
double compare_most(int n, const double *values);

/* Load imbalance of values[n] >= 0, max / mean: the time of a parallel step relative to
 * an even distribution. 1 is even. */
double compare_imbalance(int n, const double *values);

/*
 * Relative range of values[n] >= 0, 2 (max - min) / (max + min): the imbalance of the
 * NaS/RVS report. 0 if all are equal, 2 if one is zero.
 */
double compare_range(int n, const double *values);

/* base / value; NaN if either is not positive. */
double compare_speedup(double base, double value);

/* The speedup relative to the ideal one for the number of ranks: 1 is ideal. */
double compare_efficiency(double speedup, int base_ranks, int ranks);

#endif
