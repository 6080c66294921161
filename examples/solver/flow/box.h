/*
 * The cells of a box in memory, with two layers of ghost cells all round:
 *
 *      G G G G G G G        stride[0] = 1, stride[1] = a row, stride[2] = a plane;
 *      G G G G G G G        the cell (i, j, k) of the box, counted from 0, is at
 *      G G c c c G G        origin + i + j stride[1] + k stride[2]
 *      G G c c c G G
 *      G G G G G G G        A vertex or a lower face has the index of its cell, so the
 *      G G G G G G G        arrays have one layer more.
 *
 * Every variable has an array of its own: a row of cells is a run of doubles.
 */
#ifndef EXAMPLES_SOLVER_FLOW_BOX_H
#define EXAMPLES_SOLVER_FLOW_BOX_H

#include "decomposition.h"

enum {
    SOLVER_GHOSTS = 2,
    SOLVER_CONSERVED = 5, /* density, momentum x, y, z, total energy: per volume */
    SOLVER_PRIMITIVE = 6  /* density, velocity x, y, z, pressure, temperature */
};

enum { RHO, VEL_X, VEL_Y, VEL_Z, PRESSURE, TEMPERATURE };
enum { MOMENTUM_X = 1, MOMENTUM_Y, MOMENTUM_Z, ENERGY };

typedef struct solver_box {
    solver_part part;
    int64_t stride[3];
    int64_t origin;                  /* index of the first inner cell */
    int64_t count;                   /* values of an array */
    solver_face faces[SOLVER_FACES]; /* of the box; SOLVER_JOINED at cuts through the
                                        block */
    bool flat[3];   /* one cell, and periodic: the flow is constant along this axis */
    bool thin[3];   /* the block has one cell along this axis, with any boundaries */
    double *memory; /* contains all arrays below */
    double *conserved[SOLVER_CONSERVED];
    double *before[SOLVER_CONSERVED]; /* `conserved` at the start of the step */
    double *rate[SOLVER_CONSERVED];   /* outflow of the cell: - volume d(conserved)/dt */
    double *primitive[SOLVER_PRIMITIVE];
    double *vertex[3];  /* coordinates of vertices */
    double *area[3][3]; /* [axis][component] of the lower face; points to higher
                           indices */
    double *volume;
} solver_box;

/* Allocates the box's arrays and computes its metrics. Local. */
bool solver_box_create(const solver_grid *grid, const solver_part *part, solver_box *box);
void solver_box_destroy(solver_box *box);

/* The index of a cell, counted from the box's first; ghosts are -2, -1, n, n + 1. */
static inline int64_t solver_box_index(const solver_box *box, int64_t i, int64_t j,
                                       int64_t k)
{
    return box->origin + i + j * box->stride[1] + k * box->stride[2];
}

/* The centre of a cell. Local. */
void solver_box_centre(const solver_box *box, int64_t index, double centre[3]);

/* Rows of cells along i: the number of rows, and the index of the first cell of a row. */
static inline int64_t solver_box_rows(const solver_box *box)
{
    return box->part.n[1] * box->part.n[2];
}
static inline int64_t solver_box_row(const solver_box *box, int64_t row)
{
    return solver_box_index(box, 0, row % box->part.n[1], row / box->part.n[1]);
}

/* Strides of a part's arrays. They are the same on every rank, so that ranks can compute
 * indices into each other's arrays. */
void solver_part_strides(const solver_part *part, int64_t stride[3], int64_t *origin);

#endif
