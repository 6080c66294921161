/* Parts of space that cost about the same: partition: {kind: object, balance: cost}. */
#ifndef APP_FRAME_SHARE_SPACE_H
#define APP_FRAME_SHARE_SPACE_H

#include "needs.h"

/*
 * Cuts space anew, by what bricks are expected to cost in this view: sets job->weights,
 * space and box. The job has its camera and its layers. Local. Errors: STATUS_MEMORY.
 */
status app_space_divide(app_job *job, const app_needs *needs);

void app_space_destroy(app_job *job);

/* Notes what drawing and compositing the last picture took: after each picture. Local. */
void app_space_note(app_job *job);

/* Whether it is time for app_space_correct: after the first picture, of which it is known
 * where its work lies, and whenever enough others were measured since. The same on all
 * ranks. Local. */
bool app_space_is_measured(const app_job *job);

/*
 * Takes what the pictures since the last call cost every rank, and where it pays
 * over the frames that are left gives ranks other boxes; as app_share_correct.
 * Collective. Errors: STATUS_MEMORY.
 */
status app_space_correct(app_job *job, int frames_left, bool *moved);

#endif
