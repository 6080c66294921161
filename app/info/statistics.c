#include "statistics.h"

#include "base/parallel/parallel.h"
#include "frame/integrals/fields.h"
#include "frame/measure/statistics.h"
#include "io/json/json.h"
#include "io/load/load.h"
#include "io/select.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What statistics are found in. */
typedef struct finding {
    MPI_Comm comm;
    const io_config *config;
    io_source *source;
    frame_fields fields;
    int nsteps, *steps; /* indices; none: a grid alone */
    int *has;           /* [nsteps]: those of a field */
    json_t *all;        /* a list of objects */
    bool is_json;
} finding;

/* ---- Text -------------------------------------------------------------------------- */

static void print_steps(const finding *f, int count, const int *steps)
{
    const io_step *all = io_source_steps(f->source);
    if (count == 1) {
        printf(", step %" PRId64, all[steps[0]].number);
    } else if (count > 1) {
        printf(", %d steps from %" PRId64 " to %" PRId64, count, all[steps[0]].number,
               all[steps[count - 1]].number);
    }
}

/* Prints bars, the longest as long as a line allows. */
static void print_bins(const frame_statistics *s)
{
    enum { LONGEST = 40 };
    const double width = (s->greatest - s->least) / FRAME_STATISTICS_BINS;
    double most = 0.0;
    for (int n = 0; n < FRAME_STATISTICS_BINS; n++) {
        most = fmax(most, s->bins[n]);
    }
    for (int n = 0; n < FRAME_STATISTICS_BINS && width > 0.0; n++) {
        const int length = (int)lround(LONGEST * s->bins[n] / most);
        printf("  %12.5g to %-12.5g %6.2f %%%s%.*s\n", s->least + n * width,
               s->least + (n + 1) * width, 100.0 * s->bins[n], length ? "  " : "", length,
               "########################################");
    }
}

static void print_text(const char *unit, const frame_statistics *s)
{
    if (!isfinite(s->least)) {
        printf("  no finite value\n\n");
        return;
    }
    printf("  min %.9g, max %.9g, mean %.9g, rms %.9g%s%s\n", s->least, s->greatest,
           s->mean, s->rms, unit ? " " : "", unit ? unit : "");
    printf("  percentiles by volume:");
    for (int p = 0; p < FRAME_STATISTICS_PERCENTILES; p++) {
        printf("%s %d %%: %.6g", p > 0 ? "," : "", frame_statistics_percents[p],
               s->percentiles[p]);
    }
    printf("\n");
    if (s->missing > 1e-12) {
        printf("  no value on %.3g %% of the volume\n", 100.0 * s->missing);
    }
    print_bins(s);
    printf("\n");
}

/* ---- JSON -------------------------------------------------------------------------- */

static json_t *describe(const finding *f, const char *name, int count,
                        const frame_statistics *s)
{
    const char *unit = io_source_unit(f->source, name);
    json_t *steps = json_array(), *percentiles = json_object(), *bins = json_array();
    for (int n = 0; n < count; n++) {
        json_array_append_new(steps,
                              json_integer(io_source_steps(f->source)[f->has[n]].number));
    }
    for (int p = 0; p < FRAME_STATISTICS_PERCENTILES; p++) {
        char key[16];
        snprintf(key, sizeof key, "%d", frame_statistics_percents[p]);
        json_object_set_new(percentiles, key, io_json_number(s->percentiles[p]));
    }
    for (int n = 0; n < FRAME_STATISTICS_BINS; n++) {
        json_array_append_new(bins, json_real(s->bins[n]));
    }
    return json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "field",
                     io_json_text(name), "unit", unit ? io_json_text(unit) : json_null(),
                     "steps", steps, "missing", s->missing, "min",
                     io_json_number(s->least), "max", io_json_number(s->greatest), "mean",
                     io_json_number(s->mean), "rms", io_json_number(s->rms),
                     "percentiles", percentiles, "histogram", bins);
}

/* ---- Fields ------------------------------------------------------------------------ */

/* Finds and prints those of a field. Collective. */
static status find_field(finding *f, const char *name)
{
    grid_recipe *recipe = NULL;
    frame_statistics found;
    int count = 0;
    status s = grid_recipe_create(name, io_source_field_count(f->source),
                                  io_source_fields(f->source), f->fields.terms, &recipe);
    s = parallel_agree(f->comm, s);
    for (int n = 0; s == STATUS_OK && n < f->nsteps; n++) {
        f->has[count] = f->steps[n];
        count += io_load_has(f->source, recipe, f->steps[n]);
    }
    if (s == STATUS_OK && (count > 0 || f->nsteps == 0)) {
        s = frame_statistics_find(f->comm, f->source, recipe, count, f->has, &found);
    } else {
        found = (frame_statistics){.least = (double)NAN, .missing = 1.0};
    }
    grid_recipe_destroy(&recipe);
    if (s == STATUS_OK && parallel_rank(f->comm) == 0 && f->is_json) {
        json_array_append_new(f->all, describe(f, name, count, &found));
    } else if (s == STATUS_OK && parallel_rank(f->comm) == 0) {
        printf("%s", name);
        print_steps(f, count, f->has);
        printf("\n");
        print_text(io_source_unit(f->source, name), &found);
    }
    return s;
}

static status prepare(finding *f, const char *fields)
{
    status s = STATUS_OK;
    if (io_source_step_count(f->source) > 0) {
        s = io_select_steps(f->source, f->config, false, &f->nsteps, &f->steps);
    }
    f->has = calloc((size_t)f->nsteps + 1, sizeof *f->has);
    f->all = json_array();
    if (s == STATUS_OK) {
        s = f->has && f->all
                ? frame_fields_find(fields, true, io_source_field_count(f->source),
                                    io_source_fields(f->source), &f->config->data.terms,
                                    &f->fields)
                : base_fail_memory((size_t)f->nsteps * 4, "statistics");
    }
    return s;
}

static status find(finding *f, const char *fields)
{
    status s = io_source_open(f->comm, &f->config->data, &f->source);
    s = s == STATUS_OK ? parallel_agree(f->comm, prepare(f, fields)) : s;
    for (int n = 0; s == STATUS_OK && n < f->fields.count; n++) {
        s = find_field(f, f->fields.names[n]);
    }
    if (s == STATUS_OK) {
        const bool prints = f->is_json && parallel_rank(f->comm) == 0;
        const bool failed = prints && (json_dumpf(f->all, stdout, JSON_INDENT(1)) != 0 ||
                                       putchar('\n') == EOF);
        s = failed ? base_fail(STATUS_OUTPUT,
                               "the JSON cannot be written to standard output")
                   : s;
        s = parallel_agree(f->comm, s);
    }
    return s;
}

status app_info_statistics(MPI_Comm comm, const char *fields, bool is_json,
                           io_config *config)
{
    finding f = {.comm = comm, .config = config, .is_json = is_json};
    const int ntransforms = config->data.ntransforms, ncopies = config->data.ncopies;
    config->data.ntransforms = config->data.ncopies = 0;
    const status s = find(&f, fields);
    config->data.ntransforms = ntransforms;
    config->data.ncopies = ncopies;
    frame_fields_clear(&f.fields);
    json_decref(f.all);
    free(f.steps);
    free(f.has);
    io_source_close(&f.source);
    return s;
}
