#include "merge.h"

#include "blend.h"
#include "strip.h"

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
        composite_blend_nearest_into(count, front.rgba, front.depth, back.rgba,
                                     back.depth, out.rgba, out.depth);
        return;
    }
    composite_blend_into(count, front.rgba, back.rgba, out.rgba);
    if (out.depth) {
        composite_blend_depth_into(count, front.depth, back.depth, out.depth);
    }
}

/* ---- Strips ------------------------------------------------------------------------ */

/* Smallest interval that holds both. */
static composite_interval hull(composite_interval a, composite_interval b)
{
    if (composite_interval_is_empty(a) || composite_interval_is_empty(b)) {
        return composite_interval_is_empty(a) ? b : a;
    }
    return (composite_interval){a.begin < b.begin ? a.begin : b.begin,
                                a.end > b.end ? a.end : b.end};
}

/* What is merged of one strip. */
typedef struct strip_merge {
    composite_operator op;
    int64_t row;
    composite_interval all; /* all that may be active in the result */
    planes held;            /* what is merged so far, from all.begin on: in some rank's
                               image, where it must not be written, or in room or sink */
    planes room;            /* where it may be changed */
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

/* Merges a layer; the result goes to `out` where that is possible, else to the room. */
static void merge_layer(strip_merge *at, const composite_layer *layer,
                        composite_interval has, planes out)
{
    const planes other = planes_of(layer->img, at->row, has.begin);
    const int64_t offset = has.begin - at->all.begin;
    const int64_t count = has.end - has.begin;
    if (at->op == COMPOSITE_OVER && !layer->in_front &&
        is_opaque(count, planes_at(at->held, offset))) {
        return;
    }
    if (count < at->all.end - at->all.begin) {
        if (at->held.rgba != at->room.rgba) {
            copy(at->all.end - at->all.begin, at->held, at->room);
        }
        out = at->room;
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

static bool fills(composite_interval has, const strip_merge *at)
{
    return has.begin == at->all.begin && has.end == at->all.end &&
           !composite_interval_is_empty(has);
}

/* Starts with the own pixels: where they lie, if they fill all that is merged. */
static planes take_own(const strip_merge *at, const image *own, composite_interval mine)
{
    if (fills(mine, at)) {
        return planes_of(own, at->row, mine.begin);
    }
    if (!composite_interval_is_empty(at->all)) {
        clear(at->all.end - at->all.begin, at->room);
    }
    if (!composite_interval_is_empty(mine)) {
        copy(mine.end - mine.begin, planes_of(own, at->row, mine.begin),
             planes_at(at->room, mine.begin - at->all.begin));
    }
    return at->room;
}

static void convert(const composite_sink *sink, composite_strip s, composite_interval all,
                    planes held)
{
    const composite_format *format = &sink->format;
    const int64_t size = format->bytes_per_pixel;
    if (composite_interval_is_empty(all)) {
        all = (composite_interval){s.end, s.end};
    }
    composite_format_fill(format, all.begin - s.begin, sink->bytes + s.begin * size);
    format->convert(format->context, all.end - all.begin, held.rgba,
                    sink->bytes + all.begin * size);
    composite_format_fill(format, s.end - all.end, sink->bytes + all.end * size);
}

/* All that may be active in the result; *last: the last layer that has pixels there. */
static composite_interval find_all(composite_strip s,
                                   const composite_strip_shares *shares, int *last)
{
    composite_interval all = composite_interval_cut(shares->mine, s.begin, s.end);
    *last = -1;
    for (int i = 0; i < shares->count; i++) {
        const composite_interval has =
            composite_interval_cut(shares->items[i].has, s.begin, s.end);
        if (!composite_interval_is_empty(has)) {
            all = hull(all, has);
            *last = i;
        }
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
static int take_first(strip_merge *at, const image *own, composite_strip s,
                      const composite_strip_shares *shares, int last)
{
    const composite_interval mine = composite_interval_cut(shares->mine, s.begin, s.end);
    /* (By the nearest depth a pixel that has none loses against room that is clear.) */
    bool is_first = at->op == COMPOSITE_OVER && composite_interval_is_empty(mine);
    int taken = -1;
    for (int i = 0; i <= last; i++) {
        const composite_layer *layer = shares->items[i].layer;
        const composite_interval has =
            composite_interval_cut(shares->items[i].has, s.begin, s.end);
        if (fills(has, at) && (is_first || hides(at, layer))) {
            taken = i;
        }
        is_first &= composite_interval_is_empty(has);
    }
    if (taken < 0) {
        at->held = take_own(at, own, mine);
    } else {
        at->held = planes_of(shares->items[taken].layer->img, at->row, at->all.begin);
        at->blended += at->all.end - at->all.begin;
    }
    return taken + 1;
}

/* Merges layers [first, last]; the result of the last one goes to `out`. */
static void merge_up_to(strip_merge *at, composite_strip s,
                        const composite_strip_shares *shares, int first, int last,
                        planes out)
{
    for (int i = first; i <= last; i++) {
        const composite_interval has =
            composite_interval_cut(shares->items[i].has, s.begin, s.end);
        if (!composite_interval_is_empty(has)) {
            merge_layer(at, shares->items[i].layer, has, i == last ? out : at->room);
        }
    }
}

int64_t composite_strip_merge(composite_operator op, const image *own, composite_strip s,
                              const composite_strip_shares *shares,
                              const composite_sink *sink)
{
    float rgba[4 * COMPOSITE_STRIP];
    float depth[COMPOSITE_STRIP];
    int last;
    const composite_interval all = find_all(s, shares, &last);
    const planes scratch = {rgba, own->depth ? depth : NULL};
    strip_merge at = {.op = op, .row = s.row, .all = all, .room = scratch};
    if (sink->img && !composite_interval_is_empty(all)) {
        const planes out = planes_of(sink->img, s.row, all.begin);
        int first = 0;
        if (sink->img->rgba == own->rgba) {
            at.room = at.held = out;
        } else {
            first = take_first(&at, own, s, shares, last);
        }
        merge_up_to(&at, s, shares, first, last, out);
        if (at.held.rgba != out.rgba) {
            copy(all.end - all.begin, at.held, out);
        }
    } else if (!sink->img) {
        const int first = take_first(&at, own, s, shares, last);
        merge_up_to(&at, s, shares, first, last, scratch);
        convert(sink, s, all, at.held);
    }
    return at.blended;
}

/* ---- All strips -------------------------------------------------------------------- */

static void find_shares(composite_strip s, const image *own,
                        const composite_layer *layers, int nlayers,
                        composite_strip_shares *out)
{
    const composite_layer mine = {
        .img = own, .active = own->active, .pix0 = s.begin, .npix = s.end - s.begin};
    out->mine = composite_strip_clip(s, &mine);
    out->count = 0;
    for (int i = 0; i < nlayers; i++) {
        const composite_interval has = composite_strip_clip(s, &layers[i]);
        if (!composite_interval_is_empty(has)) {
            out->items[out->count++] = (composite_strip_share){&layers[i], has};
        }
    }
}

int64_t composite_merge_layers(composite_operator op, const image *own, int64_t pix0,
                               int64_t npix, const composite_layer *layers, int nlayers,
                               const composite_sink *sink)
{
    int64_t merged = 0;
    const int64_t end = pix0 + npix;
    composite_strip s = {.row = pix0 / own->width, .begin = pix0};
    while (s.begin < end) {
        const int64_t row_end = (s.row + 1) * own->width;
        s.end = s.begin + COMPOSITE_STRIP;
        s.end = s.end < row_end ? s.end : row_end;
        s.end = s.end < end ? s.end : end;
        composite_strip_shares shares;
        find_shares(s, own, layers, nlayers, &shares);
        merged += composite_strip_merge(op, own, s, &shares, sink);
        s.row += s.end == row_end;
        s.begin = s.end;
    }
    return merged;
}
