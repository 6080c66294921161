/* Inside plots: an axis from values to pixels. */
#ifndef RENDER_ANNOTATE_PLOT_AXIS_H
#define RENDER_ANNOTATE_PLOT_AXIS_H

#include "render/annotate/ticks.h"

/* Values `range` lie at places from `from` to `to`, in proportion. */
typedef struct plot_axis {
    double range[2], from, to;
    annotate_ticks ticks;
} plot_axis;

/* An axis over a range, with `margin` of its span free at both ends, and at most `most`
 * ticks at round numbers. A range of one value is widened. */
plot_axis plot_axis_make(const double range[2], double margin, int most);

/* The place of a value, in pixels. */
double plot_axis_place(const plot_axis *axis, double value);

/* The same axis with fewer ticks. */
void plot_axis_thin(plot_axis *axis, int most);

#endif
