#include "axis.h"

#include <math.h>

void plot_axis_thin(plot_axis *axis, int most)
{
    const int least = 2;
    axis->ticks =
        annotate_ticks_round(axis->range[0], axis->range[1], most > least ? most : least);
}

plot_axis plot_axis_make(const double range[2], double margin, int most)
{
    plot_axis made = {.range = {range[0], range[1]}};
    const double size = fmax(fabs(range[0]), fabs(range[1]));
    if (!(range[1] - range[0] > 1e-9 * size)) { /* float32 has seven digits */
        const double half = size > 0.0 ? 0.05 * size : 1.0;
        made.range[0] = 0.5 * (range[0] + range[1]) - half;
        made.range[1] = 0.5 * (range[0] + range[1]) + half;
    }
    const double free_part = margin * (made.range[1] - made.range[0]);
    made.range[0] -= free_part;
    made.range[1] += free_part;
    plot_axis_thin(&made, most);
    return made;
}

double plot_axis_place(const plot_axis *axis, double value)
{
    const double part = (value - axis->range[0]) / (axis->range[1] - axis->range[0]);
    return axis->from + part * (axis->to - axis->from);
}
