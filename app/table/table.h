/* Tables of numbers, printed as CSV or JSON, or drawn. */
#ifndef APP_TABLE_H
#define APP_TABLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The form of an output; from APP_PLOTS on it is a plot. */
typedef enum app_form {
    APP_CSV,
    APP_JSON,
    APP_PNG,
    APP_PLOTS = APP_PNG,
    APP_SVG,
    APP_PDF
} app_form;

/* The form that the ending of a path asks for; CSV without one, and for standard output
 * (NULL). is_json: JSON is asked for by name. Local. Errors: STATUS_USAGE: another
 * ending, a plot of a build without cairo, or both a plot and JSON. */
status app_form_find(const char *path, bool is_json, app_form *out);

/* Rows of named cells. Columns stand in the order in which they are first used; a row may
 * lack some. */
typedef struct app_table app_table;

/* Local. Errors: STATUS_MEMORY, which later failures to add also lead to in writing. */
status app_table_create(app_table **out);
void app_table_destroy(app_table **table);

/* Begins a row, and sets cells of the last one; the name of a column is printed as
 * `format` says. A number that is not finite stays out. Local. */
void app_table_add_row(app_table *table);
void app_table_set_text(app_table *table, const char *column, const char *text);
void app_table_set_count(app_table *table, const char *column, int64_t count);
void app_table_set(app_table *table, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives a column a unit, which stands in the head of CSV, in `units` of each row of JSON
 * and at axes; "": none. A column with two different ones has none. Local. */
void app_table_set_unit(app_table *table, const char *column, const char *unit);
const char *app_table_unit(const app_table *table, const char *column);

/* Prints a text as a cell of CSV, in quotes where it needs them. Local. */
void app_table_print_text(FILE *file, const char *text);

/* Writes by `write` to `path`, or to standard output (NULL). Local. Errors:
 * STATUS_OUTPUT, STATUS_MEMORY. */
typedef bool app_table_writer(FILE *file, const void *context, bool is_json);
status app_table_write_by(const char *path, bool is_json, app_table_writer *write,
                          const void *context);

/* Writes the table so. Local. */
status app_table_write(const app_table *table, const char *path, bool is_json);

/* The number of columns; the name of one; a cell of a row, NaN if it has no number.
 * Local. */
int app_table_columns(const app_table *table);
const char *app_table_column(const app_table *table, int column);
double app_table_get(const app_table *table, int64_t row, const char *column);
const char *app_table_get_text(const app_table *table, int64_t row, const char *column);

#endif
