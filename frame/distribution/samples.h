/*
 * The mean of a picture's samples. Each sample is a whole picture: drawn, and blended in
 * order of visibility. The ranks that have its finished pixels add them up, so that
 * opaque surfaces of several ranks meet without a seam. The last sample's picture then
 * becomes the mean.
 *
 * Adaptive samples begin with one sample of all pixels, which stays in the image. Each
 * rank finds the edges among its finished pixels; for that it gets those beside them
 * (halo.h). Then all get the mask of all edges: a bit for each pixel. Further samples are
 * of those pixels alone. A set of them is drawn together, and packed into an image of its
 * own, which is blended as a picture is: sample after sample of the mask's first pixel,
 * then those of the next one. The sums of a pixel's samples go to the rank that has it.
 */
#ifndef FRAME_DISTRIBUTION_SAMPLES_H
#define FRAME_DISTRIBUTION_SAMPLES_H

#include "base/image.h"
#include "base/status.h"
#include "io/picture/png_strip.h"
#include "render/kernel/style.h"
#include "render/view/camera.h"
#include "render/view/samples.h"

#include <mpi.h>

/* A pixel at an edge. */
typedef struct frame_samples_edge {
    int64_t pixel; /* in the image */
    float weight;  /* of the further samples' mean */
    float sums[4]; /* over the further samples so far */
} frame_samples_edge;

typedef struct frame_samples {
    render_filter filter;
    bool are_adaptive;
    int count;         /* of the current picture. 1: there are no sums; adaptive: at first
                          1, the others are known after frame_samples_refine */
    int number;        /* of the current one, from 0; with a set, of its first one */
    int64_t npixels;   /* of this rank */
    int64_t capacity;  /* pixels */
    size_t bytes;      /* of rgba and depth, which are one allocation */
    float *rgba;       /* [npixels][4], range after range: sums over the samples so far;
                          NULL: adaptive */
    float *depth;      /* [npixels]: the least so far; NULL: images have none */
    pixel_rect active; /* encloses what images had in any sample */
    double wanted; /* adaptive: samples of pixels at edges, perhaps a fraction: the last
                      one counts in part */
    io_png_range *ranges; /* adaptive: [nranges], those of the first sample */
    int nranges;
    int64_t nedges, edges_capacity;
    frame_samples_edge *edges; /* adaptive: [nedges], this rank's, range after range */
    uint8_t *mask;         /* adaptive: all ranks' pixels at edges (render_camera.mask) */
    int32_t *before;       /* adaptive: as from render_mask_number; NULL: not known */
    render_sample_set set; /* adaptive: samples that are drawn together */
    image *alone;          /* a sample of a set that is drawn by itself; NULL: none */
} frame_samples;

/* Finished pixels of this rank, as they lie in its image. */
typedef struct frame_samples_part {
    image *img;
    int count;
    const io_png_range *ranges; /* [count], the same in all samples of a picture; no two
                                   ranks have the same pixel */
} frame_samples_part;

/* Lets rays of the camera go through the place of the current sample of all pixels.
 * Local. */
void frame_samples_aim(const frame_samples *samples, render_camera *camera);

/*
 * Adds the current sample's pixels. If it is the last one, the image gets the mean, the
 * least depths, and an active rectangle that encloses all samples. Of adaptive samples
 * only the ranges are noted. Does nothing if pixels have one sample. Local. Errors:
 * STATUS_MEMORY; STATUS_INTERNAL if the pixels are others than in the first sample.
 */
status frame_samples_take(frame_samples *samples, const frame_samples_part *part);

/*
 * After the first sample of adaptive ones: finds the pixels that get more, and sets
 * `count`. img: the image of frame_samples_take, which stays as it is. `failed`: the
 * status of this rank's work so far. Collective. Errors, the same on all ranks: `failed`,
 * STATUS_MEMORY.
 */
status frame_samples_refine(frame_samples *samples, MPI_Comm comm, image *img,
                            int threads, status failed);

/* ---- Sets of further samples ------------------------------------------------------- */

/* Begins the set of the current sample and some that follow. img: has the size of the
 * picture, and is transparent; the set is packed into it. Local. Errors: STATUS_MEMORY.
 */
status frame_samples_begin_set(frame_samples *samples, image *img);

/* Encloses those pixels of the set's image that belong to pixels of the picture within
 * bounds. Local. */
pixel_rect frame_samples_set_bounds(const frame_samples *samples, const image *img,
                                    pixel_rect bounds);

/* Packs sample `number` of the set, which was drawn into an image by itself. Local. */
void frame_samples_pack(const frame_samples *samples, int number, const image *img);

/*
 * Adds the samples of the set, which has been blended. part: the set's image, and the
 * finished pixels that this rank has of it. comm: the ranks that have parts of it.
 * `failed`: the status of this rank's work so far. Collective. Errors, the same on all
 * ranks: `failed`, STATUS_MEMORY.
 */
status frame_samples_add_set(frame_samples *samples, MPI_Comm comm,
                             const frame_samples_part *part, int threads, status failed);

/* Mixes the first sample, which the picture's image has, with the mean of the others at
 * edges. Returns a rectangle around them. Local. */
pixel_rect frame_samples_mix(const frame_samples *samples, image *img);

/* Whether pixels may have several samples. */
static inline bool frame_samples_are_several(const frame_samples *samples)
{
    return samples->are_adaptive || samples->count > 1;
}

/* Whether pixels at edges have further samples: frame_samples_mix mixes them. */
static inline bool frame_samples_have_edges(const frame_samples *samples)
{
    return samples->are_adaptive && samples->count > 1;
}

/* Whether the current sample is the last one. */
static inline bool frame_samples_is_last(const frame_samples *samples)
{
    return samples->number == samples->count - 1;
}

void frame_samples_clear(frame_samples *samples);

#endif
