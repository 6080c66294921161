/* A rule as a tuning file has it: with the ranks that it is for, and its measurement. */
#ifndef FRAME_TUNING_TUNED_H
#define FRAME_TUNING_TUNED_H

#include "composite/rules.h"

/* The ranks of a job. */
typedef struct frame_crowd {
    int ranks, nodes;
    int node_ranks; /* most ranks of a node */
} frame_crowd;

/* A rule for some ranks, and its measurement. */
typedef struct frame_tuned {
    frame_crowd crowd;
    composite_rule rule;
    double seconds;       /* of the rule's choice, median */
    double usual_seconds; /* of the executor's own choice, in turns with it */
    double spread;        /* of these runs, relative */
} frame_tuned;

#endif
