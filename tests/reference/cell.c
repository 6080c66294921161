#include "reference/cell.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 40, MAX_HALVINGS = 8 };

/* A Newton step shorter than this ends the search: convergence is quadratic, so the
 * remaining error is at the level of rounding. */
static const double short_step = 1e-7;

/* The distance to the root that a search may end with, relative to the size of the cell.
 */
static const double small_residual = 1e-9;

static const double middle[3] = {0.5, 0.5, 0.5};

void reference_cell_weights(const double u[3], double weight[8])
{
    for (int c = 0; c < 8; c++) {
        weight[c] = (c & 1 ? u[0] : 1.0 - u[0]) * (c & 2 ? u[1] : 1.0 - u[1]) *
                    (c & 4 ? u[2] : 1.0 - u[2]);
    }
}

/*
 * The trilinear map as a polynomial: term[m] is the coefficient of the product of those
 * of u[0], u[1], u[2] whose bit is set in m.
 */
typedef struct trilinear {
    vec3 term[8];
} trilinear;

/* The map from the corners of the unit cube to corner - origin. With the sought point as
 * origin, rounding is relative to the cell and not to its place. */
static trilinear make_map(const vec3 corner[8], vec3 origin)
{
    trilinear map;
    for (int c = 0; c < 8; c++) {
        map.term[c] = vec3_sub(corner[c], origin);
    }
    for (int bit = 1; bit < 8; bit *= 2) {
        for (int m = 0; m < 8; m++) {
            if (m & bit) {
                map.term[m] = vec3_sub(map.term[m], map.term[m ^ bit]);
            }
        }
    }
    return map;
}

/* The products that the terms are multiplied with. */
static void make_products(const double u[3], double product[8])
{
    product[0] = 1.0;
    for (int axis = 0, bit = 1; axis < 3; axis++, bit *= 2) {
        for (int m = 0; m < bit; m++) {
            product[m + bit] = product[m] * u[axis];
        }
    }
}

static vec3 map_point(const trilinear *map, const double u[3])
{
    double product[8];
    make_products(u, product);
    vec3 sum = map->term[0];
    for (int m = 1; m < 8; m++) {
        sum = vec3_add(sum, vec3_scale(map->term[m], product[m]));
    }
    return sum;
}

/* Derivatives of the map by its three parameters. */
static void map_derivatives(const trilinear *map, const double u[3], vec3 derivative[3])
{
    double product[8];
    make_products(u, product);
    for (int axis = 0, bit = 1; axis < 3; axis++, bit *= 2) {
        vec3 sum = map->term[bit];
        for (int m = bit + 1; m < 8; m++) {
            if (m & bit) {
                sum = vec3_add(sum, vec3_scale(map->term[m], product[m ^ bit]));
            }
        }
        derivative[axis] = sum;
    }
}

/* Solves d[0] s[0] + d[1] s[1] + d[2] s[2] = r; false if the map is singular. */
static bool solve(const vec3 d[3], vec3 r, double s[3])
{
    vec3 normal = vec3_cross(d[1], d[2]);
    double determinant = vec3_dot(d[0], normal);
    s[0] = vec3_dot(r, normal) / determinant;
    s[1] = vec3_dot(r, vec3_cross(d[2], d[0])) / determinant;
    s[2] = vec3_dot(r, vec3_cross(d[0], d[1])) / determinant;
    return isfinite(s[0]) && isfinite(s[1]) && isfinite(s[2]);
}

static double largest(const double s[3])
{
    return fmax(fabs(s[0]), fmax(fabs(s[1]), fabs(s[2])));
}

/* Goes from u along step, halved until the distance to the root shrinks, at most one
 * cell. */
static void damped_step(const trilinear *map, const double step[3], double before,
                        double u[3])
{
    double scale = fmin(1.0, 1.0 / largest(step));
    for (int halving = 0; halving < MAX_HALVINGS; halving++, scale *= 0.5) {
        double next[3];
        for (int axis = 0; axis < 3; axis++) {
            next[axis] = u[axis] - scale * step[axis];
        }
        if (halving == MAX_HALVINGS - 1 || vec3_length(map_point(map, next)) < before) {
            memcpy(u, next, sizeof next);
            return;
        }
    }
}

/* Newton's method for the parameters u at which the map is zero. */
static bool newton(const trilinear *map, double size, double u[3])
{
    for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
        vec3 residual = map_point(map, u);
        vec3 derivative[3];
        double step[3];
        map_derivatives(map, u, derivative);
        if (!solve(derivative, residual, step)) {
            return false;
        }
        if (largest(step) < short_step) {
            for (int axis = 0; axis < 3; axis++) {
                u[axis] -= step[axis];
            }
            return vec3_length(map_point(map, u)) <= small_residual * size;
        }
        damped_step(map, step, vec3_length(residual), u);
    }
    return false;
}

/*
 * Whether the origin is certainly outside the cell: outside the parallelepiped around the
 * corners, with the axes of the map at its middle. The map stays between its corners.
 * Quick; false says nothing.
 */
static bool is_certainly_outside(const trilinear *map, const vec3 corner[8], vec3 origin)
{
    const double room = 8.0 * REFERENCE_CELL_TOLERANCE;
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    vec3 axes[3];
    map_derivatives(map, middle, axes);
    for (int c = 0; c < 8; c++) {
        double s[3];
        if (!solve(axes, vec3_sub(corner[c], origin), s)) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], s[axis]);
            high[axis] = fmax(high[axis], s[axis]);
        }
    }
    return low[0] > room || low[1] > room || low[2] > room || high[0] < -room ||
           high[1] < -room || high[2] < -room;
}

static bool is_inside(const double u[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(u[axis] >= -REFERENCE_CELL_TOLERANCE &&
              u[axis] <= 1.0 + REFERENCE_CELL_TOLERANCE)) {
            return false;
        }
    }
    return true;
}

/* One search from `start`; sets u if it ends inside. */
static bool search(const trilinear *map, double size, const double start[3], double u[3])
{
    double found[3] = {start[0], start[1], start[2]};
    if (!newton(map, size, found) || !is_inside(found)) {
        return false;
    }
    memcpy(u, found, sizeof found);
    return true;
}

bool reference_cell_find(const vec3 corner[8], vec3 point, bool guess, bool thorough,
                         double u[3])
{
    trilinear map = make_map(corner, point);
    double size = 0.0;
    for (int c = 1; c < 8; c++) {
        size = fmax(size, vec3_length(vec3_sub(corner[c], corner[0])));
    }
    if (!guess && is_certainly_outside(&map, corner, point)) {
        return false;
    }
    bool found = search(&map, size, guess ? u : middle, u);
    for (int octant = 0; thorough && !found && octant < 8; octant++) {
        const double start[3] = {octant & 1 ? 0.8 : 0.2, octant & 2 ? 0.8 : 0.2,
                                 octant & 4 ? 0.8 : 0.2};
        found = search(&map, size, start, u);
    }
    return found;
}

/*
 * With d[n] the derivative of the place by u[n], and s[n] that of the scalar, the
 * gradient g satisfies g . d[n] = s[n] for all n (Cramer's rule).
 */
vec3 reference_cell_gradient(const vec3 corner[8], const double scalar[8],
                             const double u[3])
{
    const trilinear map = make_map(corner, corner[0]);
    vec3 values[8], d[3], s[3];
    for (int c = 0; c < 8; c++) {
        values[c] = vec3_make(scalar[c], 0.0, 0.0);
    }
    const trilinear field = make_map(values, vec3_make(0.0, 0.0, 0.0));
    map_derivatives(&map, u, d);
    map_derivatives(&field, u, s);
    const double determinant = vec3_dot(d[0], vec3_cross(d[1], d[2]));
    vec3 sum = vec3_scale(vec3_cross(d[1], d[2]), s[0].v[0]);
    sum = vec3_add(sum, vec3_scale(vec3_cross(d[2], d[0]), s[1].v[0]));
    sum = vec3_add(sum, vec3_scale(vec3_cross(d[0], d[1]), s[2].v[0]));
    return vec3_scale(sum, 1.0 / determinant);
}
