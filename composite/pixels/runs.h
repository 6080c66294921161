/* Walking over the active pixels of an image. Private to composite/. */
#ifndef COMPOSITE_PIXELS_RUNS_H
#define COMPOSITE_PIXELS_RUNS_H

#include "base/image.h"

#include <stdbool.h>
#include <stdint.h>

/* Walks the pixels [next, end) of an image that lie in a rectangle of it. */
typedef struct composite_spans {
    int width; /* of the image */
    pixel_rect active;
    int64_t next, end;
} composite_spans;

/* The next pixels [*begin, *end) that lie in one piece; false after the last. */
bool composite_spans_next(composite_spans *at, int64_t *begin, int64_t *end);

/* Walks the runs of active pixels: those with a bit of colour, alpha or depth
 * (composite/pixels/encode.h) in the active rectangle. */
typedef struct composite_runs {
    const image *img;
    composite_spans spans;
    int64_t next, end; /* what is left of the present span */
    int64_t known;     /* so many pixels from next on stand in bits */
    uint64_t bits;
} composite_runs;

/* Over the pixels [pix0, pix0 + npix). */
composite_runs composite_runs_start(const image *img, int64_t pix0, int64_t npix);

/* The next run; false after the last. */
bool composite_runs_next(composite_runs *at, int64_t *first, int64_t *count);

/* Which of the next `count` <= BLEND_ACTIVE_MOST pixels are active, bit by bit. */
uint64_t composite_runs_active(const image *img, int64_t first, int64_t count);

#endif
