/* A line for people about the run that begins. */
#ifndef FRAME_SUMMARY_H
#define FRAME_SUMMARY_H

#include "job.h"

enum { APP_SUMMARY_TEXT = 1024 };

/* The facts of the line. */
typedef struct frame_summary {
    const char *data; /* path */
    int blocks;
    int64_t cells; /* of all blocks, blanked ones included */
    int steps;     /* of the data */
    int ranks, nodes, least_threads, most_threads; /* threads: of a rank */
    int width, height;                             /* pixels */
    int frames;           /* to draw; 0: unknown, as more data will come */
    const char *pictures; /* the path of the only frame, or a pattern */
} frame_summary;

/* Writes "wake.h5: 1 block, 384,000 cells, 20 steps; 4 ranks x 1 thread on 1 node; 1024 x
 * 768 pixels, 20 frames to out/wake_%04d.png". A longer text is cut off. Local. */
void frame_summary_write(const frame_summary *summary, char text[APP_SUMMARY_TEXT]);

/* Writes the line of a job. `data`: the path of its data; NULL: as in the config.
 * `is_open`: more data will come. Local. */
void frame_summary_of_job(const frame_job *job, const char *data, bool is_open,
                          char text[APP_SUMMARY_TEXT]);

#endif
