/* Inside io/load/joints: records of values at joints, and passes that find them. */
#ifndef IO_LOAD_JOINTS_RECORDS_H
#define IO_LOAD_JOINTS_RECORDS_H

#include "grid/means.h"
#include "joints.h"

/* A vector that is differentiated at joints: a quantity of a recipe, or its result. */
typedef struct joint_slope {
    int recipe, quantity; /* JOINT_RESULT: the result */
} joint_slope;

enum {
    JOINT_RESULT = -1,
    JOINT_CELLS = 1, /* input of patches with in_cells */
    JOINT_SUM = 2,
    JOINT_PART = 6
}; /* columns of a mean; of a gradient: weight, three components, value, its square */

/* Values at a member of a joint: `columns` numbers follow, means of the inputs in cells,
 * then gradients. NaN: there is none. */
typedef struct joint_record {
    io_joint_member member;
    double value[];
} joint_record;

struct io_joint_values {
    const grid_layout *layout;
    int nmeans, means[GRID_RECIPE_MAX_INPUTS]; /* inputs of the sweep in cells */
    bool is_inner;                             /* of fields that are made for others */
    int nrecipes;
    io_joint_recipe *recipes;    /* [nrecipes] */
    const grid_recipe *in_cells; /* the only recipe; its results in cells take the place
                                    of input 0, and recipes[0] is that of their means; or
                                    NULL */
    int cell_inputs[GRID_RECIPE_MAX_INPUTS]; /* of the sweep, for in_cells */
    int nslopes, nquantities;
    joint_slope *slopes; /* [nslopes]: first those of quantities */
    int columns;         /* nmeans, and 3 for each slope that is known */
    int64_t count;
    char *records; /* [count], by ascending brick and vertex */
};

static inline size_t joint_record_size(const io_joint_values *v)
{
    return sizeof(joint_record) + (size_t)v->columns * sizeof(double);
}

static inline const joint_record *joint_record_at(const io_joint_values *v, int64_t n)
{
    return (const joint_record *)(const void *)(v->records +
                                                (size_t)n * joint_record_size(v));
}

/* ---- Records in a box (records.c) -------------------------------------------------- */

/* Vertices of a block, which may lie beyond a seam. */
typedef struct joint_box {
    int block;
    int64_t lo[3], n[3];
} joint_box;

typedef void joint_take(void *context, size_t index, const int at[3],
                        const joint_record *found);

/* Passes on the records in a box: their index and place in it. Local. */
void joints_visit_records(const io_joint_values *v, const joint_box *box,
                          joint_take *take, void *context);

/* Passes on the bricks that have vertices of a box; those beyond a seam with their
 * shifts. Local. */
typedef void joint_take_brick(void *context, int64_t brick, const int64_t shift[3]);
void joints_visit_bricks(const grid_layout *layout, const joint_box *box,
                         joint_take_brick *take, void *context);

/* The vertices of a window and its layers. Local. */
joint_box joints_box_of_window(const io_sweep *sweep, const io_window *window);

/* ---- Patches ----------------------------------------------------------------------- */

static inline size_t joints_patch_count(const grid_patch *patch)
{
    return (size_t)patch->n[0] * (size_t)patch->n[1] * (size_t)patch->n[2];
}

/* Planes of a patch for one thread, as its core. */
static inline grid_patch joints_planes(const grid_patch *patch, int first, int count)
{
    grid_patch part = *patch;
    const int left = patch->n[2] - first;
    for (int axis = 0; axis < 3; axis++) {
        part.core_lo[axis] = axis < 2 ? 0 : first;
        part.core_n[axis] = axis < 2 ? patch->n[axis] : left < count ? left : count;
    }
    return part;
}

enum { JOINT_PLANES = 4 };

/* ---- Passes (parts.c) -------------------------------------------------------------- */

/* A pass over the bricks of this rank that have members of joints. */
typedef struct joint_pass {
    const io_joints *joints;
    const io_joint_values *values;
    const io_sweep *sweep;
    int columns;
    double *parts;  /* [joints->count][columns] */
    int first, end; /* slopes that it finds: of quantities, or of results */
} joint_pass;

/* io_sweep.visit of passes: sums of cells, and gradients of patches of means. */
status joints_visit_cells(void *context, const io_window *window,
                          const grid_patch *patch);
status joints_visit_slopes(void *context, const io_window *window,
                           const grid_patch *patch);

/* Puts the results in cells in the place of a patch's input, if the values have any:
 * *made, malloc'ed, or NULL. Local. Errors: STATUS_MEMORY. */
status joints_put_results(const io_joint_values *v, grid_patch *patch, float **made);

/* Where the vertices of a patch lie, on which recipe n of the values is corrected. */
typedef struct joint_correction {
    const io_joint_values *values;
    int n, block;
    int64_t origin[3]; /* place in the block of the patch's first vertex */
} joint_correction;

/* The functions of a correction, which borrows (results.c). Local. */
grid_correction joints_correction(joint_correction *c);

/* Corrects results of recipe n in a box, and gradients unless NULL (results.c). */
void joints_correct(const io_joint_values *v, int n, const joint_box *box, float *results,
                    float (*gradients)[3]);

#endif
