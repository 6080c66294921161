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

/* What a layer has of a strip. */
typedef struct share {
    const composite_layer *layer;
    range r;
} share;

/* The layers that have something of a strip, and what of it the own image has. */
typedef struct share_list {
    range mine;
    share items[COMPOSITE_MOST_LAYERS];
    int count;
} share_list;

static range intersect(range r, strip s)
{
    return (range){r.begin > s.begin ? r.begin : s.begin, r.end < s.end ? r.end : s.end};
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
static range find_all(strip s, const share_list *shares, int *last)
{
    range all = intersect(shares->mine, s);
    *last = -1;
    for (int i = 0; i < shares->count; i++) {
        const range r = intersect(shares->items[i].r, s);
        if (!is_empty(r)) {
            all = hull(all, r);
            *last = i;
        }
    }
    return all;
}

/* Merges layers up to the last one that counts; its result goes to `out`. */
static void merge_up_to(strip_merge *at, strip s, const share_list *shares, int last,
                        planes out)
{
    for (int i = 0; i <= last; i++) {
        const range r = intersect(shares->items[i].r, s);
        if (!is_empty(r)) {
            merge_layer(at, shares->items[i].layer, r, i == last ? out : at->room);
        }
    }
}

/* Merges a strip, which may be a part of that of the shares. */
static int64_t merge_strip(composite_operator op, const image *own, strip s,
                           const share_list *shares, const composite_sink *sink)
{
    float rgba[4 * STRIP];
    float depth[STRIP];
    int last;
    const range mine = intersect(shares->mine, s);
    const range all = find_all(s, shares, &last);
    const planes scratch = {rgba, own->depth ? depth : NULL};
    strip_merge at = {.op = op, .row = s.row, .all = all, .room = scratch};
    if (sink->img && !is_empty(all)) {
        const planes out = planes_of(sink->img, s.row, all.begin);
        const bool is_in_place = sink->img->rgba == own->rgba;
        at.room = is_in_place ? out : scratch;
        at.held = is_in_place ? out : take_own(own, s.row, mine, all, scratch);
        merge_up_to(&at, s, shares, last, out);
        if (at.held.rgba != out.rgba) {
            copy(all.end - all.begin, at.held, out);
        }
    } else if (!sink->img) {
        at.held = take_own(own, s.row, mine, all, scratch);
        merge_up_to(&at, s, shares, last, scratch);
        convert(sink, s, all, at.held);
    }
    return at.blended;
}

/* ---- Lone pixels ------------------------------------------------------------------- */

/*
 * Where ranks draw parts of space, most pixels are shown by one of them. To merge these
 * is only to read them from another rank's cache: who drew them has them in its own.
 */

/* A part of a strip that so many images show: 0, 1, or 2 for more. */
typedef struct span {
    int64_t begin, end;
    int shown;
} span;

typedef struct span_list {
    span items[2 * COMPOSITE_MOST_LAYERS + 3];
    int count;
} span_list;

static void add_span(span_list *list, int64_t begin, int64_t end, int shown)
{
    shown = shown < 2 ? shown : 2;
    if (begin >= end) {
        return;
    }
    if (list->count > 0 && list->items[list->count - 1].shown == shown) {
        list->items[list->count - 1].end = end;
    } else {
        list->items[list->count++] = (span){begin, end, shown};
    }
}

/* Places where ranges begin (odd) and end, doubled, ascending. */
typedef struct border_list {
    int64_t items[2 * COMPOSITE_MOST_LAYERS + 2];
    int count;
} border_list;

static void add_border(border_list *list, int64_t border)
{
    int at = list->count++;
    for (; at > 0 && list->items[at - 1] > border; at--) {
        list->items[at] = list->items[at - 1];
    }
    list->items[at] = border;
}

static void add_range(border_list *list, range r)
{
    if (!is_empty(r)) {
        add_border(list, 2 * r.begin + 1);
        add_border(list, 2 * r.end);
    }
}

/* Cuts a strip where ranges, which lie in it, begin and end. */
static void cut(strip s, const border_list *borders, span_list *out)
{
    int64_t done = s.begin;
    int shown = 0;
    out->count = 0;
    for (int i = 0; i < borders->count; i++) {
        const int64_t border = borders->items[i];
        add_span(out, done, border / 2, shown);
        done = border / 2;
        shown += border % 2 != 0 ? 1 : -1;
    }
    add_span(out, done, s.end, shown);
}

static int64_t length_of(range r)
{
    return is_empty(r) ? 0 : r.end - r.begin;
}

/* Merges what several images of a strip show, and fills what none does. */
static void merge_crowd(composite_operator op, const image *own, strip s,
                        const share_list *shares, const composite_sink *sink,
                        composite_merged *merged)
{
    const int64_t size = sink->format.bytes_per_pixel;
    border_list borders;
    span_list spans;
    borders.count = 0;
    add_range(&borders, shares->mine);
    merged->crowding.shown += length_of(shares->mine);
    for (int i = 0; i < shares->count; i++) {
        add_range(&borders, shares->items[i].r);
        merged->crowding.shown += length_of(shares->items[i].r);
    }
    cut(s, &borders, &spans);
    for (int i = 0; i < spans.count; i++) {
        const span *at = &spans.items[i];
        if (at->shown == 0) {
            composite_format_fill(&sink->format, at->end - at->begin,
                                  sink->bytes + at->begin * size);
        } else if (at->shown == 1) {
            merged->crowding.lone += at->end - at->begin;
        } else {
            merged->blended +=
                merge_strip(op, own, (strip){s.row, at->begin, at->end}, shares, sink);
        }
    }
}

/* Writes what of a strip, which the own image shows, no other one does. */
static void finish_alone(const image *own, strip s, const composite_layer *layers,
                         int nlayers, const composite_sink *sink)
{
    const composite_format *format = &sink->format;
    border_list borders;
    span_list spans;
    borders.count = 0;
    for (int i = 0; i < nlayers; i++) {
        add_range(&borders, clip_layer(s, &layers[i]));
    }
    cut(s, &borders, &spans);
    for (int i = 0; i < spans.count; i++) {
        const span *at = &spans.items[i];
        if (at->shown == 0) {
            format->convert(format->context, at->end - at->begin,
                            planes_of(own, s.row, at->begin).rgba,
                            sink->bytes + at->begin * format->bytes_per_pixel);
        }
    }
}

void composite_merge_lone(const composite_layer *own, const composite_layer *layers,
                          int nlayers, const composite_sink *sink)
{
    const int width = own->img->width;
    for (int64_t row = own->active.y0; row < own->active.y1; row++) {
        const composite_columns columns = own->columns[row];
        const strip s = {row, row * width + columns.begin, row * width + columns.end};
        if (s.begin < s.end) {
            finish_alone(own->img, s, layers, nlayers, sink);
        }
    }
}

/* ---- All strips -------------------------------------------------------------------- */

static void find_shares(strip s, const image *own, const composite_layer *layers,
                        int nlayers, const composite_sink *sink, share_list *out)
{
    const composite_layer mine = {.img = own,
                                  .active = own->active,
                                  .columns = sink->lone,
                                  .pix0 = s.begin,
                                  .npix = s.end - s.begin};
    out->mine = clip_layer(s, &mine);
    out->count = 0;
    for (int i = 0; i < nlayers; i++) {
        const range r = clip_layer(s, &layers[i]);
        if (!is_empty(r)) {
            out->items[out->count++] = (share){&layers[i], r};
        }
    }
}

composite_merged composite_merge_layers(composite_operator op, const image *own,
                                        int64_t pix0, int64_t npix,
                                        const composite_layer *layers, int nlayers,
                                        const composite_sink *sink)
{
    composite_merged merged = {0};
    const int64_t end = pix0 + npix;
    strip s = {.row = pix0 / own->width, .begin = pix0};
    while (s.begin < end) {
        const int64_t row_end = (s.row + 1) * own->width;
        s.end = s.begin + STRIP;
        s.end = s.end < row_end ? s.end : row_end;
        s.end = s.end < end ? s.end : end;
        share_list shares;
        find_shares(s, own, layers, nlayers, sink, &shares);
        if (sink->lone) {
            merge_crowd(op, own, s, &shares, sink, &merged);
        } else {
            merged.blended += merge_strip(op, own, s, &shares, sink);
        }
        s.row += s.end == row_end;
        s.begin = s.end;
    }
    return merged;
}
