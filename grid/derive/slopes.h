/* Inside grid: gradients from derivatives along the index axes, and what is made of
 * them. The kernels and the code for one vertex share these formulas, so that both give
 * the same bits. */
#ifndef GRID_DERIVE_SLOPES_H
#define GRID_DERIVE_SLOPES_H

#include "base/vec.h"
#include "derivation.h"

/* Edges that are shorter than this, relative to the longest, have no length. It exceeds
 * the rounding of float32 coordinates at a pole. A cell that really is so thin has
 * neighbours that are no wider, so its slope stays. */
#define DERIVE_THINNEST 1e-6

/* Relative error of the determinant of edges that lie in one plane. */
#define DERIVE_ROUNDING 1e-12

/* Gradients for shading stay below this, which keeps their differences finite. */
#define DERIVE_MOST_GRADIENT 1e37

/* The inverse of the Jacobian. With edges e, the derivatives of the place along i, j and
 * k, the gradient g of a quantity with derivatives s solves e[axis] g = s[axis]. */
typedef struct derive_inverse {
    vec3 normal[3];
    double determinant;
} derive_inverse;

static inline derive_inverse derive_invert(vec3 e0, vec3 e1, vec3 e2)
{
    derive_inverse out = {
        .normal = {vec3_cross(e1, e2), vec3_cross(e2, e0), vec3_cross(e0, e1)}};
    out.determinant = vec3_dot(e0, out.normal[0]);
    return out;
}

/* The gradient of a quantity with these derivatives along i, j, k. per_determinant:
 * 1 / inverse->determinant. */
static inline vec3 derive_gradient(const derive_inverse *inverse, double per_determinant,
                                   vec3 slopes)
{
    vec3 sum = vec3_scale(inverse->normal[0], slopes.v[0]);
    sum = vec3_add(sum, vec3_scale(inverse->normal[1], slopes.v[1]));
    sum = vec3_add(sum, vec3_scale(inverse->normal[2], slopes.v[2]));
    return vec3_scale(sum, per_determinant);
}

/* (|Omega|^2 - |S|^2) / 2, with the antisymmetric part Omega and the symmetric part S of
 * the velocity gradient. It equals -1/2 of the trace of the gradient's square. Hunt, Wray
 * and Moin, "Eddies, streams, and convergence zones in turbulent flows", CTR-S88,
 * 1988. */
static inline double derive_q_criterion(vec3 u, vec3 v, vec3 w)
{
    const double squares = u.v[0] * u.v[0] + v.v[1] * v.v[1] + w.v[2] * w.v[2];
    const double products = u.v[1] * v.v[0] + u.v[2] * w.v[0] + v.v[2] * w.v[1];
    return -0.5 * squares - products;
}

/* The result of a kind from the gradients of the three quantities. */
static inline double derive_of_gradients(derive_kind kind, vec3 u, vec3 v, vec3 w)
{
    const vec3 vorticity = vec3_make(w.v[1] - v.v[2], u.v[2] - w.v[0], v.v[0] - u.v[1]);
    switch (kind) {
    case DERIVE_VORTICITY_X:
        return vorticity.v[0];
    case DERIVE_VORTICITY_Y:
        return vorticity.v[1];
    case DERIVE_VORTICITY_Z:
        return vorticity.v[2];
    case DERIVE_VORTICITY_MAGNITUDE:
        return vec3_length(vorticity);
    case DERIVE_Q_CRITERION:
        return derive_q_criterion(u, v, w);
    default:
        return vec3_length(u);
    }
}

#endif
