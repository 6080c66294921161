/* The search of karman tune: which trials are run, and in which order. */
#ifndef MESSAGES_SEARCH_SEARCH_H
#define MESSAGES_SEARCH_SEARCH_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A trial is a method and a step on its axis. A method is an algorithm with its
 * parameters; step 0 has the largest segment, and the others have smaller ones.
 *
 * Runs take time, and slow trials take most. S. Vadhiyar, G. Fagg and J. Dongarra
 * ("Automatically tuned collective communications", SC 2000) scan: first one run of each
 * method, then modified gradient descent (SMGD) on the axes of the best few. It walks
 * along an axis past a minimum, two steps towards smaller segments and one towards larger
 * ones. Trials and methods that are clearly behind are dropped.
 *
 * The search begins at the step of a method that is likely to be its best, and leaves out
 * methods that are hardly likely at all.
 */
typedef enum tune_strategy { TUNE_EXHAUSTIVE, TUNE_SMGD } tune_strategy;

typedef struct tune_space {
    int methods, steps; /* >= 1 */
    const int *order; /* [methods], borrowed: the likely best first; NULL: as they are */
    const int *start; /* [methods], borrowed: the likely best step of each; NULL: 0 */
    int likely; /* so many methods of the order are tried, and all of TUNE_EXHAUSTIVE; 0:
                   all */
    double brief;   /* s: a trial of TUNE_SMGD whose runs take less in all is repeated, up
                       to five times. Brief runs scatter most and cost least */
    bool has_heats; /* TUNE_SMGD: the better half of the methods is run again, then the
                       better half of these, until at most five are left, in place of
                       walks. For runs that scatter more than segments differ, as on one
                       node */
    int repeats;    /* runs of a trial that counts, of which the median is its value */
    /* Runs a trial once. *seconds: > 0, infinite if it is impossible. Returns false, and
     * runs nothing, once the budget is used up: then the search ends. */
    bool (*run)(void *context, int method, int step, double *seconds);
    /* A round of a race begins, numbered from 0; NULL: nobody needs to know. */
    void (*turn)(void *context, int round);
    void *context;
} tune_space;

/* The best step of a method. */
typedef struct tune_best {
    int step;
    double seconds; /* median of its runs; infinite: none was run */
} tune_best;

/* The end of a search. */
typedef struct tune_result {
    int method;    /* the best one; -1: none was run */
    int64_t runs;  /* in all */
    bool is_whole; /* the budget lasted to the end */
} tune_result;

/*
 * Searches. best: [methods], filled in. A trial of TUNE_SMGD is not repeated after a run
 * that takes five percent longer than the best value so far, or longer than the method's
 * best at another step. A brief one is repeated until it is a quarter longer. Local; the
 * same runs give the same result. Errors: STATUS_MEMORY.
 */
status tune_search(tune_strategy strategy, const tune_space *space, tune_best *best,
                   tune_result *result);

#endif
