/* karman compare: all cases with their figures, and which one to take. */
#ifndef APP_COMPARE_REPORT_TABLE_H
#define APP_COMPARE_REPORT_TABLE_H

#include "app/compare/figures.h"
#include "app/compare/plan.h"
#include "pictures.h"

/* A case and what came of it. */
typedef struct compare_row {
    compare_case which;
    bool is_there; /* else `reason` says why not, and the rest means nothing */
    char reason[512];
    compare_figures figures;
    json_t *first;                 /* the result of its first run */
    compare_difference difference; /* of its pictures from those of the first row of its
                                      projection: the most of all frames, pixels of all
                                      frames */
} compare_row;

typedef struct compare_table {
    const compare_plan *plan;
    int count;
    compare_row *rows; /* [count] */
    int cores; /* of the machines that it ran on, or those that runs were bound to */
    bool is_modelled; /* some case has more threads than that: figures to be compared are
                         modelled, those of the wall clock stand beside them */
    double load;      /* average load of the machine before runs; 0: nobody knows */
    int processors;   /* of the machine; 0: nobody knows */
    int nodes;        /* that runs had; 0: nobody knows */
} compare_table;

enum { COMPARE_MOST_WARNINGS = 2 };

/* The head of the report. */
typedef struct compare_advice {
    int best; /* row; -1: there is none */
    char sentence[512];
    char yaml[256];     /* lines for the config; "" where it does not matter */
    char command[8192]; /* that draws like this */
    char reason[4096];
    int nwarnings; /* what makes the times doubtful */
    char warnings[COMPARE_MOST_WARNINGS][512];
} compare_advice;

/* The frames of its first run, borrowed: docs/user/formats.md. */
const json_t *compare_row_frames(const compare_row *row);

/* Whether a partition has a row with figures. */
bool compare_table_has(const compare_table *table, const char *partition);

/* The row of that case with figures; where nothing is composited the algorithm does not
 * matter. NULL: none. */
const compare_row *compare_table_find(const compare_table *table,
                                      const compare_case *which);

/* The first row of a projection that has figures: pictures are compared with its own.
 * NULL: none. */
const compare_row *compare_table_first(const compare_table *table, int projection);

/* Fills in all speedups: against the fewest ranks of the same projection, partition and
 * algorithm. */
void compare_table_relate(compare_table *table);

/* Seconds of a frame that are compared: modelled or of the wall clock. */
double compare_table_seconds(const compare_table *table, const compare_row *row);

/* What to take, and why. Local. */
compare_advice compare_table_advise(const compare_table *table);

#endif
