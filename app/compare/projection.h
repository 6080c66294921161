/* karman compare: views of the same direction in which the grid is small or large. */
#ifndef APP_COMPARE_PROJECTION_H
#define APP_COMPARE_PROJECTION_H

#include "launch.h"

/* The share of the picture that is covered where what it shows is `factor` times as
 * high. */
typedef status (*compare_measure)(void *context, double factor, double *coverage);

/* What is looked for. */
typedef struct compare_goal {
    double target, tolerance; /* coverage, in 0..1 */
    double least, most;       /* factors that may be tried; 1 lies between */
} compare_goal;

/* Shares of pixels that count as small and as large; those of the NaS/RVS report are 26
 * and 98 %. The name is that of a projection. */
compare_goal compare_projection_goal(const char *name, const compare_view *view);

/*
 * Looks for a factor of that coverage, by a dozen measurements at most, where the factor
 * 1 covers `own`. Factors have four digits. Fills in all but the name; the nearest that
 * was seen where none comes close enough. Local. Errors: those of `measure`.
 */
status compare_projection_search(const compare_goal *goal, double own,
                                 compare_measure measure, void *context,
                                 compare_projection *projection);

/*
 * Fills in the plan's projections by tiny runs, where there are others than the config's
 * own; what was found once is kept in the folder of the runs. Local. Errors: STATUS_USAGE
 * where a tiny run fails; those of compare_launch.
 */
status compare_projection_find(compare_plan *plan, const compare_launcher *launcher);

#endif
