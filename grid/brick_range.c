#include "brick.h"

#include <float.h>
#include <math.h>

/* Extends [lo, hi] by a value; false if it is not finite. */
static bool extend(float value, float range[2])
{
    range[0] = value < range[0] ? value : range[0];
    range[1] = value > range[1] ? value : range[1];
    return isfinite(value);
}

void grid_brick_set_range(grid_brick *brick, int64_t count, const float *values)
{
    float least = INFINITY, most = -INFINITY;
    int odd = 0;
#pragma omp simd reduction(min : least) reduction(max : most) reduction(| : odd)
    for (int64_t n = 0; n < count; n++) {
        least = values[n] < least ? values[n] : least;
        most = values[n] > most ? values[n] : most;
        odd |= !(fabsf(values[n]) <= FLT_MAX);
    }
    brick->has_range = !odd;
    brick->range[0] = least;
    brick->range[1] = most;
}

void grid_brick_find_range(grid_brick *brick)
{
    const int *n = brick->place.n;
    if (brick->cell) {
        grid_brick_set_range(brick, (int64_t)n[0] * n[1] * n[2], brick->cell);
        return;
    }
    const int64_t vertices = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    float range[2] = {INFINITY, -INFINITY};
    bool finite = true;
    for (int64_t v = 0; v < vertices; v++) {
        finite &= extend(brick->vertex[v][3], range);
    }
    brick->has_range = finite;
    brick->range[0] = range[0];
    brick->range[1] = range[1];
}
