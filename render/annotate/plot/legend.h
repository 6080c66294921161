/* Inside plots: names of curves, each behind a piece of its line. */
#ifndef RENDER_ANNOTATE_PLOT_LEGEND_H
#define RENDER_ANNOTATE_PLOT_LEGEND_H

#include "curve.h"

/* Names above a panel, in lines. */
typedef struct plot_legend {
    int count; /* of curves; all, or every so many, are named */
    int every;
    const char *const *names; /* [count] */
    bool is_ordered;
    int lines;
} plot_legend;

/* Breaks the names of `count` curves into lines of `width` pixels. */
plot_legend plot_legend_make(const pen *with, int count, const char *const *names,
                             bool is_ordered, double width);

/* Draws it at the left end of its first baseline. */
void plot_legend_draw(const pen *with, const plot_legend *legend, const double at[2],
                      double width);

#endif
