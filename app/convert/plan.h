/* The arrays of the new file: their names, types and order. */
#ifndef APP_CONVERT_PLAN_H
#define APP_CONVERT_PLAN_H

#include "base/status.h"
#include "io/source.h"
#include "request.h"

enum { CONVERT_PATH_SIZE = 256, CONVERT_STEP_SIZE = 32 };

/* An array of the new file, contiguous. */
typedef struct convert_array {
    int step;       /* index into the plan's steps; of the grid: the one it is read at */
    int block;      /* index into the plan's blocks */
    int array;      /* of the source: IO_ARRAY_X …, or a field */
    int field;      /* index into the plan's fields; of a field only */
    bool is_double; /* float64; else float32, or int32 of iblank */
    bool is_ghost;  /* iblank as vtkGhostType, uint8: 2 hides a point from ParaView */
    int components; /* 3: x, y and z of each vertex; `array` is x then. Else 1 */
    int64_t n[3];   /* tuples along i, j, k */
    int64_t offset; /* of its first byte in the new file */
} convert_array;

typedef struct convert_plan {
    io_source *source;
    int nblocks, nsteps, nfields;
    int *steps;   /* [nsteps]: indices of the source's steps */
    int *fields;  /* [nfields]: and of its fields */
    bool is_made; /* the caller writes the values of fields; `fields` has their units
                     (-1: none) */
    grid_block *blocks; /* [nblocks]: of all grids of these steps, named as in the new
                           file; those of one name have different sizes */
    int *members;       /* [nblocks]: indices into io_source_all_blocks */
    int *grids; /* [nsteps, or 1][nblocks]: the step whose coordinates a block has at
                   a step: that or an earlier one; -1: it is not there */
    grid_field *outputs;                   /* [nfields]: the fields of the new file */
    char (*step_names)[CONVERT_STEP_SIZE]; /* [nsteps] */
    bool double_coordinates;
    bool *is_double; /* [nfields] */
    int64_t narrays;
    convert_array *arrays; /* [narrays] */
} convert_plan;

/*
 * Plans the file for an open source; the offsets of arrays stay 0. Names that no path of
 * HDF5 can hold are changed. Local, the same on every rank. Errors: STATUS_USAGE: an
 * unknown field or step; STATUS_INPUT: HDF5 is wanted, and blocks change their sizes,
 * come or go; STATUS_MEMORY.
 */
status convert_plan_make(io_source *source, const app_convert_request *request,
                         convert_plan *out);
void convert_plan_clear(convert_plan *plan);

/* Whether a name is that of XML files of VTK: it ends in .vtm or .pvd. Local. */
bool convert_plan_is_vtk(const char *output);

/* The step whose coordinates a block has at a step; -1: the block is not there. Local. */
static inline int convert_plan_grid(const convert_plan *plan, int step, int block)
{
    return plan->grids[(size_t)step * (size_t)plan->nblocks + (size_t)block];
}

/* Whether coordinates differ between steps. Local. */
bool convert_plan_moves(const convert_plan *plan);

/* The unit of a field of the plan; "": none. Whether it is there at a step. Local. */
const char *convert_plan_unit(const convert_plan *plan, int field);
bool convert_plan_has(const convert_plan *plan, int step, int field);

/* The path of an array in the new file. Local. */
void convert_plan_path(const convert_plan *plan, const convert_array *array,
                       char path[CONVERT_PATH_SIZE]);

/* Bytes of a tuple of an array, and of all. Local. */
int64_t convert_value_bytes(const convert_array *array);
int64_t convert_array_bytes(const convert_array *array);

#endif
