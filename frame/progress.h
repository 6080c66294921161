/* The progress of a run for people: a line about the job, then a bar on a terminal, or a
 * line per frame in a file. */
#ifndef FRAME_PROGRESS_H
#define FRAME_PROGRESS_H

#include "job.h"

#include <stdio.h>

/* The number of last frames whose times predict the time left. */
enum { APP_PROGRESS_RECENT = 31, APP_PROGRESS_DURATION = 32 };

typedef struct app_progress {
    FILE *stream;
    bool is_terminal;
    int frames, done; /* frames: 0: unknown */
    int drawn, kept;  /* of those done; kept frames were complete before */
    double recent[APP_PROGRESS_RECENT]; /* seconds of the last drawn frames */
    double begin;
    int64_t lost_rays, nan_cells;
    char last_picture[1024];
} app_progress;

/* Starts the progress of `frames` frames on standard output. Local; rank 0 only. */
app_progress app_progress_begin(int frames);

/* Prints one line about a job, before its first frame. `data`: the path of its data as
 * the user wrote it; NULL: as in the config. Local. */
void app_progress_announce(app_progress *progress, const app_job *job, const char *data);

/* Draws a bar with "done/all" over the terminal's current line. The caller may print
 * behind it. */
void app_progress_draw(FILE *stream, int done, int all);

/* "5 s", "12 min" or "3.2 h". Local. */
void app_progress_duration(double seconds, char text[APP_PROGRESS_DURATION]);

/* The seconds left if every frame is drawn and takes the median time of the last drawn
 * ones; negative: unknown. Local. */
double app_progress_left(const app_progress *progress);

/* Reports a finished frame. */
void app_progress_frame(app_progress *progress, const app_frame *frame);

/* Ends the progress. If all frames are `complete`, prints a line with the totals. */
void app_progress_end(app_progress *progress, bool complete);

#endif
