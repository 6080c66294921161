/* Which columns of each row of an image show something. Private to composite/. */
#ifndef COMPOSITE_COLUMNS_H
#define COMPOSITE_COLUMNS_H

#include "base/image.h"
#include "composite/schedule.h"

/* Columns [begin, end) of a row: pixels beside them are transparent, all zero, depth
 * +infinity. Empty where begin >= end. */
typedef struct composite_columns {
    uint16_t begin, end;
} composite_columns;

/*
 * Finds the columns of the rows of an image's active rectangle: out [height]; the other
 * rows are not written. Looks at nothing but transparent pixels beside those that show,
 * and the first that does. Local.
 */
void composite_columns_find(const image *img, int threads, composite_columns *out);

/* Adds what they show to the bands of the picture (composite_cuts_add). Local. */
void composite_columns_add(int64_t shown[COMPOSITE_BANDS], const image *img,
                           const composite_columns *columns);

#endif
