/* The grid of a flow: blocks, and the conditions at their faces. */
#ifndef EXAMPLES_SOLVER_GRID_GRID_H
#define EXAMPLES_SOLVER_GRID_GRID_H

#include <stdbool.h>
#include <stdint.h>

/* A face of a block is numbered 2 * axis + side: i_min, i_max, j_min, ... */
enum { SOLVER_FACES = 6, SOLVER_NAME_SIZE = 64 };

typedef enum solver_face_kind {
    SOLVER_OPEN,     /* unknown: solver_grid_join looks for the face on which it lies */
    SOLVER_JOINED,   /* lies on another face, or on a translated one */
    SOLVER_WALL,     /* no slip, no heat flux */
    SOLVER_SLIP,     /* a plane of symmetry, or a wall without friction */
    SOLVER_FARFIELD, /* the free stream, through which waves leave */
    SOLVER_PERIODIC  /* joined with the opposite face of its block by a translation */
} solver_face_kind;

/*
 * The condition at a face. SOLVER_JOINED: it lies on face `face` of block `block`. Axis a
 * of this block continues as axis axes[a] of that block, in the opposite direction if
 * reversed[a]; this applies to the two axes within the face. A point x of the other block
 * is x + shift in this one.
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

/* The whole grid, the same on every rank. Needed only while a flow is created. */
typedef struct solver_grid {
    int nblocks;
    solver_block *blocks; /* [nblocks] */
} solver_grid;

/* Makes a grid whose blocks are all zero. Local. */
bool solver_grid_create(int nblocks, solver_grid **out);
void solver_grid_destroy(solver_grid **grid);

/* Sets the name of a block and allocates its vertices. Local. */
bool solver_grid_size(solver_grid *grid, int block, const char *name,
                      const int64_t cells[3]);

/* The three coordinates of a vertex, 0 <= at[a] <= cells[a]. */
double *solver_grid_vertex(const solver_block *block, const int64_t at[3]);

/* The name of a face, "i_min" to "k_max". */
const char *solver_face_name(int face);

/*
 * Joins each periodic face with the opposite face, and each open face with the face on
 * which it lies, in any orientation. Vertices must agree within a thousandth of the
 * shortest edge nearby. Then finds the left-handed blocks.
 *
 * Local. Fails if an open face lies on no other, if periodic faces are no translation of
 * each other, or if a block has cells of both orientations, or without volume.
 */
bool solver_grid_join(solver_grid *grid);

/*
 * Follows joined faces from an index outside of a block to the block that contains it.
 * *block and at[3] become the place of the cell there. If `vertex` is 1, the index is
 * that of a vertex. Its coordinates there, plus shift[3], are its coordinates here. False
 * if the way ends at a face that is not joined: then at[] is still outside of *block.
 * Local.
 */
bool solver_grid_resolve(const solver_grid *grid, int vertex, int *block, int64_t at[3],
                         double shift[3]);

/*
 * The position of a vertex, which may be outside of the block. Behind a joined face it is
 * a vertex of the other block, behind any other face the mirror image of a vertex in
 * front. Local.
 */
void solver_grid_position(const solver_grid *grid, int block, const int64_t at[3],
                          double position[3]);

#endif
