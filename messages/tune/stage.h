/* The ranks of karman tune: rank 0 searches, all of them composite. */
#ifndef MESSAGES_TUNE_STAGE_H
#define MESSAGES_TUNE_STAGE_H

#include "composite/run/execute.h"
#include "scene.h"

typedef struct tune_stage {
    tune_scene *scene; /* borrowed; of a turned scene other ranks know by each run */
    composite_executor *executor;
    image *img;
    bool is_warm; /* it has run */
    int at;       /* the place of rank 0's node in the next run; rank 0 sets it */
    int seen;     /* its place in the last run */
} tune_stage;

/* Makes executor and image. Collective. Errors: STATUS_MEMORY, the same on all ranks;
 * then there is nothing to close. */
status tune_stage_open(tune_scene *scene, int threads, tune_stage *out);
void tune_stage_close(tune_stage *stage);

/* Rank 0: lets all ranks composite the scene once, and returns the seconds of the slowest
 * one; infinite if the choice is impossible. The others are in tune_stage_serve. */
double tune_stage_run(tune_stage *stage, const composite_choice *choice);

/* The other ranks: composite as rank 0 says, until tune_stage_dismiss. */
void tune_stage_serve(tune_stage *stage);

/* Rank 0: ends tune_stage_serve on the others. */
void tune_stage_dismiss(tune_stage *stage);

#endif
