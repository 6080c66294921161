/*
 * The halo of a rank's part of a picture: the pixels beside its own, which other ranks
 * have. They are brought from there, and stand in the rank's image for a while:
 *
 *     . . h h h h h        a range of own pixels (#) that goes on in the next row, and
 *     h h h # # # #        its halo (h)
 *     # # # # h h h
 *     h h h h h . .
 */
#ifndef FRAME_DISTRIBUTION_HALO_H
#define FRAME_DISTRIBUTION_HALO_H

#include "base/image.h"
#include "base/status.h"
#include "io/picture/png_strip.h"

#include <mpi.h>

/* Pixels that other ranks have. Zero is empty. */
typedef struct frame_halo {
    int64_t npixels;
    int64_t *pixels; /* [npixels]: their places in the picture */
    float *rgba;     /* [npixels][4] */
} frame_halo;

/*
 * Brings the halo of this rank's ranges, [count], ascending. No two ranks have the same
 * pixel; one that nobody has is left out. img: has the pixels of the ranges. `failed`:
 * the status of this rank's work so far. Collective. Errors, the same on all ranks:
 * `failed`, STATUS_MEMORY; then *halo is empty.
 */
status frame_halo_bring(MPI_Comm comm, const image *img, int count,
                        const io_png_range *ranges, status failed, frame_halo *halo);

/* Exchanges the colours of the halo and those at the same places of the image. Local. */
void frame_halo_put(frame_halo *halo, image *img);

/* Brings back what the image had before. Local. */
void frame_halo_take_back(frame_halo *halo, image *img);

void frame_halo_clear(frame_halo *halo);

#endif
