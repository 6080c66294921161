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
    free(tile->layers);
    free(tile->index);
    tile->items = NULL;
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
    tile->layers = malloc(2 * (size_t)wanted * sizeof *tile->layers);
    tile->index = malloc(2 * (size_t)wanted * sizeof *tile->index);
    tile->capacity = tile->items && tile->layers && tile->index ? 2 * (int)wanted : 0;
    return tile->capacity > 0;
}

/* A total order along a ray, independent of the order in which fragments were made. */
static bool is_before(const render_fragment *a, int layer_a, const render_fragment *b,
                      int layer_b)
{
    if (a->t != b->t) {
        return a->t < b->t;
    }
    if (layer_a != layer_b) {
        return layer_a < layer_b;
    }
    return memcmp(a->rgba, b->rgba, sizeof a->rgba) < 0;
}

static void insert(compose_tile *tile, int pixel, const render_fragment *fragment,
                   int layer, int32_t index)
{
    const int begin = tile->first[pixel];
    int place = begin + tile->count[pixel]++;
    while (place > begin &&
           is_before(fragment, layer, &tile->items[place - 1], tile->layers[place - 1])) {
        tile->items[place] = tile->items[place - 1];
        tile->layers[place] = tile->layers[place - 1];
        tile->index[place] = tile->index[place - 1];
        place--;
    }
    tile->items[place] = *fragment;
    tile->layers[place] = layer;
    tile->index[place] = index;
}

/* The fragments of one layer in a tile, and the pixels of the tile. */
typedef struct tile_share {
    const render_fragment *items;
    int64_t count;
    int width;
    pixel_rect rect;
} tile_share;

static tile_share share_of(const render_fragments *layer, int64_t tile, int width,
                           pixel_rect rect)
{
    return (tile_share){layer->items + layer->first[tile],
                        layer->first[tile + 1] - layer->first[tile], width, rect};
}

/* The pixel of the tile to which a fragment belongs. */
static int pixel_of(const tile_share *share, const render_fragment *fragment)
{
    int x = fragment->pixel % share->width - share->rect.x0;
    int y = fragment->pixel / share->width - share->rect.y0;
    return y * FRAGMENTS_TILE + x;
}

static bool is_inside(const render_fragment *fragment, int pixel,
                      const compose_rays *rays)
{
    return fragment->t >= rays->t0[pixel] && fragment->t < rays->t1[pixel] &&
           (!rays->seen_only || fragment->rgba[3] > 0.0f);
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
        for (int64_t n = 0; n < share.count; n++) {
            int pixel = pixel_of(&share, &share.items[n]);
            if (is_inside(&share.items[n], pixel, rays)) {
                insert(out, pixel, &share.items[n], layer,
                       (int32_t)(layers[layer]->first[tile] + n));
            }
        }
    }
    if (rays->seen_only) {
        cut_behind_opaque(out);
    }
    return true;
}
