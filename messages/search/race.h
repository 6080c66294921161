/* The race of karman tune: the best trials run in turns, and one of them wins. */
#ifndef MESSAGES_SEARCH_RACE_H
#define MESSAGES_SEARCH_RACE_H

#include "search.h"

enum { TUNE_MOST_ROUNDS = 101 };

/* A finalist: a trial that is run again, in turn with the others. */
typedef struct tune_finalist {
    int method, step;
    double seconds; /* median */
    double spread;  /* half of the distance of its quartiles, over the median */
    int count;      /* of runs so far */
    bool is_out;    /* of the race */
    double runs[TUNE_MOST_ROUNDS]; /* [count], by rounds */
} tune_finalist;

/* The time of one finalist over that of another, in the same rounds. A machine that slows
 * down for a while does so for both. */
typedef struct tune_ratio {
    double least, most; /* the true one lies between, with 95 % confidence from six
                           rounds on, and 75 % after three */
} tune_ratio;

/* Compares the rounds that both ran; without any, the bounds are 0 and infinite. Local.
 */
tune_ratio tune_compare(const tune_finalist *a, const tune_finalist *b);

/* The length of a race. */
typedef struct tune_limits {
    int rounds;   /* most of them */
    double least; /* a difference that matters, as a share */
    double brief; /* s that a race takes in all unless it is decided, of medians; brief
                     runs scatter most and cost least */
} tune_limits;

/*
 * Runs the finalists in turns until the rounds or the budget are used up, and finds
 * medians and spreads; without a whole round they are infinite. From the third round on
 * those drop out that are slower than the best with confidence. While the race is brief
 * and has less than six rounds, they must be a tenth slower, and finalist 0 stays. If it
 * would be replaced after fewer rounds or without confidence, the best one and finalist 0
 * go on, for up to 15 rounds in all. The race is decided when one is left; when with
 * confidence none of the others is faster than the best by more than `least`; and, unless
 * it is brief, after five rounds if medians differ by less than `least` or the spread,
 * after three if finalist 0 is out. Returns the number of runs. Local.
 */
int64_t tune_race(const tune_space *space, const tune_limits *limits,
                  tune_finalist *finalists, int count);

/*
 * The finalist with the least median, if it is faster than finalist 0 with confidence,
 * and by more than the larger of both spreads, and by more than `least`; else 0. Local.
 */
int tune_choose(const tune_finalist *finalists, int count, double least);

/* Some runs of one trial, by ascending times: whether the machine is as fast as it was.
 */
enum { TUNE_PROBES = 7 };
typedef struct tune_probe {
    double runs[TUNE_PROBES];
    int count;      /* of runs; fewer than TUNE_PROBES: the budget is used up */
    double seconds; /* median */
} tune_probe;
tune_probe tune_probe_run(const tune_space *space, int method, int step);

/* Whether the machine became slower or faster between two probes of a trial: the medians
 * differ by more than 15 %, and the middle halves of the runs do not meet. Local. */
bool tune_has_drifted(const tune_probe *before, const tune_probe *after);

#endif
