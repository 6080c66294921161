#include "table.h"

#include "io/file.h"
#include "render/annotate/annotate.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

status app_form_find(const char *path, bool is_json, app_form *out)
{
    static const char *const endings[] = {".csv", ".json", ".png", ".svg", ".pdf"};
    const char *name = path ? strrchr(path, '/') : NULL;
    const char *dot = path ? strrchr(name ? name : path, '.') : NULL;
    int form = APP_CSV;
    while (dot && form <= APP_PDF && strcmp(dot, endings[form]) != 0) {
        form++;
    }
    if (form > APP_PDF || (is_json && form >= APP_PLOTS)) {
        return base_fail(STATUS_USAGE,
                         is_json ? "-o %s: JSON needs a name that ends in .json"
                                 : "-o %s: give a name that ends in .csv, .json, .png, "
                                   ".svg or .pdf",
                         path);
    }
    if (form >= APP_PLOTS && !annotate_is_available()) {
        return base_fail(STATUS_USAGE,
                         "-o %s: this karman was built without cairo and draws no "
                         "plots; take a name that ends in .csv or .json",
                         path);
    }
    *out = is_json ? APP_JSON : (app_form)form;
    return STATUS_OK;
}

struct app_table {
    json_t *rows;    /* objects */
    json_t *units;   /* of columns that have one */
    json_t *columns; /* names, as keys of an object, in their order */
    bool failed;     /* memory ran out */
};

status app_table_create(app_table **out)
{
    app_table *table = calloc(1, sizeof *table);
    if (table) {
        table->rows = json_array();
        table->columns = json_object();
        table->units = json_object();
    }
    if (!table || !table->rows || !table->columns || !table->units) {
        app_table_destroy(&table);
        return base_fail_memory(sizeof *table, "a table");
    }
    *out = table;
    return STATUS_OK;
}

void app_table_destroy(app_table **table)
{
    if (*table) {
        json_decref((*table)->rows);
        json_decref((*table)->columns);
        json_decref((*table)->units);
        free(*table);
        *table = NULL;
    }
}

void app_table_add_row(app_table *table)
{
    table->failed |= json_array_append_new(table->rows, json_object()) != 0;
}

static void set(app_table *table, const char *column, json_t *value)
{
    json_t *row = json_array_get(table->rows, json_array_size(table->rows) - 1);
    table->failed |= json_object_set_new(table->columns, column, json_true()) != 0;
    table->failed |= json_object_set_new(row, column, value) != 0;
}

void app_table_set_text(app_table *table, const char *column, const char *text)
{
    set(table, column, json_string(text));
}

void app_table_set_count(app_table *table, const char *column, int64_t count)
{
    set(table, column, json_integer(count));
}

void app_table_set(app_table *table, double value, const char *format, ...)
{
    char column[256];
    va_list list;
    va_start(list, format);
    vsnprintf(column, sizeof column, format, list);
    va_end(list);
    set(table, column, isfinite(value) ? json_real(value) : json_null());
}

void app_table_set_unit(app_table *table, const char *column, const char *unit)
{
    const char *old = json_string_value(json_object_get(table->units, column));
    if (!old || strcmp(old, unit) != 0) {
        table->failed |=
            json_object_set_new(table->units, column, json_string(old ? "" : unit)) != 0;
    }
}

const char *app_table_unit(const app_table *table, const char *column)
{
    const char *unit = json_string_value(json_object_get(table->units, column));
    return unit && unit[0] ? unit : NULL;
}

/* The units of all columns that have one. */
static json_t *known_units(const app_table *table)
{
    json_t *known = json_object(), *unit;
    const char *column;
    json_object_foreach(table->units, column, unit)
    {
        if (app_table_unit(table, column)) {
            json_object_set(known, column, unit);
        }
    }
    return known;
}

/* ---- Reading ----------------------------------------------------------------------- */

int app_table_columns(const app_table *table)
{
    return (int)json_object_size(table->columns);
}

const char *app_table_column(const app_table *table, int column)
{
    void *at = json_object_iter(table->columns);
    for (int n = 0; n < column; n++) {
        at = json_object_iter_next(table->columns, at);
    }
    return json_object_iter_key(at);
}

double app_table_get(const app_table *table, int64_t row, const char *column)
{
    const json_t *cell =
        json_object_get(json_array_get(table->rows, (size_t)row), column);
    return json_is_number(cell) ? json_number_value(cell) : (double)NAN;
}

const char *app_table_get_text(const app_table *table, int64_t row, const char *column)
{
    return json_string_value(
        json_object_get(json_array_get(table->rows, (size_t)row), column));
}

/* ---- Writing ----------------------------------------------------------------------- */

void app_table_print_text(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    }
    fputc('"', file);
}

static void print_head(FILE *file, const char *name, const char *unit)
{
    char head[400];
    snprintf(head, sizeof head, "%s%s%s%s", name, unit ? " [" : "", unit ? unit : "",
             unit ? "]" : "");
    app_table_print_text(file, head);
}

static void print_cell(FILE *file, const json_t *cell)
{
    if (json_is_string(cell)) {
        app_table_print_text(file, json_string_value(cell));
    } else if (json_is_integer(cell)) {
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(cell));
    } else if (json_is_real(cell)) {
        fprintf(file, "%.12g", json_real_value(cell));
    }
}

/* app_table_writer */
static bool write_table(FILE *file, const void *context, bool is_json)
{
    const app_table *table = context;
    const char *name;
    json_t *unused, *row;
    size_t n;
    if (is_json) {
        json_t *units = known_units(table);
        json_array_foreach(table->rows, n, row)
        {
            if (json_object_size(units) > 0) {
                json_object_set(row, "units", units);
            }
        }
        json_decref(units);
        return json_dumpf(table->rows, file, JSON_INDENT(1)) == 0 &&
               fputc('\n', file) != EOF;
    }
    bool is_first = true;
    json_object_foreach(table->columns, name, unused)
    {
        fputs(is_first ? "" : ",", file);
        print_head(file, name, app_table_unit(table, name));
        is_first = false;
    }
    fputc('\n', file);
    json_array_foreach(table->rows, n, row)
    {
        is_first = true;
        json_object_foreach(table->columns, name, unused)
        {
            fputs(is_first ? "" : ",", file);
            print_cell(file, json_object_get(row, name));
            is_first = false;
        }
        fputc('\n', file);
    }
    return !ferror(file);
}

/* What io_file_make calls. */
typedef struct writing {
    app_table_writer *write;
    const void *context;
    bool is_json;
} writing;

static bool write_file(FILE *file, const void *context)
{
    const writing *w = context;
    return w->write(file, w->context, w->is_json);
}

status app_table_write_by(const char *path, bool is_json, app_table_writer *write,
                          const void *context)
{
    const writing w = {write, context, is_json};
    if (path) {
        return io_file_make(path, write_file, &w);
    }
    return write_file(stdout, &w) && fflush(stdout) == 0
               ? STATUS_OK
               : base_fail(STATUS_OUTPUT, "the table cannot be written to standard "
                                          "output");
}

status app_table_write(const app_table *table, const char *path, bool is_json)
{
    return table->failed ? base_fail_memory(0, "a table")
                         : app_table_write_by(path, is_json, write_table, table);
}
