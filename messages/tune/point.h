/* One point of karman tune: the best choice for one scene. */
#ifndef MESSAGES_TUNE_POINT_H
#define MESSAGES_TUNE_POINT_H

#include "messages/model/machine.h"
#include "messages/search/race.h"
#include "stage.h"

enum { TUNE_EXHAUSTIVE_REPEATS = 3 }; /* runs of a trial of an exhaustive search */

/* How to search. */
typedef struct tune_effort {
    tune_strategy strategy;
    double seconds; /* that the point may take */
    int repeats;    /* runs of a trial that counts */
} tune_effort;

/* The end of a point. */
typedef struct tune_outcome {
    frame_tuned tuned;     /* its choice is the usual one if that stays */
    composite_choice best; /* the fastest finalist beside the usual choice */
    double best_seconds;   /* its median; infinite: there was none */
    int64_t runs;
    double seconds;  /* that it took */
    bool is_busy;    /* the usual choice became slower or faster meanwhile, each time */
    bool is_whole;   /* the search came to its end within its time */
    bool is_decided; /* the usual choice was compared with the best other one, or no other
                        one came near it */
} tune_outcome;

/*
 * Searches the best choice for a scene, and lets the best ones run in turns with the
 * usual one. If the usual one takes longer or less long afterwards, says that the machine
 * is busy and searches again, twice at most. These runs have views in which rank 0 lies
 * in other places. machine: of the simulator, which orders the trials; rank 0's counts.
 * Collective; *out is filled in on rank 0. Errors, the same on all ranks: STATUS_MEMORY.
 */
status tune_point(tune_scene *scene, int threads, const simulate_machine *machine,
                  const tune_effort *effort, tune_outcome *out);

#endif
