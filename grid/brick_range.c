#include "brick.h"

#include <float.h>
#include <math.h>

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
