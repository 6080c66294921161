#include "spans.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool render_spans_has(int count, const render_fragments *const *layers)
{
    bool has = false;
    for (int n = 0; n < count; n++) {
        has = has || layers[n]->are_spans;
    }
    return has;
}

void render_spans_clear(spans_tile *tile)
{
    free(tile->items);
    free(tile->spare);
    *tile = (spans_tile){.are_limits = false};
}

int render_spans_most(const spans_tile *tile)
{
    int most = tile->are_limits ? 0 : 1;
    for (int pixel = 0; pixel < SPANS_PIXELS && tile->are_limits; pixel++) {
        const int count = tile->first[pixel + 1] - tile->first[pixel];
        most = count > most ? count : most;
    }
    return most;
}

static bool reserve(int64_t wanted, int64_t *capacity, spans_item **items)
{
    spans_item *grown = base_array_reserve(*items, capacity, wanted + 1, sizeof **items);
    *items = grown ? grown : *items;
    return grown;
}

/* The pixel of a tile to which a fragment belongs. */
static int pixel_of(const render_fragment *fragment, int width, pixel_rect rect)
{
    return (fragment->pixel / width - rect.y0) * FRAGMENTS_TILE +
           fragment->pixel % width - rect.x0;
}

/* Takes the spans of one list. */
static bool take(const render_fragments *list, int width, pixel_rect rect,
                 spans_tile *out)
{
    const int64_t tile = render_fragments_tile_at(width, rect.x0, rect.y0);
    const render_fragment *items = list->items + list->first[tile];
    const int64_t count = (list->first[tile + 1] - list->first[tile]) / 2;
    if (!reserve(count, &out->capacity, &out->items)) {
        return false;
    }
    memset(out->first, 0, sizeof out->first);
    for (int64_t n = 0; n < count; n++) {
        out->items[n] = (spans_item){items[2 * n].t, items[2 * n + 1].t};
        out->first[pixel_of(&items[2 * n], width, rect) + 1]++;
    }
    for (int pixel = 0; pixel < SPANS_PIXELS; pixel++) {
        out->first[pixel + 1] += out->first[pixel];
    }
    return true;
}

/* Writes what two lists of spans have in common; returns their number. */
static int meet(const spans_item *a, int na, const spans_item *b, int nb, spans_item *out)
{
    int count = 0;
    for (int i = 0, j = 0; i < na && j < nb;) {
        const float begin = fmaxf(a[i].begin, b[j].begin),
                    end = fminf(a[i].end, b[j].end);
        if (begin <= end) {
            out[count++] = (spans_item){begin, end};
        }
        if (a[i].end < b[j].end) {
            i++;
        } else {
            j++;
        }
    }
    return count;
}

/* Leaves what is open in another list, too. */
static bool narrow(const spans_tile *other, spans_tile *out)
{
    const int64_t most = (int64_t)out->first[SPANS_PIXELS] + other->first[SPANS_PIXELS];
    if (!reserve(most, &out->spare_capacity, &out->spare)) {
        return false;
    }
    int count = 0, first = 0;
    for (int pixel = 0; pixel < SPANS_PIXELS; pixel++) {
        const int end = out->first[pixel + 1], from = other->first[pixel];
        out->first[pixel] = count;
        count += meet(out->items + first, end - first, other->items + from,
                      other->first[pixel + 1] - from, out->spare + count);
        first = end;
    }
    out->first[SPANS_PIXELS] = count;
    spans_item *items = out->items;
    const int64_t capacity = out->capacity;
    out->items = out->spare;
    out->capacity = out->spare_capacity;
    out->spare = items;
    out->spare_capacity = capacity;
    return true;
}

bool render_spans_gather(int count, const render_fragments *const *layers, int width,
                         pixel_rect rect, spans_tile *out)
{
    spans_tile other = {.are_limits = false};
    bool done = true;
    out->are_limits = false;
    for (int n = 0; n < count && done; n++) {
        if (layers[n]->are_spans) {
            done = out->are_limits
                       ? take(layers[n], width, rect, &other) && narrow(&other, out)
                       : take(layers[n], width, rect, out);
            out->are_limits = true;
        }
    }
    render_spans_clear(&other);
    return done;
}

static bool has(const spans_tile *spans, int pixel, float t)
{
    bool is_open = false;
    for (int n = spans->first[pixel]; n < spans->first[pixel + 1]; n++) {
        is_open = is_open || (t >= spans->items[n].begin && t <= spans->items[n].end);
    }
    return is_open;
}

static void hide_tile(const spans_tile *spans, int width, pixel_rect rect, int64_t tile,
                      const render_fragments *fragments)
{
    for (int64_t n = fragments->first[tile]; n < fragments->first[tile + 1]; n++) {
        render_fragment *item = &fragments->items[n];
        if (!has(spans, pixel_of(item, width, rect), item->t)) {
            memset(item->rgba, 0, sizeof item->rgba);
        }
    }
}

status render_spans_hide(const render_fragments *spans, int width, int height,
                         int threads, const render_fragments *fragments)
{
    const int64_t tiles = (int64_t)spans->columns * spans->rows;
    bool failed = false;
#pragma omp parallel num_threads(threads) reduction(|| : failed)
    {
        spans_tile mine = {.are_limits = false};
#pragma omp for schedule(dynamic, 8)
        for (int64_t tile = 0; tile < tiles; tile++) {
            const pixel_rect rect = render_fragments_rect(width, height, tile);
            if (fragments->first[tile] == fragments->first[tile + 1]) {
                continue;
            }
            if (render_spans_gather(1, &spans, width, rect, &mine)) {
                hide_tile(&mine, width, rect, tile, fragments);
            } else {
                failed = true;
            }
        }
        render_spans_clear(&mine);
    }
    return failed ? base_fail_memory(sizeof(spans_tile), "the limits of a picture")
                  : STATUS_OK;
}
