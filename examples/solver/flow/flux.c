/*
 * Inviscid fluxes: SLAU2. K. Kitamura, E. Shima, "Towards shock-stable and accurate
 * hypersonic heating computations: a new pressure flux for AUSM-family schemes", J.
 * Comput. Phys. 245 (2013). Its mass flux is from E. Shima, K. Kitamura, AIAA J. 49
 * (2011). SLAU2 damps velocities in proportion to the speed of the flow, not of sound, so
 * a vortex street at Mach 0.2 survives. It has no parameters. The alternative was central
 * fluxes with a scalar dissipation. This dissipation grows with the speed of sound, here
 * five times the speed of the flow, or needs tuning.
 *
 * States at a face are interpolated with van Leer's kappa = 1/3 from two cells on either
 * side. There is no limiter, as these flows have no steep gradients.
 *
 *        LL       L   |   R       RR
 *      ---o-------o---+---o-------o---     L' = (-LL + 5 L + 2 R) / 6
 *
 * Viscous fluxes: gradients by the theorem of Gauss, over a volume around the face: the
 * nearer half of the cell on each side. The areas of this volume are means of the cells'
 * areas, so they sum up to zero as those do.
 */
#include "flux.h"

#include <math.h>

/* One binary serves all x86 processors: each uses the widest vectors that it has.
 * Products and sums are never fused, so the bits are the same. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif
#define ALWAYS static inline __attribute__((always_inline))

typedef struct state {
    double rho, u, v, w, p;
} state;

/* The flux through a face. */
typedef struct face_flux {
    double v[SOLVER_CONSERVED];
} face_flux;

/* ---- Inviscid ---- */

ALWAYS double upwind(const double *value, int64_t far, int64_t near, int64_t over)
{
    return (5.0 * value[near] + 2.0 * value[over] - value[far]) * (1.0 / 6.0);
}

ALWAYS state reconstruct(const solver_box *box, int64_t far, int64_t near, int64_t over)
{
    return (state){upwind(box->primitive[RHO], far, near, over),
                   upwind(box->primitive[VEL_X], far, near, over),
                   upwind(box->primitive[VEL_Y], far, near, over),
                   upwind(box->primitive[VEL_Z], far, near, over),
                   upwind(box->primitive[PRESSURE], far, near, over)};
}

/* fmin and fmax handle NaN differently from vector instructions. */
ALWAYS double least(double a, double b)
{
    return a < b ? a : b;
}

ALWAYS double most(double a, double b)
{
    return a > b ? a : b;
}

ALWAYS double clamp_one(double x)
{
    return least(1.0, most(-1.0, x));
}

ALWAYS double enthalpy(double gamma, const state *s)
{
    return gamma / (gamma - 1.0) * s->p / s->rho +
           0.5 * (s->u * s->u + s->v * s->v + s->w * s->w);
}

/* The mass flux and the pressure at a face. */
typedef struct push {
    double mass, pressure;
} push;

/* Computes mass flux and pressure at a face. l and r are the states on its two sides, vl
 * and vr their velocities along the unit normal. */
ALWAYS push mass_and_pressure(double gamma, const state *l, const state *r, double vl,
                              double vr)
{
    double sound = 0.5 * (sqrt(gamma * l->p / l->rho) + sqrt(gamma * r->p / r->rho));
    double ml = vl / sound, mr = vr / sound;
    double squared =
        l->u * l->u + l->v * l->v + l->w * l->w + r->u * r->u + r->v * r->v + r->w * r->w;
    double speed = sqrt(0.5 * squared);
    double rest = 1.0 - least(1.0, speed / sound);
    double chi = rest * rest;
    double g = -most(least(ml, 0.0), -1.0) * least(most(mr, 0.0), 1.0);
    double mean = (l->rho * fabs(vl) + r->rho * fabs(vr)) / (l->rho + r->rho);
    double plus = (1.0 - g) * mean + g * fabs(vl);
    double minus = (1.0 - g) * mean + g * fabs(vr);
    double mass = 0.5 * (l->rho * (vl + plus) + r->rho * (vr - minus) -
                         chi / sound * (r->p - l->p));
    /* Beyond Mach 1 the clamped polynomials become 0 and 1. */
    double a = clamp_one(ml), b = clamp_one(mr);
    double beta_l = 0.25 * (2.0 - a) * (a + 1.0) * (a + 1.0);
    double beta_r = 0.25 * (2.0 + b) * (b - 1.0) * (b - 1.0);
    double density = 0.5 * (l->rho + r->rho);
    double pressure = 0.5 * (l->p + r->p) + 0.5 * (beta_l - beta_r) * (l->p - r->p) +
                      speed * (beta_l + beta_r - 1.0) * density * sound;
    return (push){mass, pressure};
}

ALWAYS face_flux inviscid(const solver_gas *gas, const solver_box *box, int axis,
                          int64_t right)
{
    int64_t step = box->stride[axis];
    state l = reconstruct(box, right - 2 * step, right - step, right);
    state r = reconstruct(box, right + step, right, right - step);
    double x = box->area[axis][0][right], y = box->area[axis][1][right],
           z = box->area[axis][2][right];
    double size = sqrt(x * x + y * y + z * z);
    double scale = 1.0 / (size + 1e-300); /* a face without area has no flux */
    double vl = (l.u * x + l.v * y + l.w * z) * scale;
    double vr = (r.u * x + r.v * y + r.w * z) * scale;
    push at = mass_and_pressure(gas->gamma, &l, &r, vl, vr);
    double out = size * most(at.mass, 0.0), in = size * least(at.mass, 0.0);
    double pressure = at.pressure - gas->pressure;
    return (face_flux){{out + in, out * l.u + in * r.u + pressure * x,
                        out * l.v + in * r.v + pressure * y,
                        out * l.w + in * r.w + pressure * z,
                        out * enthalpy(gas->gamma, &l) + in * enthalpy(gas->gamma, &r)}};
}

/* ---- Viscous ---- */

/* The code below avoids arrays and loops: with them, compilers do not vectorize the loop
 * over faces. */
typedef struct triple {
    double x, y, z;
} triple;

ALWAYS triple get(double *const arrays[3], int64_t at)
{
    return (triple){arrays[0][at], arrays[1][at], arrays[2][at]};
}

ALWAYS triple mean(triple a, triple b)
{
    return (triple){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
}

ALWAYS double dot(triple a, triple b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The volume around a face, half of the cell on each side, and its six faces. */
typedef struct surround {
    int64_t left, right;
    int64_t u, v;         /* strides of the two other axes */
    triple across;        /* mean area of the two ends across the face's axis */
    triple u_low, u_high; /* areas of the ends across the other axes */
    triple v_low, v_high;
    double inverse; /* 1 / volume */
} surround;

ALWAYS surround surround_make(const solver_box *box, int axis, int64_t right)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int64_t step = box->stride[axis], left = right - step;
    int64_t du = box->stride[u], dv = box->stride[v];
    triple here = get(box->area[axis], right);
    triple outer = mean(get(box->area[axis], left), get(box->area[axis], right + step));
    return (surround){
        .left = left,
        .right = right,
        .u = du,
        .v = dv,
        .across = mean(here, outer),
        .u_low = mean(get(box->area[u], left), get(box->area[u], right)),
        .u_high = mean(get(box->area[u], left + du), get(box->area[u], right + du)),
        .v_low = mean(get(box->area[v], left), get(box->area[v], right)),
        .v_high = mean(get(box->area[v], left + dv), get(box->area[v], right + dv)),
        .inverse = 2.0 / (box->volume[left] + box->volume[right]),
    };
}

/* The mean of the face is subtracted first, so that a constant has a gradient of exactly
 * 0. At an end across another axis the value is the mean of four cells. */
ALWAYS triple gradient(const surround *s, const double *value)
{
    double both = value[s->left] + value[s->right];
    double across = value[s->right] - value[s->left];
    double ul = 0.25 * (value[s->left - s->u] + value[s->right - s->u] - both);
    double uh = 0.25 * (value[s->left + s->u] + value[s->right + s->u] - both);
    double vl = 0.25 * (value[s->left - s->v] + value[s->right - s->v] - both);
    double vh = 0.25 * (value[s->left + s->v] + value[s->right + s->v] - both);
    return (triple){s->inverse * (across * s->across.x + uh * s->u_high.x -
                                  ul * s->u_low.x + vh * s->v_high.x - vl * s->v_low.x),
                    s->inverse * (across * s->across.y + uh * s->u_high.y -
                                  ul * s->u_low.y + vh * s->v_high.y - vl * s->v_low.y),
                    s->inverse * (across * s->across.z + uh * s->u_high.z -
                                  ul * s->u_low.z + vh * s->v_high.z - vl * s->v_low.z)};
}

ALWAYS face_flux viscous(const solver_gas *gas, const solver_box *box, int axis,
                         int64_t right)
{
    surround s = surround_make(box, axis, right);
    triple du = gradient(&s, box->primitive[VEL_X]);
    triple dv = gradient(&s, box->primitive[VEL_Y]);
    triple dw = gradient(&s, box->primitive[VEL_Z]);
    triple area = get(box->area[axis], right);
    double spread = (2.0 / 3.0) * (du.x + dv.y + dw.z);
    double xy = du.y + dv.x, xz = du.z + dw.x, yz = dv.z + dw.y;
    triple rows[3] = {{2.0 * du.x - spread, xy, xz},
                      {xy, 2.0 * dv.y - spread, yz},
                      {xz, yz, 2.0 * dw.z - spread}};
    double fx = gas->viscosity * dot(rows[0], area);
    double fy = gas->viscosity * dot(rows[1], area);
    double fz = gas->viscosity * dot(rows[2], area);
    double heat =
        gas->conductivity * dot(gradient(&s, box->primitive[TEMPERATURE]), area);
    triple velocity =
        mean(get(box->primitive + VEL_X, s.left), get(box->primitive + VEL_X, s.right));
    double work = dot((triple){fx, fy, fz}, velocity);
    return (face_flux){{0.0, -fx, -fy, -fz, -work - heat}};
}

WIDE static void add_viscous(const solver_gas *gas, const solver_box *box, int axis,
                             int64_t first, int count, solver_fluxes fluxes)
{
    if (gas->viscosity == 0.0) {
        return;
    }
    const solver_gas own = *gas; /* a copy, as compilers assume that fluxes
                                  overwrite *gas */
#pragma omp simd
    for (int f = 0; f < count; f++) {
        face_flux flux = viscous(&own, box, axis, first + f);
        fluxes[1][f] += flux.v[1];
        fluxes[2][f] += flux.v[2];
        fluxes[3][f] += flux.v[3];
        fluxes[4][f] += flux.v[4];
    }
}

/* ---- Runs of faces ---- */

WIDE void solver_flux_run(const solver_gas *gas, const solver_box *box, solver_run run,
                          solver_fluxes fluxes)
{
    const solver_gas own = *gas;
#pragma omp simd
    for (int f = 0; f < run.count; f++) {
        face_flux flux = inviscid(&own, box, run.axis, run.first + f);
        for (int v = 0; v < SOLVER_CONSERVED; v++) {
            fluxes[v][f] = flux.v[v];
        }
    }
    add_viscous(gas, box, run.axis, run.first, run.count, fluxes);
}

/* Only pressure acts on a wall: it is extrapolated from the two cells in front of it. */
void solver_flux_wall(const solver_gas *gas, const solver_box *box, int face,
                      int64_t first, int count, solver_fluxes fluxes)
{
    int axis = face / 2;
    int64_t step = box->stride[axis];
    int64_t inward = face % 2 == 0 ? step : -step;
    int64_t lower = face % 2 == 0 ? first : first + step;
    const double *p = box->primitive[PRESSURE];
    for (int f = 0; f < count; f++) {
        double pressure =
            1.5 * p[first + f] - 0.5 * p[first + f + inward] - gas->pressure;
        fluxes[0][f] = fluxes[ENERGY][f] = 0.0;
        for (int c = 0; c < 3; c++) {
            fluxes[MOMENTUM_X + c][f] = pressure * box->area[axis][c][lower + f];
        }
    }
    if (box->faces[face].kind == SOLVER_WALL) {
        add_viscous(gas, box, axis, lower, count, fluxes);
    }
}
