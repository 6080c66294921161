/* Marching: rays go from cell to cell through the bricks of a rank. */
#ifndef RENDER_CELLS_MARCH_H
#define RENDER_CELLS_MARCH_H

#include "base/image.h"
#include "cell.h"
#include "grid/brick.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"

#include <assert.h>
#include <math.h>

/* A brick in the form that marching needs. Vertices are given by their index in the
 * store. */
typedef struct march_brick {
    int64_t slot;     /* its index in the store */
    int first;        /* its first vertex */
    int first_cell;   /* its first cell in the store's `cell` */
    int n[3];         /* cells */
    int lo[3];        /* the first of them within the layout's whole brick, of which the
                         store may hold only a part */
    int stride[3];    /* vertices from one to the next along each axis */
    int neighbour[6]; /* index of the brick that continues beyond face 2 * axis + side; -1
                         without such a brick */
    int priority;     /* of its block */
    float extent[3];  /* upper bound on the size of its cells along x, y and z, rounding
                         included */
    unsigned borders; /* bits 2 * axis + side: it ends at the border of its block, which
                         is no seam */
    float warp;       /* render_refine_warp; set by render_scene_find_patches */
    float farthest;   /* no coordinate of a present cell is larger */
    bool left_handed;
    bool is_full;   /* no cell is absent */
    bool has_folds; /* some cell is inverted or folded */
} march_brick;

/* An upper bound of render_cell_slim for all triangles of the brick's cells that the ray
 * crosses: no corner lies farther from the ray than the largest cell extends. */
static inline float march_slim(const march_brick *brick, const cell_ray *ray)
{
    const float *extent = brick->extent, along = extent[ray->axis[2]];
    return render_cell_slim(extent[ray->axis[0]] + fabsf(ray->shear[0]) * along,
                            extent[ray->axis[1]] + fabsf(ray->shear[1]) * along);
}

/* The bricks of one picture; other bricks of the store are ignored. */
typedef struct march_grid {
    const float (*vertex)[4]; /* the store's arrays */
    uint8_t *flags;
    uint8_t *classes;           /* of the cells in the view, at their lowest vertices
                                   (render/cells/far_corner.h); NULL: not wanted, or no memory */
    uint16_t *bends;            /* bounds on bends of cells whose scalar may bend, else 0
                                   (render/cells/bend_lanes.h); or NULL */
    const float *cell;          /* NULL: the scalar is at the vertices */
    const float (*gradient)[3]; /* NULL unless shading needs it */
    int64_t nbricks;
    march_brick *bricks;
    float flatness;   /* faces on borders of blocks are bilinear patches where their warp
                         times this is above 1; others are two triangles */
    bool has_patches; /* there are such faces */
    bool all_patches; /* all faces are patches */
    bool may_turn_back; /* some cell is inverted or folded, so a ray may return to an
                           earlier point */
    int64_t ntrims;
    struct march_trim
        *trims; /* [ntrims]: cells that are left out (render/cells/trim.h) */
} march_grid;

/* Finds the classes of a brick's cells. */
typedef void march_classifier(const march_grid *grid, const march_brick *brick,
                              const render_camera *camera);

/* Marks the plain cells of a brick whose scalar may bend (render/cells/far_corner.h). */
typedef void march_bend_marker(const march_grid *grid, const march_brick *brick,
                               const render_transfer *transfer);

/* Bounds of the present cells of every block: malloc'ed, [layout->nblocks], or NULL
 * without memory. Local. */
box3 *render_march_block_bounds(const grid_layout *layout);

/* Whether the picture stays the same without the brick: the transfer function is clear on
 * its range, and it hides no cells of other blocks. Reads only the brick's number, place
 * and range. blocks: from render_march_block_bounds. Local. */
bool render_march_is_clear(const grid_layout *layout, const box3 *blocks,
                           const render_transfer *transfer, const grid_brick *brick);

/* Whether a brick meets `clip` (grid_layout_brick_meets) and is not wholly behind the
 * viewer. Local. */
bool render_march_wants(const grid_layout *layout, int64_t number,
                        const render_camera *camera, box3 clip);

/* Chooses the bricks of a picture (empty-space skipping). A chosen brick is in memory,
 * meets `clip`, is not wholly behind the viewer and is not clear. transfer: may be NULL,
 * then no brick is clear. Rays skip the other bricks, from boundary face to boundary
 * face. chosen: [store->nbricks]. Local. */
void render_march_choose(const grid_store *store, const box3 *blocks,
                         const render_transfer *transfer, const render_camera *camera,
                         box3 clip, bool *chosen);

/* Finds the extent of march_brick for a brick in memory. Local. */
void render_march_measure(const grid_brick *brick, float extent[3]);

/* Makes a grid of the chosen bricks. extents: [store->nbricks], from
 * render_march_measure; NULL: they are measured here. Borrows the store's arrays. Local.
 * Errors: STATUS_MEMORY. */
status render_march_grid_create(const grid_store *store, const bool *chosen,
                                const float (*extents)[3], march_grid *out);
void render_march_grid_destroy(march_grid *grid);

/* Finds the classes of all cells of the grid, as a kernel does (walk_kernel.classify).
 * Without memory for them, rays march as before, slower. Local. */
void render_march_classify(march_grid *grid, march_classifier *classify,
                           const render_camera *camera, int threads);

/* Finds bounds on bends of all cells under a transfer function, as a kernel does
 * (walk_kernel.mark_bends), and marks in their classes those whose scalar may bend.
 * Without memory for the bounds the classes are given up, too. Local. */
void render_march_mark_bends(march_grid *grid, march_bend_marker *mark,
                             const render_transfer *transfer, int threads);

/* A cell: a brick and indices in it. */
typedef struct march_cell {
    int brick;
    int at[3];
} march_cell;

/* Index of the cell's lowest vertex. */
static inline int march_vertex_index(const march_brick *brick, const int at[3])
{
    return brick->first + at[0] + at[1] * brick->stride[1] + at[2] * brick->stride[2];
}

/* Index of the cell in the store's `cell`. */
static inline int march_cell_index(const march_brick *brick, const int at[3])
{
    return brick->first_cell + at[0] + brick->n[0] * (at[1] + brick->n[1] * at[2]);
}

/* Index of the vertex di + 2 dj + 4 dk of the cell with this lowest vertex. */
static inline int march_corner_index(const march_brick *brick, int lowest, int corner)
{
    return lowest + (corner & 1) + (corner >> 1 & 1) * brick->stride[1] +
           (corner >> 2) * brick->stride[2];
}

/* Moves from a cell at a face of its brick to the cell of the next brick; false, and
 * *cell undefined, if no brick has one. Does not check that the new cell is present. */
static inline bool march_change_brick(const march_grid *grid, int face, march_cell *cell)
{
    const march_brick *from = &grid->bricks[cell->brick];
    const int axis = face >> 1;
    if (from->neighbour[face] < 0) {
        return false;
    }
    cell->brick = from->neighbour[face];
    const march_brick *to = &grid->bricks[cell->brick];
    bool is_inside = true;
    for (int a = 0; a < 3; a++) {
        cell->at[a] += from->lo[a] - to->lo[a];
        is_inside &= a == axis || (cell->at[a] >= 0 && cell->at[a] < to->n[a]);
    }
    cell->at[axis] = (face & 1) ? 0 : to->n[axis] - 1;
    return is_inside;
}

/* Moves to the cell beyond a face; false, and *cell undefined, if there is none. */
bool render_march_step_over(const march_grid *grid, int face, march_cell *cell);

/* A boundary face, through which rays may enter the grid: its cell exists, the cell
 * beyond does not. There are as many as cells on the grid's surface, so a face takes only
 * 8 bytes. */
typedef struct march_face {
    int brick;
    unsigned i : 4, j : 4, k : 4; /* the cell in its brick */
    unsigned face : 3;            /* 2 * axis + side */
    /* In the list of a tile: the first and the last pixel of the tile that may see the
     * face, along x and y, relative to the tile's first pixel. */
    unsigned x0 : 4, y0 : 4, x1 : 4, y1 : 4;
} march_face;

/* A boundary face and the rectangle of pixels that may see it. */
typedef struct march_seen_face {
    march_face face;
    uint16_t x0, y0, x1, y1;
} march_seen_face;

static_assert(GRID_BRICK_CELLS <= 16 && sizeof(march_face) == 8 &&
                  IMAGE_MAX_SIDE <= UINT16_MAX,
              "march_face holds what it has to");

static inline march_face march_face_make(march_cell cell, int face)
{
    return (march_face){.brick = cell.brick,
                        .i = (unsigned)cell.at[0] & 15u,
                        .j = (unsigned)cell.at[1] & 15u,
                        .k = (unsigned)cell.at[2] & 15u,
                        .face = (unsigned)face & 7u};
}

static inline march_cell march_face_cell(const march_face *face)
{
    return (march_cell){face->brick, {(int)face->i, (int)face->j, (int)face->k}};
}

/* Sets the pixels of a tile that may see the face, relative to the tile's first pixel. */
static inline void march_face_set_rect(march_face *face, pixel_rect rect)
{
    face->x0 = (unsigned)rect.x0 & 15u;
    face->y0 = (unsigned)rect.y0 & 15u;
    face->x1 = (unsigned)(rect.x1 - 1) & 15u;
    face->y1 = (unsigned)(rect.y1 - 1) & 15u;
}

static inline pixel_rect march_face_rect(const march_seen_face *face)
{
    return (pixel_rect){face->x0, face->y0, face->x1, face->y1};
}

static inline pixel_rect march_rect_intersect(pixel_rect a, pixel_rect b)
{
    return (pixel_rect){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                        a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

/* Lists the boundary faces through which rays of pixels in `window` may enter. *faces is
 * malloc'ed and the caller's. Local. Errors: STATUS_MEMORY. */
status render_march_boundary(const march_grid *grid, const render_camera *camera,
                             pixel_rect window, int threads, int64_t *count,
                             march_seen_face **faces);

/* An entry of a ray into a cell: from outside the grid, or the current cell of a run that
 * waits for other runs on the ray. */
typedef struct march_entry {
    march_cell cell;
    cell_crossing crossing; /* on the triangle; scalar, f and g of a waiting run are those
                               at patch_t */
    float patch_t; /* trilinear, for a waiting run: distance to the face's patch */
} march_entry;

/* Whether the ray passes entry `a` before entry `b`. The order is total: for two cells
 * with the same t, it depends neither on the search for them nor on the beginnings of
 * their runs. */
static inline bool march_entry_is_before(const march_entry *a, const march_entry *b)
{
    if (a->crossing.t != b->crossing.t) {
        return a->crossing.t < b->crossing.t;
    }
    if (a->cell.brick != b->cell.brick) {
        return a->cell.brick < b->cell.brick;
    }
    for (int axis = 2; axis >= 0; axis--) {
        if (a->cell.at[axis] != b->cell.at[axis]) {
            return a->cell.at[axis] < b->cell.at[axis];
        }
    }
    const cell_triangle in = a->crossing.triangle, other = b->crossing.triangle;
    return 2 * in.face + in.half < 2 * other.face + other.half;
}

/* Tests one boundary face. Writes the entries of the ray through it and returns their
 * number (0 to 2). */
int render_march_face_entries(const march_grid *grid, const march_face *face,
                              const cell_ray *ray, march_entry entries[2]);

#endif
