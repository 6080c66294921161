/* Merging images that lie in memory, wherever the result is to go. Private to composite/.
 */
#ifndef COMPOSITE_PIXELS_MERGE_H
#define COMPOSITE_PIXELS_MERGE_H

#include "columns.h"
#include "composite/schedule.h"
#include "convert.h"

/* Pixels [pix0, pix0 + npix) of an image, which are merged where they lie. */
typedef struct composite_layer {
    const image *img;
    pixel_rect active; /* what is read of it; all else of the range is transparent */
    const composite_columns *columns; /* [height of img]: the same, row by row within
                                         `active`; NULL where nobody knows */
    int64_t pix0, npix;
    bool in_front; /* of all that was merged before it */
} composite_layer;

/* Most layers that are merged at once. */
enum { COMPOSITE_MOST_LAYERS = 256 };

/* Where merged pixels go: into an image, which may be that of the caller, or into a
 * picture of bytes. */
typedef struct composite_sink {
    image *img; /* NULL: bytes. Only what may be active is written: the rest of the range
                   must be transparent; its active rectangle stays as it is */
    unsigned char *bytes; /* [pixels of the picture][format.bytes_per_pixel] */
    composite_format format;
} composite_sink;

/*
 * Merges layers [nlayers] in their order with what `own` holds of a range of pixels, and
 * puts the result into the sink: read once, written once, row by row through the
 * first-level cache. The layers lie within the range. Where the sink is `own` itself
 * nothing is copied; else `own` stays as it is. Images are finite but for depth: what is
 * hidden behind a part of a row that is opaque is not read, so that a NaN there would
 * show or not by where rows are cut. Returns how many pixels of layers were merged; what
 * is taken as it lies counts. Local.
 */
int64_t composite_merge_layers(composite_operator op, const image *own,
                               composite_range pixels, const composite_layer *layers,
                               int nlayers, const composite_sink *sink);

#endif
