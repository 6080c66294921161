#include "grid/brick.h"

#include <math.h>

/* Extends [lo, hi] by a value; false where it is not finite. */
static bool extend(float value, float range[2])
{
    range[0] = value < range[0] ? value : range[0];
    range[1] = value > range[1] ? value : range[1];
    return isfinite(value);
}

void grid_brick_find_range(grid_brick *brick)
{
    const int *n = brick->place.n;
    const int64_t rows = (int64_t)(n[1] + 1) * (n[2] + 1), row = n[0] + 1;
    float range[2] = {INFINITY, -INFINITY};
    bool finite = true;
    if (brick->cell) {
        for (int64_t c = 0; c < (int64_t)n[0] * n[1] * n[2]; c++) {
            finite &= extend(brick->cell[c], range);
        }
    } else {
        for (int64_t v = 0; v < rows * row; v++) {
            finite &= extend(brick->vertex[v][3], range);
        }
    }
    brick->has_range = finite;
    brick->range[0] = range[0];
    brick->range[1] = range[1];
}
