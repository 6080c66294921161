#include "grid/brick.h"

#include <math.h>

/* Extends [lo, hi] by a value; false where it is not finite. */
static bool extend(float value, float range[2])
{
    range[0] = value < range[0] ? value : range[0];
    range[1] = value > range[1] ? value : range[1];
    return isfinite(value);
}

void grid_brick_set_range(grid_brick *brick, int64_t count, const float *values)
{
    float range[2] = {INFINITY, -INFINITY};
    bool finite = true;
    for (int64_t n = 0; n < count; n++) {
        finite &= extend(values[n], range);
    }
    brick->has_range = finite;
    brick->range[0] = range[0];
    brick->range[1] = range[1];
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
