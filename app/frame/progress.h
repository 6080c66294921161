/* What people see while frames are made: what will happen, then a bar on a terminal, else
 * a line a frame. */
#ifndef APP_FRAME_PROGRESS_H
#define APP_FRAME_PROGRESS_H

#include "job.h"

#include <stdio.h>

/* Frames whose times tell how long the others will take. */
enum { APP_PROGRESS_RECENT = 31, APP_PROGRESS_DURATION = 32 };

typedef struct app_progress {
    FILE *stream;
    bool is_terminal;
    int frames, done; /* frames: 0: nobody knows how many will come */
    int drawn, kept;  /* of those done: kept ones were complete before */
    double recent[APP_PROGRESS_RECENT]; /* seconds of the last frames that were drawn */
    double begin;
    int64_t lost_rays, nan_cells;
    char last_picture[1024];
} app_progress;

/* For `frames` frames, on standard output. Local; rank 0 only. */
app_progress app_progress_begin(int frames);

/* Says in one line what a job will do; before its first frame. data: the path of its data
 * as people wrote it; NULL: as the config has it. Local. */
void app_progress_announce(app_progress *progress, const app_job *job, const char *data);

/* Draws a bar with "done/all" over the terminal's line; the caller goes on after it. */
void app_progress_draw(FILE *stream, int done, int all);

/* "5 s", "12 min" or "3.2 h". Local. */
void app_progress_duration(double seconds, char text[APP_PROGRESS_DURATION]);

/* Seconds that the frames to come will take, if each is drawn and takes the median of the
 * last ones that were; negative: nobody knows. Local. */
double app_progress_left(const app_progress *progress);

/* A frame is done. */
void app_progress_frame(app_progress *progress, const app_frame *frame);

/* No frame follows: ends the bar, and where all are `complete` prints a line with the
 * totals. */
void app_progress_end(app_progress *progress, bool complete);

#endif
