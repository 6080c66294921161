/* karman compare: all cases with their figures, and the advice. */
#ifndef MESSAGES_COMPARE_REPORT_TABLE_H
#define MESSAGES_COMPARE_REPORT_TABLE_H

#include "messages/compare/figures.h"
#include "messages/compare/plan.h"
#include "pictures.h"

/* A case and its results. */
typedef struct compare_row {
    compare_case which;
    bool is_there; /* it has results; else only `reason` is set */
    char reason[512];
    compare_figures figures;
    json_t *first;                 /* the result of its first run */
    compare_difference difference; /* of its pictures from those of the first row of its
                                      projection: the largest of all frames, the pixels of
                                      all frames */
} compare_row;

typedef struct compare_table {
    const compare_plan *plan;
    int count;
    compare_row *rows; /* [count] */
    int cores;         /* cores that the runs were bound to, or could use */
    bool is_modelled;  /* some case has more threads than cores: modelled figures are
                          compared, and measured ones shown beside them */
    double load;       /* load average of the machine before the runs; 0: unknown */
    int processors;    /* of the machine; 0: unknown */
    int nodes;         /* nodes of the runs; 0: unknown */
} compare_table;

enum { COMPARE_MOST_WARNINGS = 2 };

/* The head of the report. */
typedef struct compare_advice {
    int best; /* index of the recommended row; -1: none */
    char sentence[512];
    char yaml[256];     /* lines for the config; "" if none are needed */
    char command[8192]; /* draws with the recommended case */
    char reason[4096];
    int nwarnings; /* reasons to doubt the times */
    char warnings[COMPARE_MOST_WARNINGS][512];
} compare_advice;

/* The frames of the row's first run (docs/user/formats.md). Borrowed. */
const json_t *compare_row_frames(const compare_row *row);

/* How the last frame of the row's first run was blended, as its timings say; borrowed.
 * NULL: it was not. */
const json_t *compare_row_choice(const compare_row *row);

/* Whether a partition has a row with figures. */
bool compare_table_has(const compare_table *table, const char *partition);

/* The row of that case, if it has figures; else NULL. Without compositing the algorithm
 * does not matter. */
const compare_row *compare_table_find(const compare_table *table,
                                      const compare_case *which);

/* The first row of a projection that has figures; NULL if none has. The other pictures
 * are compared with its pictures. */
const compare_row *compare_table_first(const compare_table *table, int projection);

/* Sets all speedups: relative to the fewest ranks of the same projection, partition and
 * algorithm. */
void compare_table_relate(compare_table *table);

/* The seconds of a frame that are compared: modelled or measured. */
double compare_table_seconds(const compare_table *table, const compare_row *row);

/* The recommendation and its reasons. Local. */
compare_advice compare_table_advise(const compare_table *table);

#endif
