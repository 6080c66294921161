#include "sample.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "curves.h"
#include "frame/integrals/fields.h"
#include "frame/particles/stream.h"
#include "frame/probe/probe.h"
#include "grid/priority.h"
#include "io/load/load.h"
#include "io/select.h"
#include "points.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the values are found in. */
typedef struct sampling {
    MPI_Comm comm;
    const app_sample_request *request;
    const io_config *config;
    io_source *source;
    grid_layout *layout;
    sample_points points;
    double *ages; /* of a streamline; NULL */
    frame_probe *probe;
    frame_probe_point *found; /* of the table */
    frame_fields fields;
    grid_recipe **recipes; /* [fields.count] */
    int nsteps;
    int *steps; /* [nsteps]: indices; none: a grid alone */
    sample_table table;
} sampling;

/* ---- Fields ------------------------------------------------------------------------ */

/* Those of the request; otherwise all of the data, then those that the config defines. */
static status list_fields(sampling *p)
{
    status s = frame_fields_find(
        p->request->fields, true, io_source_field_count(p->source),
        io_source_fields(p->source), &p->config->data.terms, &p->fields);
    p->table.fields = p->fields.names;
    p->table.nfields = p->fields.count;
    p->table.units = calloc((size_t)p->fields.count + 1, sizeof *p->table.units);
    p->recipes = calloc((size_t)p->fields.count + 1, sizeof *p->recipes);
    if (s == STATUS_OK && !(p->table.units && p->recipes)) {
        return base_fail_memory((size_t)p->fields.count * 8, "units");
    }
    for (int n = 0; n < p->fields.count && s == STATUS_OK; n++) {
        p->table.units[n] = io_source_unit(p->source, p->fields.names[n]);
        s = grid_recipe_create(p->fields.names[n], io_source_field_count(p->source),
                               io_source_fields(p->source), p->fields.terms,
                               &p->recipes[n]);
    }
    return s;
}

/* ---- Points ------------------------------------------------------------------------ */

/* Warns of points that lie in no cell at a step of the table. */
static void warn_outside(const sampling *p, int step)
{
    const frame_probe_point *points = sample_point(&p->table, step, 0), *first = NULL;
    int64_t count = 0;
    for (int64_t n = 0; n < p->table.npoints; n++) {
        if (!points[n].is_inside) {
            first = first ? first : &points[n];
            count++;
        }
    }
    if (count > 0 && isfinite(first->distance)) {
        base_log_warning(
            "%lld of %lld points lie in no cell: the first, [%g, %g, %g], is "
            "%g away from vertex (%lld, %lld, %lld) of block '%s'",
            (long long)count, (long long)p->table.npoints, first->x[0], first->x[1],
            first->x[2], first->distance, (long long)first->at[0],
            (long long)first->at[1], (long long)first->at[2],
            io_source_blocks(p->source)[first->block].name);
    } else if (count > 0) {
        base_log_warning("%lld of %lld points belong to no cell", (long long)count,
                         (long long)p->table.npoints);
    }
}

/* Puts the points of the streamline through the first point in place of the points.
 * Collective. */
static status trace_stream(sampling *p)
{
    const frame_stream stream = {p->comm, p->source, p->layout, &p->config->data.terms,
                                 p->steps[0]};
    frame_stream_point *line = NULL;
    int64_t count = 0;
    status s = frame_stream_trace(&stream, p->points.wishes[0].x, &count, &line);
    frame_probe_wish *wishes = calloc((size_t)count + 1, sizeof *wishes);
    p->ages = calloc((size_t)count + 1, sizeof *p->ages);
    if (s == STATUS_OK && !(wishes && p->ages)) {
        s = base_fail_memory((size_t)count * sizeof *wishes, "a streamline");
    }
    s = parallel_agree(p->comm, s);
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        memcpy(wishes[n].x, line[n].x, sizeof wishes[n].x);
        wishes[n].block = -1;
        p->ages[n] = line[n].time;
    }
    free(line);
    if (s != STATUS_OK) {
        free(wishes);
        return s;
    }
    free(p->points.wishes);
    p->points = (sample_points){count, wishes, true};
    p->table.ages = p->ages;
    return s;
}

/* Makes the layout of the grid at a step of the table. Collective. */
static status find_grid(sampling *p, int step)
{
    const io_data_config *data = &p->config->data;
    grid_layout_destroy(&p->layout);
    status s = p->table.moves
                   ? io_load_grid_of(p->comm, p->source, p->steps[step], &p->layout)
                   : io_load_layout(p->comm, p->source, &p->layout);
    if (s == STATUS_OK) {
        s = parallel_agree(
            p->comm, grid_layout_rank_blocks(p->layout, data->npriority, data->priority));
    }
    return s;
}

/* Finds the points in the grid that was found last. Collective. */
static status find_places(sampling *p, int step)
{
    sample_table *t = &p->table;
    frame_probe_destroy(&p->probe);
    const status s = frame_probe_create(p->comm, p->source, p->layout, p->points.count,
                                        p->points.wishes, &p->probe);
    if (s == STATUS_OK) {
        memcpy(p->found + (t->moves ? step * t->npoints : 0),
               frame_probe_points(p->probe), (size_t)t->npoints * sizeof *p->found);
        warn_outside(p, step);
    }
    return s;
}

/* The same, with the grid. */
static status locate(sampling *p, int step)
{
    frame_probe_destroy(&p->probe);
    const status s = find_grid(p, step);
    return s == STATUS_OK ? find_places(p, step) : s;
}

/* Finds the grid and the points in it. Collective. */
static status find_points(sampling *p)
{
    sample_table *t = &p->table;
    status s = sample_find_points(p->comm, p->request, p->source, &p->points);
    s = s == STATUS_OK ? find_grid(p, 0) : s;
    if (s == STATUS_OK && p->request->stream) {
        s = trace_stream(p);
    }
    if (s == STATUS_OK) {
        const int64_t count = p->points.count * (t->moves ? p->nsteps : 1);
        t->source = p->source;
        t->npoints = p->points.count;
        t->is_line = p->points.is_line;
        t->points = p->found = calloc((size_t)count + 1, sizeof *p->found);
        s = parallel_agree(
            p->comm,
            p->found ? s : base_fail_memory((size_t)count * sizeof *p->found, "points"));
    }
    return s == STATUS_OK ? find_places(p, 0) : s;
}

/* ---- Values ------------------------------------------------------------------------ */

/* Finds the values of all fields at a step of the table. Collective. */
static status find_step(sampling *p, int step)
{
    sample_table *t = &p->table;
    status s = STATUS_OK;
    for (int f = 0; f < t->nfields && s == STATUS_OK; f++) {
        double *values = t->values + ((int64_t)step * t->nfields + f) * t->npoints;
        if (io_load_has(p->source, p->recipes[f], t->steps[step])) {
            s = frame_probe_values(p->probe, p->recipes[f], t->steps[step], values);
        } else {
            for (int64_t n = 0; n < t->npoints; n++) {
                values[n] = (double)NAN;
            }
        }
    }
    return s;
}

/* Finds all values; at each step where the points lie in its grid, if that moves. */
static status find_values(sampling *p)
{
    sample_table *t = &p->table;
    const size_t count =
        (size_t)(t->nsteps > 0 ? t->nsteps : 1) * (size_t)t->nfields * (size_t)t->npoints;
    t->values = calloc(count + 1, sizeof *t->values);
    status s =
        t->values ? STATUS_OK : base_fail_memory(count * sizeof *t->values, "values");
    s = parallel_agree(p->comm, s);
    for (int step = 0; step < t->nsteps && s == STATUS_OK; step++) {
        s = step > 0 && t->moves ? locate(p, step) : s;
        s = s == STATUS_OK ? find_step(p, step) : s;
    }
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

/* Chooses the steps; a grid alone has none. */
static status choose_steps(sampling *p)
{
    status s = STATUS_OK;
    if (io_source_step_count(p->source) > 0) {
        s = io_select_steps(p->source, p->config, false, &p->nsteps, &p->steps);
    }
    if (s == STATUS_OK && p->request->stream && p->nsteps != 1) {
        s = base_fail(STATUS_USAGE, "a streamline belongs to one step: give it by "
                                    "--steps");
    }
    p->table.nsteps = p->nsteps;
    p->table.steps = p->steps;
    if (s == STATUS_OK) {
        s = io_select_check_blocks(p->source, p->nsteps, p->steps, &p->table.moves);
    }
    return s;
}

/* Writes the table, or a plot of it. Local. */
static status write(const sampling *p)
{
    return p->request->form >= APP_PLOTS ? sample_draw(p->request, p->config, &p->table)
                                         : sample_write(p->request, &p->table);
}

static status sample(sampling *p)
{
    status s = io_source_open(p->comm, &p->config->data, &p->source);
    s = s == STATUS_OK ? parallel_agree(p->comm, choose_steps(p)) : s;
    if (s == STATUS_OK && p->nsteps > 0 && io_source_moves(p->source)) {
        s = io_source_choose_grid(p->source, p->steps[0]);
    }
    s = s == STATUS_OK ? find_points(p) : s;
    if (s == STATUS_OK && !p->points.is_line) {
        s = app_figure_check(p->request->form, p->nsteps);
    }
    s = s == STATUS_OK ? parallel_agree(p->comm, list_fields(p)) : s;
    s = s == STATUS_OK ? find_values(p) : s;
    if (s == STATUS_OK) {
        s = parallel_rank(p->comm) == 0 ? write(p) : s;
        s = parallel_agree(p->comm, s);
    }
    return s;
}

status app_sample(MPI_Comm comm, const app_sample_request *request,
                  const io_config *config)
{
    sampling p = {.comm = comm, .request = request, .config = config};
    const status s = sample(&p);
    for (int n = 0; p.recipes && n < p.fields.count; n++) {
        grid_recipe_destroy(&p.recipes[n]);
    }
    free(p.recipes);
    free(p.found);
    frame_fields_clear(&p.fields);
    free(p.table.values);
    free(p.table.units);
    free(p.points.wishes);
    free(p.ages);
    free(p.steps);
    frame_probe_destroy(&p.probe);
    grid_layout_destroy(&p.layout);
    io_source_close(&p.source);
    return s;
}
