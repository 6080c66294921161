/* The image that rendering produces and compositing merges. */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>

/* The half-open rectangle of columns [x0, x1) and rows [y0, y1); empty if x0 >= x1. */
typedef struct pixel_rect {
    int x0, y0, x1, y1;
} pixel_rect;

/* Columns [begin, end) of a row; empty if begin >= end. */
typedef struct image_columns {
    uint16_t begin, end;
} image_columns;

/*
 * An image, or one rank's part of it.
 *
 * Pixels are row-major, row 0 at the top. A pixel outside `active` is transparent: all
 * zero, depth +infinity. Images of the same size from several ranks blend into one.
 */
typedef struct image {
    int width, height;
    pixel_rect active; /* contains every pixel that is not transparent */
    pixel_rect kept;   /* the pixels in memory (image_at); empty: all pixels */
    bool may_crop;     /* whether image_crop may set `kept`; else it has no effect */
    const image_columns
        *columns; /* [height] or NULL: outside of these columns, rows of `active` are
                     transparent; borrowed from the renderer */
    float *rgba;  /* [height][width][4]: premultiplied linear colour, then alpha */
    float *depth; /* [height][width] or NULL: distance along the viewing direction to the
                     first hit of the ray, +infinity without a hit */
} image;

/* The most pixels along one side of an image, and in a whole image. */
#define IMAGE_MAX_SIDE   65535
#define IMAGE_MAX_PIXELS ((int64_t)1 << 30)

/* Whether there are images of that size: width and height are 1 to IMAGE_MAX_SIDE, their
 * product at most IMAGE_MAX_PIXELS. Local. Errors: STATUS_USAGE. */
status image_check_size(int width, int height);

/* Allocates a transparent image with an empty active rectangle, with depth only on
 * request. Local. Errors: those of image_check_size, STATUS_MEMORY. */
status image_create(int width, int height, bool with_depth, image **out);

/* Frees *img and sets it to NULL. *img may be NULL. */
void image_destroy(image **img);

/* Makes img transparent again. */
void image_clear(image *img);

/*
 * Declares that nothing will be drawn outside a rectangle. If may_crop is set, only the
 * pixels of `kept`, which contains the rectangle, then lie in memory, as
 * rgba[rows][columns][4], in fewer pages. Callers that set may_crop therefore index
 * pixels by image_at. The image must be transparent, and stays so. Local.
 */
void image_crop(image *img, pixel_rect rect);

static inline int64_t image_pixel_count(const image *img)
{
    return (int64_t)img->width * img->height;
}

static inline bool pixel_rect_is_empty(pixel_rect r)
{
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

/* Index of a pixel in memory, for rgba (times 4) and depth. */
static inline int64_t image_at(const image *img, int x, int y)
{
    return pixel_rect_is_empty(img->kept)
               ? (int64_t)y * img->width + x
               : (int64_t)(y - img->kept.y0) * (img->kept.x1 - img->kept.x0) +
                     (x - img->kept.x0);
}

/* The common pixels of two rectangles; all zero if there are none. */
static inline pixel_rect pixel_rect_intersect(pixel_rect a, pixel_rect b)
{
    const pixel_rect both = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                             a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
    return pixel_rect_is_empty(both) ? (pixel_rect){0, 0, 0, 0} : both;
}

/* Extends a rectangle so that it contains another one. */
static inline void pixel_rect_grow(pixel_rect *all, pixel_rect r)
{
    if (pixel_rect_is_empty(*all)) {
        *all = r;
    } else if (!pixel_rect_is_empty(r)) {
        all->x0 = r.x0 < all->x0 ? r.x0 : all->x0;
        all->y0 = r.y0 < all->y0 ? r.y0 : all->y0;
        all->x1 = r.x1 > all->x1 ? r.x1 : all->x1;
        all->y1 = r.y1 > all->y1 ? r.y1 : all->y1;
    }
}

#endif
