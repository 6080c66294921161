#include "curves.h"

#include <stdlib.h>
#include <string.h>

/* Columns of a table as curves. */
typedef struct drawn {
    const app_table *table;
    int nplaces;
    int ncolumns;
    const char **columns; /* [ncolumns] */
} drawn;

/* plot_value */
static double value_of(const void *context, int quantity, int curve, int64_t n)
{
    const drawn *d = context;
    return app_table_get(d->table, n * d->nplaces + curve, d->columns[quantity]);
}

/* What a column is: a number that varies from step to step, the size of a place, or
 * neither. */
typedef enum column_kind { COLUMN_PLACE, COLUMN_SIZE, COLUMN_QUANTITY } column_kind;

static column_kind kind_of(const char *column)
{
    static const char *const places[] = {"step", "time", "place", "cells", "faces"};
    static const char *const sizes[] = {"volume", "area", "normal_x", "normal_y",
                                        "normal_z"};
    for (int n = 0; n < 5; n++) {
        if (strcmp(column, places[n]) == 0) {
            return COLUMN_PLACE;
        }
        if (strcmp(column, sizes[n]) == 0) {
            return COLUMN_SIZE;
        }
    }
    return COLUMN_QUANTITY;
}

/* Chooses the quantities; the sizes of places, if there are no others. */
static void choose_columns(drawn *d)
{
    const int count = app_table_columns(d->table);
    for (column_kind kind = COLUMN_QUANTITY; kind > COLUMN_PLACE && d->ncolumns == 0;
         kind--) {
        for (int n = 0; n < count; n++) {
            const char *column = app_table_column(d->table, n);
            if (kind_of(column) == kind) {
                d->columns[d->ncolumns++] = column;
            }
        }
    }
}

status integrate_draw(const app_integrate_request *request, const integrate_steps *steps,
                      const app_table *table)
{
    const int places = request->nplaces;
    drawn d = {.table = table, .nplaces = places};
    const char **names = calloc((size_t)places, sizeof *names);
    double *x = calloc((size_t)steps->count + 1, sizeof *x);
    const char **units = calloc((size_t)app_table_columns(table) + 1, sizeof *units);
    d.columns = calloc((size_t)app_table_columns(table) + 1, sizeof *d.columns);
    status s = base_fail_memory((size_t)places * sizeof *names, "a plot");
    if (names && x && d.columns && units) {
        for (int n = 0; n < places; n++) {
            names[n] = app_table_get_text(table, n, "place");
        }
        choose_columns(&d);
        for (int n = 0; n < d.ncolumns; n++) {
            units[n] = app_table_unit(table, d.columns[n]);
        }
        char *title = app_figure_title(steps->config, steps->source,
                                       places == 1 ? names[0] : NULL, -1);
        const plot what = {
            .style = app_figure_style(steps->config),
            .title = title,
            .across = app_figure_times(steps->source, steps->count, steps->steps, x),
            .count = steps->count,
            .x = x,
            .nquantities = d.ncolumns,
            .quantities = d.columns,
            .units = units,
            .ncurves = places,
            .curves = names,
            .value = value_of,
            .context = &d};
        s = app_figure_write(&what, request->form, request->output);
        free(title);
    }
    free(units);
    free(d.columns);
    free(x);
    free(names);
    return s;
}
