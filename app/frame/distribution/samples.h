/*
 * The mean of a picture's samples. Each sample is a whole picture: drawn, and blended in
 * order of visibility. The ranks that have its finished pixels add them up, so that
 * opaque surfaces of several ranks meet without a seam. The last sample's picture then
 * becomes the mean.
 */
#ifndef APP_FRAME_DISTRIBUTION_SAMPLES_H
#define APP_FRAME_DISTRIBUTION_SAMPLES_H

#include "base/image.h"
#include "base/status.h"
#include "io/picture/png_strip.h"

typedef struct app_samples {
    int count;         /* samples of a pixel; 1: there are no sums */
    int number;        /* of the current one, from 0 */
    int64_t npixels;   /* of this rank */
    int64_t capacity;  /* pixels */
    float *rgba;       /* [npixels][4]: sums over the samples so far, range after range */
    float *depth;      /* [npixels]: the least so far; NULL: images have none */
    pixel_rect active; /* encloses what images had in any sample */
} app_samples;

/* Finished pixels of this rank, as they lie in its image. */
typedef struct app_samples_part {
    image *img;
    int count;
    const io_png_range *ranges; /* [count], the same in all samples of a picture */
} app_samples_part;

/*
 * Adds the current sample's pixels. If it is the last one, the image gets the mean, the
 * least depths, and an active rectangle that encloses all samples. Does nothing if pixels
 * have one sample. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL if the pixels are others
 * than in the first sample.
 */
status app_samples_take(app_samples *samples, const app_samples_part *part);

/* Whether the current sample is the last one. */
static inline bool app_samples_is_last(const app_samples *samples)
{
    return samples->number == samples->count - 1;
}

void app_samples_clear(app_samples *samples);

#endif
