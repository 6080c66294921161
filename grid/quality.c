#include "quality.h"

#include "brick.h"

#include <math.h>

const grid_field grid_quality_fields[GRID_QUALITIES] = {
    [GRID_CELL_VOLUME] = {.name = "cell_volume", .location = GRID_CELL},
    [GRID_CELL_SKEWNESS] = {.name = "cell_skewness", .location = GRID_CELL},
    [GRID_CELL_ASPECT_RATIO] = {.name = "cell_aspect_ratio", .location = GRID_CELL},
};

static vec3 corner_of(const grid_quality_cell *cell, int n)
{
    const double *c = cell->corner[n];
    return vec3_make(c[0], c[1], c[2]);
}

/* The corners of the face across an axis, in a loop. side: 0, the lower one, or 1. */
static void face_corners(const grid_quality_cell *cell, int axis, int side, vec3 loop[4])
{
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, first = side << axis;
    loop[0] = corner_of(cell, first);
    loop[1] = corner_of(cell, first + u);
    loop[2] = corner_of(cell, first + u + v);
    loop[3] = corner_of(cell, first + v);
}

/* ---- Skewness ---------------------------------------------------------------------- */

/* Drops corners at the place of the one before. Returns how many are left. */
static int drop_doubles(vec3 loop[4])
{
    int count = 0;
    for (int n = 0; n < 4; n++) {
        const vec3 before = count > 0 ? loop[count - 1] : loop[3];
        if (vec3_length(vec3_sub(loop[n], before)) > 0.0) {
            loop[count++] = loop[n];
        }
    }
    return count;
}

static double angle_at(const vec3 loop[4], int count, int n)
{
    const vec3 to = vec3_sub(loop[(n + 1) % count], loop[n]);
    const vec3 from = vec3_sub(loop[(n + count - 1) % count], loop[n]);
    return atan2(vec3_length(vec3_cross(to, from)), vec3_dot(to, from));
}

static double skewness_of_face(const grid_quality_cell *cell, int axis, int side)
{
    const double half_turn = acos(-1.0);
    vec3 loop[4];
    face_corners(cell, axis, side, loop);
    const int count = drop_doubles(loop);
    const double ideal = half_turn * (count == 3 ? 1.0 / 3.0 : 0.5);
    double worst = count < 3 ? -1.0 : 0.0;
    for (int n = 0; n < count && count >= 3; n++) {
        const double angle = angle_at(loop, count, n);
        worst = fmax(
            worst, fmax((angle - ideal) / (half_turn - ideal), (ideal - angle) / ideal));
    }
    return worst;
}

static double find_skewness(const grid_quality_cell *cell)
{
    double worst = -1.0;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            if (cell->flat_axis < 0 || (axis == cell->flat_axis && side == 0)) {
                worst = fmax(worst, skewness_of_face(cell, axis, side));
            }
        }
    }
    return worst < 0.0 ? 1.0 : worst;
}

/* ---- Aspect ratio ------------------------------------------------------------------ */

static double mean_edge(const grid_quality_cell *cell, int axis)
{
    double sum = 0.0;
    int count = 0;
    for (int n = 0; n < 8; n++) {
        const bool is_upper = n >> axis & 1;
        const bool is_off = cell->flat_axis >= 0 && (n >> cell->flat_axis & 1);
        if (!is_upper && !is_off) {
            const vec3 edge =
                vec3_sub(corner_of(cell, n + (1 << axis)), corner_of(cell, n));
            sum += vec3_length(edge);
            count++;
        }
    }
    return sum / count;
}

static double find_aspect_ratio(const grid_quality_cell *cell)
{
    double longest = 0.0, shortest = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        if (axis != cell->flat_axis) {
            const double edge = mean_edge(cell, axis);
            longest = fmax(longest, edge);
            shortest = fmin(shortest, edge);
        }
    }
    return shortest > 0.0 ? longest / shortest : (double)NAN;
}

/* ---- All --------------------------------------------------------------------------- */

static double find_volume(const grid_quality_cell *cell)
{
    vec3 loop[4];
    if (cell->flat_axis < 0) {
        return grid_cell_volume(cell->corner);
    }
    face_corners(cell, cell->flat_axis, 0, loop);
    return 0.5 * vec3_length(
                     vec3_cross(vec3_sub(loop[2], loop[0]), vec3_sub(loop[3], loop[1])));
}

double grid_quality_of(grid_quality quality, const grid_quality_cell *cell)
{
    return quality == GRID_CELL_VOLUME     ? find_volume(cell)
           : quality == GRID_CELL_SKEWNESS ? find_skewness(cell)
                                           : find_aspect_ratio(cell);
}
