/* The content of an overlay, for the parts of annotate and their tests. */
#ifndef RENDER_ANNOTATE_OVERLAY_H
#define RENDER_ANNOTATE_OVERLAY_H

#include "annotate.h"

#include <stddef.h>
#include <stdint.h>

/* Adjacent pixels of one row: [pix0, pix0 + npix) of the picture. Their colours begin at
 * pixels[4 * first] of the overlay. */
typedef struct overlay_span {
    int64_t pix0, npix;
    size_t first;
} overlay_span;

/* Keeps only the drawn pixels, a few per cent of a picture. */
struct annotate_overlay {
    int width, height;
    int nspans;
    int64_t span_capacity;
    overlay_span *spans; /* [nspans], ascending and separate */
    size_t npixels;
    int64_t pixel_capacity;
    uint8_t *pixels; /* [npixels][4]: r, g, b, a, premultiplied */
};

void annotate_overlay_clear(annotate_overlay *overlay);

/* Adds the pixels of a row of the picture that are not transparent. argb: cairo's ARGB32
 * ([width]: 0xaarrggbb, premultiplied). Rows come in ascending order. Errors:
 * STATUS_MEMORY. */
status annotate_overlay_add_row(annotate_overlay *overlay, int row, const uint32_t *argb);

/* annotate_draw in bands with this number of rows; see README.md. */
status annotate_draw_bands(annotate_overlay *overlay, const annotation *what, int rows);

#endif
