/* Kept ways: the places at which the rays of a tile cross faces, kept while the view
 * stays. Only the scalar changes from step to step then, so a picture takes no geometry:
 * each crossing needs four scalars of its face and the weights of its place.
 *
 * A crossing takes 16 bytes, four words:
 *
 *     0   the face: index of its first vertex, its axis, its triangle; whether it is the
 *         upper face of the cell that the ray leaves; the largest of the three weights
 *     1,2 the other two weights, as float32. Their two highest bits are free, as they are
 *         below 2: they hold the distance of the largest weight from 1 minus the others,
 *         in units of its last place
 *     3   the distance along the ray
 *
 * The first crossing begins a run, and so does each crossing behind a gap.
 *
 * Rays of similar length form groups of KEPT_GROUP, for any width of vectors. The
 * crossings of a group lie step by step, so they are read in their order in memory. */
#ifndef RENDER_KERNEL_KEPT_H
#define RENDER_KERNEL_KEPT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    KEPT_GROUP = 16, /* rays */
    KEPT_WORDS = 4,
    KEPT_STEP = KEPT_WORDS * KEPT_GROUP, /* words of a step of a group */
    KEPT_MOST_RAYS = 256                 /* of a tile */
};

/* Fields of the first word. Its sign: the upper face of the cell that the ray leaves. */
enum {
    KEPT_INDEX_BITS = 25,
    KEPT_AXIS = 25,
    KEPT_GAP = 3,     /* in place of an axis: no crossing, but the end of a run */
    KEPT_TURNED = 27, /* the diagonal runs from corner 1 to corner 3 (cell.h) */
    KEPT_SECOND = 28, /* half 1 */
    KEPT_LARGEST_P = 29,
    KEPT_LARGEST_Q = 30 /* none of both: the weight of the apex is the largest */
};

/* The vertices of a picture's bricks, in arrays of one size for all bricks: so vertices
 * follow each other at the same distance in all of them. */
typedef struct kept_grid {
    int32_t row, plane;         /* vertices from one to the next along j and k */
    int32_t volume;             /* vertices of a brick */
    const int32_t *first;       /* [march_grid.nbricks]: their first vertices */
    const float (*quarters)[4]; /* of the scalars, a quarter of each: at a vertex, and at
                                   its neighbours along j, along k, and along both */
    const uint16_t *bends; /* march_grid.bends, by the cells' lowest vertices; NULL: the
                              scalar does not bend */
    const int32_t *bent;   /* by the lowest vertices of cells with bends: which of `cells`
                              it is */
    const struct kept_bent *cells; /* all cells with bends */
} kept_grid;

/* What a cell with bends has for all ways through it: that of bend_cells
 * (render/cells/bend_lanes.h), and its place in the march_grid. */
typedef struct kept_bent {
    float rest[4], warp[4]; /* mixed differences across each axis, and their change */
    float least, most, steepness;
    int32_t lowest, row, plane; /* as in packet */
    int32_t unused[2];          /* up to two rows of lanes_load_rows */
} kept_bent;

static_assert(sizeof(kept_bent) == 64, "a line of the cache");

/* Rays that are drawn together, and the number of their crossings, the longest first. */
typedef struct kept_group {
    int rays; /* at most KEPT_GROUP */
    int32_t length[KEPT_GROUP];
    uint8_t pixel[KEPT_GROUP]; /* of the tile */
    const int32_t *words;      /* [length[0]][KEPT_WORDS][KEPT_GROUP], aligned to 64 */
} kept_group;

/* The crossings of a tile's rays in the order in which they were found. All zero at
 * first; reused from tile to tile. */
typedef struct kept_log {
    int64_t count, capacity;
    struct kept_item {
        int32_t words[KEPT_WORDS];
        int walk;
    } * items;
    int32_t length[KEPT_MOST_RAYS]; /* crossings of each walk */
    int begun[KEPT_MOST_RAYS];      /* its runs that have begun to be drawn */
    bool unfit[KEPT_MOST_RAYS];     /* it cannot be kept */
    bool failed;                    /* memory ran out */
} kept_log;

#endif
