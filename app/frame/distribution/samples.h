/*
 * The mean of a picture's samples. Each sample is a whole picture: drawn, and blended in
 * order of visibility. The ranks that have its finished pixels add them up, so that
 * opaque surfaces of several ranks meet without a seam. The last sample's picture then
 * becomes the mean.
 *
 * Adaptive samples begin with one sample of all pixels. Each rank finds the edges among
 * its finished pixels; for that it gets those beside them (halo.h). Then all get the mask
 * of all edges: a bit for each pixel. Further samples are of those pixels alone. They may
 * be drawn several at a time, as a set, but are blended one by one.
 */
#ifndef APP_FRAME_DISTRIBUTION_SAMPLES_H
#define APP_FRAME_DISTRIBUTION_SAMPLES_H

#include "base/image.h"
#include "base/status.h"
#include "io/picture/png_strip.h"
#include "render/kernel/style.h"
#include "render/view/camera.h"
#include "render/view/samples.h"

#include <mpi.h>

/* A pixel at an edge. */
typedef struct app_samples_edge {
    int64_t pixel; /* in the image */
    float weight;  /* of the further samples' mean */
    float sums[4]; /* over the further samples so far */
} app_samples_edge;

typedef struct app_samples {
    render_filter filter;
    bool are_adaptive;
    int count;         /* of the current picture. 1: there are no sums; adaptive: at first
                          1, the others are known after app_samples_refine */
    int number;        /* of the current one, from 0 */
    int64_t npixels;   /* of this rank */
    int64_t capacity;  /* pixels */
    size_t bytes;      /* of rgba and depth, which are one allocation */
    float *rgba;       /* [npixels][4], range after range: sums over the samples so far;
                          adaptive: the first sample */
    float *depth;      /* [npixels]: the least so far; adaptive: that of the first
                          sample; NULL: images have none */
    pixel_rect active; /* encloses what images had in any sample */
    double wanted; /* adaptive: samples of pixels at edges, perhaps a fraction: the last
                      one counts in part */
    io_png_range *ranges; /* adaptive: [nranges], those of the first sample */
    int nranges;
    int64_t nedges, edges_capacity;
    app_samples_edge *edges; /* adaptive: [nedges], this rank's, range after range */
    uint8_t *mask;         /* adaptive: all ranks' pixels at edges (render_camera.mask) */
    int32_t *before;       /* adaptive: as from render_mask_number; NULL: not known */
    int set_number;        /* of the set's first sample */
    size_t set_bytes;      /* of set.rgba */
    render_sample_set set; /* adaptive: samples that are drawn; count 0: none */
} app_samples;

/* Finished pixels of this rank, as they lie in its image. */
typedef struct app_samples_part {
    image *img;
    int count;
    const io_png_range *ranges; /* [count], the same in all samples of a picture; no two
                                   ranks have the same pixel */
} app_samples_part;

/* Lets rays of the camera go through the place of the current sample, in the pixels that
 * have it. Local. */
void app_samples_aim(const app_samples *samples, render_camera *camera);

/* ---- Several samples drawn together ------------------------------------------------ */

/* Whether the set has the current sample. */
static inline bool app_samples_is_drawn(const app_samples *samples)
{
    return samples->number >= samples->set_number &&
           samples->number < samples->set_number + samples->set.count;
}

/* Begins the set of the current sample and some that follow, still without colours. Only
 * for the further ones of adaptive samples, of pictures of this size. They take the
 * memory of one image. Local. Errors: STATUS_MEMORY. */
status app_samples_begin_set(app_samples *samples, int width, int height);

/* Gives a transparent image the current sample of the set. Local. */
void app_samples_put(const app_samples *samples, image *img);

/*
 * Adds the current sample's pixels. If it is the last one, the image gets the mean, the
 * least depths, and an active rectangle that encloses all samples. Does nothing if pixels
 * have one sample. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL if the pixels are others
 * than in the first sample.
 */
status app_samples_take(app_samples *samples, const app_samples_part *part);

/*
 * After the first sample of adaptive ones: finds the pixels that get more, and sets
 * `count`. img: the image of app_samples_take, which stays as it is. `failed`: the status
 * of this rank's work so far. Collective. Errors, the same on all ranks: `failed`,
 * STATUS_MEMORY.
 */
status app_samples_refine(app_samples *samples, MPI_Comm comm, image *img, int threads,
                          status failed);

/* Whether pixels may have several samples. */
static inline bool app_samples_are_several(const app_samples *samples)
{
    return samples->are_adaptive || samples->count > 1;
}

/* Whether the current sample is the last one. */
static inline bool app_samples_is_last(const app_samples *samples)
{
    return samples->number == samples->count - 1;
}

void app_samples_clear(app_samples *samples);

#endif
