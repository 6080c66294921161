/* The progress of a run for people: a line about the job, then a bar on a terminal, or a
 * line per frame in a file. */
#ifndef FRAME_PROGRESS_H
#define FRAME_PROGRESS_H

#include "job.h"

#include <stdio.h>

/* The number of last frames whose times predict the time left. */
enum { APP_PROGRESS_RECENT = 31, APP_PROGRESS_DURATION = 32 };

typedef struct frame_progress {
    FILE *stream;
    bool is_terminal;
    int frames, done; /* frames: 0: unknown */
    int drawn, kept;  /* of those done; kept frames were complete before */
    double recent[APP_PROGRESS_RECENT]; /* seconds of the last drawn frames */
    double begin;
    int64_t lost_rays, nan_cells;
    char last_picture[1024];
} frame_progress;

/* Starts the progress of `frames` frames on standard output. Local; rank 0 only. */
frame_progress frame_progress_begin(int frames);

/* Prints one line about a job, before its first frame. `data`: the path of its data as
 * the user wrote it; NULL: as in the config. Local. */
void frame_progress_announce(frame_progress *progress, const frame_job *job,
                             const char *data);

/* Draws a bar with "done/all" over the terminal's current line. The caller may print
 * behind it. */
void frame_progress_draw(FILE *stream, int done, int all);

/* "5 s", "12 min" or "3.2 h". Local. */
void frame_progress_duration(double seconds, char text[APP_PROGRESS_DURATION]);

/* The seconds left if every frame is drawn and takes the median time of the last drawn
 * ones; negative: unknown. Local. */
double frame_progress_left(const frame_progress *progress);

/* Reports a finished frame. */
void frame_progress_frame(frame_progress *progress, const frame_result *frame);

/* Ends the progress. If all frames are `complete`, prints a line with the totals. */
void frame_progress_end(frame_progress *progress, bool complete);

#endif
