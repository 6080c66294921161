/* Plots as files. */
#ifndef APP_TABLE_FIGURE_H
#define APP_TABLE_FIGURE_H

#include "io/config/config.h"
#include "io/source.h"
#include "render/annotate/plot/plot.h"
#include "table.h"

/* The style of a config's look; white paper without one. Local. */
annotate_style app_figure_style(const io_config *config);

/* The title of a plot: the file, some words (NULL: none), the step (index) and its time
 * if there is one (-1: none). malloc'ed; NULL without memory. Local. */
char *app_figure_title(const io_config *config, const io_source *source,
                       const char *words, int step);

/* The places of steps (indices) on an axis, [nsteps]: times, if these ascend, or else
 * numbers of steps; returns the name of the axis. Local. */
const char *app_figure_times(const io_source *source, int nsteps, const int *steps,
                             double *x);

/* Checks that a plot over steps has two or more. Local. Errors: STATUS_USAGE. */
status app_figure_check(app_form form, int nsteps);

/* Writes a plot, with APP_PLOTS or a later form. Local. Errors: those of plot_write and
 * io_file_write. */
status app_figure_write(const plot *what, app_form form, const char *path);

#endif
