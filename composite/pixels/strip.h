/* Parts of rows, of which merging goes through one after the other. Private to merge.c.
 */
#ifndef COMPOSITE_PIXELS_STRIP_H
#define COMPOSITE_PIXELS_STRIP_H

#include "merge.h"

/* Most pixels of a strip: with rgba 32 KiB, so that a strip on its way from layer to
 * layer stays in the first-level cache. */
enum { COMPOSITE_STRIP = 2048 };

/* Part of a row of the picture. */
typedef struct composite_strip {
    int64_t row, begin, end;
} composite_strip;

/* Pixels [begin, end) of an image; empty where begin >= end. */
typedef struct composite_interval {
    int64_t begin, end;
} composite_interval;

static inline bool composite_interval_is_empty(composite_interval i)
{
    return i.begin >= i.end;
}

/* What of an interval lies in [begin, end). */
static inline composite_interval composite_interval_cut(composite_interval i,
                                                        int64_t begin, int64_t end)
{
    return (composite_interval){i.begin > begin ? i.begin : begin,
                                i.end < end ? i.end : end};
}

/* What a layer has of a strip. */
static inline composite_interval composite_strip_clip(composite_strip s,
                                                      const composite_layer *layer)
{
    const pixel_rect *active = &layer->active;
    if (pixel_rect_is_empty(*active) || s.row < active->y0 || s.row >= active->y1) {
        return (composite_interval){s.end, s.end};
    }
    const int64_t row = s.row * layer->img->width;
    const int64_t x0 = layer->columns ? layer->columns[s.row].begin : active->x0;
    const int64_t x1 = layer->columns ? layer->columns[s.row].end : active->x1;
    const composite_interval held =
        composite_interval_cut((composite_interval){row + x0, row + x1}, s.begin, s.end);
    return composite_interval_cut(held, layer->pix0, layer->pix0 + layer->npix);
}

/* A layer that has something of a strip, and what. */
typedef struct composite_strip_share {
    const composite_layer *layer;
    composite_interval has;
} composite_strip_share;

/* All that have, in the order in which they are merged, and what the own image has. */
typedef struct composite_strip_shares {
    composite_interval mine;
    composite_strip_share items[COMPOSITE_MOST_LAYERS];
    int count;
} composite_strip_shares;

/* Merges a strip of up to COMPOSITE_STRIP pixels, which may be a part of that of the
 * shares, and puts it into the sink. Returns how many pixels were merged. */
int64_t composite_strip_merge(composite_operator op, const image *own, composite_strip s,
                              const composite_strip_shares *shares,
                              const composite_sink *sink);

#endif
