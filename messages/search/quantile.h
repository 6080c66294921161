/* Sorted times, for the search and the race of karman tune. Local. */
#ifndef MESSAGES_SEARCH_QUANTILE_H
#define MESSAGES_SEARCH_QUANTILE_H

void tune_sort(double *values, int count);

/* A quantile of sorted values, in quarters: 2 is the median. count >= 1. */
double tune_quartile(const double *sorted, int count, int quarter);

#endif
