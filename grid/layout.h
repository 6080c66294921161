/* The layout: facts about the whole grid that every rank has. Its blocks, how they are
 * cut into bricks, and the bounds of the bricks. */
#ifndef GRID_LAYOUT_H
#define GRID_LAYOUT_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GRID_BRICK_CELLS = 16, /* most cells of a brick along an axis */
    GRID_NAME_SIZE = 64    /* bytes of a block's or field's name, with the ending zero */
};

/* The largest coordinate of a vertex, relative to the layout's origin. Products of two
 * such coordinates stay finite in float32; otherwise rays could go in circles. A vertex
 * beyond (with fill values, say) does not exist. */
#define GRID_FARTHEST 1e18f

/* The location of a field's values. */
typedef enum grid_location { GRID_VERTEX, GRID_CELL } grid_location;

/* States of a vertex by iblank, as in PLOT3D: 0 is blanked, 2 a wall, any other value
 * plain. */
enum { GRID_POINT_PLAIN = 0, GRID_POINT_BLANKED = 1, GRID_POINT_WALL = 2 };

/* A curvilinear block: [nk][nj][ni] vertices, i running fastest; implicit connectivity.
 */
typedef struct grid_block {
    char name[GRID_NAME_SIZE];
    int64_t n[3];    /* vertices along i, j, k: at least 2 each */
    bool has_iblank; /* vertices may be blanked; a cell with a blanked vertex is absent */
    bool closed[3];  /* the last vertex plane along the axis lies on the first (O-grid) */
    int copy; /* n: the n-th copy of the block n before it, with its name (data.copies);
                 0: a block of the data */
    int priority;        /* among overlapping blocks, the one with the smallest number is
                            drawn (grid/priority.h) */
    bool left_handed;    /* most cells have a negative volume: i, j, k are left-handed */
    int64_t bricks[3];   /* bricks along i, j, k */
    int64_t first_brick; /* number of the block's first brick */
} grid_block;

/* Facts about a brick that every rank has without loading it. */
typedef struct grid_brick_info {
    float lo[3], hi[3]; /* bounds of its present cells, relative to the layout's origin;
                           lo > hi if no cell is present */
    int32_t cells;      /* present cells */
} grid_brick_info;

/* Cells of the whole grid, by kind. */
typedef struct grid_census {
    int64_t cells;          /* all, blanked ones included */
    int64_t blanked;        /* with a blanked vertex: absent from pictures */
    int64_t inverted;       /* present, with a volume of the other sign than most of the
                               block */
    int64_t zero_volume;    /* present, with no volume */
    int inverted_block;     /* the first inverted cell, if there is any: its block, */
    int64_t inverted_at[3]; /* and its lowest vertex */
} grid_census;

typedef struct grid_layout {
    int nblocks;
    grid_block *blocks; /* [nblocks] */
    int64_t nbricks;
    grid_brick_info *bricks; /* [nbricks] */
    vec3 origin; /* subtracted from the file's coordinates before they become float32; one
                    for all blocks, so that shared points stay bitwise equal */
    box3 bounds; /* of all present cells, relative to origin */
    grid_census census;
} grid_layout;

/* The place of a brick: cells [lo, lo + n) of a block, and so vertices [lo, lo + n]. */
typedef struct grid_brick_place {
    int block;
    int64_t lo[3];
    int n[3]; /* cells, 1 to GRID_BRICK_CELLS */
} grid_brick_place;

/* Makes the layout of `nblocks` blocks, with all brick infos empty. Copies the blocks; of
 * them it uses name, n and has_iblank. Local. Errors: STATUS_INPUT for a block with fewer
 * than 2 vertices along an axis and for more bricks than 31 bits count; STATUS_MEMORY. */
status grid_layout_create(int nblocks, const grid_block *blocks, grid_layout **out);
void grid_layout_destroy(grid_layout **layout);

/* Place of the brick with this number, 0 to nbricks - 1. Local. */
grid_brick_place grid_layout_place(const grid_layout *layout, int64_t number);

/* Bounds of a brick's present cells. */
static inline box3 grid_brick_bounds(const grid_brick_info *brick)
{
    box3 bounds;
    for (int axis = 0; axis < 3; axis++) {
        bounds.lo.v[axis] = (double)brick->lo[axis];
        bounds.hi.v[axis] = (double)brick->hi[axis];
    }
    return bounds;
}

/* Coordinates along rays are less exact than those of boxes: a ray almost within a side
 * of a box may cross a cell inside, although the cell lies beside the box. No such cell
 * is farther away than this distance. It is some 100 times the rounding of float32.
 * Local. */
double grid_layout_margin(const grid_layout *layout);

/* Whether a brick has a cell that a rank may need to draw this box: its bounds meet the
 * box, or lie within the margin of it. Local. */
bool grid_layout_brick_meets(const grid_layout *layout, int64_t number, box3 box);

/* Whether all cells of a brick are present. Local. */
bool grid_layout_brick_is_full(const grid_layout *layout, int64_t number);

/* Number of the brick at brick coordinates `at` of a block; -1 outside the block.
 * Local. */
int64_t grid_layout_brick_at(const grid_layout *layout, int block, const int64_t at[3]);

/* Whether a brick is of a block or of one of its copies; of all blocks below 0. Local. */
bool grid_layout_shows(const grid_layout *layout, int block, int64_t number);

/* The last copy of a block, or the block itself: copies follow their block. Local. */
int grid_layout_last_copy(const grid_layout *layout, int block);

/* Vertices of the whole grid; a vertex that several blocks share counts in each. */
int64_t grid_layout_vertices(const grid_layout *layout);

#endif
