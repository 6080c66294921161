/* Tables of numbers, printed as CSV or JSON. */
#ifndef APP_TABLE_H
#define APP_TABLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

/* Prints a text as a cell of CSV, in quotes where it needs them. Local. */
void app_table_print_text(FILE *file, const char *text);

/*
 * Writes by `write` to `path`, or to standard output (NULL). JSON if it is asked for or
 * if the path ends so. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
typedef bool app_table_writer(FILE *file, const void *context, bool is_json);
status app_table_write_by(const char *path, bool is_json, app_table_writer *write,
                          const void *context);

/* Writes the table so. Local. */
status app_table_write(const app_table *table, const char *path, bool is_json);

#endif
