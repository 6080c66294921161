/* Inside plots: curves in a panel. */
#ifndef RENDER_ANNOTATE_PLOT_CURVE_H
#define RENDER_ANNOTATE_PLOT_CURVE_H

#include "axis.h"
#include "content.h"
#include "render/annotate/pen.h"

/* The look of one curve. */
typedef struct plot_stroke {
    double color[3];
    bool is_dashed;
} plot_stroke;

/* The n-th of `count` curves: colours that all kinds of colour vision tell apart, or
 * shades of one for curves that follow each other. */
plot_stroke plot_stroke_of(const pen *with, int n, int count, bool is_ordered);

/* Makes it the look of the strokes that follow. */
void plot_stroke_set(const pen *with, const plot_stroke *stroke);

/* Draws the curve of a quantity, with gaps where it has no values. */
void plot_curve_draw(const pen *with, const plot *what, const plot_axis axes[2],
                     const int quantity_and_curve[2], const plot_stroke *stroke);

#endif
