/* The executor: the only part of compositing that communicates. */
#ifndef COMPOSITE_RUN_EXECUTE_H
#define COMPOSITE_RUN_EXECUTE_H

#include "base/events.h"
#include "base/image.h"
#include "composite/pixels/convert.h"
#include "composite/schedule.h"

#include <mpi.h>
#include <stdbool.h>

/* A half-open range of pixels that a rank holds in the end. */
typedef struct composite_piece {
    int64_t pix0, npix;
} composite_piece;

/* What one rank did. */
typedef struct composite_counters {
    int64_t messages_sent;
    int64_t bytes_sent;   /* in messages */
    int64_t bytes_shared; /* of pixels, read where other ranks of this node have them */
    int64_t pixels_blended;
} composite_counters;

/* Where the picture goes. */
typedef enum composite_target {
    COMPOSITE_PIECES, /* nowhere: every rank keeps its pieces, in its image */
    COMPOSITE_FLOATS, /* into the image of rank 0, with depth where images have it */
    COMPOSITE_BYTES   /* to rank 0, converted by the owners of the pieces; if there are
                         composite_executor_shared_bytes, it is written there, and each
                         rank can read its own pieces there as well */
} composite_target;

/* What is to be done; the same on all ranks. Zero but for algorithm and order: `over`
 * with parameters that are chosen, pieces stay where they are. */
typedef struct composite_request {
    const composite_algorithm *algorithm;
    composite_params params;
    composite_operator op;
    const int *order; /* [ranks]: order[position] is the rank whose image is at that place
                         from the front */
    composite_target target;
    composite_format format; /* for COMPOSITE_BYTES */
    base_events *events; /* what this rank does is added to them; NULL: nobody wants to
                            know. The ranks may differ */
} composite_request;

/* What comes out; borrowed from the executor until its next call. */
typedef struct composite_result {
    const composite_piece
        *pieces; /* [npieces], ascending: what this rank held in the end */
    int npieces;
    const unsigned char
        *bytes; /* COMPOSITE_BYTES, rank 0: [pixels][format.bytes_per_pixel] */
    /* All but COMPOSITE_FLOATS: where this rank's image has something now that was not in
     * its active rectangle before. Who clears it needs not clear all of the rectangle
     * around both, which is the active one now. */
    pixel_rect merged;
    composite_counters counters;
} composite_result;

/* Buffers that live from frame to frame. */
typedef struct composite_executor composite_executor;

/* For images of the ranks of comm, which is borrowed: while an image is composited there
 * are no messages of others on it. Collective. Errors: STATUS_MEMORY. */
status composite_executor_create(MPI_Comm comm, composite_executor **out);

/* Frees the executor and its image, and sets *executor to NULL; NULL is fine. Collective.
 */
void composite_executor_destroy(composite_executor **executor);

/* The algorithm that was the fastest in measurements for ranks that lie like these:
 * docs/benchmarks.md. The same on all ranks. Local. */
const composite_algorithm *composite_executor_choose(const composite_executor *executor);

/* Threads that blend, encode and convert where there is enough to do; 1 unless set.
 * Local. */
void composite_executor_set_threads(composite_executor *executor, int threads);

/*
 * The executor's own image: transparent, of the same size and with or without depth on
 * all ranks; one at a time, the one before is freed. It lies in memory that all ranks of
 * a node can read, so that among them compositing reads pixels where they are rather than
 * sending them. Where a node has no such memory to give, it is an ordinary image, which
 * travels in messages. Borrowed, until the next call or the end of the executor; not for
 * image_destroy. Collective. Errors: STATUS_MEMORY, STATUS_USAGE as of image_create.
 */
status composite_executor_image(composite_executor *executor, int width, int height,
                                bool with_depth, image **out);

/*
 * Whether the executor's image stays as it was drawn when it is composited so: nothing is
 * merged into it, and other ranks read it in place. Only then the caller may set
 * image.may_crop. The same on all ranks. Local.
 */
bool composite_executor_leaves_image(const composite_executor *executor,
                                     const composite_algorithm *algorithm,
                                     composite_target target);

/*
 * Gives the memory of the executor's image, which is transparent (image_clear), back to
 * the system until it is drawn into again; that of depths stays. Between two calls of
 * composite_execute. Local.
 */
void composite_executor_rest_image(composite_executor *executor);

/* The same, and with it the memory of composite_executor_shared_bytes, which becomes
 * zero: when the picture is done on all ranks. Local. */
void composite_executor_rest(composite_executor *executor);

/*
 * Memory for a picture of COMPOSITE_MOST_BYTES a pixel that all ranks can write to, for
 * pictures that need no blending. NULL unless all ranks lie on one node and it can share
 * memory; the same on all ranks. It lives as long as composite_executor_image. The
 * executor itself uses it with COMPOSITE_BYTES alone: then a rank finds its pieces there.
 * Local.
 */
unsigned char *composite_executor_shared_bytes(const composite_executor *executor);

/*
 * Composites the images of all ranks by an algorithm's schedule.
 *
 * img: this rank's image, of the same size and with or without depth on all ranks; the
 * executor's own, or any other; cropped only if composite_executor_leaves_image holds
 * and all ranks bring the executor's. Afterwards it is undefined (img->active holds all
 * that image_clear must clear), but for the picture: with COMPOSITE_PIECES this rank's
 * pieces, with COMPOSITE_FLOATS all of it at rank 0. With COMPOSITE_NEAREST what has
 * colour has a finite depth, too. `failed`: a rank whose earlier work failed takes part
 * with any image, or NULL, and passes its status; then all ranks return it together.
 *
 * Collective. Errors: STATUS_USAGE (parameters), STATUS_MEMORY, STATUS_INTERNAL where a
 * request makes no sense (no image, no depth for COMPOSITE_NEAREST, an order that is
 * none, a pixel of 5 bytes) or ranks do not ask for the same, or what `failed` brings;
 * the same on all ranks. They agree on it before the first pixel moves, and images are
 * then as they were: nobody leaves the schedule early. STATUS_INTERNAL also where a
 * message turns out to be broken; then images are undefined.
 */
status composite_execute(composite_executor *executor, const composite_request *request,
                         image *img, status failed, composite_result *result);

#endif
