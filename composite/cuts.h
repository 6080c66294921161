/* Where pieces of a picture end, so that each has about as much to merge. Private to
 * composite/. */
#ifndef COMPOSITE_CUTS_H
#define COMPOSITE_CUTS_H

#include "base/image.h"
#include "schedule.h"

/*
 * What images show: shown[b] pixels of all of them lie in band b, one of COMPOSITE_BANDS
 * equal shares of the picture's pixels. Only sums matter, so ranks add theirs up in any
 * order.
 */

/* Adds the active rectangle of one image of a picture of width x height pixels. Local. */
void composite_cuts_add(int64_t shown[COMPOSITE_BANDS], int width, int height,
                        pixel_rect active);

/*
 * Cuts between which about the same is shown; none (all zero) where without them the
 * fullest of `pieces` >= 1 equal shares has at most 15 % above the mean. pixels: of the
 * picture, below 2^40. They follow from what this frame shows and nothing else: so the
 * picture does not depend on those before. Local; whole numbers alone, so that all ranks
 * get the same from the same.
 */
composite_cuts composite_cuts_find(const int64_t shown[COMPOSITE_BANDS], int64_t pixels,
                                   int pieces);

#endif
