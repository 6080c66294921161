/* Where the arrays of a CGNS file lie: plain data that rank 0 finds and all ranks get. */
#ifndef IO_SOURCES_CGNS_TABLES_H
#define IO_SOURCES_CGNS_TABLES_H

#include "io/array.h"
#include "node.h"

#include <mpi.h>

/* A node with arrays of one shape: coordinates, or a solution. */
typedef struct cgns_place {
    int block;
    bool is_cells;   /* values in cells; else at vertices */
    bool is_turned;  /* of coordinates: r, theta and z; else x, y and z */
    bool lacks_z;    /* of coordinates: z is 0 */
    double angle;    /* of coordinates: radians of a unit of theta */
    int64_t rind[6]; /* planes of ghost values: before and behind, along i, j, k */
    char name[CGNS_NAME_SIZE];
    char path[IO_PATH_SIZE]; /* of the node */
} cgns_place;

/* Vertices of a wall or a hole: a box with both ends included. */
typedef struct cgns_mark {
    int block;
    int32_t iblank; /* 2: a wall; 0: a hole, which goes before */
    int64_t lo[3], hi[3];
} cgns_mark;

/* The fields along r and theta of which one along x or y is made; -1: none. */
typedef struct cgns_polar {
    int radial, angular;
    int axis; /* 0: x, 1: y */
} cgns_polar;

static inline bool cgns_polar_is(const cgns_polar *polar)
{
    return polar->radial >= 0 && polar->angular >= 0;
}

typedef struct cgns_tables {
    int nblocks, nfields, nsteps, ngrids, nsolutions, nmarks;
    cgns_place *grids;              /* [ngrids], by ascending block: coordinates */
    cgns_place *solutions;          /* [nsolutions], by ascending block */
    cgns_mark *marks;               /* [nmarks], by ascending block */
    uint8_t *is_absent;             /* [nblocks][nsteps]: 1: the zone is not there at a
                                       step; on rank 0 alone */
    int ndonors;                    /* of connections, on rank 0 alone */
    char (*donors)[CGNS_NAME_SIZE]; /* [ndonors]: names of zones */
    char (*arrays)[CGNS_NAME_SIZE]; /* [nfields]: names of arrays */
    cgns_polar *polar;              /* [nfields] */
    int *grid;                      /* [nblocks][nsteps]: the grid of a step */
    int *solution;                  /* [nblocks][nsteps]: the solution of a step, or
                                       CGNS_ALL or CGNS_NONE of the block */
} cgns_tables;

enum { CGNS_ALL = -1, CGNS_NONE = -2 };

/* Gives all ranks the tables of rank 0. Collective. Errors: STATUS_MEMORY. */
status cgns_tables_broadcast(MPI_Comm comm, cgns_tables *tables);
void cgns_tables_clear(cgns_tables *tables);

/* The name of the array of a coordinate, 0 to 2. Local. */
const char *cgns_tables_coordinate(const cgns_place *grid, int axis);

/* The place of a block and a step in `grid` and `solution`. Local. */
static inline size_t cgns_tables_at(const cgns_tables *tables, int block, int step)
{
    return (size_t)block * (size_t)tables->nsteps + (size_t)step;
}

/* Whether the coordinates of a block are r, theta and z. Local. */
static inline bool cgns_tables_is_turned(const cgns_tables *tables, int block)
{
    return tables->grids[tables->grid[cgns_tables_at(tables, block, 0)]].is_turned;
}

/* The solutions of a block, or those that it has at a step: [first, end). Local. */
void cgns_tables_solutions(const cgns_tables *tables, int block, int *first, int *end);
void cgns_tables_at_step(const cgns_tables *tables, int block, int step, int *first,
                         int *end);

/* The path of the values of an array of a place: "" if it has none. An array may be a
 * link. Collective over the ranks that opened the file. */
void cgns_tables_path(hid_t file, const cgns_place *place, const char *array,
                      char path[IO_PATH_SIZE]);

/* The solution with an array of a field at a step, and the path of its values; NULL:
 * there is none. Collective likewise. */
const cgns_place *cgns_tables_find(const cgns_tables *tables, hid_t file, int step,
                                   int block, const char *array, char path[IO_PATH_SIZE]);

/* Fills in iblank of a box of a block, [n[2]][n[1]][n[0]]: 0 in holes, 2 on walls,
 * else 1. Local. */
void cgns_tables_mark(const cgns_tables *tables, int block, const io_box *box,
                      int32_t *out);

#endif
