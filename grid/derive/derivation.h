/* Inside grid: the parts of a recipe. recipe.c finds them, derive.c computes with
 * them. */
#ifndef GRID_DERIVATION_H
#define GRID_DERIVATION_H

#include "grid/field.h"
#include "grid/made.h"
#include "program.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The farthest vertex that a derivative uses: one-sided stencils have three vertices. */
enum { DERIVE_REACH = 2 };

/* The result of a recipe. */
typedef enum derive_kind {
    DERIVE_COPY,    /* a field of the file as it is: the first input */
    DERIVE_FORMULA, /* a program; it may read gradients */
    /* The kinds from here on need gradients. */
    DERIVE_VORTICITY_X,
    DERIVE_VORTICITY_Y,
    DERIVE_VORTICITY_Z,
    DERIVE_VORTICITY_MAGNITUDE,
    DERIVE_Q_CRITERION,
    DERIVE_GRADIENT_MAGNITUDE,
    DERIVE_GRADIENT, /* of the first input: three results a vertex. For gradient.c; no
                        field name leads here */
    DERIVE_GRADIENTS /* of the quantities, for formulas: three results of each a vertex */
} derive_kind;

/* What is differentiated: inputs[input], divided by inputs[per] unless that is negative;
 * or, if `input` is negative, the program of this number. */
typedef struct derive_parts {
    int input, per, program;
} derive_parts;

static inline bool derive_is_part(derive_parts parts)
{
    return parts.input >= 0 || parts.program >= 0;
}

/* The programs of a recipe. */
typedef struct derive_formula {
    derive_program result;
    int nquantities;
    derive_parts parts[PROGRAM_QUANTITIES];      /* [nquantities] */
    derive_program quantity[PROGRAM_QUANTITIES]; /* of pointwise inputs */
} derive_formula;

enum {
    DERIVE_QUANTITIES = 3, /* that are differentiated together: velocity, or one scalar */
    DERIVE_MOST_RESULTS = 3 * DERIVE_QUANTITIES /* at a vertex */
};

struct grid_recipe {
    char name[GRID_NAME_SIZE];
    derive_kind kind;
    bool at_vertices; /* the result lives at vertices even if all inputs live in cells */
    int ninputs;
    int fields[GRID_RECIPE_MAX_INPUTS]; /* [ninputs]: indices of fields of the file */
    grid_location locations[GRID_RECIPE_MAX_INPUTS]; /* [ninputs] */
    grid_made
        *made[GRID_RECIPE_MAX_INPUTS]; /* [ninputs]: fields that are made; or NULL */
    derive_parts quantity[DERIVE_QUANTITIES]; /* of kinds that need gradients */
    derive_parts quotient;                    /* that a formula is, if it is one */
    derive_formula *formula; /* owned, but by leaves; NULL if there are no programs */
};

/* Sets of DERIVE_QUANTITIES quantities that a formula differentiates. */
static inline int derive_leaves(const struct grid_recipe *recipe)
{
    const int count = recipe->kind == DERIVE_FORMULA ? recipe->formula->nquantities : 0;
    return (count + DERIVE_QUANTITIES - 1) / DERIVE_QUANTITIES;
}

/* The recipe of the gradients of such a set, with the same inputs; it borrows. */
struct grid_recipe derive_leaf(const struct grid_recipe *recipe, int leaf);

/* Whether any input of the recipe lives at this location. */
static inline bool derive_has_input_at(const struct grid_recipe *recipe,
                                       grid_location location)
{
    for (int input = 0; input < recipe->ninputs; input++) {
        if (recipe->locations[input] == location) {
            return true;
        }
    }
    return false;
}

static inline bool derive_is_gradient(derive_kind kind)
{
    return kind >= DERIVE_VORTICITY_X;
}

/* Whether the result of a recipe depends on neighbours. */
static inline bool derive_differentiates(const struct grid_recipe *recipe)
{
    return derive_is_gradient(recipe->kind) || derive_leaves(recipe) > 0;
}

/* Reach of the stencils of a kind, in vertices. Gradients for shading use one: beside an
 * end of the grid they are of first order. */
static inline int derive_reach(derive_kind kind)
{
    if (kind == DERIVE_GRADIENT) {
        return 1;
    }
    return derive_is_gradient(kind) ? DERIVE_REACH : 0;
}

/* Results at a vertex. */
static inline int derive_results(derive_kind kind)
{
    return kind == DERIVE_GRADIENTS  ? DERIVE_MOST_RESULTS
           : kind == DERIVE_GRADIENT ? 3
                                     : 1;
}

/* Copies the box [lo, lo + count) out of an array of `n` values along the axes; values
 * have `size` bytes. */
static inline void derive_copy_box(const void *from, size_t size, const int n[3],
                                   const int lo[3], const int count[3], void *to)
{
    const size_t row = (size_t)count[0] * size;
    char *out = to;
    for (int k = 0; k < count[2]; k++) {
        for (int j = 0; j < count[1]; j++, out += row) {
            size_t at = ((size_t)(lo[2] + k) * (size_t)n[1] + (size_t)(lo[1] + j)) *
                            (size_t)n[0] +
                        (size_t)lo[0];
            memcpy(out, (const char *)from + at * size, row);
        }
    }
}

/* The result as float32. A finite result beyond its range becomes the largest number,
 * because infinity would leave a hole in the picture. */
static inline float derive_to_field(double value)
{
    const double size = fabs(value), most = (double)FLT_MAX;
    const bool is_beyond = size > most && size <= DBL_MAX;
    return (float)(is_beyond ? copysign(most, value) : value);
}

/* ---- Rows of vertices, by kernels (rows_kernel.h, slopes_kernel.h) ----------------- */

struct grid_correction;
struct grid_patch;
struct grid_recipe_use;

enum {
    DERIVE_CORE_ROW = GRID_RECIPE_BRICKS * GRID_BRICK_CELLS + 2,
    DERIVE_ROW = DERIVE_CORE_ROW + 2 * DERIVE_REACH + 2 /* most vertices of a row, and of
                                                           vectors of four and eight */
};

/* The stencil along an axis; see derive_differentiate in slopes.c. */
typedef struct derive_stencil {
    int side;        /* 0: central; 1, -1: one-sided, to the next or previous vertices */
    bool has_second; /* of second order, if one-sided */
} derive_stencil;

/* A row of vertices along i, and what surrounds it. The stencil along i is central. */
typedef struct derive_row {
    int count;                              /* at most DERIVE_CORE_ROW */
    derive_stencil stencil[3];              /* along i, j, k */
    const float *place[3];                  /* x, y, z at the first vertex */
    const float *field[DERIVE_QUANTITIES];  /* quantities that are fields at vertices */
    ptrdiff_t place_step[3];                /* of both, to neighbours along i, j, k */
    const double *value[DERIVE_QUANTITIES]; /* the other ones */
    ptrdiff_t value_step[3];
} derive_row;

/* Derivatives along the index axes at a row: of x, y, z, and of the quantities. */
typedef struct derive_row_slopes {
    double place[3][3][DERIVE_ROW]; /* [axis][x, y, z][i] */
    double value[3][DERIVE_QUANTITIES][DERIVE_ROW];
} derive_row_slopes;

/* The results of a row. */
typedef struct derive_row_results {
    float value[DERIVE_MOST_RESULTS][DERIVE_ROW]; /* as derive_results says */
    int32_t regular[DERIVE_ROW]; /* 0: the vertex needs a look of its own, since it lies
                                    at a pole, say */
} derive_row_results;

/* Rows of vertices along i in a plane of the patch. */
typedef struct derive_plane {
    int at[3];       /* the first vertex */
    int count, rows; /* at most DERIVE_CORE_ROW vertices in each of the rows along j */
    size_t stride;   /* from row to row of the results */
} derive_plane;

/* The loops over rows, compiled once for each instruction set. All give the same bits. */
typedef struct derive_kernel {
    const char *name;
    /* The results of recipes that need no gradients at rows of vertices:
     * out[nuses][rows][stride]. All cells around them are present, and the patch has
     * three vertices or more along i. Cells of an input are averaged once for all
     * recipes. */
    void (*pointwise)(int nuses, const struct grid_recipe_use *uses,
                      const struct grid_patch *patch, const derive_plane *plane,
                      float *const *out);
    /* Whether vertices from index `first` on are in the grid, 0 or 1: they are not
     * blanked, and their coordinates are valid. count: at most DERIVE_ROW. */
    void (*exist)(const struct grid_patch *patch, size_t first, int count, uint8_t *out);
    /* The quantities of a recipe at a row of vertices, where out[n] is not NULL:
     * out[DERIVE_QUANTITIES][count]. Inputs in cells are averaged as by `pointwise`. */
    void (*quantities)(const struct grid_recipe *recipe, const struct grid_patch *patch,
                       const int at[3], int count, double *const *out);
    /* The inputs of a recipe at a row of vertices, as numbers: out[ninputs][count]. */
    void (*inputs)(const struct grid_recipe *recipe, const struct grid_patch *patch,
                   const int at[3], int count, double (*out)[DERIVE_ROW]);
    /* The results of a program at `count` points: slots[PROGRAM_SLOTS][count], NULL where
     * the program reads none. */
    void (*evaluate)(const derive_program *program, int count, const double *const *slots,
                     double *out);
    /* Results of a kind that needs gradients. scratch: any numbers. */
    void (*slopes)(derive_kind kind, const derive_row *row, derive_row_slopes *scratch,
                   derive_row_results *out);
} derive_kernel;

extern const derive_kernel derive_plain, derive_avx2, derive_avx512;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
const derive_kernel *const *derive_kernels(void);

/* grid_recipe_compute with the gradients of this kernel. correction: of means over cells,
 * or NULL. */
void derive_compute(const derive_kernel *kernel, const struct grid_recipe *recipe,
                    const struct grid_patch *patch,
                    const struct grid_correction *correction, float *out);

#endif
