#include "compose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool render_compose_has(int count, const render_fragments *const *layers, int64_t tile)
{
    for (int n = 0; n < count; n++) {
        if (layers[n]->first[tile] < layers[n]->first[tile + 1]) {
            return true;
        }
    }
    return false;
}

void render_compose_clear(compose_tile *tile)
{
    free(tile->items);
    free(tile->place);
    free(tile->layers);
    free(tile->index);
    tile->items = NULL;
    tile->place = NULL;
    tile->layers = tile->index = NULL;
    tile->capacity = 0;
}

static bool reserve(compose_tile *tile, int64_t wanted)
{
    if (wanted > INT_MAX / 2) {
        return false;
    }
    if (wanted <= tile->capacity) {
        return true;
    }
    render_compose_clear(tile);
    tile->items = malloc(2 * (size_t)wanted * sizeof *tile->items);
    tile->place = malloc(2 * (size_t)wanted * sizeof *tile->place);
    tile->layers = malloc(2 * (size_t)wanted * sizeof *tile->layers);
    tile->index = malloc(2 * (size_t)wanted * sizeof *tile->index);
    const bool has = tile->items && tile->place && tile->layers && tile->index;
    tile->capacity = has ? 2 * (int)wanted : 0;
    return tile->capacity > 0;
}

/* A fragment of a layer, at its place. */
typedef struct placed {
    const render_fragment *fragment;
    float place;
    int32_t layer, index;
} placed;

/* A total order along a ray, independent of the order in which fragments were made. */
static bool is_before(const placed *a, const compose_tile *tile, int item)
{
    if (a->place != tile->place[item]) {
        return a->place < tile->place[item];
    }
    if (a->layer != tile->layers[item]) {
        return a->layer > tile->layers[item];
    }
    const float *rgba = tile->items[item].rgba;
    return memcmp(a->fragment->rgba, rgba, 4 * sizeof *rgba) < 0;
}

static void insert(compose_tile *tile, int pixel, const placed *new)
{
    const int begin = tile->first[pixel];
    int at = begin + tile->count[pixel]++;
    while (at > begin && is_before(new, tile, at - 1)) {
        tile->items[at] = tile->items[at - 1];
        tile->place[at] = tile->place[at - 1];
        tile->layers[at] = tile->layers[at - 1];
        tile->index[at] = tile->index[at - 1];
        at--;
    }
    tile->items[at] = *new->fragment;
    tile->place[at] = new->place;
    tile->layers[at] = new->layer;
    tile->index[at] = new->index;
}

/* The fragments of one layer in a tile, its level, and the pixels of the tile. */
typedef struct tile_share {
    const render_fragment *items;
    int64_t count;
    int width;
    pixel_rect rect;
    int level;
} tile_share;

/* The level of a layer: behind it lie the fills before it, and, of lines, all fills. */
static int level_of(int count, const render_fragments *const *layers, int layer)
{
    int level = 0;
    for (int n = 0; n < count; n++) {
        level += layers[n]->are_lines == layers[layer]->are_lines ? n < layer
                                                                  : !layers[n]->are_lines;
    }
    return level < FRAGMENTS_LEVELS ? level : FRAGMENTS_LEVELS;
}

static tile_share share_of(const render_fragments *layer, int64_t tile, int width,
                           pixel_rect rect)
{
    return (tile_share){layer->items + layer->first[tile],
                        layer->first[tile + 1] - layer->first[tile], width, rect, 0};
}

/* The pixel of the tile to which a fragment belongs. */
static int pixel_of(const tile_share *share, const render_fragment *fragment)
{
    int x = fragment->pixel % share->width - share->rect.x0;
    int y = fragment->pixel / share->width - share->rect.y0;
    return y * FRAGMENTS_TILE + x;
}

static float place_of(const render_fragment *fragment, int level, int pixel,
                      const compose_rays *rays)
{
    const float origin[2] = {rays->origin[0][pixel], rays->origin[1][pixel]};
    return fragment->t - render_fragments_lift(fragment->t, origin, level);
}

static bool is_inside(const placed *at, int pixel, const compose_rays *rays)
{
    return at->place >= rays->t0[pixel] && at->place < rays->t1[pixel] &&
           (!rays->seen_only || at->fragment->rgba[3] > 0.0f);
}

/* Adds the fragments of one layer. */
static void add_share(const tile_share *share, int layer, int64_t first,
                      const compose_rays *rays, compose_tile *out)
{
    for (int64_t n = 0; n < share->count; n++) {
        const render_fragment *fragment = &share->items[n];
        const int pixel = pixel_of(share, fragment);
        const placed at = {fragment, place_of(fragment, share->level, pixel, rays), layer,
                           (int32_t)(first + n)};
        if (is_inside(&at, pixel, rays)) {
            insert(out, pixel, &at);
        }
    }
}

/* Makes t ascend where the order of places is another one, and end before t1. */
static void settle_distances(const compose_rays *rays, compose_tile *tile)
{
    for (int pixel = 0; pixel < COMPOSE_PIXELS; pixel++) {
        render_fragment *items = tile->items + tile->first[pixel];
        float least = -INFINITY;
        for (int n = 0; n < tile->count[pixel]; n++) {
            const float t = fmaxf(items[n].t, least);
            items[n].t = t < rays->t1[pixel] ? t : nextafterf(rays->t1[pixel], -INFINITY);
            least = items[n].t;
        }
    }
}

/* Drops the fragments behind an opaque one. */
static void cut_behind_opaque(compose_tile *tile)
{
    for (int pixel = 0; pixel < COMPOSE_PIXELS; pixel++) {
        const render_fragment *items = tile->items + tile->first[pixel];
        for (int n = 0; n < tile->count[pixel]; n++) {
            if (items[n].rgba[3] >= 1.0f) {
                tile->count[pixel] = n + 1;
            }
        }
    }
}

bool render_compose_gather(int count, const render_fragments *const *layers,
                           const compose_rays *rays, compose_tile *out)
{
    const int64_t tile =
        render_fragments_tile_at(rays->width, rays->rect.x0, rays->rect.y0);
    int64_t total = 0;
    memset(out->first, 0, sizeof out->first);
    memset(out->count, 0, sizeof out->count);
    for (int layer = 0; layer < count; layer++) {
        tile_share share = share_of(layers[layer], tile, rays->width, rays->rect);
        total += share.count;
        for (int64_t n = 0; n < share.count; n++) {
            out->first[pixel_of(&share, &share.items[n]) + 1]++;
        }
    }
    if (!reserve(out, total + 1)) {
        return false;
    }
    for (int pixel = 0; pixel < COMPOSE_PIXELS; pixel++) {
        out->first[pixel + 1] += out->first[pixel];
    }
    for (int layer = 0; layer < count; layer++) {
        tile_share share = share_of(layers[layer], tile, rays->width, rays->rect);
        share.level = level_of(count, layers, layer);
        add_share(&share, layer, layers[layer]->first[tile], rays, out);
    }
    if (rays->seen_only) {
        cut_behind_opaque(out);
    }
    settle_distances(rays, out);
    return true;
}
