/* Equal shares of things in a row, such as pixels or positions. */
#ifndef COMPOSITE_SHARES_H
#define COMPOSITE_SHARES_H

#include <stdint.h>

/*
 * `total` things (pixels, positions) are divided into `pieces` >= 1 pieces. Piece i
 * begins at floor(i total / pieces); piece number `pieces` begins at the end of all.
 * Sizes differ by one at most, and a division into m n pieces nests in that into n. Exact
 * for any total: the only product is below 2^62.
 */
static inline int64_t composite_share_begin(int64_t total, int pieces, int piece)
{
    return total / pieces * piece + total % pieces * piece / pieces;
}

/* The piece with thing number `thing`, 0 <= thing < total. O(1). */
int composite_share_find(int64_t total, int pieces, int64_t thing);

/* Pixels [pix0, pix1); empty if pix1 <= pix0. */
typedef struct composite_range {
    int64_t pix0, pix1;
} composite_range;

/* Piece i of a range. */
static inline composite_range composite_share(composite_range all, int pieces, int piece)
{
    const int64_t npix = all.pix1 - all.pix0;
    return (composite_range){all.pix0 + composite_share_begin(npix, pieces, piece),
                             all.pix0 + composite_share_begin(npix, pieces, piece + 1)};
}

/*
 * The order in which member `me` of `members` in a row merges the others: outward, in
 * front and behind in turn, then the rest of the longer side. `step` counts from 0 to
 * members - 2. With me = 2 of 6: 1, 3, 0, 4, 5.
 */
int composite_outward(int members, int me, int step);

/* The order in which it sends to the others: the mirror image, so that in each step a
 * member sends to a member that waits for it. With me = 2 of 6: 3, 1, 4, 0, 5. */
int composite_outward_send(int members, int me, int step);

#endif
