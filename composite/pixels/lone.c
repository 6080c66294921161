/*
 * Where ranks draw parts of space, most pixels are shown by one of them. To merge these
 * is only to read them from another rank's cache: who drew them has them in its own.
 *
 * And most of the background is where it was in the picture before: to write it again is
 * only to fetch it into the cache.
 */
#include "lone.h"

#include "strip.h"

enum { MOST_SHOWING = COMPOSITE_MOST_LAYERS + 1 /* layers, and the own image */ };

/* The index of a pixel of a row in the memory of an image. */
static int64_t index_of(const image *img, int64_t row, int64_t pixel)
{
    return image_at(img, (int)(pixel - row * img->width), (int)row);
}

/* ---- Spans ------------------------------------------------------------------------- */

/* A part of a strip that so many images show: 0, 1, or 2 for more. */
typedef struct span {
    int64_t begin, end;
    int shown;
} span;

typedef struct span_list {
    span items[2 * MOST_SHOWING + 1];
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

/* Places where intervals begin (odd) and end, doubled, ascending. */
typedef struct border_list {
    int64_t items[2 * MOST_SHOWING];
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

static void add_interval(border_list *list, composite_interval i)
{
    if (!composite_interval_is_empty(i)) {
        add_border(list, 2 * i.begin + 1);
        add_border(list, 2 * i.end);
    }
}

/* Cuts [begin, end) where intervals, which lie in it, begin and end. */
static void cut(int64_t begin, int64_t end, const border_list *borders, span_list *out)
{
    int shown = 0;
    out->count = 0;
    for (int i = 0; i < borders->count; i++) {
        const int64_t border = borders->items[i];
        add_span(out, begin, border / 2, shown);
        begin = border / 2;
        shown += border % 2 != 0 ? 1 : -1;
    }
    add_span(out, begin, end, shown);
}

/* ---- Merging ----------------------------------------------------------------------- */

/* An image that shows something, and which pixels of the row. */
typedef struct showing {
    const composite_columns *columns;
    int y0, y1; /* the rows that these are of */
    int which;  /* -1: the own image, else the layer */
    int64_t begin, end;
} showing;

/* What is merged, row after row. */
typedef struct crowd {
    composite_operator op;
    const composite_layer *own;
    const composite_layer *layers;
    const composite_sink *sink;
    composite_merged merged;
    bool is_crowded;              /* several images show something of the row */
    showing images[MOST_SHOWING]; /* by where they begin; those that show nothing of the
                                     row are last */
    int count;
    composite_strip_shares shares;
    border_list borders;
    span_list spans;
} crowd;

static showing make_showing(const composite_layer *layer, int which)
{
    return (showing){.columns = layer->columns,
                     .y0 = layer->active.y0,
                     .y1 = layer->active.y1,
                     .which = which};
}

static void start_crowd(crowd *c, composite_operator op, const composite_layer *own,
                        const composite_layer *layers, int nlayers,
                        const composite_sink *sink)
{
    c->op = op;
    c->own = own;
    c->layers = layers;
    c->sink = sink;
    c->merged = (composite_merged){0};
    c->count = nlayers + 1;
    c->images[0] = make_showing(own, -1);
    for (int n = 0; n < nlayers; n++) {
        c->images[n + 1] = make_showing(&layers[n], n);
    }
}

/* Finds what images show of a strip, and their order: which is most often that of the row
 * before, so that there is little to sort and nothing to guess for the processor. */
static void find_order(crowd *c, composite_strip s)
{
    const int64_t row = s.row * c->own->img->width;
    for (int n = 0; n < c->count; n++) {
        showing found = c->images[n];
        composite_interval has = {s.end, s.end};
        if (s.row >= found.y0 && s.row < found.y1) {
            const composite_columns columns = found.columns[s.row];
            has = composite_interval_cut(
                (composite_interval){row + columns.begin, row + columns.end}, s.begin,
                s.end);
        }
        found.begin = composite_interval_is_empty(has) ? s.end : has.begin;
        found.end = composite_interval_is_empty(has) ? s.end : has.end;
        int at = n;
        for (; at > 0 && c->images[at - 1].begin > found.begin; at--) {
            c->images[at] = c->images[at - 1];
        }
        c->images[at] = found;
    }
}

/* Those that are merged together, in the order of merging. */
static void find_shares(crowd *c, const showing *first, int together)
{
    composite_strip_share *items = c->shares.items;
    c->shares.mine = (composite_interval){0, 0};
    c->shares.count = 0;
    for (const showing *next = first; next < first + together; next++) {
        const composite_interval has = {next->begin, next->end};
        if (next->which < 0) {
            c->shares.mine = has;
            continue;
        }
        const composite_layer *layer = &c->layers[next->which];
        int at = c->shares.count++;
        for (; at > 0 && items[at - 1].layer > layer; at--) {
            items[at] = items[at - 1];
        }
        items[at] = (composite_strip_share){layer, has};
    }
}

static void merge_span(crowd *c, int64_t row, int64_t begin, int64_t end)
{
    c->is_crowded = true;
    while (begin < end) {
        const int64_t border = begin + COMPOSITE_STRIP;
        const composite_strip s = {row, begin, border < end ? border : end};
        c->merged.blended +=
            composite_strip_merge(c->op, c->own->img, s, &c->shares, c->sink);
        begin = s.end;
    }
}

/* Merges what several images, each of which overlaps with another one, show of
 * [begin, end). */
static void merge_together(crowd *c, int64_t row, int64_t begin, int64_t end,
                           const showing *first, int together)
{
    c->borders.count = 0;
    for (int n = 0; n < together; n++) {
        add_interval(&c->borders, (composite_interval){first[n].begin, first[n].end});
    }
    cut(begin, end, &c->borders, &c->spans);
    find_shares(c, first, together);
    for (int i = 0; i < c->spans.count; i++) {
        const span *at = &c->spans.items[i];
        if (at->shown == 1) {
            c->merged.crowding.lone += at->end - at->begin;
        } else {
            merge_span(c, row, at->begin, at->end);
        }
    }
}

/* Fills what of [begin, end) is not known to be background. */
static void fill(const composite_sink *sink, int64_t begin, int64_t end,
                 composite_interval unknown)
{
    const composite_interval gap = composite_interval_cut(unknown, begin, end);
    composite_format_fill(&sink->format, gap.end - gap.begin,
                          sink->bytes + gap.begin * sink->format.bytes_per_pixel);
}

/* Merges a part of a row, whose background has to be filled where it is unknown. Returns
 * what holds all that is shown. */
static composite_interval merge_row(crowd *c, composite_strip s,
                                    composite_interval unknown)
{
    int64_t begin = s.end, done = s.begin;
    c->is_crowded = false;
    find_order(c, s);
    const showing *next = c->images, *last = c->images + c->count;
    while (next < last && next->begin < s.end) {
        const showing *first = next;
        int64_t end = first->begin;
        for (; next < last && (next == first || next->begin < end); next++) {
            end = next->end > end ? next->end : end;
            c->merged.crowding.shown += next->end - next->begin;
        }
        fill(c->sink, done, first->begin, unknown);
        if (next == first + 1) {
            c->merged.crowding.lone += end - first->begin;
        } else {
            merge_together(c, s.row, first->begin, end, first, (int)(next - first));
        }
        begin = first->begin < begin ? first->begin : begin;
        done = end;
    }
    fill(c->sink, done, s.end, unknown);
    return (composite_interval){begin, done};
}

/* Merges a row that the piece holds as a whole. */
static void merge_whole_row(crowd *c, composite_strip s, composite_ground_row *known,
                            bool is_same)
{
    const int64_t before = c->merged.crowding.lone;
    if (is_same && !known->is_crowded) {
        c->merged.crowding.shown += known->lone;
        c->merged.crowding.lone += known->lone;
        return;
    }
    const composite_interval unknown = {s.begin + known->shown.begin,
                                        s.begin + known->shown.end};
    const composite_interval shown = merge_row(c, s, unknown);
    known->is_crowded = c->is_crowded;
    known->lone = (int32_t)(c->merged.crowding.lone - before);
    known->shown = (composite_columns){0, 0};
    if (!composite_interval_is_empty(shown)) {
        known->shown.begin = (uint16_t)(shown.begin - s.begin);
        known->shown.end = (uint16_t)(shown.end - s.begin);
    }
}

composite_merged composite_lone_merge(composite_operator op, const composite_layer *own,
                                      const composite_layer *layers, int nlayers,
                                      const composite_sink *sink,
                                      composite_ground_row *ground, bool is_same)
{
    const int64_t width = own->img->width, end = own->pix0 + own->npix;
    crowd c;
    start_crowd(&c, op, own, layers, nlayers, sink);
    composite_strip s = {.row = own->pix0 / width, .begin = own->pix0};
    for (; s.begin < end; s.row++, s.begin = s.end) {
        const int64_t row_end = (s.row + 1) * width;
        s.end = row_end < end ? row_end : end;
        if (s.end - s.begin == width) {
            merge_whole_row(&c, s, &ground[s.row], is_same);
        } else {
            merge_row(&c, s, (composite_interval){s.begin, s.end});
        }
    }
    return c.merged;
}

/* ---- Lone pixels ------------------------------------------------------------------- */

/* Writes what of a strip, which the own image shows, no other one does. */
static void write_strip(const image *own, composite_strip s,
                        const composite_layer *layers, int nlayers,
                        const composite_sink *sink)
{
    const composite_format *format = &sink->format;
    border_list borders;
    span_list spans;
    borders.count = 0;
    for (int i = 0; i < nlayers; i++) {
        add_interval(&borders, composite_strip_clip(s, &layers[i]));
    }
    cut(s.begin, s.end, &borders, &spans);
    for (int i = 0; i < spans.count; i++) {
        const span *at = &spans.items[i];
        if (at->shown == 0) {
            format->convert(format->context, at->end - at->begin,
                            own->rgba + 4 * index_of(own, s.row, at->begin),
                            sink->bytes + at->begin * format->bytes_per_pixel);
        }
    }
}

void composite_lone_write(const composite_layer *own, const composite_layer *layers,
                          int nlayers, const composite_sink *sink)
{
    const int width = own->img->width;
    for (int64_t row = own->active.y0; row < own->active.y1; row++) {
        const composite_columns columns = own->columns[row];
        const composite_strip s = {row, row * width + columns.begin,
                                   row * width + columns.end};
        if (s.begin < s.end) {
            write_strip(own->img, s, layers, nlayers, sink);
        }
    }
}
