/* Edges of a picture: the pixels that one sample does not show well. */
#ifndef RENDER_VIEW_EDGES_H
#define RENDER_VIEW_EDGES_H

#include "base/image.h"

#include <stdint.h>

/*
 * Finds the weight of more samples for pixels [pix0, pix0 + npix) of an image, row-major,
 * weights: [npix]: 0 if a pixel lies in a smooth part, 1 at an edge. It depends on how
 * much the colour bends from neighbour to neighbour: the greatest second difference of a
 * channel in the four directions. In between it is continuous, so that rounding never
 * decides. The image needs these pixels and all beside them.
 *
 * Counts the pixels with a weight above 0, and those that show something. Counts are
 * continuous, too, so they may be fractions, and that of edges is never too small. They
 * are multiples of 2^-22, so that sums over parts of a picture are exact in any order.
 * Local; the image is not cropped.
 */
typedef struct render_edge_counts {
    double edges, visible;
} render_edge_counts;

render_edge_counts render_edges_find(const image *img, int64_t pix0, int64_t npix,
                                     int threads, float *weights);

/* Bytes of a mask of so many pixels. */
int64_t render_mask_bytes(int width, int height);

/* Adds those of pixels [pix0, pix0 + npix) that have a weight above 0 to the mask
 * (render_camera.mask) of a picture; returns their number. Local. */
int64_t render_mask_add(int width, int64_t pix0, int64_t npix, const float *weights,
                        uint8_t *mask);

/* Numbers the pixels of a mask, row after row. before: [height][(width + 7) / 8], the
 * number of pixels before each byte. Returns the number of all. Local. */
int64_t render_mask_number(int width, int height, const uint8_t *mask, int32_t *before);

/* The number of a pixel of the mask. */
int64_t render_mask_index(int width, const uint8_t *mask, const int32_t *before, int x,
                          int y);

#endif
