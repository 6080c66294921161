/* Which columns of each row of an image show something. Private to composite/. */
#ifndef COMPOSITE_PIXELS_COLUMNS_H
#define COMPOSITE_PIXELS_COLUMNS_H

#include "base/image.h"
#include "composite/schedule.h"
#include "convert.h"

/* Pixels of a row beside these are transparent, all zero, depth +infinity. */
typedef image_columns composite_columns;

/* How much of what images show others show, too: their pixels, and those of them that lie
 * within one image's columns alone. */
typedef struct composite_crowding {
    int64_t shown, lone;
} composite_crowding;

/*
 * Finds the columns of the rows of an image's active rectangle: out [height]; the other
 * rows are not written. Takes those of the image, where it has some; else looks at
 * nothing but transparent pixels beside those that show, and the first that does. Returns
 * whether that is what was in `out` before. Local.
 */
bool composite_columns_find(const image *img, int threads, composite_columns *out);

/* Writes what the columns of an image hold, as bytes: [pixels of the image]
 * [format->bytes_per_pixel], of which all others stay as they are. Local. */
void composite_columns_convert(const image *img, int threads,
                               const composite_columns *columns,
                               const composite_format *format, unsigned char *bytes);

/* Adds what they show to the bands of the picture (composite_cuts_add). Local. */
void composite_columns_add(int64_t shown[COMPOSITE_BANDS], const image *img,
                           const composite_columns *columns);

#endif
