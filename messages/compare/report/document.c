#include "document.h"

#include "base/version.h"
#include "io/json/json.h"
#include "messages/compare/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The functions below return new values, NULL without memory. json_object_set_new and
 * json_array_append_new take ownership of a value, and fail if it is NULL. So do the
 * functions here that return an int, which is not 0 after a failure.
 */

/* JSON must be UTF-8, but a path need not be. */
static json_t *text(const char *bytes)
{
    json_t *value = json_string(bytes);
    return value ? value : json_string("(a name that is not UTF-8)");
}

/* ---- A case ------------------------------------------------------------------------ */

static int add_figures(const compare_row *row, json_t *to)
{
    compare_figures figures = row->figures;
    int failed = 0;
    for (int c = 0; compare_column_at(c); c++) {
        const compare_column *column = compare_column_at(c);
        failed |= json_object_set_new(
            to, column->name, io_json_number(*compare_column_of(&figures, column)));
    }
    failed |= json_object_set_new(to, "difference", json_integer(row->difference.most));
    return failed | json_object_set_new(to, "pixels_differing",
                                        json_integer(row->difference.pixels));
}

/* Begin and duration of the stages in the first two frames, and the ranks' events during
 * compositing. */
static json_t *describe_timeline(const compare_row *row)
{
    const json_t *frames = compare_row_frames(row);
    json_t *all = json_array();
    int failed = 0;
    for (size_t f = 0; f < 2 && f < json_array_size(frames); f++) {
        const json_t *frame = json_array_get(frames, f);
        const json_t *ranks = json_object_get(frame, "ranks");
        failed |=
            json_array_append_new(all, json_pack("{s:O, s:O, s:O, s:O*}", "step",
                                                 json_object_get(frame, "step"), "begin",
                                                 json_object_get(ranks, "begin"), "wall",
                                                 json_object_get(ranks, "wall"), "events",
                                                 json_object_get(frame, "events")));
    }
    return io_json_finish(all, failed);
}

/* Processor seconds of each rank for rendering, without polling. */
static json_t *describe_render_work(const json_t *frame, int ranks)
{
    double *cpu = compare_values_of(frame, "cpu", "render", ranks);
    double *waited = compare_values_of(frame, "waited", "render", ranks);
    json_t *all = json_array();
    int failed = !cpu || !waited;
    for (int r = 0; !failed && r < ranks; r++) {
        failed |=
            json_array_append_new(all, io_json_number(fmax(0.0, cpu[r] - waited[r])));
    }
    free(cpu);
    free(waited);
    return io_json_finish(all, failed);
}

/* The pixels that each rank drew in a frame, and their costs: by tile, if recorded. */
static json_t *describe_drawing(const json_t *frame, int ranks)
{
    static const char *const names[] = {"active_x0", "active_y0",     "active_x1",
                                        "active_y1", "active_pixels", "crossings"};
    const json_t *every = json_object_get(frame, "ranks");
    json_t *all = json_object();
    int failed = json_object_set(all, "step", json_object_get(frame, "step"));
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        failed |= json_object_set(all, names[n], json_object_get(every, names[n]));
    }
    json_t *tiles = json_object_get(frame, "tiles");
    failed |= tiles ? json_object_set(all, "tiles", tiles) : 0;
    failed |= json_object_set_new(all, "render_work", describe_render_work(frame, ranks));
    return io_json_finish(all, failed);
}

/* Describes the first and the last frame. */
static json_t *describe_drawn(const compare_row *row)
{
    const json_t *frames = compare_row_frames(row);
    const size_t count = json_array_size(frames);
    json_t *all = json_array();
    int failed = 0;
    for (size_t f = 0; f<count; f += count> 1 ? count - 1 : 1) {
        failed |= json_array_append_new(
            all, describe_drawing(json_array_get(frames, f), row->which.ranks));
    }
    return io_json_finish(all, failed);
}

static json_t *describe_row(const compare_plan *plan, const compare_row *row)
{
    const compare_case *which = &row->which;
    json_t *all =
        json_pack("{s:s, s:s, s:i, s:s, s:b}", "partition", which->partition, "algorithm",
                  which->algorithm, "ranks", which->ranks, "projection",
                  plan->projections[which->projection].name, "available", row->is_there);
    int failed = !all;
    if (!row->is_there) {
        failed |= json_object_set_new(all, "reason", text(row->reason));
        return io_json_finish(all, failed);
    }
    failed |= add_figures(row, all);
    if (compare_row_choice(row)) {
        failed |= json_object_set(all, "composite", (json_t *)compare_row_choice(row));
    }
    failed |= json_object_set_new(all, "timeline", describe_timeline(row));
    return io_json_finish(
        all, failed | json_object_set_new(all, "drawn", describe_drawn(row)));
}

/* ---- The whole --------------------------------------------------------------------- */

static const char *reason_of(const compare_table *table, const char *partition)
{
    for (int n = 0; n < table->count; n++) {
        if (strcmp(table->rows[n].which.partition, partition) == 0) {
            return table->rows[n].reason;
        }
    }
    return "";
}

static json_t *describe_partitions(const compare_table *table)
{
    const compare_names *partitions = &table->plan->partitions;
    json_t *all = json_array();
    int failed = 0;
    for (int p = 0; p < partitions->count; p++) {
        const char *name = partitions->at[p];
        const compare_partition *known = compare_partition_find(name);
        bool available = compare_table_has(table, name);
        failed |= json_array_append_new(
            all, json_pack("{s:s, s:s, s:b, s:b, s:o}", "name", name, "words",
                           compare_partition_words(name), "screen",
                           known && known->is_screen, "available", available, "reason",
                           text(available ? "" : reason_of(table, name))));
    }
    return io_json_finish(all, failed);
}

static json_t *describe_names(const compare_names *names)
{
    json_t *all = json_array();
    int failed = 0;
    for (int n = 0; n < names->count; n++) {
        failed |= json_array_append_new(all, json_string(names->at[n]));
    }
    return io_json_finish(all, failed);
}

/* An array of numbers. */
static json_t *describe_ints(int count, const int *values)
{
    json_t *all = json_array();
    int failed = 0;
    for (int n = 0; n < count; n++) {
        failed |= json_array_append_new(all, json_integer(values[n]));
    }
    return io_json_finish(all, failed);
}

static json_t *describe_projections(const compare_plan *plan)
{
    json_t *all = json_array();
    int failed = 0;
    for (int v = 0; v < plan->nprojections; v++) {
        const compare_projection *projection = &plan->projections[v];
        failed |= json_array_append_new(
            all, json_pack("{s:s, s:f, s:o, s:b}", "name", projection->name, "factor",
                           projection->factor, "coverage",
                           io_json_number(projection->coverage), "reached",
                           projection->is_reached));
    }
    return io_json_finish(all, failed);
}

static json_t *describe_rows(const compare_table *table)
{
    json_t *all = json_array();
    int failed = 0;
    for (int n = 0; n < table->count; n++) {
        failed |= json_array_append_new(all, describe_row(table->plan, &table->rows[n]));
    }
    return io_json_finish(all, failed);
}

static json_t *describe_advice(const compare_advice *advice)
{
    json_t *warnings = json_array();
    int failed = 0;
    for (int n = 0; n < advice->nwarnings; n++) {
        failed |= json_array_append_new(warnings, text(advice->warnings[n]));
    }
    return json_pack("{s:i, s:s, s:s, s:o, s:s, s:o}", "best", advice->best, "sentence",
                     advice->sentence, "yaml", advice->yaml, "command",
                     text(advice->command), "reason", advice->reason, "warnings",
                     io_json_finish(warnings, failed));
}

/* Adds the facts that all runs share, from the first row with results. */
static int add_facts(const compare_table *table, json_t *to)
{
    const json_t *host = NULL;
    size_t frames = 0;
    for (int n = 0; n < table->count && !host; n++) {
        if (table->rows[n].is_there) {
            const json_t *first = table->rows[n].first;
            host = json_object_get(json_object_get(first, "timings"), "host");
            frames = json_array_size(compare_row_frames(&table->rows[n]));
        }
    }
    const char *name = json_string_value(host);
    int failed = json_object_set_new(to, "host", text(name ? name : ""));
    failed |= json_object_set_new(to, "frames", json_integer((json_int_t)frames));
    failed |= json_object_set_new(to, "cores", json_integer(table->cores));
    failed |= json_object_set_new(to, "load", io_json_number(table->load));
    failed |= json_object_set_new(to, "modelled", json_boolean(table->is_modelled));
    failed |= json_object_set_new(to, "threads", json_integer(table->plan->threads));
    return failed | json_object_set_new(to, "repeat", json_integer(table->plan->repeat));
}

json_t *compare_document_create(const compare_table *table, const compare_advice *advice)
{
    const compare_plan *plan = table->plan;
    json_t *all = json_object();
    int failed = json_object_set_new(all, "karman", json_string(base_version()));
    failed |= json_object_set_new(all, "config", text(plan->config));
    failed |= json_object_set_new(all, "width", json_integer(plan->view.width));
    failed |= json_object_set_new(all, "height", json_integer(plan->view.height));
    failed |= add_facts(table, all);
    failed |= json_object_set_new(all, "advice", describe_advice(advice));
    failed |= json_object_set_new(all, "ranks", describe_ints(plan->nranks, plan->ranks));
    failed |= json_object_set_new(all, "bound_cores",
                                  describe_ints(plan->cores.count, plan->cores.at));
    failed |= json_object_set_new(all, "warm_caches", json_boolean(plan->warms_caches));
    failed |= json_object_set_new(all, "projections", describe_projections(plan));
    failed |= json_object_set_new(all, "partitions", describe_partitions(table));
    failed |= json_object_set_new(all, "algorithms", describe_names(&plan->algorithms));
    failed |= json_object_set_new(all, "cases", describe_rows(table));
    return io_json_finish(all, failed);
}
