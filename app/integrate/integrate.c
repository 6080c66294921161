#include "integrate.h"

#include "base/parallel/parallel.h"
#include "curves.h"
#include "io/load/load.h"
#include "io/select.h"

#include <stdlib.h>

/* The work of one command. */
typedef struct integration {
    MPI_Comm comm;
    const app_integrate_request *request;
    const io_config *config;
    io_source *source;
    grid_layout *layout;
    frame_integrals *integrals;
    int nsteps, *steps;       /* indices; none: a grid alone */
    int grid;                 /* of the layout and the measures; -1: none yet */
    frame_measure **measures; /* [request->nplaces] */
    app_table *table;
} integration;

/* ---- Places ------------------------------------------------------------------------ */

static void drop_places(integration *p)
{
    for (int n = 0; n < p->request->nplaces && p->measures; n++) {
        frame_measure_destroy(&p->measures[n]);
    }
    grid_layout_destroy(&p->layout);
}

/* Finds all places in the grid of a step. Collective. */
static status find_places(integration *p, int step)
{
    const app_integrate_request *r = p->request;
    drop_places(p);
    status s = io_source_step_count(p->source) > 0
                   ? io_load_grid_of(p->comm, p->source, step, &p->layout)
                   : io_load_layout(p->comm, p->source, &p->layout);
    for (int n = 0; n < r->nplaces && s == STATUS_OK; n++) {
        s = frame_integrals_place_find(p->comm, p->source, p->layout, &r->places[n],
                                       r->about, &p->measures[n]);
    }
    return s;
}

/* ---- Rows -------------------------------------------------------------------------- */

/* frame_integrals_visitor: a cell of the last row */
static void add_cell(void *context, const frame_integrals_value *value)
{
    if (value->is_count) {
        app_table_set_count(context, value->name, (int64_t)value->value);
    } else {
        app_table_set(context, value->value, "%s", value->name);
        app_table_set_unit(context, value->name, value->unit);
    }
}

/* Adds the row of a place at a step. Collective. */
static status add_row(integration *p, int place, int step)
{
    const frame_integrals_place *wish = &p->request->places[place];
    char name[300];
    frame_integrals_place_name(wish, name, sizeof name);
    app_table_add_row(p->table);
    if (p->nsteps > 0) {
        const io_step *its = &io_source_steps(p->source)[step];
        app_table_set_count(p->table, "step", its->number);
        app_table_set(p->table, its->time, "time");
    }
    app_table_set_text(p->table, "place", name);
    return frame_integrals_find(p->integrals, p->measures[place], wish, step, add_cell,
                                p->table);
}

static status find_rows(integration *p)
{
    status s = STATUS_OK;
    for (int n = 0; n < (p->nsteps > 0 ? p->nsteps : 1) && s == STATUS_OK; n++) {
        const int step = p->nsteps > 0 ? p->steps[n] : 0;
        const int grid = p->nsteps > 0 ? io_source_grid(p->source, step) : 0;
        if (grid != p->grid) {
            s = find_places(p, step);
            p->grid = grid;
        }
        for (int place = 0; place < p->request->nplaces && s == STATUS_OK; place++) {
            s = add_row(p, place, step);
        }
    }
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

/* Chooses steps and fields. Local. */
static status prepare(integration *p)
{
    const size_t places = (size_t)p->request->nplaces;
    status s = STATUS_OK;
    if (io_source_step_count(p->source) > 0) {
        s = io_select_steps(p->source, p->config, false, &p->nsteps, &p->steps);
    }
    s = s == STATUS_OK ? app_figure_check(p->request->form, p->nsteps) : s;
    if (s == STATUS_OK) {
        s = frame_integrals_create(p->source, &p->config->data.terms, &p->request->wish,
                                   &p->integrals);
    }
    p->measures = calloc(places, sizeof *p->measures);
    if (s == STATUS_OK && !p->measures) {
        s = base_fail_memory(places * sizeof *p->measures, "integrals");
    }
    return s == STATUS_OK ? app_table_create(&p->table) : s;
}

/* Writes the table, or a plot of it. Local. */
static status write(const integration *p)
{
    const app_integrate_request *r = p->request;
    const integrate_steps steps = {p->config, p->source, p->nsteps, p->steps};
    return r->form >= APP_PLOTS
               ? integrate_draw(r, &steps, p->table)
               : app_table_write(p->table, r->output, r->form == APP_JSON);
}

static status integrate(integration *p)
{
    status s = io_source_open(p->comm, &p->config->data, &p->source);
    s = s == STATUS_OK ? parallel_agree(p->comm, prepare(p)) : s;
    s = s == STATUS_OK ? find_rows(p) : s;
    if (s == STATUS_OK) {
        s = parallel_rank(p->comm) == 0 ? write(p) : s;
        s = parallel_agree(p->comm, s);
    }
    return s;
}

status app_integrate(MPI_Comm comm, const app_integrate_request *request,
                     io_config *config)
{
    integration p = {.comm = comm, .request = request, .config = config, .grid = -1};
    const int ntransforms = config->data.ntransforms, ncopies = config->data.ncopies;
    config->data.ntransforms = config->data.ncopies = 0;
    const status s = integrate(&p);
    config->data.ntransforms = ntransforms;
    config->data.ncopies = ncopies;
    drop_places(&p);
    frame_integrals_destroy(&p.integrals);
    app_table_destroy(&p.table);
    free(p.measures);
    free(p.steps);
    io_source_close(&p.source);
    return s;
}
