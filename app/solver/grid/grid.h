/* The grid that a flow is computed on: blocks, and what happens at their faces. */
#ifndef APP_SOLVER_GRID_GRID_H
#define APP_SOLVER_GRID_GRID_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A face of a block by its axis and side: 2 * axis + side, so i_min, i_max, j_min, ... */
enum { SOLVER_FACES = 6, SOLVER_NAME_SIZE = 64 };

typedef enum solver_face_kind {
    SOLVER_OPEN,     /* nothing said yet: solver_grid_join looks for its other half */
    SOLVER_JOINED,   /* lies on another face, or on one moved by a translation */
    SOLVER_WALL,     /* no slip, no heat flux */
    SOLVER_SLIP,     /* a plane of symmetry, or a wall without friction */
    SOLVER_FARFIELD, /* the free stream, with waves going out */
    SOLVER_PERIODIC  /* joined with the opposite face of its block, moved */
} solver_face_kind;

/*
 * What happens at a face. For SOLVER_JOINED: the face of block `block` on which it lies;
 * axis a of this block goes on as axis axes[a] there, in the other direction where
 * reversed[a] (of the two axes within the face). A point x of the other block stands for
 * x + shift here.
 */
typedef struct solver_face {
    solver_face_kind kind;
    double velocity[3]; /* of a wall */
    int block, face;
    int axes[3];
    bool reversed[3];
    double shift[3];
} solver_face;

/* A block of cells[0] x cells[1] x cells[2] cells, i running fastest. */
typedef struct solver_block {
    char name[SOLVER_NAME_SIZE];
    int64_t cells[3];
    double *xyz; /* [cells[2] + 1][cells[1] + 1][cells[0] + 1][3] */
    bool left_handed;
    solver_face faces[SOLVER_FACES];
} solver_block;

/* The whole grid, the same on every rank; needed only while a flow is created. */
typedef struct solver_grid {
    int nblocks;
    solver_block *blocks; /* [nblocks] */
} solver_grid;

/* A grid of blocks that are all zero. Local. Errors: STATUS_MEMORY. */
status solver_grid_create(int nblocks, solver_grid **out);
void solver_grid_destroy(solver_grid **grid);

/* Gives a block its name and room for its vertices. Local. Errors: STATUS_MEMORY. */
status solver_grid_size(solver_grid *grid, int block, const char *name,
                        const int64_t cells[3]);

/* The three coordinates of a vertex, 0 <= at[a] <= cells[a]. */
double *solver_grid_vertex(const solver_block *block, const int64_t at[3]);

/* The name of a face: "i_min" ... "k_max"; and the face of a name, or -1. */
const char *solver_face_name(int face);
int solver_face_find(const char *name);

/*
 * Joins periodic faces with the ones opposite, and open ones with those that they lie on,
 * in any orientation: vertices agree within a thousandth of the shortest edge of the
 * face. Then finds which blocks are left-handed. Local. Errors: STATUS_INPUT for an open
 * face that lies on no other, for periodic ones that are no translation of each other,
 * for a block with cells of both orientations or of none.
 */
status solver_grid_join(solver_grid *grid);

/*
 * Follows joined faces from an index outside of a block to where the point lies: *block
 * and at[3] become the place of the cell (or vertex, where `vertex` is 1) there, and its
 * coordinates plus shift[3] are those that it has here. False where the way ends at a
 * face that is not joined: then at[] is still outside of *block. Local.
 */
bool solver_grid_resolve(const solver_grid *grid, int vertex, int *block, int64_t at[3],
                         double shift[3]);

/*
 * Where a vertex lies that may be outside of the block: behind joined faces the other
 * block's, behind others the mirror image of what is in front. Local.
 */
void solver_grid_position(const solver_grid *grid, int block, const int64_t at[3],
                          double position[3]);

#endif
