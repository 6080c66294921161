/* Faces are bilinear, and two points of Gauss along each side integrate f, the place and
 * the normal exactly. Cuts are triangles with linear values: the middles of their sides
 * do so there. */
#include "facets.h"

#include <math.h>

/* A point of a quadrature: its weight is in the normal. */
typedef struct facet_point {
    vec3 place, normal;
    double value;
} facet_point;

static void add_point(const facet_point *point, vec3 about, double out[MEASURE_NUMBERS])
{
    const vec3 lever = vec3_sub(point->place, about);
    const double size = vec3_length(point->normal);
    out[0] += size;
    out[1] += size * point->value;
    for (int l = 0; l < 3; l++) {
        const double along = point->value * point->normal.v[l];
        out[2 + l] += along;
        for (int k = 0; k < 3; k++) {
            out[5 + 3 * k + l] += lever.v[k] * along;
        }
    }
}

/* The sum of weights times corners. */
static vec3 blend(const surface_facet *facet, const double weight[4])
{
    vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (int c = 0; c < 4; c++) {
        sum = vec3_add(sum, vec3_scale(facet->place[c], weight[c]));
    }
    return sum;
}

static void add_bilinear(const measure_facets *facets, const surface_facet *facet,
                         const double value[4], double out[MEASURE_NUMBERS])
{
    const double at[2] = {0.21132486540518712, 0.78867513459481288};
    const double scale = 0.25 / facets->thickness;
    for (int g = 0; g < 4; g++) {
        const double u = at[g & 1], v = at[g >> 1], mu = 1.0 - u, mv = 1.0 - v;
        const double weight[4] = {mu * mv, u * mv, u * v, mu * v};
        const double along_u[4] = {-mv, mv, v, -v}, along_v[4] = {-mu, -u, u, mu};
        facet_point point = {.place = blend(facet, weight)};
        const vec3 normal = vec3_cross(blend(facet, along_u), blend(facet, along_v));
        point.normal = vec3_scale(normal, scale);
        for (int c = 0; c < 4; c++) {
            point.value += weight[c] * value[c];
        }
        add_point(&point, facets->about, out);
    }
}

/* A triangle of a plane, which counts by its size along the plane's normal. */
static void add_triangle(const measure_facets *facets, const surface_facet *facet,
                         const int corner[3], const double value[4],
                         double out[MEASURE_NUMBERS])
{
    const vec3 *place = facet->place;
    const vec3 a = vec3_sub(place[corner[1]], place[corner[0]]);
    const vec3 b = vec3_sub(place[corner[2]], place[corner[0]]);
    const double size = 0.5 * vec3_length(vec3_cross(a, b));
    const vec3 normal =
        vec3_scale(vec3_normalize(facets->place->normal), size / 3.0 / facets->thickness);
    for (int side = 0; side < 3; side++) {
        const int c = corner[side], d = corner[(side + 1) % 3];
        const facet_point point = {vec3_scale(vec3_add(place[c], place[d]), 0.5), normal,
                                   0.5 * (value[c] + value[d])};
        add_point(&point, facets->about, out);
    }
}

/* The values at the corners; false: one is missing. */
static bool find_values(const grid_store *store, const surface_facet *facet,
                        double value[4])
{
    bool has = true;
    for (int c = 0; c < facet->corners; c++) {
        const double share = (double)facet->share[c];
        const double a = (double)store->vertex[facet->a[c]][3];
        const double b = (double)store->vertex[facet->b[c]][3];
        value[c] = store->cell    ? (double)store->cell[facet->cell]
                   : share == 0.0 ? a
                                  : (1.0 - share) * a + share * b;
        has = has && isfinite(value[c]);
    }
    return has;
}

/* 1 or -1: whether a face's winding is that of the normals that the place wants. */
static double find_sign(const measure_facets *facets, const surface_facet *facet)
{
    const bool is_left = facets->store->layout->blocks[facet->block].left_handed;
    const bool turns = facets->place->kind == FRAME_MEASURE_WALL && facet->is_above;
    return is_left != turns ? -1.0 : 1.0;
}

bool measure_facet_integrate(const measure_facets *facets, const surface_facet *facet,
                             bool has_values, double out[MEASURE_NUMBERS])
{
    double value[4] = {1.0, 1.0, 1.0, 1.0};
    for (int n = 0; n < MEASURE_NUMBERS; n++) {
        out[n] = 0.0;
    }
    if (has_values && !find_values(facets->store, facet, value)) {
        return false;
    }
    if (facet->is_cut) {
        add_triangle(facets, facet, (const int[3]){0, 1, 2}, value, out);
        if (facet->corners == 4) {
            add_triangle(facets, facet, (const int[3]){2, 3, 0}, value, out);
        }
        return true;
    }
    add_bilinear(facets, facet, value, out);
    const double sign = find_sign(facets, facet);
    for (int n = 2; n < MEASURE_NUMBERS; n++) {
        out[n] *= sign;
    }
    return true;
}
