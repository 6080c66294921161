#include "report.h"

#include "document.h"
#include "io/file.h"
#include "io/json/json.h"
#include "messages.h"
#include "messages/compare/partition.h"
#include "messages/compare/result.h"
#include "messages/page/page.h"
#include "page.h"
#include "trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables for spreadsheets ------------------------------------------------------- */

static void write_head(FILE *file)
{
    fputs("partition,algorithm,ranks,projection,available", file);
    for (int c = 0; compare_column_at(c); c++) {
        const compare_column *column = compare_column_at(c);
        fprintf(file, ",%s [%s]", column->name, column->unit);
    }
    fputs(",difference [1/255],pixels_differing [count]\n", file);
}

/* Writes the table: an io_file_contents. Missing figures are empty. */
static bool write_csv(FILE *file, const void *context)
{
    const compare_table *table = context;
    write_head(file);
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        compare_figures figures = row->figures;
        fprintf(file, "%s,%s,%d,%s,%s", row->which.partition, row->which.algorithm,
                row->which.ranks, table->plan->projections[row->which.projection].name,
                row->is_there ? "yes" : "no");
        for (int c = 0; compare_column_at(c); c++) {
            double value = *compare_column_of(&figures, compare_column_at(c));
            fprintf(file, isfinite(value) ? ",%.9g" : ",", value);
        }
        if (row->is_there) {
            fprintf(file, ",%d,%lld\n", row->difference.most,
                    (long long)row->difference.pixels);
        } else {
            fputs(",,\n", file);
        }
    }
    return ferror(file) == 0;
}

/* ---- Pictures ---------------------------------------------------------------------- */

/* The path of the first frame's picture. */
static const char *picture_of(const compare_row *row)
{
    const json_t *frames =
        json_object_get(json_object_get(row->first, "timings"), "frames");
    return json_string_value(json_object_get(json_array_get(frames, 0), "picture"));
}

/* `projection` is a name. Takes ownership of the caption. */
static status add_picture(json_t *list, const char *path, const char *projection,
                          json_t *caption)
{
    char *uri = NULL;
    status s = compare_picture_encode(path, &uri);
    json_t *entry = s == STATUS_OK ? json_pack("{s:O, s:s, s:s}", "caption", caption,
                                               "projection", projection, "source", uri)
                                   : NULL;
    json_decref(caption);
    free(uri);
    if (s == STATUS_OK && json_array_append_new(list, entry) != 0) {
        s = base_fail_memory(4096, "a picture of the report");
    }
    return s;
}

/* The name of a row's projection. */
static const char *projection_of(const compare_table *table, const compare_row *row)
{
    return table->plan->projections[row->which.projection].name;
}

static status add_case(const compare_table *table, json_t *list, const compare_row *row)
{
    const compare_case *which = &row->which;
    bool composites = compare_plan_composites(which->partition, which->ranks);
    bool projects = compare_plan_projects(table->plan);
    const char *projection = projection_of(table, row);
    json_t *caption = json_sprintf(
        "%s%s%s, %d rank%s%s%s", compare_partition_words(which->partition),
        composites ? ", " : "", composites ? which->algorithm : "", which->ranks,
        which->ranks == 1 ? "" : "s", projects ? ", " : "", projects ? projection : "");
    return add_picture(list, picture_of(row), projection, caption);
}

static json_t *difference_caption(const compare_difference *found, const char *partition)
{
    const char *words = compare_partition_words(partition);
    return found->pixels == 0
               ? json_sprintf("the difference of %s from the first: none, in no pixel",
                              words)
               : json_sprintf("the difference of %s from the first, magnified %d times: "
                              "%d of 255 at most, %lld pixels",
                              words, 255 / found->most, found->most,
                              (long long)found->pixels);
}

/* Adds a picture of the difference between a case and the reference. */
static status add_difference(const compare_table *table, json_t *list,
                             const compare_row *reference, const compare_row *row)
{
    compare_picture a = {0}, b = {0};
    char *path = compare_plan_path(table->plan, "pictures", "difference", ".png");
    status s = path ? compare_picture_read(picture_of(reference), &a)
                    : base_fail_memory(4096, "a path");
    s = s == STATUS_OK ? compare_picture_read(picture_of(row), &b) : s;
    bool fits = a.width == b.width && a.height == b.height;
    if (s == STATUS_OK && fits) {
        compare_difference found = compare_picture_differ(&a, &b);
        s = compare_picture_write_difference(path, &a, &b);
        s = s == STATUS_OK ? add_picture(list, path, projection_of(table, row),
                                         difference_caption(&found, row->which.partition))
                           : s;
        remove(path);
    }
    compare_picture_clear(&a);
    compare_picture_clear(&b);
    free(path);
    return s;
}

/* The last case of a partition and projection with results: that with most ranks. */
static const compare_row *last_of(const compare_table *table, int projection,
                                  const char *partition)
{
    const compare_row *last = NULL;
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there && row->which.projection == projection &&
            strcmp(row->which.partition, partition) == 0) {
            last = row;
        }
    }
    return last;
}

/* Adds the first case's picture. For each partition it adds the case with most ranks, and
 * its difference. */
static status collect_projection(const compare_table *table, int projection, json_t *list)
{
    const compare_row *reference = compare_table_first(table, projection);
    const compare_names *partitions = &table->plan->partitions;
    if (!reference) {
        return STATUS_OK;
    }
    status s = add_case(table, list, reference);
    for (int p = 0; p < partitions->count && s == STATUS_OK; p++) {
        const compare_row *row = last_of(table, projection, partitions->at[p]);
        if (row && row != reference) {
            s = add_case(table, list, row);
            s = s == STATUS_OK ? add_difference(table, list, reference, row) : s;
        }
    }
    return s;
}

static status collect_pictures(const compare_table *table, json_t *list)
{
    status s = STATUS_OK;
    for (int v = 0; v < table->plan->nprojections && s == STATUS_OK; v++) {
        s = collect_projection(table, v, list);
    }
    return s;
}

/* ---- The page ---------------------------------------------------------------------- */

typedef struct page_parts {
    char *data, *pictures, *player, *messages; /* JSON */
} page_parts;

static const char *find_part(const page_parts *parts, const char *mark)
{
    return strncmp(mark, "@DATA@", 6) == 0        ? parts->data
           : strncmp(mark, "@PICTURES@", 10) == 0 ? parts->pictures
           : strncmp(mark, "@PLAYER@", 8) == 0    ? parts->player
                                                  : parts->messages;
}

/* Writes the page with its marks replaced: an io_file_contents. */
static bool write_page(FILE *file, const void *context)
{
    const page_parts *parts = context;
    const char *rest = (const char *)report_page_html;
    for (const char *mark; (mark = strchr(rest, '@')) != NULL; rest = mark) {
        fwrite(rest, 1, (size_t)(mark - rest), file);
        size_t length = strcspn(mark + 1, "@") + 2;
        if (strncmp(mark, "@STYLE@", length) == 0) {
            fputs((const char *)report_common_css, file);
            fputs((const char *)report_page_css, file);
        } else if (strncmp(mark, "@SCRIPT@", length) == 0) {
            fputs((const char *)report_common_js, file);
            fputs((const char *)report_map_js, file);
            fputs((const char *)report_page_js, file);
        } else {
            io_json_write_html(file, find_part(parts, mark));
        }
        mark += length;
    }
    fputs(rest, file);
    return ferror(file) == 0;
}

/* The page of a frame as a text of JSON; NULL without memory. */
static char *print_player(void)
{
    char *text = NULL, *json = NULL;
    if (player_print_frame_page(&text) == STATUS_OK) {
        json_t *value = json_string(text);
        json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        json_decref(value);
    }
    free(text);
    return json;
}

static char *print_messages(const compare_table *table)
{
    json_t *messages = compare_messages_create(table);
    char *json = json_dumps(messages, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(messages);
    return json;
}

static status write_html(const compare_table *table, const json_t *document,
                         const json_t *pictures)
{
    char *path = compare_plan_path(table->plan, ".", "report", ".html");
    const page_parts parts = {json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(9)),
                              json_dumps(pictures, JSON_COMPACT), print_player(),
                              print_messages(table)};
    const bool is_whole =
        path && parts.data && parts.pictures && parts.player && parts.messages;
    const status s = is_whole ? io_file_make(path, write_page, &parts)
                              : base_fail_memory(4096, "the report");
    free(parts.messages);
    free(parts.player);
    free(parts.pictures);
    free(parts.data);
    free(path);
    return s;
}

/* ---- All files --------------------------------------------------------------------- */

static status write_trace(const compare_plan *plan, const compare_row *row)
{
    char name[COMPARE_NAME];
    compare_plan_short_name(plan, &row->which, name);
    char *path = compare_plan_path(plan, "traces", name, ".json");
    json_t *trace = compare_trace_create(row);
    char *json = trace ? json_dumps(trace, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    status s = path && json ? io_file_write(path, json, strlen(json))
                            : base_fail_memory(4096, "a trace");
    free(json);
    json_decref(trace);
    free(path);
    return s;
}

static status write_tables(const compare_table *table, const json_t *document)
{
    char *json = compare_plan_path(table->plan, ".", "report", ".json");
    char *csv = compare_plan_path(table->plan, ".", "report", ".csv");
    status s = json && csv ? compare_result_write(json, document)
                           : base_fail_memory(4096, "a path");
    s = s == STATUS_OK ? io_file_make(csv, write_csv, table) : s;
    for (int n = 0; n < table->count && s == STATUS_OK; n++) {
        if (table->rows[n].is_there) {
            s = write_trace(table->plan, &table->rows[n]);
        }
    }
    free(csv);
    free(json);
    return s;
}

status compare_report_write(const compare_table *table, const compare_advice *advice)
{
    json_t *document = compare_document_create(table, advice);
    json_t *pictures = json_array();
    status s = document && pictures ? write_tables(table, document)
                                    : base_fail_memory(4096, "the report");
    s = s == STATUS_OK ? collect_pictures(table, pictures) : s;
    s = s == STATUS_OK ? write_html(table, document, pictures) : s;
    json_decref(pictures);
    json_decref(document);
    return s;
}
