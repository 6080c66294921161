#include "fragments.h"

#include "base/array.h"
#include "base/system.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

uint64_t render_fragments_number(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

static int tiles_along(int pixels)
{
    return (pixels + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE;
}

void render_fragments_push(fragment_list *list, int32_t pixel, float t,
                           const float rgba[4])
{
    render_fragment *items =
        base_array_reserve(list->items, &list->capacity, list->count + 1, sizeof *items);
    if (!items) {
        list->failed = true;
        return;
    }
    list->items = items;
    list->items[list->count++] =
        (render_fragment){pixel, t, {rgba[0], rgba[1], rgba[2], rgba[3]}};
}

pixel_rect render_fragments_rect(int width, int height, int64_t tile)
{
    int columns = tiles_along(width);
    int x0 = (int)(tile % columns) * FRAGMENTS_TILE;
    int y0 = (int)(tile / columns) * FRAGMENTS_TILE;
    int x1 = x0 + FRAGMENTS_TILE, y1 = y0 + FRAGMENTS_TILE;
    return (pixel_rect){x0, y0, x1 < width ? x1 : width, y1 < height ? y1 : height};
}

void render_fragments_clear(render_fragments *fragments)
{
    free(fragments->first);
    free(fragments->items);
    *fragments = (render_fragments){0};
}

status render_fragments_copy(const render_fragments *fragments, render_fragments *out)
{
    const int64_t tiles = (int64_t)fragments->columns * fragments->rows;
    const size_t firsts = ((size_t)tiles + 1) * sizeof *out->first;
    const size_t items = (size_t)fragments->first[tiles] * sizeof *out->items;
    render_fragments copy = *fragments;
    copy.first = malloc(firsts);
    copy.items = malloc(items + 1);
    if (!copy.first || !copy.items) {
        render_fragments_clear(&copy);
        return base_fail_memory(firsts + items, "the fragments of a picture");
    }
    memcpy(copy.first, fragments->first, firsts);
    if (items > 0) {
        memcpy(copy.items, fragments->items, items);
    }
    *out = copy;
    return STATUS_OK;
}

status render_fragments_add(render_fragments *fragments, const render_fragments *more)
{
    const int64_t tiles = (int64_t)fragments->columns * fragments->rows;
    const size_t total = (size_t)(fragments->first[tiles] + more->first[tiles]);
    render_fragment *items = malloc((total + 1) * sizeof *items);
    if (!items) {
        return base_fail_memory(total * sizeof *items, "the fragments of a picture");
    }
    int64_t at = 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t a = fragments->first[tile], b = more->first[tile];
        const int64_t na = fragments->first[tile + 1] - a, nb = more->first[tile + 1] - b;
        fragments->first[tile] = at;
        memcpy(items + at, fragments->items + a, (size_t)na * sizeof *items);
        memcpy(items + at + na, more->items + b, (size_t)nb * sizeof *items);
        at += na + nb;
    }
    fragments->first[tiles] = at;
    free(fragments->items);
    fragments->items = items;
    fragments->places = render_fragments_number();
    return STATUS_OK;
}

/* The fragments of a tile in the list of the thread that drew it. */
typedef struct tile_part {
    int thread;
    int64_t begin, count; /* in the thread's list */
} tile_part;

/* Puts the fragments of all tiles into one array, tile after tile. */
static status join_tiles(int64_t tiles, const tile_part *parts,
                         const fragment_list *lists, render_fragments *out)
{
    int64_t total = 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        out->first[tile] = total;
        total += parts[tile].count;
    }
    out->first[tiles] = total;
    size_t bytes = ((size_t)total + 1) * sizeof *out->items;
    out->items = malloc(bytes);
    if (!out->items) {
        return base_fail_memory(bytes, "the fragments of a picture");
    }
    for (int64_t tile = 0; tile < tiles; tile++) {
        const tile_part *part = &parts[tile];
        if (part->count > 0) {
            memcpy(out->items + out->first[tile], lists[part->thread].items + part->begin,
                   (size_t)part->count * sizeof *out->items);
        }
    }
    return STATUS_OK;
}

/* Data that draw_tiles shares among threads. */
typedef struct drawing {
    int width, height;
    int64_t tiles;
    render_fragments_draw *draw;
    const void *context;
    tile_part *parts;     /* [tiles] */
    fragment_list *lists; /* [threads] */
} drawing;

static bool draw_tiles(const drawing *d, int threads)
{
    bool failed = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t tile = 0; tile < d->tiles; tile++) {
        int thread = omp_get_thread_num();
        fragment_list *list = &d->lists[thread];
        int64_t begin = list->count;
        if (!base_is_stopped()) {
            d->draw(d->context, tile, render_fragments_rect(d->width, d->height, tile),
                    list);
        }
        d->parts[tile] = (tile_part){thread, begin, list->count - begin};
        base_pause();
    }
    for (int thread = 0; thread < threads; thread++) {
        failed = failed || d->lists[thread].failed;
    }
    return !failed;
}

status render_fragments_create(int width, int height, int threads,
                               render_fragments_draw *draw, const void *context,
                               render_fragments *out)
{
    render_fragments made = {.columns = tiles_along(width),
                             .rows = tiles_along(height),
                             .places = render_fragments_number()};
    int64_t tiles = (int64_t)made.columns * made.rows;
    drawing d = {.width = width,
                 .height = height,
                 .tiles = tiles,
                 .draw = draw,
                 .context = context,
                 .parts = malloc((size_t)tiles * sizeof *d.parts),
                 .lists = calloc((size_t)threads, sizeof *d.lists)};
    made.first = malloc(((size_t)tiles + 1) * sizeof *made.first);
    status s = STATUS_OK;
    if (!d.parts || !d.lists || !made.first || !draw_tiles(&d, threads)) {
        s = base_fail_memory((size_t)tiles * sizeof *d.parts,
                             "the fragments of a picture");
    } else {
        s = join_tiles(tiles, d.parts, d.lists, &made);
    }
    for (int thread = 0; d.lists && thread < threads; thread++) {
        free(d.lists[thread].items);
    }
    free(d.lists);
    free(d.parts);
    if (s != STATUS_OK) {
        render_fragments_clear(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}
