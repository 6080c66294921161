/* Plots: curves over one axis, in panels below each other, by cairo. */
#ifndef RENDER_ANNOTATE_PLOT_H
#define RENDER_ANNOTATE_PLOT_H

#include "content.h"

typedef enum plot_format { PLOT_PNG, PLOT_SVG, PLOT_PDF } plot_format;

enum { PLOT_MOST = 80 }; /* quantities */

/* Draws a plot (a `plot`, borrowed) into a box of a picture: an annotate_inset.draw. Its
 * letters are a little smaller than the picture's, or as small as the box needs. Local.
 * Errors: those of plot_write but for the file. */
status plot_draw_inset(const void *what, const struct pen *with, const double box[4]);

/* Writes a plot. Local. Errors: STATUS_USAGE (too many quantities, a name that is no
 * UTF-8, or a build without cairo), STATUS_MEMORY, STATUS_OUTPUT (the file). */
status plot_write(const plot *what, plot_format format, FILE *file);

#endif
