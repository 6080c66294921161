/* Inside grid: the parts of a recipe. recipe.c finds them, derive.c computes with
 * them. */
#ifndef GRID_DERIVATION_H
#define GRID_DERIVATION_H

#include "grid/field.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The farthest vertex that a derivative uses: one-sided stencils have three vertices. */
enum { DERIVE_REACH = 2 };

/* The fields of a file that derived fields are made from. */
typedef enum derive_source {
    DERIVE_FROM_DENSITY,
    DERIVE_FROM_VELOCITY_X, /* x, y, z follow each other */
    DERIVE_FROM_VELOCITY_Y,
    DERIVE_FROM_VELOCITY_Z,
    DERIVE_FROM_MOMENTUM_X,
    DERIVE_FROM_MOMENTUM_Y,
    DERIVE_FROM_MOMENTUM_Z,
    DERIVE_FROM_ENERGY, /* total energy per volume */
    DERIVE_FROM_PRESSURE,
    DERIVE_SOURCES /* how many */
} derive_source;

/* The result of a recipe. */
typedef enum derive_kind {
    DERIVE_COPY, /* a field of the file as it is: the first input */
    DERIVE_VELOCITY_X,
    DERIVE_VELOCITY_Y,
    DERIVE_VELOCITY_Z,
    DERIVE_VELOCITY_MAGNITUDE,
    DERIVE_PRESSURE,
    DERIVE_TEMPERATURE,
    DERIVE_MACH,
    /* The kinds from here on need gradients. */
    DERIVE_VORTICITY_X,
    DERIVE_VORTICITY_Y,
    DERIVE_VORTICITY_Z,
    DERIVE_VORTICITY_MAGNITUDE,
    DERIVE_Q_CRITERION,
    DERIVE_DENSITY_GRADIENT_MAGNITUDE,
    DERIVE_GRADIENT /* of the first input: three results a vertex. For gradient.c; no
                       field name leads here */
} derive_kind;

struct grid_recipe {
    char name[GRID_NAME_SIZE];
    derive_kind kind;
    bool needs_velocity[3]; /* components that the result depends on */
    bool at_vertices;       /* the result lives at vertices even if all inputs live in
                               cells */
    grid_gas gas;
    int ninputs;
    int fields[GRID_RECIPE_MAX_INPUTS]; /* [ninputs]: indices of fields of the file */
    grid_location locations[GRID_RECIPE_MAX_INPUTS]; /* [ninputs] */
    int input_of[DERIVE_SOURCES]; /* the input of a source; -1 if the recipe does not use
                                     it */
};

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
    return kind == DERIVE_GRADIENT ? 3 : 1;
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

/* ---- Pointwise results (pointwise.c, rows_kernel.h) -------------------------------- */

/* A source, and a component of the velocity, from the values of the inputs at a point. */
double derive_source_value(const struct grid_recipe *recipe, const double *inputs,
                           derive_source source);
double derive_velocity(const struct grid_recipe *recipe, const double *inputs, int axis);

/* The result of a pointwise recipe. */
double derive_pointwise(const struct grid_recipe *recipe, const double *inputs);

/* How a quantity that is differentiated comes from the inputs: inputs[input], divided by
 * inputs[per] unless that is negative. */
typedef struct derive_parts {
    int input, per;
} derive_parts;

derive_parts derive_quantity_parts(const struct grid_recipe *recipe, int n);
double derive_quantity(const struct grid_recipe *recipe, const double *inputs, int n);

/* The result as float32. A finite result beyond its range becomes the largest number,
 * because infinity would leave a hole in the picture. */
static inline float derive_to_field(double value)
{
    const double size = fabs(value), most = (double)FLT_MAX;
    const bool is_beyond = size > most && size <= DBL_MAX;
    return (float)(is_beyond ? copysign(most, value) : value);
}

/* ---- Rows of vertices, by kernels (rows_kernel.h, slopes_kernel.h) ----------------- */

struct grid_patch;
struct grid_recipe_use;

enum {
    DERIVE_QUANTITIES = 3, /* that are differentiated: velocity, or one scalar */
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
    float value[3][DERIVE_ROW];  /* as derive_results says */
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
    /* The results of pointwise recipes at rows of vertices: out[nuses][rows][stride]. All
     * cells around them are present, and the patch has three vertices or more along i.
     * Cells of an input are averaged once for all recipes. */
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
    /* Results of a kind that needs gradients. scratch: any numbers. */
    void (*slopes)(derive_kind kind, const derive_row *row, derive_row_slopes *scratch,
                   derive_row_results *out);
} derive_kernel;

extern const derive_kernel derive_plain, derive_avx2, derive_avx512;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
const derive_kernel *const *derive_kernels(void);

/* grid_recipe_compute with the gradients of this kernel. */
void derive_compute(const derive_kernel *kernel, const struct grid_recipe *recipe,
                    const struct grid_patch *patch, float *out);

#endif
