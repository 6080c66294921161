/* A recording of the last frame of a job, for a page: the ranks' timings and images. */
#ifndef FRAME_RECORDING_RECORDING_H
#define FRAME_RECORDING_RECORDING_H

#include "io/timings/timings.h"
#include "small.h"

#include <mpi.h>

enum {
    APP_RECORDING_MOST_RANKS = 64, /* more have no images */
    APP_RECORDING_WIDTH = 256,     /* of images, at most */
    APP_RECORDING_BYTES = 80000    /* of all images together, about */
};

/* What a job records for a caller. Zero is empty. */
typedef struct frame_recording {
    json_t *timings; /* on rank 0: those of the job (docs/user/formats.md); a reference */
    json_t *picture; /* on rank 0: frame_small_describe of all ranks; NULL: none; a
                        reference */
    frame_small mine; /* this rank's image */
} frame_recording;

/* Takes this rank's image of the frame, as it was drawn. Local. Errors: STATUS_MEMORY. */
status frame_recording_take(frame_recording *recording, const image *img, bool is_light);

/*
 * Describes the timings, and gathers the images of all ranks that have taken one: on rank
 * 0 `picture` is set unless there are more than APP_RECORDING_MOST_RANKS. They become
 * smaller if they are too large together. Collective. Errors: STATUS_MEMORY, the same on
 * all ranks.
 */
status frame_recording_finish(frame_recording *recording, MPI_Comm comm,
                              const io_timings *timings, const float background[3]);

void frame_recording_clear(frame_recording *recording);

#endif
