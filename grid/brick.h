/* Bricks in memory: the vertices, scalars and cell flags that rendering walks through. */
#ifndef GRID_BRICK_H
#define GRID_BRICK_H

#include "layout.h"

/* Bits of grid_brick.flags. The byte at a vertex describes the cell, and the three faces,
 * whose lowest corner the vertex is. */
enum {
    GRID_DIAGONAL_I = 1, /* the face of constant i is cut along its other diagonal */
    GRID_DIAGONAL_J = 2,
    GRID_DIAGONAL_K = 4,
    GRID_PRESENT = 8, /* the cell exists: none of its vertices is blanked or missing */
    GRID_UPPER_DIAGONAL_I = 16, /* the same for the cell's upper faces; a copy, so that
                                   one byte describes the whole cell */
    GRID_UPPER_DIAGONAL_J = 32,
    GRID_UPPER_DIAGONAL_K = 64,
    GRID_WALL = 128 /* the vertex itself lies on a wall */
};

/* A brick: 17 bytes a vertex (29 with gradients). Indices imply the connectivity.
 *
 * The corners of a face at (i, j, k) are numbered along the axis that follows its own:
 *
 *     constant i: (j, k), (j+1, k), (j+1, k+1), (j, k+1)
 *     constant j: (k, i), (k+1, i), (k+1, i+1), (k, i+1)
 *     constant k: (i, j), (i+1, j), (i+1, j+1), (i, j+1)
 *
 * A face is two triangles. It is cut from corner 0 to corner 2, or from corner 1 to
 * corner 3 if its GRID_DIAGONAL bit is set. */
typedef struct grid_brick {
    int64_t number;         /* in the layout */
    grid_brick_place place; /* of the cells in memory: the whole brick, or a part of it */
    float (*vertex)[4];   /* [nk+1][nj+1][ni+1]: x, y, z relative to the layout's origin,
                             scalar. NULL: only the number, place and range of the brick
                             are in memory (grid_store_reserve) */
    uint8_t *flags;       /* [nk+1][nj+1][ni+1] */
    float *cell;          /* [nk][nj][ni]: the scalar of cell-centred fields, else NULL */
    float (*gradient)[3]; /* [nk+1][nj+1][ni+1]: of the scalar, for shading; else NULL */
    bool has_range;       /* all values of the scalar are finite and lie in `range` */
    float range[2];
    unsigned windings; /* GRID_WINDS_RIGHT, GRID_WINDS_LEFT or both, of present cells */
} grid_brick;

/* How the triangles of a cell's faces wind around the cell's centre. If all of them wind
 * in the sense of the block (right-handed or left-handed), the cell is star-shaped. A
 * straight line then first enters it and later leaves it. In an inverted or folded cell
 * the order may be reversed. Collapsed faces make flat tetrahedra, whose sense is a
 * matter of rounding. The same bits shifted by GRID_WINDS_CLEARLY ignore flat
 * tetrahedra. */
enum { GRID_WINDS_RIGHT = 1, GRID_WINDS_LEFT = 2, GRID_WINDS_CLEARLY = 2 };

/* Most vertices of a store: twice the index of a vertex fits into 32 bits. */
#define GRID_STORE_MOST_VERTICES ((INT64_C(1) << 30) - 1)

/* Most vertices of a store with gradients: the index of a component fits into 32 bits. */
#define GRID_STORE_MOST_GRADIENTS ((INT64_C(1) << 31) / 3 - 1)

/* The bricks of one rank. One array holds the vertices of all bricks, brick after brick,
 * so that a single index identifies a vertex. The same holds for the other arrays. */
typedef struct grid_store {
    const grid_layout *layout; /* borrowed */
    int64_t nbricks;
    grid_brick *bricks; /* [nbricks], by ascending number */
    int32_t *slot;      /* [layout->nbricks]: index into bricks; -1: not in the store */
    int64_t nvertices, ncells;
    float (*vertex)[4];   /* [nvertices]; those of a brick start at its own `vertex` */
    uint8_t *flags;       /* [nvertices + GRID_FLAGS_PADDING] */
    float *cell;          /* [ncells]: of cell-centred fields, else NULL */
    float (*gradient)[3]; /* [nvertices]: of the scalar; NULL unless requested */
    int64_t used_vertices, used_cells; /* array entries of the bricks in memory */
    int64_t passed_vertices; /* of whole bricks that were claimed; claimed parts have
                                fewer in memory */
    int64_t times_forgotten; /* calls of grid_store_forget: bricks may lie elsewhere
                                since */
} grid_store;

enum { GRID_FLAGS_PADDING = 3 }; /* a reader of one byte may load a whole word */

/* Makes a store of the bricks with these ascending numbers, everything zero.
 * `cell_values`: the scalar lives in cells. Local. Errors: STATUS_MEMORY, also for more
 * than GRID_STORE_MOST_VERTICES vertices. */
status grid_store_create(const grid_layout *layout, int64_t count, const int64_t *numbers,
                         bool cell_values, grid_store **out);
void grid_store_destroy(grid_store **store);

/* Adds an array for gradients, all zero: 12 bytes a vertex more. From then on, code that
 * fills in the scalar must fill in the gradient, too. Local. Errors: STATUS_MEMORY, also
 * for more than GRID_STORE_MOST_GRADIENTS vertices. */
status grid_store_add_gradients(grid_store *store);

/* Like grid_store_create, but no brick is in memory yet: the arrays of each brick are
 * NULL. The store reserves addresses for all bricks; untouched addresses cost no
 * memory. */
status grid_store_reserve(const grid_layout *layout, int64_t count,
                          const int64_t *numbers, bool cell_values, grid_store **out);

/* Takes a brick of a reserved store into memory, everything zero. It goes right behind
 * the bricks claimed before, so that bricks in use lie close together; any order is fine.
 * Local; one thread at a time. */
void grid_store_claim(grid_store *store, grid_brick *brick);

/* Drops all bricks except those with these ascending numbers, which the store must hold.
 * The store must come from grid_store_create. The values of the remaining bricks stay, at
 * other places in memory. Gives memory back. Local. */
void grid_store_reduce(grid_store *store, int64_t count, const int64_t *numbers);

/* Like grid_store_claim, for the cells of `part` alone, which lies inside the brick. */
void grid_store_claim_part(grid_store *store, grid_brick *brick,
                           const grid_brick_place *part);

/* Copies the values of a whole brick into a part of the same brick; both are in memory.
 * Copies vertices with scalars, flags, and windings (of the whole brick), and cell
 * scalars and gradients if both have them. Local. */
void grid_brick_copy_part(const grid_brick *whole, grid_brick *part);

/* Copies those values of `size` bytes that lie in `part` out of those of a brick, at its
 * vertices or in its cells. Returns their number. Local. */
size_t grid_brick_cut(const grid_brick_place *whole, const grid_brick_place *part,
                      grid_location location, size_t size, const void *values, void *out);

/* Whether some brick in memory has folds (grid_brick_has_folds), or is only a part of a
 * brick of the layout. Local. */
bool grid_store_has_folds(const grid_store *store);
bool grid_store_has_parts(const grid_store *store);

/* Gives the memory that no brick uses yet back to the system; large pages take some of it
 * in advance. Local. */
void grid_store_give_back(grid_store *store);

/* Takes all bricks of a reserved store out of memory. Local. */
void grid_store_forget(grid_store *store);

/* Whether a brick in memory has all cells of the layout's brick. Local. */
bool grid_brick_is_whole(const grid_store *store, const grid_brick *brick);

/* Fills in flags from the coordinates in brick->vertex and from `blanked`
 * ([nk+1][nj+1][ni+1] of GRID_POINT_...; NULL: all are plain). A cell is present if none
 * of its vertices is blanked or beyond GRID_FARTHEST. The diagonal of a face starts at
 * its lexicographically smallest vertex (x, then y, then z). So all cells, blocks and
 * ranks with the same four points cut them alike. Then finds the windings of the present
 * cells. Local. */
void grid_brick_flag(grid_brick *brick, const uint8_t *blanked);

/* Whether some cell of a flagged brick winds against its block. Local. */
bool grid_brick_has_folds(const grid_layout *layout, const grid_brick *brick);

/* The same, without flat tetrahedra: collapsed cells are no folds. Local. */
bool grid_brick_is_folded(const grid_layout *layout, const grid_brick *brick);

/* Fills in flags as grid_brick_flag does, but does not find windings, which take most of
 * its time. The flags are enough for grid_brick_measure. Local. */
void grid_brick_mark(grid_brick *brick, const uint8_t *blanked);

/* Finds has_range and range of values, blanked ones included, which need not be in the
 * brick yet. values: [count]. Local. */
void grid_brick_set_range(grid_brick *brick, int64_t count, const float *values);

/* Finds the counts and bounds of a flagged brick. `volumes`: numbers of present cells
 * with positive, negative and zero volume, with i, j, k taken as right-handed. Local. */
void grid_brick_measure(const grid_brick *brick, grid_brick_info *info,
                        int64_t volumes[3]);

/* Finds the first present cell of a flagged brick, in the order of memory, whose volume
 * is of a kind: 0, positive; 1, negative; 2, none. at: its indices in the brick. False if
 * there is none. Local. */
bool grid_brick_find_volume(const grid_brick *brick, int kind, int at[3]);

/* Signed volume of the hexahedron with corners c[di + 2 dj + 4 dk], exact for the
 * trilinear map. Positive if i, j, k are right-handed. */
double grid_cell_volume(const double c[8][3]);

/* The same of all cells of a brick, present or not: [nk][nj][ni]. Local. */
void grid_brick_volumes(const grid_brick *brick, double *volume);

/* Bytes of the store, including its bricks in memory. */
int64_t grid_store_bytes(const grid_store *store);

#endif
