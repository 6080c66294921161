/* What people see while frames are made: a bar on a terminal, else a line a frame. */
#ifndef APP_FRAME_PROGRESS_H
#define APP_FRAME_PROGRESS_H

#include "job.h"

#include <stdio.h>

typedef struct app_progress {
    FILE *stream;
    bool is_terminal;
    int frames, done;
    double begin;
    int64_t lost_rays, nan_cells;
    int skipped;
    char last_picture[1024];
} app_progress;

/* For `frames` frames, on standard output. Local; rank 0 only. */
app_progress app_progress_begin(int frames);

/* Draws a bar with "done/all" over the terminal's line; the caller goes on after it. */
void app_progress_draw(FILE *stream, int done, int all);

/* A frame is done. */
void app_progress_frame(app_progress *progress, const app_frame *frame);

/* No frame follows: ends the bar, and where all are `complete` prints a line with the
 * totals. */
void app_progress_end(app_progress *progress, bool complete);

#endif
