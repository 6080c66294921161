#include "merge.h"

#include "blend.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Planes of an image from some pixel on; depth is NULL where the image has none. */
typedef struct planes {
    float *rgba, *depth;
} planes;

static planes planes_at(planes from, int64_t pixel)
{
    return (planes){from.rgba + 4 * pixel, from.depth ? from.depth + pixel : NULL};
}

/* The planes of an image from a pixel of a row on, up to the row's end. */
static planes planes_of(const image *img, int64_t row, int64_t pixel)
{
    const int x = (int)(pixel - row * img->width);
    return planes_at((planes){img->rgba, img->depth}, image_at(img, x, (int)row));
}

static void copy(int64_t count, planes from, planes to)
{
    memcpy(to.rgba, from.rgba, (size_t)count * 4 * sizeof *to.rgba);
    if (to.depth) {
        memcpy(to.depth, from.depth, (size_t)count * sizeof *to.depth);
    }
}

static void clear(int64_t count, planes at)
{
    memset(at.rgba, 0, (size_t)count * 4 * sizeof *at.rgba);
    for (int64_t i = 0; at.depth && i < count; i++) {
        at.depth[i] = INFINITY;
    }
}

/* out may be one of the two. */
static void blend(composite_operator op, int64_t count, planes front, planes back,
                  planes out)
{
    if (op == COMPOSITE_NEAREST) {
        composite_blend_nearest_into(count, (blend_source){front.rgba, front.depth},
                                     (blend_source){back.rgba, back.depth}, out.rgba,
                                     out.depth);
        return;
    }
    composite_blend_into(count, front.rgba, back.rgba, out.rgba);
    if (out.depth) {
        composite_blend_depth_into(count, front.depth, back.depth, out.depth);
    }
}

/* ---- Strips ------------------------------------------------------------------------ */

/* Most pixels of a strip: with rgba 32 KiB, so that a strip on its way from layer to
 * layer stays in the first-level cache. */
enum { STRIP = 2048 };

/* Part of a row of the picture. */
typedef struct strip {
    int64_t row, begin, end;
} strip;

/* Pixels [begin, end) of an image; empty where begin >= end. */
typedef struct interval {
    int64_t begin, end;
} interval;

static bool is_empty(interval i)
{
    return i.begin >= i.end;
}

/* The part of an interval in [begin, end). */
static interval cut(interval i, int64_t begin, int64_t end)
{
    return (interval){i.begin > begin ? i.begin : begin, i.end < end ? i.end : end};
}

/* The part of a strip that a layer has. */
static interval clip(strip s, const composite_layer *layer)
{
    const pixel_rect *active = &layer->active;
    if (pixel_rect_is_empty(*active) || s.row < active->y0 || s.row >= active->y1) {
        return (interval){s.end, s.end};
    }
    const int64_t row = s.row * layer->img->width;
    const int64_t x0 = layer->columns ? layer->columns[s.row].begin : active->x0;
    const int64_t x1 = layer->columns ? layer->columns[s.row].end : active->x1;
    const interval held = cut((interval){row + x0, row + x1}, s.begin, s.end);
    return cut(held, layer->pix0, layer->pix0 + layer->npix);
}

/* A layer that has something of a strip, and what. */
typedef struct strip_share {
    const composite_layer *layer;
    interval has;
} strip_share;

/* All that have, in the order in which they are merged, and what the own image has. */
typedef struct strip_shares {
    interval mine;
    strip_share items[COMPOSITE_MOST_LAYERS];
    int count;
} strip_shares;

/* Smallest interval that holds both. */
static interval hull(interval a, interval b)
{
    if (is_empty(a) || is_empty(b)) {
        return is_empty(a) ? b : a;
    }
    return (interval){a.begin < b.begin ? a.begin : b.begin,
                      a.end > b.end ? a.end : b.end};
}

/* What is merged of one strip. */
typedef struct strip_merge {
    composite_operator op;
    int64_t row;
    interval all;    /* all that may be active in the result */
    planes held;     /* merged so far, from all.begin on: in a rank's image, which must
                        not be written, or in `writable` or the sink */
    planes writable; /* memory that the result may be written to */
    int64_t blended;
} strip_merge;

/* Whether nothing shows through: over what is opaque, exactly, more changes nothing. */
static bool is_opaque(int64_t count, planes at)
{
    enum { BLOCK = 16 };
    const float one = 1.0f;
    uint32_t opaque, alpha, other = 0;
    memcpy(&opaque, &one, sizeof opaque);
    for (int64_t i = 0; i < count && other == 0; i += BLOCK) {
        const int64_t end = i + BLOCK < count ? i + BLOCK : count;
        for (int64_t n = i; n < end; n++) {
            memcpy(&alpha, at.rgba + 4 * n + 3, sizeof alpha);
            other |= alpha ^ opaque;
        }
    }
    return !at.depth && other == 0;
}

/* Merges a layer. The result goes to `out` if the layer covers all active pixels of the
 * strip, else to `writable`. */
static void merge_layer(strip_merge *at, const composite_layer *layer, interval has,
                        planes out)
{
    const planes other = planes_of(layer->img, at->row, has.begin);
    const int64_t offset = has.begin - at->all.begin;
    const int64_t count = has.end - has.begin;
    if (at->op == COMPOSITE_OVER && !layer->in_front &&
        is_opaque(count, planes_at(at->held, offset))) {
        return;
    }
    if (count < at->all.end - at->all.begin) {
        if (at->held.rgba != at->writable.rgba) {
            copy(at->all.end - at->all.begin, at->held, at->writable);
        }
        out = at->writable;
        at->held = out;
    }
    const planes held = planes_at(at->held, offset);
    if (layer->in_front) {
        blend(at->op, count, other, held, planes_at(out, offset));
    } else {
        blend(at->op, count, held, other, planes_at(out, offset));
    }
    at->held = out;
    at->blended += count;
}

static bool fills(interval has, const strip_merge *at)
{
    return has.begin == at->all.begin && has.end == at->all.end && !is_empty(has);
}

/* Starts with the own pixels: where they lie, if they fill all that is merged. */
static planes take_own(const strip_merge *at, const image *own, interval mine)
{
    if (fills(mine, at)) {
        return planes_of(own, at->row, mine.begin);
    }
    if (!is_empty(at->all)) {
        clear(at->all.end - at->all.begin, at->writable);
    }
    if (!is_empty(mine)) {
        copy(mine.end - mine.begin, planes_of(own, at->row, mine.begin),
             planes_at(at->writable, mine.begin - at->all.begin));
    }
    return at->writable;
}

static void convert(const composite_sink *sink, strip s, interval all, planes held)
{
    const composite_format *format = &sink->format;
    const int64_t size = format->bytes_per_pixel;
    if (is_empty(all)) {
        all = (interval){s.end, s.end};
    }
    composite_format_fill(format, all.begin - s.begin, sink->bytes + s.begin * size);
    format->convert(format->context, all.end - all.begin, held.rgba,
                    sink->bytes + all.begin * size);
    composite_format_fill(format, s.end - all.end, sink->bytes + all.end * size);
}

/* All that may be active in the result. */
static interval find_all(const strip_shares *shares)
{
    interval all = shares->mine;
    for (int i = 0; i < shares->count; i++) {
        all = hull(all, shares->items[i].has);
    }
    return all;
}

/* Whether a layer hides all that was merged before it. */
static bool hides(const strip_merge *at, const composite_layer *layer)
{
    return at->op == COMPOSITE_OVER && layer->in_front &&
           is_opaque(at->all.end - at->all.begin,
                     planes_of(layer->img, at->row, at->all.begin));
}

/*
 * Takes what merging begins with: a layer that hides all before it, or before which
 * nothing is shown, where it lies; else the own pixels. Returns the layer that is to be
 * merged next.
 */
static int take_first(strip_merge *at, const image *own, const strip_shares *shares)
{
    /* (By the nearest depth a pixel that has none loses against clear memory.) */
    const bool shows_none = at->op == COMPOSITE_OVER && is_empty(shares->mine);
    int taken = -1;
    for (int i = 0; i < shares->count; i++) {
        const strip_share *share = &shares->items[i];
        const bool is_first = shows_none && i == 0;
        if (fills(share->has, at) && (is_first || hides(at, share->layer))) {
            taken = i;
        }
    }
    if (taken < 0) {
        at->held = take_own(at, own, shares->mine);
    } else {
        at->held = planes_of(shares->items[taken].layer->img, at->row, at->all.begin);
        at->blended += at->all.end - at->all.begin;
    }
    return taken + 1;
}

/* Merges layers from `first` on; the result of the last one goes to `out`. */
static void merge_rest(strip_merge *at, const strip_shares *shares, int first, planes out)
{
    for (int i = first; i < shares->count; i++) {
        const strip_share *share = &shares->items[i];
        merge_layer(at, share->layer, share->has,
                    i == shares->count - 1 ? out : at->writable);
    }
}

/* Merges a strip and puts it into the sink. Returns how many pixels were merged. */
static int64_t merge_strip(composite_operator op, const image *own, strip s,
                           const strip_shares *shares, const composite_sink *sink)
{
    float rgba[4 * STRIP];
    float depth[STRIP];
    const interval all = find_all(shares);
    const planes scratch = {rgba, own->depth ? depth : NULL};
    strip_merge at = {.op = op, .row = s.row, .all = all, .writable = scratch};
    if (sink->img && !is_empty(all)) {
        const planes out = planes_of(sink->img, s.row, all.begin);
        int first = 0;
        if (sink->img->rgba == own->rgba) {
            at.writable = at.held = out;
        } else {
            first = take_first(&at, own, shares);
        }
        merge_rest(&at, shares, first, out);
        if (at.held.rgba != out.rgba) {
            copy(all.end - all.begin, at.held, out);
        }
    } else if (!sink->img) {
        const int first = take_first(&at, own, shares);
        merge_rest(&at, shares, first, scratch);
        convert(sink, s, all, at.held);
    }
    return at.blended;
}

/* ---- All strips -------------------------------------------------------------------- */

static void find_shares(strip s, const image *own, const composite_layer *layers,
                        int nlayers, strip_shares *out)
{
    const composite_layer mine = {
        .img = own, .active = own->active, .pix0 = s.begin, .npix = s.end - s.begin};
    out->mine = clip(s, &mine);
    out->count = 0;
    for (int i = 0; i < nlayers; i++) {
        const interval has = clip(s, &layers[i]);
        if (!is_empty(has)) {
            out->items[out->count++] = (strip_share){&layers[i], has};
        }
    }
}

int64_t composite_merge_layers(composite_operator op, const image *own,
                               composite_range pixels, const composite_layer *layers,
                               int nlayers, const composite_sink *sink)
{
    int64_t merged = 0;
    const int64_t end = pixels.pix1;
    strip s = {.row = pixels.pix0 / own->width, .begin = pixels.pix0};
    while (s.begin < end) {
        const int64_t row_end = (s.row + 1) * own->width;
        s.end = s.begin + STRIP;
        s.end = s.end < row_end ? s.end : row_end;
        s.end = s.end < end ? s.end : end;
        strip_shares shares;
        find_shares(s, own, layers, nlayers, &shares);
        merged += merge_strip(op, own, s, &shares, sink);
        s.row += s.end == row_end;
        s.begin = s.end;
    }
    return merged;
}
