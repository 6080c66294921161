/* The executor: the only part of compositing that communicates. */
#ifndef COMPOSITE_EXECUTE_H
#define COMPOSITE_EXECUTE_H

#include "base/image.h"
#include "composite/schedule.h"

#include <mpi.h>
#include <stdbool.h>

/* A half-open range of pixels that a rank holds in the end. */
typedef struct composite_piece {
    int64_t pix0, npix;
} composite_piece;

/* What one rank did; calls add to it. */
typedef struct composite_counters {
    int64_t messages_sent;
    int64_t bytes_sent;
    int64_t pixels_blended;
} composite_counters;

/* Buffers that live from frame to frame. */
typedef struct composite_executor composite_executor;

/* For images of the ranks of comm (duplicated inside). Collective. Errors: STATUS_MEMORY.
 */
status composite_executor_create(MPI_Comm comm, composite_executor **out);

/* Collective. */
void composite_executor_destroy(composite_executor **executor);

/*
 * Composites the images of all ranks by the algorithm's schedule.
 *
 * order: [ranks], order[position] is the rank whose image is at that place from the
 * front; the same on every rank. img: this rank's image, of the same size and with or
 * without depth on all ranks; afterwards it holds the final pixels in this rank's pieces,
 * and is undefined elsewhere (img->active holds all that image_clear must clear).
 * `failed`: a rank whose earlier work failed takes part with an empty image, or NULL, and
 * passes its status; then all ranks return it together. pieces/npieces: this rank's part
 * of the final image, ascending, borrowed until the next call. counters: added to.
 * Collective. Errors: STATUS_USAGE (parameters), STATUS_MEMORY, STATUS_INTERNAL where
 * ranks do not ask for the same, or what `failed` brings; the same on all ranks. They
 * agree on it before the first image is sent: nobody leaves the schedule early. Images
 * are then as they were.
 */
status composite_execute(composite_executor *executor,
                         const composite_algorithm *algorithm,
                         const composite_params *params, composite_operator op,
                         const int *order, image *img, status failed,
                         const composite_piece **pieces, int *npieces,
                         composite_counters *counters);

/*
 * Brings the pieces of all ranks together at rank 0. `part`: the bytes of this rank's
 * pieces one after the other, bytes_per_pixel each; `whole`: on rank 0
 * [pixels][bytes_per_pixel], else NULL. counters: added to. Collective, of the same
 * executor; uses the pieces of the last composite_execute, none where that failed.
 * Errors: STATUS_MEMORY; the same on all ranks.
 */
status composite_gather(composite_executor *executor, int bytes_per_pixel,
                        const void *part, void *whole, composite_counters *counters);

#endif
