/* Bricks in memory: vertices, scalar and cell flags that rendering walks through. */
#ifndef GRID_BRICK_H
#define GRID_BRICK_H

#include "layout.h"

/* Bits of grid_brick.flags, at the lowest corner of the cell or face that they are of. */
enum {
    GRID_DIAGONAL_I = 1, /* the face of constant i is cut along its other diagonal */
    GRID_DIAGONAL_J = 2,
    GRID_DIAGONAL_K = 4,
    GRID_PRESENT = 8, /* the cell exists: all its vertices do, none is blanked */
    GRID_UPPER_DIAGONAL_I = 16, /* the same of the cell's upper faces, once more, so that
                                   a byte tells all of a cell */
    GRID_UPPER_DIAGONAL_J = 32,
    GRID_UPPER_DIAGONAL_K = 64,
    GRID_WALL = 128 /* the vertex itself is a wall's */
};

/*
 * A brick: 17 bytes a vertex (29 with gradients), neighbours implicit.
 *
 * The corners of a face at (i, j, k) are numbered along the axis that follows its own:
 *
 *     constant i: (j, k), (j+1, k), (j+1, k+1), (j, k+1)
 *     constant j: (k, i), (k+1, i), (k+1, i+1), (k, i+1)
 *     constant k: (i, j), (i+1, j), (i+1, j+1), (i, j+1)
 *
 * It is two triangles, cut from corner 0 to corner 2, or from 1 to 3 where its
 * GRID_DIAGONAL bit is set.
 */
typedef struct grid_brick {
    int64_t number;         /* in the layout */
    grid_brick_place place; /* of what is held: the whole brick, or a part of it */
    float (*vertex)[4];   /* [nk+1][nj+1][ni+1]: x, y, z relative to the layout's origin,
                             scalar. NULL: nothing of the brick but its number, place and
                             range is in memory (grid_store_reserve) */
    uint8_t *flags;       /* [nk+1][nj+1][ni+1] */
    float *cell;          /* [nk][nj][ni]: the scalar of cell-centred fields, else NULL */
    float (*gradient)[3]; /* [nk+1][nj+1][ni+1]: of the scalar, where shading wants it,
                             else NULL */
    bool has_range;       /* all values of the scalar are finite and lie in `range` */
    float range[2];
    unsigned windings; /* GRID_WINDS_RIGHT, GRID_WINDS_LEFT or both, of present cells */
} grid_brick;

/*
 * How the triangles of a cell's faces wind around the cell's centre. Where all of them do
 * so in the sense of the block (right-handed or left-handed), the cell is star-shaped,
 * and any straight line leaves it after it has come in. In an inverted or folded cell it
 * may be the other way round. Flat tetrahedra, which collapsed faces make, have the sense
 * that rounding gives them; the same bits shifted by GRID_WINDS_CLEARLY leave them out.
 */
enum { GRID_WINDS_RIGHT = 1, GRID_WINDS_LEFT = 2, GRID_WINDS_CLEARLY = 2 };

/* Most vertices of a store: an index of one, doubled, fits into 32 bits. */
#define GRID_STORE_MOST_VERTICES ((INT64_C(1) << 30) - 1)

/* The same where they have gradients: the index of a component fits. */
#define GRID_STORE_MOST_GRADIENTS ((INT64_C(1) << 31) / 3 - 1)

/* The bricks that one rank holds. The arrays of all of them lie in one piece, brick after
 * brick, so that a vertex is told by one index. */
typedef struct grid_store {
    const grid_layout *layout; /* borrowed */
    int64_t nbricks;
    grid_brick *bricks; /* [nbricks], by ascending number */
    int32_t *slot;      /* [layout->nbricks]: index into bricks, or -1 where not held */
    int64_t nvertices, ncells;
    float (*vertex)[4];   /* [nvertices]; those of a brick start at its own `vertex` */
    uint8_t *flags;       /* [nvertices + GRID_FLAGS_PADDING] */
    float *cell;          /* [ncells]: of cell-centred fields, else NULL */
    float (*gradient)[3]; /* [nvertices]: of the scalar; NULL where nobody asked for it */
    int64_t used_vertices, used_cells; /* of the arrays, by bricks that are in memory */
    int64_t passed_vertices; /* of whole bricks, of which those or fewer are in memory */
    int64_t times_forgotten; /* by grid_store_forget: bricks may lie elsewhere since */
} grid_store;

enum { GRID_FLAGS_PADDING = 3 }; /* whoever reads a byte may read a whole word */

/*
 * Makes a store that holds the bricks with these ascending numbers, everything zero.
 * `cell_values`: whether the scalar lives in cells. Local. Errors: STATUS_MEMORY, also
 * where there are more than GRID_STORE_MOST_VERTICES.
 */
status grid_store_create(const grid_layout *layout, int64_t count, const int64_t *numbers,
                         bool cell_values, grid_store **out);
void grid_store_destroy(grid_store **store);

/* Makes room for gradients, all zero: 12 bytes a vertex more. Whoever fills in the scalar
 * of such a store fills in its gradient, too. Local. Errors: STATUS_MEMORY, also where
 * there are more than GRID_STORE_MOST_GRADIENTS. */
status grid_store_add_gradients(grid_store *store);

/*
 * The same, but no brick is in memory yet: its arrays are NULL. There are addresses for
 * all of them, which cost nothing before something is written there.
 */
status grid_store_reserve(const grid_layout *layout, int64_t count,
                          const int64_t *numbers, bool cell_values, grid_store **out);

/*
 * Takes a brick of such a store into memory, everything zero, behind those that are there
 * already, so that they lie close together, in any order. Local; one thread at a time.
 */
void grid_store_claim(grid_store *store, grid_brick *brick);

/*
 * Drops all bricks but those with these ascending numbers, which the store must hold, as
 * grid_store_create made it; they keep what is in them, at other places in memory. Gives
 * memory back. Local.
 */
void grid_store_reduce(grid_store *store, int64_t count, const int64_t *numbers);

/* The same, but only the cells of a place that lies in the brick's own. */
void grid_store_claim_part(grid_store *store, grid_brick *brick,
                           const grid_brick_place *part);

/* Fills in a brick in memory, which may be a part, with what a whole one in memory has of
 * it: vertices with scalars, flags, windings (of the whole one), and scalars of cells and
 * gradients where both have them. Local. */
void grid_brick_copy_part(const grid_brick *whole, grid_brick *part);

/* Whether a brick that is in memory has folds (grid_brick_has_folds), or is a part.
 * Local. */
bool grid_store_has_folds(const grid_store *store);
bool grid_store_has_parts(const grid_store *store);

/* Gives memory back to the system that bricks do not use yet: pages are large. Local. */
void grid_store_give_back(grid_store *store);

/* Takes all bricks out of memory again, of a store that grid_store_reserve made. Local.
 */
void grid_store_forget(grid_store *store);

/* Whether all of a brick of the layout is there, which is in memory. Local. */
bool grid_brick_is_whole(const grid_store *store, const grid_brick *brick);

/*
 * Fills in flags from the coordinates in brick->vertex and from `blanked`
 * ([nk+1][nj+1][ni+1] of GRID_POINT_...; NULL where all are plain). A cell is
 * present where no vertex is blanked or beyond GRID_FARTHEST. The diagonal of
 * a face starts at its lexicographically smallest vertex (x, then y, then z), so that all
 * cells, blocks and ranks that see the same four points cut them alike. Then finds the
 * windings of the present cells. Local.
 */
void grid_brick_flag(grid_brick *brick, const uint8_t *blanked);

/* Whether some cell of a flagged brick winds against its block. Local. */
bool grid_brick_has_folds(const grid_layout *layout, const grid_brick *brick);

/* The same beyond rounding: collapsed cells are no folds. Local. */
bool grid_brick_is_folded(const grid_layout *layout, const grid_brick *brick);

/* Fills in flags as grid_brick_flag does, but finds no windings, which take most of its
 * time: enough for grid_brick_measure. Local. */
void grid_brick_mark(grid_brick *brick, const uint8_t *blanked);

/* Finds has_range and range, of all vertices or cells, blanked ones included. Local. */
void grid_brick_find_range(grid_brick *brick);

/* The same, of values that need not be the brick's yet. values: [count]. Local. */
void grid_brick_set_range(grid_brick *brick, int64_t count, const float *values);

/* Counts and bounds of a flagged brick. `volumes`: present cells with positive, negative
 * and no volume, i, j, k taken as right-handed. Local. */
void grid_brick_measure(const grid_brick *brick, grid_brick_info *info,
                        int64_t volumes[3]);

/* Signed volume of the hexahedron with corners c[di + 2 dj + 4 dk], positive where i, j,
 * k are right-handed; that of the trilinear map, exact. */
double grid_cell_volume(const double c[8][3]);

/* Bytes of memory of the store, with its bricks that are in memory. */
int64_t grid_store_bytes(const grid_store *store);

#endif
