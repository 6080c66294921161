#include "collect.h"

#include "messages/compare/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Figures ----------------------------------------------------------------------- */

static status read_run(const json_t *result, compare_figures *figures)
{
    return compare_figures_of_run(json_object_get(result, "timings"),
                                  json_number_value(json_object_get(result, "seconds")),
                                  figures);
}

/* Reads all runs of a case. If one is missing, the case has no results. */
static status read_row(const compare_plan *plan, const char *reason, compare_row *row)
{
    compare_figures *runs = calloc((size_t)plan->repeat, sizeof *runs);
    if (!runs) {
        return base_fail_memory((size_t)plan->repeat * sizeof *runs, "figures");
    }
    status s = STATUS_OK;
    row->is_there = true;
    for (int n = 0; n < plan->repeat && row->is_there && s == STATUS_OK; n++) {
        json_t *result = compare_result_load(plan, &row->which, n + 1);
        row->is_there = result != NULL;
        s = result ? read_run(result, &runs[n]) : STATUS_OK;
        if (n == 0) {
            row->first = result;
        } else {
            json_decref(result);
        }
    }
    if (s == STATUS_OK && row->is_there) {
        s = compare_figures_combine(plan->repeat, runs, &row->figures);
    }
    snprintf(row->reason, sizeof row->reason, "%s",
             reason ? reason : "a run did not finish");
    free(runs);
    return s;
}

static int number_of(const json_t *result, const char *name)
{
    const json_t *timings = json_object_get(result, "timings");
    return (int)json_integer_value(json_object_get(timings, name));
}

/* The machine's state before the run, if the run used only that machine; else NULL. */
static const json_t *machine_of(const json_t *result)
{
    const json_t *machine = json_object_get(result, "machine");
    const json_t *timings = json_object_get(result, "timings");
    return number_of(result, "nodes") == 1 && json_equal(json_object_get(machine, "host"),
                                                         json_object_get(timings, "host"))
               ? machine
               : NULL;
}

/* The number of cores that the ranks of a run could use. */
static int cores_of(const compare_plan *plan, const json_t *result)
{
    const int cores = number_of(result, "cores");
    const int allowed =
        (int)json_integer_value(json_object_get(machine_of(result), "cores"));
    if (plan->cores.count > 0) {
        return plan->cores.count;
    }
    return allowed > 0 && allowed < cores ? allowed : cores;
}

/* Sets the table's facts about machines. Wall clock times say little if threads outnumber
 * cores. */
static void find_machine(compare_table *table)
{
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there) {
            const json_t *machine = machine_of(row->first);
            const int cores = cores_of(table->plan, row->first);
            const int nodes = number_of(row->first, "nodes");
            table->cores = cores > table->cores ? cores : table->cores;
            table->is_modelled =
                table->is_modelled || row->which.ranks * table->plan->threads > cores;
            table->nodes = nodes > table->nodes ? nodes : table->nodes;
            table->load =
                fmax(table->load, json_number_value(json_object_get(machine, "load")));
            const int processors =
                (int)json_integer_value(json_object_get(machine, "processors"));
            table->processors =
                processors > table->processors ? processors : table->processors;
        }
    }
}

/* ---- Pictures ---------------------------------------------------------------------- */

static const char *picture_of(const json_t *result, size_t frame)
{
    const json_t *frames = json_object_get(json_object_get(result, "timings"), "frames");
    return json_string_value(json_object_get(json_array_get(frames, frame), "picture"));
}

static status compare_frame(const char *a, const char *b, compare_difference *all)
{
    compare_picture first = {0}, second = {0};
    status s = compare_picture_read(a, &first);
    s = s == STATUS_OK ? compare_picture_read(b, &second) : s;
    if (s == STATUS_OK) {
        compare_difference here = compare_picture_differ(&first, &second);
        all->most = here.most > all->most ? here.most : all->most;
        all->pixels += here.pixels;
    }
    compare_picture_clear(&first);
    compare_picture_clear(&second);
    return s;
}

/* Compares each frame of a case with that of the reference, which has the same view. */
static status compare_pictures(const compare_row *reference, compare_row *row)
{
    status s = STATUS_OK;
    for (size_t f = 0; s == STATUS_OK; f++) {
        const char *a = picture_of(reference->first, f), *b = picture_of(row->first, f);
        if (!a || !b) {
            break;
        }
        s = compare_frame(a, b, &row->difference);
    }
    return s;
}

/* ---- The table --------------------------------------------------------------------- */

static status fill_rows(compare_table *table, char *const *reasons)
{
    for (int n = 0; n < table->count; n++) {
        compare_row *row = &table->rows[n];
        status s = read_row(table->plan, reasons[n], row);
        const compare_row *reference = compare_table_first(table, row->which.projection);
        if (s == STATUS_OK && row->is_there && reference != row) {
            s = compare_pictures(reference, row);
        }
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

status compare_collect(const compare_plan *plan, int count, const compare_case *cases,
                       char *const *reasons, compare_table *table)
{
    *table = (compare_table){.plan = plan, .count = count};
    table->rows = calloc((size_t)count + 1, sizeof *table->rows);
    if (!table->rows) {
        return base_fail_memory((size_t)count * sizeof *table->rows, "a table of runs");
    }
    for (int n = 0; n < count; n++) {
        table->rows[n].which = cases[n];
        table->rows[n].figures = compare_figures_none();
    }
    status s = fill_rows(table, reasons);
    if (s != STATUS_OK) {
        compare_table_clear(table);
        return s;
    }
    find_machine(table);
    compare_table_relate(table);
    return STATUS_OK;
}

void compare_table_clear(compare_table *table)
{
    for (int n = 0; table->rows && n < table->count; n++) {
        json_decref(table->rows[n].first);
    }
    free(table->rows);
    *table = (compare_table){0};
}
