/* Walls of a flow: where bodies are, so that they can be drawn. */
#ifndef APP_FRAME_AUTO_WALLS_H
#define APP_FRAME_AUTO_WALLS_H

#include "sample.h"

#include <math.h>

enum { AUTO_MOST_WALLS = 24 };

/* A part of an outer face of a block: vertices from .. to, of which one axis has the same
 * index in both. */
typedef struct auto_wall {
    int block;
    int axis;
    int64_t from[3], to[3];
} auto_wall;

typedef struct auto_walls {
    bool has_marks; /* iblank 2 marks some: `walls: true` draws them all */
    float fastest;  /* greatest component of the velocity on any face, where it counts */
    int count;
    auto_wall walls[AUTO_MOST_WALLS]; /* those that are not marked: no slip at the last
                                         step */
    box3 bounds; /* of all of them, in the file's coordinates; lo > hi: there are none */
} auto_walls;

/* A box with nothing in it: lo > hi. */
static inline box3 auto_no_box(void)
{
    return (box3){vec3_make(INFINITY, INFINITY, INFINITY),
                  vec3_make(-INFINITY, -INFINITY, -INFINITY)};
}

/*
 * Looks at the outer faces of the blocks, of the first ones where there are very many:
 * for vertices with iblank 2, and where there are none for a velocity of exactly 0. Rank
 * 0 reads them. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status auto_walls_find(const app_auto_data *data, auto_walls *out);

#endif
