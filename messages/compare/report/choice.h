/* karman compare: the recommended case, and the certainty of the choice. */
#ifndef MESSAGES_COMPARE_REPORT_CHOICE_H
#define MESSAGES_COMPARE_REPORT_CHOICE_H

#include "table.h"

/*
 * COMPARE_CHANCE: if cases ran once, a difference below this share may be chance.
 * COMPARE_AS_GOOD: fewer ranks are as good if they take longer by at most this share; the
 * limit is needed as the repeats of a busy machine may lie far apart. COMPARE_FACTOR:
 * modelled and measured times that differ by more than this factor contradict each other.
 */
#define COMPARE_CHANCE  0.05
#define COMPARE_AS_GOOD 0.1
#define COMPARE_FACTOR  1.5

typedef struct compare_choice {
    const compare_row *best;  /* the recommended case; NULL: no case has figures */
    const compare_row *next;  /* the fastest of all other cases; NULL: there is none */
    double lead;              /* extra time of `next`, as a share of `best`; negative:
                                 `next` is the fastest case, on more ranks */
    double spread;            /* of the repeats of both, the larger one, as a share; NAN
                                 if cases ran once */
    bool is_clear;            /* the lead exceeds the spread */
    const compare_row *rival; /* clearly the fastest by the other kind of time; NULL:
                                 modelled and measured times agree */
    double factor;            /* measured over modelled time of `best`, if it exceeds
                                 COMPARE_FACTOR and there were enough cores; else 0 */
} compare_choice;

/*
 * Chooses among the cases of a projection: the fastest one, or one on fewer ranks that is
 * as fast within the spread of the repeats, and as good. Local.
 */
compare_choice compare_choose(const compare_table *table, int projection);

/* The fastest row of a projection; NULL if none has figures. `partition`, unless NULL,
 * and `ranks`, unless 0, restrict the search. Local. */
const compare_row *compare_choice_fastest(const compare_table *table, int projection,
                                          const char *partition, int ranks);

/* Whether two cases are equivalent, apart from the projection. On one rank the partition
 * does not matter, and without compositing the algorithm does not. Local. */
bool compare_choice_is_same(const compare_case *a, const compare_case *b);

#endif
