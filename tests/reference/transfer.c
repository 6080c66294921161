#include "reference/reference.h"

#include <math.h>

/* Alpha is limited to this, so that an opaque slab has a finite extinction. */
static const double largest_alpha = 0.9999;

/*
 * Value `column` of the polyline through points ([count][stride], position first) at a
 * position. If two points have the same position, the second counts from there on.
 */
static double polyline(int64_t count, int64_t stride, const double *points, int column,
                       double position)
{
    int64_t after = 0;
    while (after < count && points[after * stride] <= position) {
        after++;
    }
    const double *right = points + after * stride;
    const double *left = right - stride;
    if (after == 0) {
        return right[column];
    }
    if (after == count) {
        return left[column];
    }
    double fraction = (position - left[0]) / (right[0] - left[0]);
    return left[column] + fraction * (right[column] - left[column]);
}

void reference_transfer_evaluate(const reference_transfer *transfer, double scalar,
                                 double rgb[3], double *extinction)
{
    rgb[0] = rgb[1] = rgb[2] = *extinction = 0.0;
    if (isnan(scalar)) {
        return;
    }
    double position =
        transfer->positions_are_data
            ? scalar
            : (scalar - transfer->range[0]) / (transfer->range[1] - transfer->range[0]);
    for (int channel = 0; channel < 3; channel++) {
        rgb[channel] =
            polyline(transfer->ncolors, 4, transfer->colors[0], channel + 1, position);
    }
    double value = polyline(transfer->nopacities, 2, transfer->opacities[0], 1, position);
    double depth = transfer->opacities_are_extinction
                       ? value
                       : -log(1.0 - fmin(value, largest_alpha));
    *extinction = depth / transfer->unit_length;
}
