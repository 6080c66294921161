/* Which columns of each row of an image show something. Private to composite/. */
#ifndef COMPOSITE_PIXELS_COLUMNS_H
#define COMPOSITE_PIXELS_COLUMNS_H

#include "base/image.h"
#include "composite/schedule.h"
#include "convert.h"

/* Pixels of a row beside these are transparent, all zero, depth +infinity. */
typedef image_columns composite_columns;

/*
 * Finds the columns of the rows of an image's active rectangle: out [height]; the other
 * rows are not written. Takes those of the image, where it has some; else looks at
 * nothing but transparent pixels beside those that show, and the first that does. Local.
 */
void composite_columns_find(const image *img, int threads, composite_columns *out);

#endif
