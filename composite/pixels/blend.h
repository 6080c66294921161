/* Kernels that merge pixels. Private to composite/. */
#ifndef COMPOSITE_PIXELS_BLEND_H
#define COMPOSITE_PIXELS_BLEND_H

#include "blend_kernels.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * front over back for `count` premultiplied pixels, [count][4] each:
 *
 *     rgba = front + (1 - front.a) * back
 *
 * in float32, product first, rounded after each step, so that all ways to compute it
 * agree. T. Porter, T. Duff, "Compositing digital images", SIGGRAPH 1984. _front puts the
 * result in the place of the back one, _back in that of the front one, _into in a third
 * place, or in that of one of them. Pixels may begin at any float. Local.
 */
void composite_blend_front(int64_t count, const float *restrict front,
                           float *restrict image);
void composite_blend_back(int64_t count, const float *restrict back,
                          float *restrict image);
void composite_blend_into(int64_t count, const float *front, const float *back,
                          float *out);

/* The smaller one of two depths, [count], into `image`; _into as above. Local.
 */
void composite_blend_depth(int64_t count, const float *restrict other,
                           float *restrict image);
void composite_blend_depth_into(int64_t count, const float *a, const float *b,
                                float *out);

/*
 * The pixel with the smaller depth, colour and depth, into `image`; of equal ones that
 * which is in front by visibility order, so that the result does not depend on who
 * merges. rgba [count][4], depth [count]; `in_front`: `other` is. _into puts it in a
 * third place, or into that of one of them. Local.
 */
void composite_blend_nearest(int64_t count, bool in_front, blend_source other,
                             float *rgba, float *depth);
void composite_blend_nearest_into(int64_t count, blend_source front, blend_source back,
                                  float *rgba, float *depth);

#endif
