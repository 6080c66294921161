/* Frames of a run, from its timings (docs/user/formats.md). */
#ifndef MESSAGES_SIMULATE_FRAME_H
#define MESSAGES_SIMULATE_FRAME_H

#include "messages/model/activity.h"

#include <jansson.h>

/* What a frame says on each position in visibility order. Ranks are taken in that order
 * if the timings do not tell it. */
typedef struct simulate_frame {
    int size;                 /* positions */
    int *order;               /* [size]: the rank at each */
    pixel_rect *rects;        /* [size]: with the active pixels */
    int64_t *active;          /* [size]: how many there are */
    double *begin, *wall;     /* [size]: seconds of compositing, from the first rank on */
    double finish;            /* seconds of the stage after compositing, of the slowest */
    double blending, waiting; /* seconds of the rank with most, from events; NaN: no
                                 events */
} simulate_frame;

/* Loads timings. *out is a new reference. Local. Errors: STATUS_INPUT. */
status simulate_frame_load(const char *path, json_t **out);

/* Reads frame `number` of timings; its arrays are the caller's. Local. Errors:
 * STATUS_INPUT (with the path), STATUS_MEMORY. */
status simulate_frame_read(const char *path, const json_t *timings, size_t number,
                           simulate_frame *out);

void simulate_frame_clear(simulate_frame *frame);

/* Fills an activity for a picture of that size with the frame's active pixels. Local.
 * Errors: STATUS_INPUT if there are other rectangles than the picture has; STATUS_MEMORY.
 */
status simulate_frame_fill(const char *path, const simulate_frame *frame, int width,
                           int height, simulate_activity *activity);

/* The active pixels of the last frame in a file of timings, for `size` ranks. Local.
 * Errors: STATUS_INPUT, STATUS_USAGE (another number of ranks), STATUS_MEMORY. */
status simulate_frame_activity(const char *path, int width, int height, int size,
                               simulate_activity *activity);

#endif
