/* Tables of values at points, as CSV and as JSON. */
#include "table.h"

#include "app/table/table.h"
#include "io/view.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const grid_block *block_of(const sample_table *t, const frame_probe_point *point)
{
    return &io_source_blocks(t->source)[point->block];
}

const frame_probe_point *sample_point(const sample_table *t, int step, int64_t n)
{
    return &t->points[(t->moves ? step * t->npoints : 0) + n];
}

vec3 sample_place(const sample_table *t, int step, int64_t n)
{
    const grid_view *view = io_source_common_view(t->source);
    vec3 x;
    memcpy(x.v, sample_point(t, step, n)->x, sizeof x.v);
    return view ? grid_view_point_back(view, x) : x;
}

double sample_way(const sample_table *t, int step, int64_t n, double before)
{
    if (n == 0) {
        return 0.0;
    }
    const double way =
        vec3_length(vec3_sub(sample_place(t, step, n), sample_place(t, step, n - 1)));
    return isfinite(way) ? before + way : before;
}

double sample_value(const sample_table *t, int step, int field, int64_t point)
{
    return t->values[((int64_t)step * t->nfields + field) * t->npoints + point];
}

/* ---- CSV --------------------------------------------------------------------------- */

static void print_head(FILE *file, const sample_table *t)
{
    fputs(t->nsteps > 0 ? "step,time," : "", file);
    fputs(t->is_line ? "distance," : "", file);
    fputs(t->ages ? "travel_time," : "", file);
    fputs("x,y,z,block,i,j,k", file);
    for (int f = 0; f < t->nfields; f++) {
        fputc(',', file);
        char head[512];
        const char *unit = t->units[f];
        snprintf(head, sizeof head, "%s%s%s%s", t->fields[f], unit ? " [" : "",
                 unit ? unit : "", unit ? "]" : "");
        app_table_print_text(file, head);
    }
    fputc('\n', file);
}

static void print_row(FILE *file, const sample_table *t, int step, int64_t n, double way)
{
    const frame_probe_point *point = sample_point(t, step, n);
    const vec3 x = sample_place(t, step, n);
    if (t->nsteps > 0) {
        const io_step *its = &io_source_steps(t->source)[t->steps[step]];
        fprintf(file, "%lld,%.9g,", (long long)its->number, its->time);
    }
    if (t->is_line) {
        fprintf(file, "%.9g,", way);
    }
    if (t->ages) {
        fprintf(file, "%.9g,", t->ages[n]);
    }
    fprintf(file, "%.9g,%.9g,%.9g,", x.v[0], x.v[1], x.v[2]);
    if (point->is_inside) {
        app_table_print_text(file, block_of(t, point)->name);
        for (int axis = 0; axis < 3; axis++) {
            fprintf(file, ",%.6g", (double)point->at[axis] + point->local[axis]);
        }
    } else {
        fputs(",,,", file);
    }
    for (int f = 0; f < t->nfields; f++) {
        const double value = sample_value(t, step, f, n);
        if (isfinite(value)) {
            fprintf(file, ",%.9g", value);
        } else {
            fputc(',', file);
        }
    }
    fputc('\n', file);
}

static bool write_csv(FILE *file, const sample_table *t)
{
    print_head(file, t);
    for (int step = 0; step < (t->nsteps > 0 ? t->nsteps : 1); step++) {
        double way = 0.0;
        for (int64_t n = 0; n < t->npoints; n++) {
            way = sample_way(t, step, n, way);
            print_row(file, t, step, n, way);
        }
    }
    return !ferror(file);
}

/* ---- JSON -------------------------------------------------------------------------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *describe_values(const sample_table *t, int step, int64_t n)
{
    json_t *values = json_object();
    for (int f = 0; f < t->nfields; f++) {
        json_object_set_new(values, t->fields[f], number(sample_value(t, step, f, n)));
    }
    return values;
}

static json_t *describe_point(const sample_table *t, int step, int64_t n, double way)
{
    const frame_probe_point *point = sample_point(t, step, n);
    const vec3 x = sample_place(t, step, n);
    json_t *out = json_pack("{s:[o,o,o], s:b}", "x", number(x.v[0]), number(x.v[1]),
                            number(x.v[2]), "inside", point->is_inside);
    if (t->is_line) {
        json_object_set_new(out, "distance", number(way));
    }
    if (t->ages) {
        json_object_set_new(out, "travel_time", number(t->ages[n]));
    }
    if (point->is_inside || isfinite(point->distance)) {
        json_object_set_new(out, "block", json_string(block_of(t, point)->name));
        json_object_set_new(out, point->is_inside ? "indices" : "nearest",
                            json_pack("[f,f,f]", (double)point->at[0] + point->local[0],
                                      (double)point->at[1] + point->local[1],
                                      (double)point->at[2] + point->local[2]));
    }
    if (!point->is_inside) {
        json_object_set_new(out, "away", number(point->distance));
    }
    json_object_set_new(out, "values", describe_values(t, step, n));
    return out;
}

/* Those that are known. */
static json_t *describe_units(const sample_table *t)
{
    json_t *units = json_object();
    for (int f = 0; f < t->nfields; f++) {
        if (t->units[f]) {
            json_object_set_new(units, t->fields[f], json_string(t->units[f]));
        }
    }
    return units;
}

static bool write_json(FILE *file, const sample_table *t)
{
    json_t *all = json_array();
    for (int step = 0; step < (t->nsteps > 0 ? t->nsteps : 1); step++) {
        json_t *points = json_array(), *one = json_object();
        double way = 0.0;
        for (int64_t n = 0; n < t->npoints; n++) {
            way = sample_way(t, step, n, way);
            json_array_append_new(points, describe_point(t, step, n, way));
        }
        if (t->nsteps > 0) {
            const io_step *its = &io_source_steps(t->source)[t->steps[step]];
            json_object_set_new(one, "step", json_integer(its->number));
            json_object_set_new(one, "time", number(its->time));
        }
        json_object_set_new(one, "units", describe_units(t));
        json_object_set_new(one, "points", points);
        json_array_append_new(all, one);
    }
    const bool works = all && json_dumpf(all, file, JSON_INDENT(1)) == 0;
    json_decref(all);
    return works && fputc('\n', file) != EOF;
}

/* app_table_writer */
static bool write_table(FILE *file, const void *context, bool is_json)
{
    return is_json ? write_json(file, context) : write_csv(file, context);
}

status sample_write(const app_sample_request *request, const sample_table *table)
{
    return app_table_write_by(request->output, request->form == APP_JSON, write_table,
                              table);
}
