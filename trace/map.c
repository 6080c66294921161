#include "map.h"

#include <math.h>
#include <string.h>

void trace_map_create(const double corner[8][3], const double about[3], trace_map *map)
{
    for (int axis = 0; axis < 3; axis++) {
        double c[8];
        for (int n = 0; n < 8; n++) {
            c[n] = corner[n][axis] - about[axis];
        }
        map->of[0][axis] = c[0];
        map->of[1][axis] = c[1] - c[0];
        map->of[2][axis] = c[2] - c[0];
        map->of[3][axis] = c[4] - c[0];
        map->of[4][axis] = (c[3] - c[2]) - (c[1] - c[0]);
        map->of[5][axis] = (c[6] - c[4]) - (c[2] - c[0]);
        map->of[6][axis] = (c[5] - c[4]) - (c[1] - c[0]);
        map->of[7][axis] =
            ((c[7] - c[6]) - (c[5] - c[4])) - ((c[3] - c[2]) - (c[1] - c[0]));
    }
}

void trace_map_point(const trace_map *map, const double local[3], double x[3])
{
    const double r = local[0], s = local[1], t = local[2];
    const double(*of)[3] = map->of;
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = of[0][axis] + r * (of[1][axis] + s * (of[4][axis] + t * of[7][axis])) +
                  s * (of[2][axis] + t * of[5][axis]) +
                  t * (of[3][axis] + r * of[6][axis]);
    }
}

/* Derivatives of the point by r, s and t. */
static void find_columns(const trace_map *map, const double local[3], double column[3][3])
{
    const double r = local[0], s = local[1], t = local[2];
    const double(*of)[3] = map->of;
    for (int axis = 0; axis < 3; axis++) {
        column[0][axis] =
            of[1][axis] + s * (of[4][axis] + t * of[7][axis]) + t * of[6][axis];
        column[1][axis] =
            of[2][axis] + r * (of[4][axis] + t * of[7][axis]) + t * of[5][axis];
        column[2][axis] =
            of[3][axis] + s * (of[5][axis] + r * of[7][axis]) + r * of[6][axis];
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Solves sum of column[n] * x[n] = right by Cramer's rule. The determinant is compared
 * with the lengths of the columns, so that thin cells are as regular as others. */
static bool solve(const double column[3][3], const double right[3], double x[3])
{
    const double least = 1e-12;
    double normal[3][3];
    for (int n = 0; n < 3; n++) {
        cross(column[(n + 1) % 3], column[(n + 2) % 3], normal[n]);
    }
    const double determinant = dot(column[0], normal[0]);
    const double squares =
        dot(column[0], column[0]) * dot(column[1], column[1]) * dot(column[2], column[2]);
    if (!(determinant * determinant > least * least * squares)) {
        return false;
    }
    for (int n = 0; n < 3; n++) {
        x[n] = dot(right, normal[n]) / determinant;
    }
    return true;
}

bool trace_map_pull(const trace_map *map, const double local[3],
                    const double direction[3], double cells[3])
{
    double column[3][3];
    find_columns(map, local, column);
    return solve(column, direction, cells);
}

double trace_map_size(const trace_map *map)
{
    double size = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, fabs(map->of[1][axis]) + fabs(map->of[2][axis]) +
                              fabs(map->of[3][axis]));
    }
    return size;
}

double trace_map_excess(const double local[3], int *axis, int *side)
{
    double most = 0.0;
    *axis = *side = 0;
    for (int n = 0; n < 3; n++) {
        double below = -local[n], above = local[n] - 1.0;
        if (below > most) {
            most = below;
            *axis = n;
            *side = 0;
        }
        if (above > most) {
            most = above;
            *axis = n;
            *side = 1;
        }
    }
    return most;
}

/* Keeps an iterate near the cell, since the map may fold far outside. Returns whether it
 * moved. */
static bool clamp_local(double local[3])
{
    const double reach = 1.0;
    bool moved = false;
    for (int n = 0; n < 3; n++) {
        double kept = fmin(fmax(local[n], -reach), 1.0 + reach);
        moved |= kept != local[n];
        local[n] = kept;
    }
    return moved;
}

/* One step of Newton's method; returns its largest component. If the map is singular, as
 * on a pole, it moves a little towards the middle of the cell. */
static double newton_step(const trace_map *map, double local[3])
{
    const double towards_middle = 0.02;
    double x[3], step[3], most = 0.0;
    trace_map_point(map, local, x);
    bool regular = trace_map_pull(map, local, x, step);
    for (int n = 0; n < 3; n++) {
        step[n] = regular ? step[n] : towards_middle * (local[n] - 0.5);
        local[n] -= step[n];
        most = fmax(most, fabs(step[n]));
    }
    return regular ? most : INFINITY;
}

/* Whether these local coordinates give the point, up to rounding. On a pole the size of
 * the step does not tell. */
static bool is_there(const trace_map *map, const double local[3], double rounding)
{
    double x[3];
    trace_map_point(map, local, x);
    return fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2])) <=
           rounding * trace_map_size(map);
}

/* Judges whether the local coordinates found lie in the cell. On a pole many are
 * equivalent: those outside are moved inside if they still give the point. */
static trace_fit judge(const trace_map *map, double local[3])
{
    double inside[3];
    int axis, side;
    if (trace_map_excess(local, &axis, &side) <= TRACE_MARGIN) {
        return TRACE_INSIDE;
    }
    for (int n = 0; n < 3; n++) {
        inside[n] = fmin(fmax(local[n], 0.0), 1.0);
    }
    if (!is_there(map, inside, 1e-11)) {
        return TRACE_OUTSIDE;
    }
    memcpy(local, inside, sizeof inside);
    return TRACE_INSIDE;
}

static trace_fit newton(const trace_map *map, double local[3])
{
    enum { MOST_STEPS = 24, MOST_CLAMPED = 3 };
    const double arrived = 1e-10;
    int clamped = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
        const double went = newton_step(map, local);
        if (!(went < arrived) && clamp_local(local) && ++clamped == MOST_CLAMPED) {
            return TRACE_OUTSIDE;
        }
        if (went < arrived || (step > 2 && is_there(map, local, 1e-12))) {
            return judge(map, local);
        }
    }
    return TRACE_UNSURE;
}

/* Whether the corners' bounding box contains the point `about` of the map. */
static bool bounds_hold(const trace_map *map)
{
    double lo[3], hi[3];
    for (int n = 0; n < 8; n++) {
        double x[3], local[3] = {n & 1, n >> 1 & 1, n >> 2};
        trace_map_point(map, local, x);
        for (int axis = 0; axis < 3; axis++) {
            lo[axis] = n == 0 ? x[axis] : fmin(lo[axis], x[axis]);
            hi[axis] = n == 0 ? x[axis] : fmax(hi[axis], x[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (lo[axis] > 0.0 || hi[axis] < 0.0) {
            return false;
        }
    }
    return true;
}

trace_fit trace_map_invert(const trace_map *map, double local[3])
{
    local[0] = local[1] = local[2] = 0.5;
    trace_fit fit = newton(map, local);
    if (fit != TRACE_UNSURE || !bounds_hold(map)) {
        return fit == TRACE_UNSURE ? TRACE_OUTSIDE : fit;
    }
    for (int n = 0; n < 8; n++) {
        double again[3] = {n & 1 ? 0.85 : 0.15, n & 2 ? 0.85 : 0.15, n & 4 ? 0.85 : 0.15};
        if (newton(map, again) == TRACE_INSIDE) {
            memcpy(local, again, sizeof again);
            return TRACE_INSIDE;
        }
    }
    return TRACE_UNSURE;
}
