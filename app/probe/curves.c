#include "curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME = 64 };

/* plot_value: along a line, and over steps. */
static double value_on_line(const void *context, int quantity, int curve, int64_t n)
{
    return sample_value(context, curve, quantity, n);
}

static double value_over_steps(const void *context, int quantity, int curve, int64_t n)
{
    return sample_value(context, (int)n, quantity, curve);
}

/* The name of a curve: a time or a step, or a point. */
static void name_curve(const sample_table *t, bool by_time, int curve, char out[NAME])
{
    if (!t->is_line) {
        const vec3 x = sample_place(t, 0, curve);
        snprintf(out, NAME, "(%.5g, %.5g, %.5g)", x.v[0], x.v[1], x.v[2]);
    } else if (t->nsteps > 0) {
        const io_step *its = &io_source_steps(t->source)[t->steps[curve]];
        if (by_time) {
            snprintf(out, NAME, "t = %.5g", its->time);
        } else {
            snprintf(out, NAME, "step %lld", (long long)its->number);
        }
    }
}

/* What a plot needs beside the table. */
typedef struct curves {
    double *x;           /* [count] */
    char (*names)[NAME]; /* [ncurves] */
    const char **list;   /* the same */
    char words[200];     /* of the title */
} curves;

/* Says which line or point it is. */
static void write_words(const app_sample_request *r, const sample_table *t, curves *c)
{
    if (r->vertices) {
        snprintf(c->words, sizeof c->words, "vertices %s", r->vertices);
    } else if (r->stream) {
        snprintf(c->words, sizeof c->words, "streamline through (%s)", r->stream);
    } else if (t->is_line) {
        snprintf(c->words, sizeof c->words, "(%s) to (%s)", r->from, r->to);
    } else if (t->npoints == 1) {
        snprintf(c->words, sizeof c->words, "%s", c->names[0]);
    }
}

static status draw(const app_sample_request *request, const io_config *config,
                   const sample_table *t, curves *c)
{
    const int ncurves = t->is_line ? t->nsteps > 0 ? t->nsteps : 1 : (int)t->npoints;
    const char *across = "distance";
    bool by_time = false;
    if (t->nsteps > 0) {
        const char *steps = app_figure_times(t->source, t->nsteps, t->steps, c->x);
        by_time = steps[0] == 't';
        across = t->is_line ? across : steps;
    }
    for (int64_t n = 0; n < t->npoints && t->is_line; n++) {
        c->x[n] = sample_way(t, 0, n, n > 0 ? c->x[n - 1] : 0.0);
    }
    for (int n = 0; n < ncurves; n++) {
        name_curve(t, by_time, n, c->names[n]);
        c->list[n] = c->names[n];
    }
    write_words(request, t, c);
    char *title = app_figure_title(config, t->source, c->words[0] ? c->words : NULL,
                                   t->is_line && t->nsteps == 1 ? t->steps[0] : -1);
    const plot what = {.style = app_figure_style(config),
                       .title = title,
                       .across = across,
                       .count = t->is_line ? t->npoints : t->nsteps,
                       .x = c->x,
                       .nquantities = t->nfields,
                       .quantities = (const char *const *)t->fields,
                       .units = t->units,
                       .ncurves = ncurves,
                       .curves = c->list,
                       .is_ordered = t->is_line,
                       .value = t->is_line ? value_on_line : value_over_steps,
                       .context = t};
    const status s = app_figure_write(&what, request->form, request->output);
    free(title);
    return s;
}

status sample_draw(const app_sample_request *request, const io_config *config,
                   const sample_table *table)
{
    const size_t most = (size_t)table->npoints + (size_t)table->nsteps + 1;
    curves c = {calloc(most, sizeof *c.x), calloc(most, sizeof *c.names),
                calloc(most, sizeof *c.list), ""};
    const status s = c.x && c.names && c.list
                         ? draw(request, config, table, &c)
                         : base_fail_memory(most * sizeof *c.names, "a plot");
    free(c.x);
    free(c.names);
    free(c.list);
    return s;
}
