/* Sorted times, for the search and the race of karman tune. Local. */
#ifndef COMPOSITE_TUNE_QUANTILE_H
#define COMPOSITE_TUNE_QUANTILE_H

void tune_sort(double *values, int count);

/* A quantile of sorted values, in quarters: 2 is the median. count >= 1. */
double tune_quartile(const double *sorted, int count, int quarter);

#endif
