/* Finds walls of a flow, so that bodies can be drawn. */
#ifndef FRAME_AUTO_WALLS_H
#define FRAME_AUTO_WALLS_H

#include "sample.h"

#include <math.h>

enum { AUTO_MOST_WALLS = 24, AUTO_MOST_PATCHES = 384 };

/* A part of an outer face of a block: vertices `from` to `to`. Along one axis both have
 * the same index. */
typedef struct auto_wall {
    int block;
    int axis;
    int64_t from[3], to[3];
} auto_wall;

typedef struct auto_walls {
    bool has_marks; /* iblank 2 marks walls: `walls: true` draws them all */
    float fastest;  /* greatest velocity component on any face, if it was needed */
    int count;
    auto_wall walls[AUTO_MOST_WALLS]; /* unmarked walls: no slip at the last step */
    box3 bounds; /* of all walls, in the file's coordinates; lo > hi: there are none */
    int npatches;
    box3 patches[AUTO_MOST_PATCHES]; /* of the walls on each face */
} auto_walls;

/* The sides of a box, at the lower and the upper end of each axis, that walls cover. */
typedef struct auto_cover {
    bool sides[3][2];
    int count; /* of these sides */
} auto_cover;

/* An empty box: lo > hi. */
static inline box3 auto_no_box(void)
{
    return (box3){vec3_make(INFINITY, INFINITY, INFINITY),
                  vec3_make(-INFINITY, -INFINITY, -INFINITY)};
}

/*
 * Searches the outer faces of the blocks for vertices with iblank 2; if there are none,
 * for faces on which the fluid is at rest. If there are very many blocks, it searches the
 * first ones. Rank 0 reads the faces. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status auto_walls_find(const frame_auto_data *data, auto_walls *out);

/* The sides of a box near which walls lie that are broad and cover most of it. Bodies
 * within the box cover none. Local. */
auto_cover auto_walls_cover(const auto_walls *walls, const box3 *box);

#endif
