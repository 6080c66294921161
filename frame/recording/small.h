/* Small images with opacity, as text for pages. */
#ifndef FRAME_RECORDING_SMALL_H
#define FRAME_RECORDING_SMALL_H

#include "base/image.h"

#include <jansson.h>

/* Pixels with opacity, not premultiplied: rgba [height][width][4]. */
typedef struct frame_small {
    int width, height;
    uint8_t *rgba; /* NULL: there is none */
} frame_small;

/*
 * Shrinks an image, of which only some pixels may be in memory, so that it is at most
 * `most` pixels wide. Each small pixel is the mean of a square of `factor` pixels, or of
 * those of them that the picture has. is_light: the image holds light, which pages show
 * as displayed. Local. Errors: STATUS_MEMORY.
 */
status frame_small_make(const image *img, int most, bool is_light, frame_small *out);

/* Halves an image in both directions. Local. Errors: STATUS_MEMORY; then it stays. */
status frame_small_halve(frame_small *small);

void frame_small_clear(frame_small *small);

/* A PNG file as "data:image/png;base64,…", malloc'ed; NULL: there is no memory. Local. */
char *frame_small_encode(const frame_small *small);

/* The images of all positions, a list of such texts, as messages/page reads them. A new
 * reference, NULL without memory; `images` is borrowed. Local. */
json_t *frame_small_describe(int width, int height, const float background[3],
                             json_t *images);

#endif
