/* Inside app/integrate: plots. */
#ifndef APP_INTEGRATE_CURVES_H
#define APP_INTEGRATE_CURVES_H

#include "app/table/figure.h"
#include "request.h"

/* The steps of a table, whose rows are places at each step. */
typedef struct integrate_steps {
    const io_config *config;
    const io_source *source;
    int count;
    const int *steps; /* [count]: indices */
} integrate_steps;

/* Draws the columns of a table over its steps, a curve for each place. Local. Errors:
 * those of app_figure_write. */
status integrate_draw(const app_integrate_request *request, const integrate_steps *steps,
                      const app_table *table);

#endif
