/* The ways to composite that karman tune tries. */
#ifndef MESSAGES_SEARCH_METHODS_H
#define MESSAGES_SEARCH_METHODS_H

#include "composite/rules.h"
#include "messages/model/simulate.h"

enum { TUNE_MOST_METHODS = 256, TUNE_MOST_STEPS = 16 };

/* Segments, from the largest down by powers of two. */
typedef struct tune_axis {
    int count;
    int segments[TUNE_MOST_STEPS];
} tune_axis;

typedef struct tune_methods {
    int count;
    composite_choice items[TUNE_MOST_METHODS]; /* [count]; segments are 0 */
} tune_methods;

/* The images of a case. All pointers are borrowed. */
typedef struct tune_case {
    composite_problem problem;    /* .nodes NULL */
    const composite_nodes *nodes; /* of the positions */
    bool shares_pieces; /* ranks go on working on their pieces of the picture: methods
                           that leave one rank much more than its share are left out */
    const simulate_activity *activity;
} tune_case;

/*
 * Lists each algorithm of the registry with its parameters: ordered factors of the number
 * of ranks, groups and fan-ins by powers of two, and the numbers that the algorithm
 * chooses. If several nodes have several ranks, each is listed with and without merging
 * by nodes. Local.
 */
void tune_methods_list(const tune_case *of, tune_methods *out);

/* The method that the executor would take for the case (composite_rules_usual); -1: it is
 * not listed. Local. */
int tune_methods_usual(const tune_case *of, const tune_methods *methods);

/* All pointers are borrowed. */
typedef struct tune_predictor {
    simulate_simulator *simulator;
    const simulate_machine *machine;
    const tune_case *of;
    int64_t most; /* messages of a schedule: those of others are not predicted */
} tune_predictor;

/*
 * Predicts the seconds of a choice; with segment 0 it has the usual one. They are
 * infinite if the simulator cannot tell, or if the schedule may have too many messages.
 * *messages: that it may have. Local. Errors: STATUS_MEMORY.
 */
status tune_methods_predict(const tune_predictor *by, const composite_choice *choice,
                            int64_t *messages, double *seconds);

/* The likely ones among the methods of a case. */
typedef struct tune_order {
    int order[TUNE_MOST_METHODS]; /* the likely best first */
    int start[TUNE_MOST_METHODS]; /* the step of each that is likely to be its best */
    int same[TUNE_MOST_METHODS];  /* the likely method with just the messages of each,
                                     which  may be itself */
    int likely;                   /* so many of the order are worth a trial */
} tune_order;

/*
 * Sorts methods by the least time that the simulator predicts on the axis. Those are
 * likely that take at most 1.25 times as long as the best one, or that it
 * cannot simulate; on one node all are. Of methods with the same messages the first one
 * is. Local. Errors: STATUS_MEMORY.
 */
status tune_methods_sort(const tune_case *of, const simulate_machine *machine,
                         const tune_methods *methods, const tune_axis *axis,
                         tune_order *out);

/* The segments that are tried for a picture. Local. */
void tune_axis_find(int64_t pixels, tune_axis *out);

#endif
