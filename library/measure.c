/* Numbers of fields over the whole grid: of conditions, and of monitors. */
#include "frame/measure/measure.h"
#include "base/parallel/parallel.h"
#include "frame/entry.h"
#include "io/load/load.h"
#include "io/sources/memory/memory.h"
#include "state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void insitu_measure_drop(insitu_session *session)
{
    frame_measure_destroy(&session->measure.volume);
    grid_layout_destroy(&session->measure.layout);
}

/* Finds the number of a recipe at the source's only step. Collective. */
static status find(insitu_session *session, const grid_recipe *recipe, io_measure what,
                   double *value)
{
    enum { STEP = 0 };
    insitu_measure *m = &session->measure;
    io_source *source = session->grid.source;
    status s = m->layout ? STATUS_OK : io_load_layout(session->comm, source, &m->layout);
    if (s == STATUS_OK && what <= IO_GREATEST) {
        const int step = STEP;
        const io_load_series series = {m->layout, recipe, &step, 1};
        double range[2];
        s = io_load_scan(session->comm, source, &series, range);
        *value = s == STATUS_OK ? range[what == IO_GREATEST] : *value;
        return s;
    }
    const frame_measure_place place = {.kind = FRAME_MEASURE_VOLUME, .block = -1};
    if (s == STATUS_OK && !m->volume) {
        s = frame_measure_create(session->comm, source, m->layout, &place, &m->volume);
    }
    frame_measure_sums sums;
    s = s == STATUS_OK ? frame_measure_find(m->volume, recipe, STEP, &sums) : s;
    if (s == STATUS_OK) {
        *value = what == IO_MEAN ? sums.total / sums.size : sums.total;
    }
    return s;
}

status insitu_measure_find(insitu_session *session, const io_config *config,
                           const io_measured *of, double *value)
{
    grid_recipe *recipe = NULL;
    io_source *source = session->grid.source;
    status s = grid_recipe_create(of->field, io_source_field_count(source),
                                  io_source_fields(source), config->data.terms, &recipe);
    s = parallel_agree(session->comm, s);
    io_memory_set_fills(source, &config->data);
    if (s == STATUS_OK) {
        const frame_threads threads = frame_threads_begin(session->threads);
        s = find(session, recipe, of->what, value);
        frame_threads_end(&threads);
    }
    grid_recipe_destroy(&recipe);
    return s;
}

/* ---- Monitors ---------------------------------------------------------------------- */

bool insitu_monitors_are_due(const insitu_session *session)
{
    const io_in_situ *config = session->config;
    return config->nmonitors > 0 && session->step.cycle % config->monitor_every == 0;
}

/* The value of `mean(pressure)` in a table: NaN is an empty cell. */
static void print_value(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, ",%.12g", value);
    } else {
        fputc(',', file);
    }
}

/* Adds a row to monitors.csv, and a head to a new file. Local. */
static status add_row(const insitu_session *session, const double *values)
{
    const io_in_situ *config = session->config;
    const size_t size = strlen(config->run) + sizeof "/monitors.csv";
    char *path = malloc(size);
    if (!path) {
        return base_fail_memory(size, "monitors");
    }
    snprintf(path, size, "%s/monitors.csv", config->run);
    FILE *file = fopen(path, "a");
    if (file && ftell(file) == 0) {
        fputs("cycle,time", file);
        for (int n = 0; n < config->nmonitors; n++) {
            fprintf(file, ",%s", config->monitors[n].name);
        }
        fputc('\n', file);
    }
    if (file) {
        fprintf(file, "%lld,%.12g", (long long)session->step.cycle, session->step.time);
        for (int n = 0; n < config->nmonitors; n++) {
            print_value(file, values[n]);
        }
        fputc('\n', file);
    }
    const bool works = file && !ferror(file);
    const status s = file && fclose(file) == 0 && works
                         ? STATUS_OK
                         : base_fail(STATUS_OUTPUT, "'%s' cannot be written: %s", path,
                                     strerror(errno));
    free(path);
    return s;
}

status insitu_monitors_step(insitu_session *session)
{
    const io_in_situ *config = session->config;
    const char *names[IO_MAX_MONITORS];
    double values[IO_MAX_MONITORS];
    status s = STATUS_OK;
    for (int n = 0; n < config->nmonitors && s == STATUS_OK; n++) {
        names[n] = config->monitors[n].name;
        values[n] = (double)NAN;
        s = insitu_measure_find(session, session->pictures[0].config,
                                &config->monitors[n].of, &values[n]);
    }
    if (s == STATUS_OK) {
        steer_run_add_monitors(session->run, session->step.cycle, session->step.time,
                               config->nmonitors, names, values);
        s = parallel_agree(session->comm,
                           session->rank == 0 ? add_row(session, values) : STATUS_OK);
    }
    return s;
}
