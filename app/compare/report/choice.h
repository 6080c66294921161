/* karman compare: which case to take, and how sure that is. */
#ifndef APP_COMPARE_REPORT_CHOICE_H
#define APP_COMPARE_REPORT_CHOICE_H

#include "table.h"

/* Seconds that differ by less than the first share may be chance where a case ran once.
 * Fewer ranks are as good where they take no longer by more than the second share, as the
 * repeats of a busy machine may lie far apart. Times that differ by more than the factor
 * contradict each other. */
#define COMPARE_CHANCE  0.05
#define COMPARE_AS_GOOD 0.1
#define COMPARE_FACTOR  1.5

typedef struct compare_choice {
    const compare_row *best;  /* to take: NULL: no case has figures */
    const compare_row *next;  /* the fastest of all others; NULL: there is none */
    double lead;              /* by which `next` takes longer, as a share of `best`;
                                 negative: `next` is the fastest case, on more ranks */
    double spread;            /* of the repeats of both, the larger one, as a share; NAN
                                 where cases ran once */
    bool is_clear;            /* the lead is beyond the spread */
    const compare_row *rival; /* clearly the fastest by the other kind of time; NULL:
                                 modelled and measured agree */
    double factor;            /* measured over modelled frame of `best`, if above
                                 COMPARE_FACTOR and there were cores enough; else 0 */
} compare_choice;

/*
 * Chooses among the cases of a projection: the fastest one, or one on fewer ranks that is
 * as fast within the spread of the repeats, and as good. Local.
 */
compare_choice compare_choose(const compare_table *table, int projection);

/* The fastest row of a projection; NULL: none has figures. `partition` and `ranks` narrow
 * the search where they are not NULL and 0. Local. */
const compare_row *compare_choice_fastest(const compare_table *table, int projection,
                                          const char *partition, int ranks);

/* Whether two cases come to the same, but for the projection: on one rank nothing is
 * partitioned, and where nothing is composited the algorithm does not matter. Local. */
bool compare_choice_is_same(const compare_case *a, const compare_case *b);

#endif
