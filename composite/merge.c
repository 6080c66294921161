#include "composite/merge.h"

#include "composite/blend.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Most pixels of a strip: with rgba 32 KiB, so that a strip on its way from layer to
 * layer stays in the first-level cache. */
enum { STRIP = 2048 };

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

/* Pixels [begin, end) of an image; empty where begin >= end. */
typedef struct range {
    int64_t begin, end;
} range;

static bool is_empty(range r)
{
    return r.begin >= r.end;
}

/* Smallest range that holds both. */
static range hull(range a, range b)
{
    if (is_empty(a) || is_empty(b)) {
        return is_empty(a) ? b : a;
    }
    return (range){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* Part of a row of the picture. */
typedef struct strip {
    int64_t row, begin, end;
} strip;

/* The part of a strip that lies in a rectangle. */
static range clip(strip s, int width, pixel_rect active)
{
    if (pixel_rect_is_empty(active) || s.row < active.y0 || s.row >= active.y1) {
        return (range){s.begin, s.begin};
    }
    const int64_t begin = s.row * width + active.x0;
    const int64_t end = s.row * width + active.x1;
    return (range){begin > s.begin ? begin : s.begin, end < s.end ? end : s.end};
}

static range clip_layer(strip s, const composite_layer *layer)
{
    pixel_rect active = layer->active;
    if (layer->columns && s.row >= active.y0 && s.row < active.y1) {
        active.x0 = layer->columns[s.row].begin;
        active.x1 = layer->columns[s.row].end;
    }
    range r = clip(s, layer->img->width, active);
    const int64_t end = layer->pix0 + layer->npix;
    return (range){r.begin > layer->pix0 ? r.begin : layer->pix0,
                   r.end < end ? r.end : end};
}

/* What is merged of one strip. */
typedef struct strip_merge {
    composite_operator op;
    int64_t row;
    range all;   /* all that may be active in the result */
    planes held; /* what is merged so far, from all.begin on */
    planes room; /* where it may be changed */
    int64_t blended;
} strip_merge;

/* Whether nothing shows through: over what is opaque, exactly, more changes nothing. */
static bool is_opaque(int64_t count, planes at)
{
    bool is = !at.depth;
    for (int64_t i = 0; i < count && is; i++) {
        is = at.rgba[4 * i + 3] == 1.0f;
    }
    return is;
}

/* Merges a layer; the result goes to `out` where that is possible, else to the room. */
static void merge_layer(strip_merge *at, const composite_layer *layer, range r,
                        planes out)
{
    const planes other = planes_of(layer->img, at->row, r.begin);
    const int64_t offset = r.begin - at->all.begin;
    const int64_t count = r.end - r.begin;
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

/* Starts with the own pixels: where they lie, if they fill all that is merged. */
static planes take_own(const image *own, int64_t row, range mine, range all, planes room)
{
    if (!is_empty(mine) && mine.begin == all.begin && mine.end == all.end) {
        return planes_of(own, row, all.begin);
    }
    if (!is_empty(all)) {
        clear(all.end - all.begin, room);
    }
    if (!is_empty(mine)) {
        copy(mine.end - mine.begin, planes_of(own, row, mine.begin),
             planes_at(room, mine.begin - all.begin));
    }
    return room;
}

static void convert(const composite_sink *sink, strip s, range all, planes held)
{
    const composite_format *format = &sink->format;
    const int64_t size = format->bytes_per_pixel;
    if (is_empty(all)) {
        all = (range){s.end, s.end};
    }
    composite_format_fill(format, all.begin - s.begin, sink->bytes + s.begin * size);
    format->convert(format->context, all.end - all.begin, held.rgba,
                    sink->bytes + all.begin * size);
    composite_format_fill(format, s.end - all.end, sink->bytes + all.end * size);
}

/* All that may be active in the result; *last: the last layer that has pixels there. */
static range find_all(strip s, range mine, const composite_layer *layers, int nlayers,
                      int *last)
{
    range all = mine;
    *last = -1;
    for (int i = 0; i < nlayers; i++) {
        const range r = clip_layer(s, &layers[i]);
        if (!is_empty(r)) {
            all = hull(all, r);
            *last = i;
        }
    }
    return all;
}

/* Merges layers up to the last one that counts; its result goes to `out`. */
static void merge_up_to(strip_merge *at, strip s, const composite_layer *layers, int last,
                        planes out)
{
    for (int i = 0; i <= last; i++) {
        const range r = clip_layer(s, &layers[i]);
        if (!is_empty(r)) {
            merge_layer(at, &layers[i], r, i == last ? out : at->room);
        }
    }
}

static int64_t merge_strip(composite_operator op, const image *own, strip s,
                           const composite_layer *layers, int nlayers,
                           const composite_sink *sink)
{
    float rgba[4 * STRIP];
    float depth[STRIP];
    int last;
    const range mine = clip(s, own->width, own->active);
    const range all = find_all(s, mine, layers, nlayers, &last);
    const planes scratch = {rgba, own->depth ? depth : NULL};
    strip_merge at = {.op = op, .row = s.row, .all = all, .room = scratch};
    if (sink->img && !is_empty(all)) {
        const planes out = planes_of(sink->img, s.row, all.begin);
        const bool is_in_place = sink->img->rgba == own->rgba;
        at.room = is_in_place ? out : scratch;
        at.held = is_in_place ? out : take_own(own, s.row, mine, all, scratch);
        merge_up_to(&at, s, layers, last, out);
        if (at.held.rgba != out.rgba) {
            copy(all.end - all.begin, at.held, out);
        }
    } else if (!sink->img) {
        at.held = take_own(own, s.row, mine, all, scratch);
        merge_up_to(&at, s, layers, last, scratch);
        convert(sink, s, all, at.held);
    }
    return at.blended;
}

int64_t composite_merge_layers(composite_operator op, const image *own, int64_t pix0,
                               int64_t npix, const composite_layer *layers, int nlayers,
                               const composite_sink *sink)
{
    int64_t blended = 0;
    const int64_t end = pix0 + npix;
    strip s = {.row = pix0 / own->width, .begin = pix0};
    while (s.begin < end) {
        const int64_t row_end = (s.row + 1) * own->width;
        s.end = s.begin + STRIP;
        s.end = s.end < row_end ? s.end : row_end;
        s.end = s.end < end ? s.end : end;
        blended += merge_strip(op, own, s, layers, nlayers, sink);
        s.row += s.end == row_end;
        s.begin = s.end;
    }
    return blended;
}
