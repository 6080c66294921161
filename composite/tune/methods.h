/* The ways to composite that karman tune tries. */
#ifndef COMPOSITE_TUNE_METHODS_H
#define COMPOSITE_TUNE_METHODS_H

#include "composite/rules.h"
#include "composite/simulate/simulate.h"

enum { TUNE_MOST_METHODS = 256, TUNE_MOST_STEPS = 16 };

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

/* Numbers the algorithms of methods: family [methods->count]. Local. */
void tune_methods_families(const tune_methods *methods, int *family);

/* All pointers are borrowed. */
typedef struct tune_predictor {
    simulate_simulator *simulator;
    const simulate_machine *machine;
    const tune_case *of;
    int64_t most; /* messages of a schedule: those of others are not predicted */
} tune_predictor;

/*
 * Predicts the seconds of a choice; with segment 0 it has COMPOSITE_SEGMENT. They are
 * infinite if the simulator cannot tell, or if the schedule may have too many messages.
 * *messages: that it may have. Local. Errors: STATUS_MEMORY.
 */
status tune_methods_predict(const tune_predictor *by, const composite_choice *choice,
                            int64_t *messages, double *seconds);

/*
 * Sorts methods by the time that the simulator predicts: order [methods->count]. Those
 * that it cannot simulate come last. Local. Errors: STATUS_MEMORY.
 */
status tune_methods_sort(const tune_case *of, const simulate_machine *machine,
                         const tune_methods *methods, int *order);

/* The segments that are tried for a picture, from the largest down by powers of two:
 * fills in segments, returns how many. Local. */
int tune_segments_list(int64_t pixels, int segments[TUNE_MOST_STEPS]);

#endif
