/* The ranks of a node, and the images and status pages that they share. Private to the
 * executor. */
#ifndef COMPOSITE_RUN_NODE_H
#define COMPOSITE_RUN_NODE_H

#include "base/image.h"
#include "composite/pixels/columns.h"
#include "shared.h"
#include "status_page.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct composite_node {
    MPI_Comm comm;
    int rank, size;  /* in it */
    bool is_crowded; /* some node has more ranks than cores; the same on all ranks */
    int *ranks;      /* [ranks of the executor]: rank in the node, -1 on other nodes */
    int *numbers; /* [ranks of the executor]: number of the rank's node, >= 0: the first
                     of its ranks */
    composite_shared shared;
    image *images; /* [size]: the ranks' images in place; `active` is right for the own
                      image only, `kept` once the inputs of a frame were compared */
    struct composite_status_pages **pages; /* [size] */
    composite_columns **columns; /* [size][height]: of the ranks' images when the
                                    frame began, in the rows of `active` then */
    unsigned char *bytes;        /* of rank 0 of the executor, if it is on this node:
                                    [pixels][COMPOSITE_MOST_BYTES], else NULL */
} composite_node;

/* Finds the ranks of the own node. Collective. Errors: STATUS_MEMORY, on all ranks. */
status composite_node_create(MPI_Comm comm, composite_node *node);

/* Frees its memory. Collective over comm's ranks. */
void composite_node_destroy(composite_node *node);

/*
 * Allocates a transparent image for each rank of the node, in memory that the others can
 * read, and on rank 0 of the executor a picture of bytes. Frees the earlier ones.
 * Collective over the node. `rank`: of this process in the executor. Errors:
 * STATUS_MEMORY, on all ranks of the node, which then share nothing.
 */
status composite_node_share(composite_node *node, int rank, int width, int height,
                            bool with_depth);

/* Frees the images. Local. */
void composite_node_unshare(composite_node *node);

/* The status page of a rank of the node for frame number `frame`. A frame and the next
 * one have different pages: a rank may begin with one while others still end the other.
 * NULL: the ranks have no pages.
 */
composite_status_page *composite_node_page(const composite_node *node, int node_rank,
                                           int64_t frame);

#endif
