/* Inside grid: the parts of a recipe. recipe.c finds them, derive.c computes with
 * them. */
#ifndef GRID_DERIVATION_H
#define GRID_DERIVATION_H

#include "field.h"

#include <float.h>
#include <math.h>
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

/* The result as float32. A finite result beyond its range becomes the largest number,
 * because infinity would leave a hole in the picture. */
static inline float derive_to_field(double value)
{
    const double size = fabs(value), most = (double)FLT_MAX;
    const bool is_beyond = size > most && size <= DBL_MAX;
    return (float)(is_beyond ? copysign(most, value) : value);
}

struct grid_patch;
struct grid_recipe_use;

/* The results of pointwise recipes at `count` vertices, at most GRID_BRICK_CELLS + 2,
 * from `at` on along i: out[nuses][count]. All cells around them are present, and the
 * patch has two or more along i. Cells of an input are averaged once for all recipes. */
typedef void derive_row_kernel(int nuses, const struct grid_recipe_use *uses,
                               const struct grid_patch *patch, const int at[3], int count,
                               float *const *out);

derive_row_kernel derive_row_plain, derive_row_avx2, derive_row_avx512;

/* The kernels that this processor can run, the fastest first; NULL at the end. All give
 * the same bits. */
derive_row_kernel *const *derive_row_kernels(void);

#endif
