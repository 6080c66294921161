/* The best triangulation of a small polygon, by dynamic programming over its chains. */
#include "polygon.h"

#include <math.h>
#include <stdbool.h>

/* If the ratio of twice a triangle's area to the sum of its squared sides is below this,
 * its corners count as collinear. Even the thinnest cells that float32 can represent have
 * a larger ratio. */
static const double LEAST_RATIO = 1e-9;

typedef struct polygon {
    int count;
    const vec3 *corner;
    vec3 normal; /* of length 1, in the sense in which the polygon turns */
    double square[SURFACE_POLYGON_CORNERS][SURFACE_POLYGON_CORNERS]; /* of distances */
} polygon;

/* Twice the area of a triangle, times the length of the normal. */
static double area_of(const polygon *p, int a, int b, int c)
{
    return vec3_dot(p->normal, vec3_cross(vec3_sub(p->corner[b], p->corner[a]),
                                          vec3_sub(p->corner[c], p->corner[a])));
}

static polygon look_at(int count, const vec3 corner[], vec3 normal)
{
    polygon p = {.count = count, .corner = corner, .normal = vec3_normalize(normal)};
    double area = 0.0;
    for (int a = 0; a < count; a++) {
        area += a > 0 && a + 1 < count ? area_of(&p, 0, a, a + 1) : 0.0;
        for (int b = 0; b < count; b++) {
            vec3 side = vec3_sub(corner[b], corner[a]);
            p.square[a][b] = vec3_dot(side, side);
        }
    }
    p.normal = vec3_scale(p.normal, area < 0.0 ? -1.0 : 1.0);
    return p;
}

/* Sum of squared sides over area. For tiny and negative areas it continues linearly, so
 * that a triangle that turns the wrong way costs more than any other. */
static double cost_of(const polygon *p, int a, int b, int c)
{
    const double sides[3] = {p->square[a][b], p->square[b][c], p->square[c][a]};
    if (sides[0] == 0.0 || sides[1] == 0.0 || sides[2] == 0.0) {
        return 0.0; /* two corners coincide: no ray meets it */
    }
    const double ratio = area_of(p, a, b, c) / (sides[0] + sides[1] + sides[2]);
    if (ratio > LEAST_RATIO) {
        return 1.0 / ratio;
    }
    return 1.0 / LEAST_RATIO + (LEAST_RATIO - ratio) / (LEAST_RATIO * LEAST_RATIO);
}

void surface_polygon_divide(int count, const vec3 corner[], vec3 normal,
                            surface_triangles *out)
{
    const polygon p = look_at(count, corner, normal);
    double least[SURFACE_POLYGON_CORNERS][SURFACE_POLYGON_CORNERS] = {{0.0}};
    for (int length = 2; length < count; length++) {
        for (int i = 0; i + length < count; i++) {
            const int j = i + length;
            least[i][j] = INFINITY;
            for (int k = i + 1; k < j; k++) {
                double sum = least[i][k] + least[k][j] + cost_of(&p, i, k, j);
                if (k == i + 1 || sum < least[i][j]) {
                    least[i][j] = sum;
                    out->apex[i][j] = (uint8_t)k;
                }
            }
        }
    }
}
