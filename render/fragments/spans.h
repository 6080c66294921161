/* Spans: the open parts of rays, outside of which nothing is drawn. A list of spans is a
 * list of fragments (render_fragments.are_spans): of each pixel the beginning and the end
 * of its spans, which ascend and do not overlap, pixel after pixel in each tile. */
#ifndef RENDER_FRAGMENTS_SPANS_H
#define RENDER_FRAGMENTS_SPANS_H

#include "fragments.h"

enum { SPANS_PIXELS = FRAGMENTS_TILE * FRAGMENTS_TILE };

/* A part of a ray, with both ends. */
typedef struct spans_item {
    float begin, end;
} spans_item;

/* The spans of a tile's rays, row after row of FRAGMENTS_TILE. All zero at first. */
typedef struct spans_tile {
    bool are_limits; /* false: all rays are open */
    int first[SPANS_PIXELS + 1];
    int64_t capacity, spare_capacity;
    spans_item *items, *spare;
} spans_tile;

/* Whether some of the lists are spans. */
bool render_spans_has(int count, const render_fragments *const *layers);

/* Finds the parts of a tile's rays that are open in all lists of spans among these.
 * width: of the picture. Returns false without memory. Local. */
bool render_spans_gather(int count, const render_fragments *const *layers, int width,
                         pixel_rect rect, spans_tile *out);

/* Span number n of a pixel, cut to [*t0, *t1); false: it has fewer. Without limits, each
 * pixel has one. */
static inline bool render_spans_part(const spans_tile *tile, int pixel, int n, float *t0,
                                     float *t1)
{
    if (!tile->are_limits) {
        return n == 0;
    }
    const int at = tile->first[pixel] + n;
    if (at >= tile->first[pixel + 1]) {
        return false;
    }
    *t0 = fmaxf(*t0, tile->items[at].begin);
    *t1 = fminf(*t1, tile->items[at].end);
    return true;
}

/* The most spans of a pixel. */
int render_spans_most(const spans_tile *tile);

void render_spans_clear(spans_tile *tile);

/* Makes the items of a list clear that lie outside of the spans. width, height: of the
 * picture. Local. Errors: STATUS_MEMORY. */
status render_spans_hide(const render_fragments *spans, int width, int height,
                         int threads, const render_fragments *fragments);

#endif
