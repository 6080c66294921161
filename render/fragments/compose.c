#include "compose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool render_compose_has(int count, const render_fragments *const *layers, int64_t tile)
{
    for (int n = 0; n < count; n++) {
        if (layers[n]->first[tile] < layers[n]->first[tile + 1] &&
            !layers[n]->are_spans) {
            return true;
        }
    }
    return false;
}

void render_compose_clear(compose_tile *tile)
{
    free(tile->order);
    free(tile->items);
    tile->order = NULL;
    tile->items = NULL;
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
    tile->order = malloc(2 * (size_t)wanted * sizeof *tile->order);
    tile->items = malloc(2 * (size_t)wanted * sizeof *tile->items);
    tile->capacity = tile->order && tile->items ? 2 * (int)wanted : 0;
    return tile->capacity > 0;
}

/* The layers and rays of a tile. */
typedef struct tile_job {
    int count;
    const render_fragments *const *layers;
    const compose_rays *rays;
    int first_pixel;    /* of the tile, in the picture */
    double rows_a_step; /* rows from a pixel of the picture to the next */
} tile_job;

static const render_fragment *fragment_of(const tile_job *job, const compose_item *item)
{
    return &job->layers[item->layer]->items[item->index];
}

/* A total order along a ray, independent of the order in which fragments were made. */
static bool is_before(const tile_job *job, const compose_item *a, const compose_item *b)
{
    if (a->place != b->place) {
        return a->place < b->place;
    }
    if (a->layer != b->layer) {
        return a->layer > b->layer;
    }
    const float *rgba = fragment_of(job, a)->rgba;
    return memcmp(rgba, fragment_of(job, b)->rgba, 4 * sizeof *rgba) < 0;
}

static void insert(const tile_job *job, int pixel, compose_item new, compose_tile *tile)
{
    compose_item *order = tile->order + tile->first[pixel];
    int at = tile->count[pixel]++;
    while (at > 0 && is_before(job, &new, &order[at - 1])) {
        order[at] = order[at - 1];
        at--;
    }
    order[at] = new;
}

/* The level of a layer: behind it lie the fills before it, and, of lines, all fills. */
static int level_of(int count, const render_fragments *const *layers, int layer)
{
    int level = 0;
    for (int n = 0; n < count; n++) {
        level += layers[n]->are_spans ? 0
                 : layers[n]->are_lines == layers[layer]->are_lines
                     ? n < layer
                     : !layers[n]->are_lines;
    }
    return level < FRAGMENTS_LEVELS ? level : FRAGMENTS_LEVELS;
}

/* The pixel of the tile to which a fragment belongs. */
static int pixel_of(const tile_job *job, const render_fragment *fragment)
{
    const int at = fragment->pixel - job->first_pixel;
    const int y = (int)((at + 0.5) * job->rows_a_step);
    return at + y * (FRAGMENTS_TILE - job->rays->width);
}

/* Counts the fragments of one layer. */
static void count_layer(const tile_job *job, int layer, int64_t tile, compose_tile *out)
{
    const render_fragments *of = job->layers[layer];
    for (int64_t n = of->first[tile]; n < of->first[tile + 1]; n++) {
        out->first[pixel_of(job, &of->items[n]) + 1]++;
    }
}

/* Adds the fragments of one layer. */
static void add_layer(const tile_job *job, int layer, int64_t tile, compose_tile *out)
{
    const render_fragments *of = job->layers[layer];
    const compose_rays *rays = job->rays;
    const int level = level_of(job->count, job->layers, layer);
    for (int64_t n = of->first[tile]; n < of->first[tile + 1]; n++) {
        const render_fragment *fragment = &of->items[n];
        const int pixel = pixel_of(job, fragment);
        const float origin[2] = {rays->origin[0][pixel], rays->origin[1][pixel]};
        const float lift =
            level > 0 ? render_fragments_lift(fragment->t, origin, level) : 0.0f;
        const float place = fragment->t - lift;
        if (place >= rays->t0[pixel] && place < rays->t1[pixel] &&
            (!rays->seen_only || fragment->rgba[3] > 0.0f)) {
            insert(job, pixel, (compose_item){place, layer, (int32_t)n}, out);
        }
    }
}

/* Copies the fragments up to an opaque one. Makes t ascend where the order of places is
 * another one, and end before t1. */
static void copy_seen(const tile_job *job, compose_tile *tile)
{
    for (int pixel = 0; pixel < COMPOSE_PIXELS; pixel++) {
        const float t1 = job->rays->t1[pixel];
        float least = -INFINITY;
        for (int n = 0; n < tile->count[pixel]; n++) {
            const int at = tile->first[pixel] + n;
            render_fragment item = *fragment_of(job, &tile->order[at]);
            item.t = item.t > least ? item.t : least;
            item.t = item.t < t1 ? item.t : nextafterf(t1, -INFINITY);
            least = item.t;
            tile->items[at] = item;
            if (item.rgba[3] >= 1.0f) {
                tile->count[pixel] = n + 1;
            }
        }
    }
}

bool render_compose_gather(int count, const render_fragments *const *layers,
                           const compose_rays *rays, compose_tile *out)
{
    const tile_job job = {count, layers, rays,
                          rays->rect.y0 * rays->width + rays->rect.x0, 1.0 / rays->width};
    const int64_t tile =
        render_fragments_tile_at(rays->width, rays->rect.x0, rays->rect.y0);
    memset(out->first, 0, sizeof out->first);
    memset(out->count, 0, sizeof out->count);
    int64_t total = 0;
    for (int layer = 0; layer < count; layer++) {
        if (!layers[layer]->are_spans) {
            count_layer(&job, layer, tile, out);
            total += layers[layer]->first[tile + 1] - layers[layer]->first[tile];
        }
    }
    if (!reserve(out, total + 1)) {
        return false;
    }
    for (int pixel = 0; pixel < COMPOSE_PIXELS; pixel++) {
        out->first[pixel + 1] += out->first[pixel];
    }
    for (int layer = 0; layer < count; layer++) {
        if (!layers[layer]->are_spans) {
            add_layer(&job, layer, tile, out);
        }
    }
    if (rays->seen_only) {
        copy_seen(&job, out);
    }
    return true;
}
