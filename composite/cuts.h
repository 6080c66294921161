/* Load balancing: cuts a picture into pieces that have about as much to merge. Private to
 * composite/. */
#ifndef COMPOSITE_CUTS_H
#define COMPOSITE_CUTS_H

#include "base/image.h"
#include "schedule.h"

/*
 * shown[b] counts the active pixels of all images in band b, one of COMPOSITE_BANDS equal
 * shares of the picture's pixels. Ranks may add up their counts in any order.
 */

/* Adds the active rectangle of one image of a picture of width x height pixels. Local. */
void composite_cuts_add(int64_t shown[COMPOSITE_BANDS], int width, int height,
                        pixel_rect active);

/*
 * Finds cuts that give all pieces about the same number of active pixels. Returns no cuts
 * (all zero) if the fullest of `pieces` >= 1 equal shares has at most 15 % more than the
 * mean. pixels: of the picture, below 2^40. Cuts follow from the active pixels of this
 * frame alone, so the picture does not depend on earlier frames. Local; uses integers
 * alone, so that all ranks get the same result.
 */
composite_cuts composite_cuts_find(const int64_t shown[COMPOSITE_BANDS], int64_t pixels,
                                   int pieces);

#endif
