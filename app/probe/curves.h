/* Inside app/probe: plots. */
#ifndef APP_PROBE_CURVES_H
#define APP_PROBE_CURVES_H

#include "app/table/figure.h"
#include "table.h"

/* Draws fields along a line, a curve for each step, or over steps, a curve for each
 * point. Local. Errors: those of app_figure_write. */
status sample_draw(const app_sample_request *request, const io_config *config,
                   const sample_table *table);

#endif
