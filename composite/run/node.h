/* Memory that the ranks of a node share. Private to the executor. */
#ifndef COMPOSITE_RUN_NODE_H
#define COMPOSITE_RUN_NODE_H

#include "base/image.h"
#include "composite/pixels/columns.h"
#include "shared.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What ranks compare before they begin with a frame. */
enum {
    COMPOSITE_WIDTH,
    COMPOSITE_HEIGHT,
    COMPOSITE_DEPTH,   /* whether images have it */
    COMPOSITE_REQUEST, /* a hash of all that must be the same */
    COMPOSITE_SHARES,
    COMPOSITE_FAILS,
    COMPOSITE_COMPARED
};

/* What a rank tells the others of its node about one frame. */
typedef struct composite_board {
    pixel_rect active;              /* of its image when the frame began */
    pixel_rect kept;                /* the pixels of it that lie in memory (image_at) */
    int32_t shown[COMPOSITE_BANDS]; /* what that showed (cuts.h) */
    int64_t compared[COMPOSITE_COMPARED];
    /* Number of the frame that this is about; 0: of none. Written with release, after all
     * that others may read from then on; read with acquire. */
    _Atomic int64_t frame;
    /* Its active rectangle now, which only ever grows. Who reads it while it does may
     * take a side of the old one and one of the new: that holds all pixels of the old
     * one, and others which are transparent for that reader. */
    _Atomic int x0, y0, x1, y1;
    /* How far it has merged: composite_moment of its first group that is left;
     * COMPOSITE_FINISHED when its part of the picture is delivered, too. Written with
     * release, read with acquire: who reads it sees all pixels of that moment. */
    _Atomic int64_t progress;
    _Atomic bool has_sent; /* no message is under way any more that reads its image */
} composite_board;

#define COMPOSITE_FINISHED INT64_MAX
#define COMPOSITE_MERGED   (INT64_MAX - 1) /* but not yet delivered */

/* Moments of a frame, in the order in which every rank goes through them: rounds, then
 * segments. (Gathering takes segments in another order; nobody waits for its moments.) */
static inline int64_t composite_moment(int round, int64_t segment, int64_t nsegments)
{
    return round * nsegments + segment;
}

typedef struct composite_node {
    MPI_Comm comm;
    int rank, size; /* in it */
    int *ranks;     /* [ranks of the executor]: rank in the node, -1 on other nodes */
    composite_shared shared;
    image *images; /* [size]: the ranks' images, where they lie; `active` is only right
                      for the own one, `kept` from the comparison of a frame on */
    struct composite_boards **boards; /* [size] */
    composite_columns **columns;      /* [size][height]: of the ranks' images when the
                                         frame began, in the rows of `active` then */
    unsigned char *bytes;             /* of rank 0 of the executor, if it is on this node:
                                         [pixels][COMPOSITE_MOST_BYTES], else NULL */
} composite_node;

/* For tests: nodes are cut into ones of so many ranks; 0: not at all. */
extern int composite_node_test_size;

/* Finds the ranks of the own node. Collective. Errors: STATUS_MEMORY, on all ranks. */
status composite_node_create(MPI_Comm comm, composite_node *node);

/* Frees what it holds. Collective over comm's ranks. */
void composite_node_destroy(composite_node *node);

/*
 * Gives each rank of the node an image, transparent, in memory that the others can read,
 * and rank 0 of the executor room for a picture of bytes. What was there before is freed.
 * Collective over the node. `rank`: of this process in the executor. Errors:
 * STATUS_MEMORY, on all ranks of the node, which then share nothing.
 */
status composite_node_share(composite_node *node, int rank, int width, int height,
                            bool with_depth);

/* Frees the images. Local. */
void composite_node_unshare(composite_node *node);

/* What a rank of the node says about frame number `frame`. Those of a frame and of the
 * next one lie apart: a rank may begin with one while others still end the other. */
composite_board *composite_node_board(const composite_node *node, int node_rank,
                                      int64_t frame);

#endif
