/* The inner loops of blending and encoding. Private to composite/. */
#ifndef COMPOSITE_PIXELS_BLEND_H
#define COMPOSITE_PIXELS_BLEND_H

#include <stdint.h>

/* Most pixels that composite_blend_active looks at: as many as fit in its bits. */
enum { BLEND_ACTIVE_MOST = 64 };

/* Pixels that are read: colours [count][4], and depths [count]. */
typedef struct blend_source {
    const float *rgba, *depth;
} blend_source;

/*
 * front over back for `count` premultiplied pixels, [count][4] each:
 *
 *     rgba = front + (1 - front.a) * back
 *
 * in float32, product first, rounded after each step, so that all ways to compute it
 * agree. T. Porter, T. Duff, "Compositing digital images", SIGGRAPH 1984. Pixels may
 * begin at any float. Here and below results may take the place of an input, but overlap
 * none otherwise. Local.
 */
void composite_blend_over(int64_t count, const float *front, const float *back,
                          float *out);

/* The smaller one of two depths, [count] each; b where they are equal or one is NaN.
 * Local. */
void composite_blend_depth(int64_t count, const float *a, const float *b, float *out);

/*
 * The pixel with the smaller depth, colour and depth; of equal ones that which is in
 * front by visibility order, so that the result does not depend on who merges. rgba
 * [count][4], depth [count]. Local.
 */
void composite_blend_nearest(int64_t count, blend_source front, blend_source back,
                             float *rgba, float *depth);

/* Which of `count` <= BLEND_ACTIVE_MOST pixels are active (composite/pixels/encode.h):
 * bit i stands for pixel i, bits from `count` on are 0. depth: [count] or NULL. Local. */
uint64_t composite_blend_active(int count, const float *rgba, const float *depth);

#endif
