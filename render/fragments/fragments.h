/* Fragments: samples of surfaces, lines and spheres at the pixels of a picture. Each has
 * its distance along the ray. So a picture of many things is blended in order of depth
 * (an A-buffer: Carpenter 1984, The A-buffer, an antialiased hidden surface method,
 * SIGGRAPH '84). */
#ifndef RENDER_FRAGMENTS_FRAGMENTS_H
#define RENDER_FRAGMENTS_FRAGMENTS_H

#include "base/image.h"
#include "base/status.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Pixels along a side of the tiles that group fragments. The first tile begins at pixel
 * (0, 0). */
enum { FRAGMENTS_TILE = 16 };

/* Levels of layers at one place: the most that have their own. */
enum { FRAGMENTS_LEVELS = 16 };

/* One thing at one pixel. */
typedef struct render_fragment {
    int32_t pixel; /* of the picture, row-major */
    float t;       /* distance along the ray through the pixel's centre, as in cell_ray
                      (render/cells/cell.h) */
    float rgba[4]; /* linear colour, premultiplied by alpha, and alpha in 0..1. Alpha 1
                      hides everything behind. Lit colours may exceed 1 */
} render_fragment;

/* The fragments of one picture, tile after tile, in any order within a tile. */
typedef struct render_fragments {
    int columns, rows;      /* tiles that cover the picture */
    int64_t *first;         /* [columns * rows + 1]: start of each tile's fragments */
    render_fragment *items; /* [first[columns * rows]] */
    uint64_t places; /* lists with the same number have the same pixels and distances, and
                        differ in colours at most; 0: unknown */
    bool are_lines;  /* thin lines, which lie over fills at the same place */
    bool are_spans;  /* open parts of rays (spans.h), which are not drawn */
} render_fragments;

/* How far a level lies in front of level 0, where things are at the same place. Their
 * distances t along a ray differ by roundings of the coordinates, which are as large as t
 * and the ray's origin (cell_ray.origin) in its plane across. 4 of them for each level
 * put a higher one in front up to an angle of 5 degrees between ray and surface. At most
 * FRAGMENTS_LEVELS levels move a thing less than half of grid_layout_margin: ranks with a
 * place on their side of a common plane have its cells. */
static inline float render_fragments_lift(float t, const float origin[2], int level)
{
    const float unit = 4.0f * FLT_EPSILON;
    return (float)level * (unit * (fabsf(t) + (fabsf(origin[0]) + fabsf(origin[1]))));
}

/* The end of the part of a ray in which layers look for fragments. Those behind t1 may
 * belong to it for their level; render_compose_gather decides. */
static inline float render_fragments_end(float t1, const float origin[2])
{
    return t1 + render_fragments_lift(t1, origin, FRAGMENTS_LEVELS);
}

/* A number that no other list has. Any thread. */
uint64_t render_fragments_number(void);

/* A list that grows; all zero at first. */
typedef struct fragment_list {
    int64_t count, capacity;
    render_fragment *items;
    bool failed; /* memory ran out: fragments pushed since are lost */
} fragment_list;

/* Adds one fragment. Local. */
void render_fragments_push(fragment_list *list, int32_t pixel, float t,
                           const float rgba[4]);

/* Adds the fragments of one tile, whose pixels are `rect`. Called by several threads at
 * once, each with a list of its own. */
typedef void render_fragments_draw(const void *context, int64_t tile, pixel_rect rect,
                                   fragment_list *list);

/* Draws all tiles of a picture of this size with `threads` threads. The result does not
 * depend on their number. Local. Errors: STATUS_MEMORY. */
status render_fragments_create(int width, int height, int threads,
                               render_fragments_draw *draw, const void *context,
                               render_fragments *out);

/* Adds the fragments of `more`, which belong to a picture of the same size. Local.
 * Errors: STATUS_MEMORY; `fragments` then stay unchanged. */
status render_fragments_add(render_fragments *fragments, const render_fragments *more);

/* Makes a copy. Local. Errors: STATUS_MEMORY; *out is not set. */
status render_fragments_copy(const render_fragments *fragments, render_fragments *out);

/* Frees the lists and makes `fragments` empty. */
void render_fragments_clear(render_fragments *fragments);

/* The pixels of a tile. */
pixel_rect render_fragments_rect(int width, int height, int64_t tile);

/* The tile of a pixel. */
static inline int64_t render_fragments_tile_at(int width, int column, int row)
{
    const int64_t columns = (width + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE;
    return row / FRAGMENTS_TILE * columns + column / FRAGMENTS_TILE;
}

#endif
