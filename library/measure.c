/* Numbers of fields over the whole grid: of conditions, and of monitors. */
#include "base/parallel/parallel.h"
#include "frame/entry.h"
#include "frame/integrals/integrals.h"
#include "frame/measure/extreme.h"
#include "io/load/load.h"
#include "io/sources/memory/memory.h"
#include "state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place of the grid, for all numbers over it. */
typedef struct place {
    frame_integrals_place place;
    const double *about;
    frame_measure *measure;
} place;

/* Numbers that are integrated together. */
typedef struct group {
    const io_measured *of; /* the first of them */
    frame_integrals_wish wish;
    frame_integrals *integrals;
} group;

enum { MOST_NUMBERS = IO_MAX_MONITORS + IO_MAX_PICTURES };

struct insitu_measure {
    grid_layout *layout;
    int nplaces, ngroups;
    place places[MOST_NUMBERS];
    group groups[MOST_NUMBERS];
};

void insitu_measure_forget(insitu_session *session)
{
    insitu_measure *m = session->measure;
    for (int n = 0; m && n < m->ngroups; n++) {
        frame_integrals_destroy(&m->groups[n].integrals);
    }
    if (m) {
        m->ngroups = 0;
    }
}

void insitu_measure_drop(insitu_session *session)
{
    insitu_measure *m = session->measure;
    insitu_measure_forget(session);
    for (int n = 0; m && n < m->nplaces; n++) {
        frame_measure_destroy(&m->places[n].measure);
    }
    if (m) {
        grid_layout_destroy(&m->layout);
        free(m);
        session->measure = NULL;
    }
}

/* ---- From keys to places and wishes ------------------------------------------------ */

static frame_integrals_place place_of(const io_measured *of)
{
    return of->block   ? (frame_integrals_place){FRAME_INTEGRALS_BLOCK, of->block}
           : of->plane ? (frame_integrals_place){FRAME_INTEGRALS_PLANE, of->plane}
           : of->faces ? (frame_integrals_place){FRAME_INTEGRALS_FACES, of->faces}
           : of->wall  ? (frame_integrals_place){FRAME_INTEGRALS_WALL, of->wall}
           : of->walls ? (frame_integrals_place){FRAME_INTEGRALS_WALLS, NULL}
                       : (frame_integrals_place){FRAME_INTEGRALS_ALL, NULL};
}

static frame_integrals_wish wish_of(const io_measured *of)
{
    const bool has_mean = of->what <= IO_INTEGRAL || of->what == IO_MASS_MEAN;
    return (frame_integrals_wish){
        .fields = has_mean ? of->field : NULL,
        .flux = of->what == IO_FLUX ? of->field : NULL,
        .mass_flow = of->what == IO_MASS_FLOW || of->what == IO_MASS_MEAN,
        .force = of->what >= IO_FORCE,
        .moment = of->what >= IO_MOMENT,
        .pressure = of->pressure ? of->pressure : "pressure",
        .viscosity = of->what >= IO_FORCE ? of->viscosity : NULL,
        .temperature = of->temperature ? of->temperature : "temperature",
        .conductivity = of->what == IO_HEAT_FLOW ? of->conductivity : NULL};
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_place(const place *p, const frame_integrals_place *where,
                     const double about[3])
{
    return p->place.kind == where->kind && same(p->place.text, where->text) &&
           memcmp(p->about, about, 3 * sizeof *about) == 0;
}

/* Whether two numbers are integrated together. */
static bool is_alike(const io_measured *a, const io_measured *b)
{
    const frame_integrals_place pa = place_of(a), pb = place_of(b);
    const frame_integrals_wish wa = wish_of(a), wb = wish_of(b);
    return pa.kind == pb.kind && same(pa.text, pb.text) &&
           memcmp(a->about, b->about, sizeof a->about) == 0 &&
           same(wa.fields, wb.fields) && same(wa.flux, wb.flux) &&
           wa.mass_flow == wb.mass_flow && wa.force == wb.force &&
           wa.moment == wb.moment && same(wa.pressure, wb.pressure) &&
           same(wa.viscosity, wb.viscosity) && same(wa.temperature, wb.temperature) &&
           same(wa.conductivity, wb.conductivity);
}

status insitu_measure_check(const insitu_session *session, const io_config *config,
                            const char *key, const io_measured *of)
{
    const frame_integrals_place where = place_of(of);
    const frame_integrals_wish wish = wish_of(of);
    const insitu_grid *grid = &session->grid;
    status s = STATUS_OK;
    if (grid->source || grid->nfields > 0) {
        s = frame_integrals_check(&wish, grid->nfields, grid->fields,
                                  &config->data.terms);
    }
    if (s == STATUS_OK && grid->source) {
        s = frame_integrals_place_check(&where, io_source_block_count(grid->source),
                                        io_source_blocks(grid->source));
    } else if (s == STATUS_OK && grid->declared) {
        s = frame_integrals_place_check(&where, grid->declared->nblocks,
                                        grid->declared->blocks);
    }
    return io_config_blame(config, key, s);
}

/* ---- Numbers ----------------------------------------------------------------------- */

enum { STEP = 0 }; /* the only one of the source */

/* Finds the place of a number, once for a grid. Collective. */
static status find_place(insitu_session *session, const io_measured *of, place **out)
{
    insitu_measure *m = session->measure;
    const frame_integrals_place where = place_of(of);
    for (int n = 0; n < m->nplaces; n++) {
        if (is_place(&m->places[n], &where, of->about)) {
            *out = &m->places[n];
            return STATUS_OK;
        }
    }
    place *p = &m->places[m->nplaces];
    *p = (place){where, of->about, NULL};
    const status s = frame_integrals_place_find(
        session->comm, session->grid.source, m->layout, &where, of->about, &p->measure);
    m->nplaces += s == STATUS_OK;
    *out = p;
    return s;
}

/* Makes the fields of a number, once for a config. Collective. */
static status find_group(insitu_session *session, const io_config *config,
                         const io_measured *of, group **out)
{
    insitu_measure *m = session->measure;
    for (int n = 0; n < m->ngroups; n++) {
        if (m->groups[n].of == of) {
            *out = &m->groups[n];
            return STATUS_OK;
        }
    }
    group *g = &m->groups[m->ngroups];
    *g = (group){of, wish_of(of), NULL};
    const status s = parallel_agree(
        session->comm, frame_integrals_create(session->grid.source, &config->data.terms,
                                              &g->wish, &g->integrals));
    if (s == STATUS_OK) {
        m->ngroups++;
    } else {
        frame_integrals_destroy(&g->integrals);
    }
    *out = g;
    return s;
}

/* Numbers that wait for their values. */
typedef struct waiting {
    int count;
    const io_measured *const *of; /* [count] */
    double *values;               /* [count] */
    const io_measured *first;     /* those like it are found */
} waiting;

/* frame_integrals_visitor */
static void take(void *context, const frame_integrals_value *value)
{
    const waiting *w = context;
    char name[4200];
    for (int n = 0; n < w->count; n++) {
        const io_measured *of = w->of[n];
        snprintf(name, sizeof name, "%s%s%s%s", io_measure_word(of->what),
                 of->field ? "(" : "", of->field ? of->field : "", of->field ? ")" : "");
        if (is_alike(of, w->first) && strcmp(name, value->name) == 0) {
            w->values[n] = value->value;
        }
    }
}

/* Whether a number is that of the greatest value, or its place; else of the least. */
static bool is_greatest(const io_measured *of)
{
    return of->what == IO_GREATEST || (of->what >= IO_GREATEST_AT && of->what < IO_MEAN);
}

static bool is_place_of_extreme(const io_measured *of)
{
    return of->what > IO_GREATEST && of->what < IO_MEAN;
}

/* Whether two numbers are of one extreme. */
static bool is_same_extreme(const io_measured *a, const io_measured *b)
{
    return a->what < IO_MEAN && b->what < IO_MEAN && same(a->field, b->field) &&
           is_greatest(a) == is_greatest(b);
}

/* Finds the least or the greatest value of a field, and its place if any number wants
 * that; fills in all numbers of this extreme. Collective. */
static status find_extreme(insitu_session *session, const io_config *config,
                           const io_measured *of, waiting *w)
{
    const insitu_measure *m = session->measure;
    group *g = NULL;
    bool wants_place = false;
    const int step = STEP;
    for (int n = 0; n < w->count; n++) {
        wants_place = wants_place ||
                      (is_same_extreme(of, w->of[n]) && is_place_of_extreme(w->of[n]));
    }
    status s = find_group(session, config, of, &g);
    if (s != STATUS_OK) {
        return s;
    }
    const io_load_series series = {m->layout, frame_integrals_field(g->integrals), &step,
                                   1};
    frame_extreme found;
    if (wants_place) {
        s = frame_extreme_find(session->comm, session->grid.source, &series,
                               is_greatest(of), &found);
    } else {
        double range[2];
        s = io_load_scan(session->comm, session->grid.source, &series, range);
        found.value = s == STATUS_OK ? range[is_greatest(of)] : (double)NAN;
    }
    for (int n = 0; n < w->count && s == STATUS_OK; n++) {
        const io_measured *its = w->of[n];
        if (is_same_extreme(of, its)) {
            w->values[n] = is_place_of_extreme(its)
                               ? found.at.v[(its->what - IO_LEAST_AT) % 3]
                               : found.value;
        }
    }
    return s;
}

static status find(insitu_session *session, const io_config *config, waiting *w)
{
    insitu_measure *m = session->measure;
    status s = m->layout
                   ? STATUS_OK
                   : io_load_layout(session->comm, session->grid.source, &m->layout);
    for (int n = 0; n < w->count && s == STATUS_OK; n++) {
        const io_measured *of = w->of[n];
        bool is_found = false;
        for (int k = 0; k < n; k++) {
            const bool is_like =
                of->what < IO_MEAN ? is_same_extreme(of, w->of[k])
                                   : w->of[k]->what >= IO_MEAN && is_alike(of, w->of[k]);
            is_found = is_found || is_like;
        }
        place *p = NULL;
        group *g = NULL;
        w->first = of;
        if (!is_found && of->what < IO_MEAN) {
            s = find_extreme(session, config, of, w);
        } else if (!is_found) {
            s = find_place(session, of, &p);
            s = s == STATUS_OK ? find_group(session, config, of, &g) : s;
            s = s == STATUS_OK ? frame_integrals_find(g->integrals, p->measure, &p->place,
                                                      STEP, take, w)
                               : s;
        }
    }
    return s;
}

status insitu_measure_find(insitu_session *session, const io_config *config, int count,
                           const io_measured *const *of, double *values)
{
    waiting w = {count, of, values, NULL};
    for (int n = 0; n < count; n++) {
        values[n] = (double)NAN;
    }
    if (!session->measure) {
        session->measure = calloc(1, sizeof *session->measure);
    }
    status s = parallel_agree(
        session->comm, session->measure ? STATUS_OK : base_fail_memory(0, "monitors"));
    io_memory_set_fills(session->grid.source, &config->data);
    if (s == STATUS_OK) {
        const frame_threads threads = frame_threads_begin(session->threads);
        s = find(session, config, &w);
        frame_threads_end(&threads);
    }
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
    const io_measured *of[IO_MAX_MONITORS];
    double values[IO_MAX_MONITORS];
    for (int n = 0; n < config->nmonitors; n++) {
        names[n] = config->monitors[n].name;
        of[n] = &config->monitors[n].of;
    }
    status s = insitu_measure_find(session, session->pictures[0].config,
                                   config->nmonitors, of, values);
    if (s == STATUS_OK) {
        steer_run_add_monitors(session->run, session->step.cycle, session->step.time,
                               config->nmonitors, names, values);
        s = parallel_agree(session->comm,
                           session->rank == 0 ? add_row(session, values) : STATUS_OK);
    }
    return s;
}
