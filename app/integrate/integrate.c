#include "integrate.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "curves.h"
#include "frame/measure/measure.h"
#include "io/load/load.h"
#include "io/select.h"
#include "places.h"
#include "rows.h"
#include "wishes.h"

#include <stdio.h>
#include <stdlib.h>

/* The work of one command. */
typedef struct integration {
    MPI_Comm comm;
    const app_integrate_request *request;
    const io_config *config;
    io_source *source;
    grid_layout *layout;
    integrate_wishes wishes;
    int nsteps, *steps;          /* indices; none: a grid alone */
    int grid;                    /* of the layout and the measures; -1: none yet */
    frame_measure_place *places; /* [request->nplaces] */
    frame_measure **measures;    /* the same */
    frame_measure_sums *sums;    /* of each recipe, over one place */
    bool *has_warned;            /* [recipes] */
    app_table *table;
} integration;

/* ---- Places ------------------------------------------------------------------------ */

static void drop_places(integration *p)
{
    for (int n = 0; n < p->request->nplaces; n++) {
        if (p->measures) {
            frame_measure_destroy(&p->measures[n]);
        }
        if (p->places) {
            free(p->places[n].ranges);
            p->places[n].ranges = NULL;
        }
    }
    grid_layout_destroy(&p->layout);
}

/* Finds all places in the grid of a step. Collective. */
static status find_places(integration *p, int step)
{
    drop_places(p);
    status s = io_source_step_count(p->source) > 0
                   ? io_load_grid_of(p->comm, p->source, step, &p->layout)
                   : io_load_layout(p->comm, p->source, &p->layout);
    for (int n = 0; n < p->request->nplaces && s == STATUS_OK; n++) {
        s = integrate_place_find(p->request, n, p->source, p->layout, &p->places[n]);
        s = parallel_agree(p->comm, s);
        if (s == STATUS_OK) {
            s = frame_measure_create(p->comm, p->source, p->layout, &p->places[n],
                                     &p->measures[n]);
        }
    }
    return s;
}

static void name_place(const app_integrate_place *place, char *out, size_t size)
{
    static const char *const names[] = {"volume", "block ", "plane ",
                                        "faces ", "wall ",  "walls"};
    snprintf(out, size, "%s%s", names[place->kind], place->text ? place->text : "");
}

/* ---- Sums -------------------------------------------------------------------------- */

/* Warns once of a field that lacks values. */
static void warn_missing(integration *p, int recipe, double share, const char *place)
{
    if (share > 1e-12 && !p->has_warned[recipe]) {
        p->has_warned[recipe] = true;
        base_log_warning("%s has no value on %.3g %% of %s, which its integrals leave "
                         "out",
                         grid_recipe_name(p->wishes.recipes[recipe]), 100.0 * share,
                         place);
    }
}

/* Adds the row of a place at a step. Collective. */
static status add_row(integration *p, int place, int step)
{
    const app_integrate_place *wish = &p->request->places[place];
    integrate_found found = {
        wish->kind <= APP_INTEGRATE_BLOCK, p->request, &p->wishes, {0}, p->sums};
    const int count =
        p->wishes.first[found.is_volume ? INTEGRATE_FLUXES : INTEGRATE_GROUPS];
    char name[300];
    name_place(wish, name, sizeof name);
    status s = frame_measure_find(p->measures[place], NULL, step, &found.all);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        p->sums[n] = (frame_measure_sums){0};
        if (app_fields_are_there(p->source, p->wishes.recipes[n], step)) {
            s = frame_measure_find(p->measures[place], p->wishes.recipes[n], step,
                                   &p->sums[n]);
        }
        if (s == STATUS_OK) {
            warn_missing(p, n, 1.0 - p->sums[n].size / found.all.size, name);
        }
    }
    if (s == STATUS_OK) {
        app_table_add_row(p->table);
        if (p->nsteps > 0) {
            const io_step *its = &io_source_steps(p->source)[step];
            app_table_set_count(p->table, "step", its->number);
            app_table_set(p->table, its->time, "time");
        }
        app_table_set_text(p->table, "place", name);
        integrate_row_fill(&found, p->table);
    }
    if (s == STATUS_OK && found.all.parts == 0) {
        base_log_warning("%s has no cells and no faces", name);
    }
    return s;
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
        s = integrate_wishes_make(p->request, p->source, &p->config->data.terms,
                                  &p->wishes);
    }
    const size_t recipes = (size_t)p->wishes.first[INTEGRATE_GROUPS] + 1;
    p->places = calloc(places, sizeof *p->places);
    p->measures = calloc(places, sizeof *p->measures);
    p->sums = calloc(recipes, sizeof *p->sums);
    p->has_warned = calloc(recipes, sizeof *p->has_warned);
    if (s == STATUS_OK && !(p->places && p->measures && p->sums && p->has_warned)) {
        s = base_fail_memory(recipes * sizeof *p->sums, "integrals");
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
    integrate_wishes_clear(&p.wishes);
    app_table_destroy(&p.table);
    free(p.places);
    free(p.measures);
    free(p.sums);
    free(p.has_warned);
    free(p.steps);
    io_source_close(&p.source);
    return s;
}
