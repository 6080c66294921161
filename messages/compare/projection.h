/* karman compare: views from the same direction in which the grid is small or large. */
#ifndef MESSAGES_COMPARE_PROJECTION_H
#define MESSAGES_COMPARE_PROJECTION_H

#include "launch.h"

/* Measures the share of the picture that the grid covers, in a view that shows `factor`
 * times the config's height. */
typedef status (*compare_measure)(void *context, double factor, double *coverage);

/* The goal of a search. */
typedef struct compare_goal {
    double target, tolerance; /* coverage, from 0 to 1 */
    double least, most;       /* limits of the factor; 1 lies between them */
} compare_goal;

/* The goal of a projection by its name. The coverages of small and large are those of the
 * NaS/RVS report, 26 and 98 %. */
compare_goal compare_projection_goal(const char *name, const compare_view *view);

/*
 * Searches for the factor with the goal's coverage, by at most a dozen measurements.
 * `own` is the coverage of the factor 1. Factors have four digits. Sets all but the name
 * of the projection: to the nearest factor seen if none comes close enough. Local.
 * Errors: those of `measure`.
 */
status compare_projection_search(const compare_goal *goal, double own,
                                 compare_measure measure, void *context,
                                 compare_projection *projection);

/*
 * Finds the factors of the plan's projections by tiny runs, unless there is only the
 * config's own view. The folder of the runs keeps the factors for the next time. Local.
 * Errors: STATUS_USAGE if a tiny run fails; those of compare_launch.
 */
status compare_projection_find(compare_plan *plan, const compare_launcher *launcher);

#endif
