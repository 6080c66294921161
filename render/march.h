/* Marching: rays go from cell to cell through the bricks that a rank holds. */
#ifndef RENDER_MARCH_H
#define RENDER_MARCH_H

#include "grid/brick.h"
#include "render/camera.h"
#include "render/cell.h"

/* A brick as marching wants it. */
typedef struct march_brick {
    const float (*vertex)[4];
    const uint8_t *flags;
    const float *cell; /* NULL: the scalar is at the vertices */
    int n[3];          /* cells */
    int row, plane;    /* vertices from one j, one k to the next */
    int neighbour[6];  /* index of the brick beyond face 2 * axis + side, or -1 */
    bool left_handed;
    bool is_full; /* no cell is absent */
} march_brick;

/* The bricks that one picture needs; the others of the store are as if not there. */
typedef struct march_grid {
    int64_t nbricks;
    march_brick *bricks;
} march_grid;

/* Takes those bricks of the store that meet `clip` and are not all behind the viewer.
 * Borrows the store's arrays. Local. Errors: STATUS_MEMORY. */
status render_march_grid_create(const grid_store *store, const render_camera *camera,
                                box3 clip, march_grid *out);
void render_march_grid_destroy(march_grid *grid);

/* A cell: a brick and indices in it. */
typedef struct march_cell {
    int brick;
    int at[3];
} march_cell;

/* A face through which rays may come in from outside: the cell exists, the one beyond
 * does not. */
typedef struct march_face {
    march_cell cell;
    int face; /* 2 * axis + side */
    pixel_rect rect;
} march_face;

/* Lists the boundary faces that pixels of `window` may see. *faces is malloc'ed and the
 * caller's. Local. Errors: STATUS_MEMORY. */
status render_march_boundary(const march_grid *grid, const render_camera *camera,
                             pixel_rect window, int threads, int64_t *count,
                             march_face **faces);

/* Where a ray comes in from outside. */
typedef struct march_entry {
    march_cell cell;
    cell_crossing crossing;
} march_entry;

/* Tests one boundary face; writes the entries of the ray through it and returns how many
 * (0 to 2). */
int render_march_face_entries(const march_grid *grid, const march_face *face,
                              const cell_ray *ray, march_entry entries[2]);

/* What happens in one cell: the ray goes from t0 to t1, the scalar linearly from s0 to
 * s1. In an inverted cell t1 < t0: what was counted too much before is taken back. */
typedef struct march_segment {
    double t0, t1;
    double s0, s1;
} march_segment;

typedef enum march_result {
    MARCH_ON,   /* there is another cell */
    MARCH_LEFT, /* the ray leaves the grid, or what is loaded of it */
    MARCH_LOST  /* a defect: no exit was found; no segment is given */
} march_result;

/* Crosses one cell: fills in the segment and moves *at to the entry of the next cell. */
march_result render_march_step(const march_grid *grid, const cell_ray *ray,
                               march_entry *at, march_segment *segment);

#endif
