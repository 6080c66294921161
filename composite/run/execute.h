/* The executor: the only part of compositing that communicates. */
#ifndef COMPOSITE_RUN_EXECUTE_H
#define COMPOSITE_RUN_EXECUTE_H

#include "base/events.h"
#include "base/image.h"
#include "composite/pixels/convert.h"
#include "composite/rules.h"

#include <mpi.h>
#include <stdbool.h>

/* A half-open range of finished pixels that a rank holds. */
typedef struct composite_piece {
    int64_t pix0, npix;
} composite_piece;

/* Counts of one rank. */
typedef struct composite_counters {
    int64_t messages_sent;
    int64_t bytes_sent;   /* in messages */
    int64_t bytes_shared; /* of pixels, read in the memory of other ranks of this node */
    int64_t pixels_blended;
} composite_counters;

/* A request; the same on all ranks. If all but order are zero: `over` with a chosen
 * algorithm, and every rank keeps its pieces. */
typedef struct composite_request {
    const composite_algorithm *algorithm; /* NULL: `rules`, else the executor choose the
                                             one that measurements showed to be the
                                             fastest (docs/benchmarks.md) */
    const composite_rules *rules; /* borrowed until composite_finish returns, with the
                                     same contents on all ranks; for COMPOSITE_OVER
                                     without an algorithm. NULL: there are none */
    composite_params params;
    int segment; /* most pixels of a message; 0: composite_rules_segment */
    composite_encoding encoding; /* AUTO: that of the rule, if one is followed */
    bool by_nodes; /* ranks of a node merge first, then the algorithm runs among nodes
                      (composite/nodes.h); else among all ranks */
    bool adapts;   /* the schedule may go around ranks that drew longer than the others in
                      the last two frames (composite/late_positions.h). The rounding of
                      pixels then   depends on times */
    composite_operator op;
    const int *order; /* [ranks]: visibility order; order[position] is the rank whose
                         image is at that position from the front */
    composite_target target;
    composite_format format; /* for COMPOSITE_BYTES */
    base_events *events; /* the call adds the events of this rank; NULL: none are noted.
                            Ranks may differ in this */
} composite_request;

/* The result; borrowed from the executor until its next frame. */
typedef struct composite_result {
    const composite_piece *pieces; /* [npieces], ascending: this rank's finished pixels */
    int npieces;
    const unsigned char
        *bytes; /* COMPOSITE_BYTES, rank 0: [pixels][format.bytes_per_pixel] */
    /* All but COMPOSITE_FLOATS: encloses the pixels that the call merged into this rank's
     * image. The active rectangle encloses this one and the drawn one: to clear the
     * image, it is enough to clear these two. */
    pixel_rect merged;
    composite_counters counters;
    composite_choice choice; /* how the images were composited; the algorithm is there */
    composite_reason reason;
    const composite_problem
        *problem; /* that the schedule solved: with its cuts and late positions */
} composite_result;

/* Buffers that live from frame to frame. */
typedef struct composite_executor composite_executor;

/* Creates an executor for the ranks of comm, which is borrowed. Between composite_begin
 * and the end of composite_finish comm must carry no other point-to-point messages.
 * Collective. Errors: STATUS_MEMORY. */
status composite_executor_create(MPI_Comm comm, composite_executor **out);

/* Frees the executor and its image, and sets *executor to NULL; NULL is fine. Collective.
 */
void composite_executor_destroy(composite_executor **executor);

/* Sets the number of threads that blend, encode and convert; 1 unless set. Local. */
void composite_executor_set_threads(composite_executor *executor, int threads);

/*
 * Allocates the executor's own image: transparent, with the same size and depth or not on
 * all ranks. There is one at a time; the last one is freed. It lies in memory that all
 * ranks of a node can read, so that they read each other's pixels in place and send none.
 * If a node cannot share memory, it is an ordinary image, which travels in messages.
 * Borrowed, until the next call or the end of the executor; not for image_destroy.
 * Collective. Errors: STATUS_MEMORY, STATUS_USAGE as of image_create.
 */
status composite_executor_image(composite_executor *executor, int width, int height,
                                bool with_depth, image **out);

/*
 * Whether the executor's image stays as it was drawn when it is composited so: nothing is
 * merged into it, and other ranks read it in place. Only then the caller may set
 * image.may_crop. The same on all ranks. Local.
 */
bool composite_executor_leaves_image(const composite_executor *executor,
                                     const composite_request *request);

/*
 * Gives the memory of the executor's image, which is transparent (image_clear), back to
 * the system until it is drawn into again; that of depths stays. Between two frames.
 * Local.
 */
void composite_executor_rest_image(composite_executor *executor);

/* The same, and gives back composite_executor_shared_bytes, which become zero. To be
 * called when the picture is done on all ranks. Local. */
void composite_executor_rest(composite_executor *executor);

/*
 * Maps the pixels within the bounds of the last frame into this process, those of all
 * ranks of the node, and the picture of bytes. The first frame of an algorithm takes
 * longer, as it maps the memory that it reads: so measurements of several algorithms call
 * this before. Between two frames; all ranks have to be done with the last one. Local.
 */
void composite_executor_touch(const composite_executor *executor);

/*
 * Memory for a picture of COMPOSITE_MOST_BYTES a pixel that all ranks can write to, for
 * pictures that need no blending. NULL unless all ranks lie on one node and it can share
 * memory; the same on all ranks. It lives as long as composite_executor_image. The
 * executor itself uses it with COMPOSITE_BYTES alone: then a rank finds its pieces there.
 * Local.
 */
unsigned char *composite_executor_shared_bytes(const composite_executor *executor);

/*
 * The image of rank 0 for the ranks that can read it where it lies: those of its node if
 * these share memory, otherwise rank 0 alone. NULL on other ranks. This rank is number
 * *number of *count such ranks. Local.
 */
const image *composite_executor_root_image(const composite_executor *executor,
                                           int *number, int *count);

/*
 * A frame has two calls. Between them each rank draws its image:
 *
 *     composite_begin     ranks agree: parameters, memory, the bounds of all images
 *     draw                local; a rank takes as long as it needs
 *     composite_finish    images merge; no rank waits for one whose pixels it does not
 * need
 *
 * So a rank that draws late holds up its own pixels alone. All other pixels have been
 * sent and merged by the time that it comes. The order of merging is fixed all the same:
 * two runs give the same bits.
 */

/*
 * Begins a frame: plans the schedule, reserves memory, and makes the ranks agree.
 *
 * img: the image that this rank will draw, borrowed until composite_finish returns: the
 * executor's own, or any other; of the same size and with or without depth on all ranks.
 * Its pixels are not looked at yet. bounds: encloses all pixels that the rank will draw.
 * Nothing is sent, and no rank waits, for pixels outside the bounds of a rank, and they
 * balance the load of merging. request->order stays in place until composite_finish
 * returns. `failed`: a rank whose earlier work failed takes part with any image, or NULL,
 * and passes its status; then all ranks return it together.
 *
 * Collective. After STATUS_OK all ranks call composite_finish; after an error none does.
 * Errors, the same on all ranks: STATUS_USAGE (parameters); STATUS_MEMORY;
 * STATUS_INTERNAL for an invalid request (no image, no depth for COMPOSITE_NEAREST, an
 * order that is no permutation, a pixel of 5 bytes) or if requests differ; `failed`.
 */
status composite_begin(composite_executor *executor, const composite_request *request,
                       image *img, pixel_rect bounds, status failed);

/*
 * Lets messages of other ranks arrive while this rank draws. MPI moves them only when it
 * is called: without this they wait for composite_finish. To be called now and then,
 * every millisecond or so, by the thread that called composite_begin. Takes some
 * microseconds. Between two frames it does nothing. Local.
 */
void composite_poll(composite_executor *executor);

/*
 * Composites the images of all ranks by the schedule of composite_begin.
 *
 * The image may be cropped only if composite_executor_leaves_image holds and all ranks
 * bring the executor's. Afterwards it is undefined, except for the picture: with
 * COMPOSITE_PIECES this rank's pieces, with COMPOSITE_FLOATS all of it on rank 0.
 * img->active encloses all pixels that image_clear must clear. With COMPOSITE_NEAREST
 * every pixel with colour has a finite depth. `failed`: a rank that failed while it drew
 * passes its status. Its image is cleared and takes part; at the end all ranks return the
 * status, and there is no picture.
 *
 * Collective. Errors, the same on all ranks: `failed`; STATUS_INTERNAL if an image is
 * cropped without permission, has pixels outside its bounds, or if a message is broken.
 */
status composite_finish(composite_executor *executor, status failed,
                        composite_result *result);

/*
 * A whole frame for images that are drawn already: composite_begin with the image's
 * active rectangle for bounds, then composite_finish. On an error of composite_begin,
 * images stay unchanged. Collective.
 */
status composite_execute(composite_executor *executor, const composite_request *request,
                         image *img, status failed, composite_result *result);

#endif
