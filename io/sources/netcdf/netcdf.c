/* The source of classic netCDF files. */
#include "grid.h"
#include "io/source_kind.h"
#include "io/sources/arrays/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file as it becomes a catalogue. */
typedef struct contents {
    netcdf_header header;
    netcdf_guess guess;
    io_array_builder builder;
} contents;

/* The place of a variable whose dimensions are along i, j, k at positions; -1: it is the
 * same along that axis. */
static io_array_place place_of(const netcdf_variable *variable, const int position[3])
{
    io_array_place place = {
        .type = variable->type, .swaps = io_arrays_swap(true), .offset = variable->begin};
    for (int axis = 0; axis < 3; axis++) {
        place.stride[axis] = position[axis] < 0 ? 0 : variable->stride[position[axis]];
    }
    return place;
}

static status check_complete(const contents *c, const netcdf_variable *variable)
{
    return netcdf_is_complete(&c->header, variable)
               ? STATUS_OK
               : base_fail(
                     STATUS_INPUT,
                     "netCDF file '%s' ends inside its variable '%s': copy it again",
                     c->builder.path, variable->name);
}

/* ---- Grid -------------------------------------------------------------------------- */

/* Along which dimension of a coordinate the axes of the grid are. */
static void find_positions(const netcdf_variable *variable, const netcdf_field *field,
                           int position[3])
{
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = -1;
        for (int n = 0; n < variable->rank; n++) {
            position[axis] =
                variable->dimensions[n] == field->dimension[axis] ? n : position[axis];
        }
    }
}

/* A packed coordinate, depths, which count down, and metres above a map of degrees, of
 * which a kilometre counts as one. */
static void set_scale(const contents *c, const netcdf_attributes *a, int axis,
                      io_array_place *place)
{
    const bool is_down = axis == 2 && strcmp(a->positive, "down") == 0;
    const double turn = is_down ? -1.0 : 1.0;
    const double unit = axis == 2 && c->guess.is_geographic ? 1e-3 : 1.0;
    if (turn * unit != 1.0 || a->nscale > 0 || a->noffset > 0) {
        place->scale = turn * unit * (a->nscale > 0 ? a->scale[0] : 1.0);
        place->start = turn * unit * (a->noffset > 0 ? a->offset[0] : 0.0);
    }
}

static status add_grid(contents *c)
{
    const netcdf_field *field = &c->guess.fields[c->guess.chosen];
    grid_block grid = {.name = "block_1"};
    int block;
    for (int axis = 0; axis < 3; axis++) {
        const int dimension = field->dimension[axis];
        grid.n[axis] = dimension < 0 ? 1 : c->header.dimensions[dimension].count;
    }
    status s = io_array_builder_add_block(&c->builder, &grid, &block);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        io_array_place place = {.file = IO_ARRAY_RAMP};
        if (field->coordinate[axis] >= 0) {
            const netcdf_variable *v = &c->header.variables[field->coordinate[axis]];
            int position[3];
            find_positions(v, field, position);
            place = place_of(v, position);
            set_scale(c, &v->attributes, axis, &place);
            s = check_complete(c, v);
        }
        s = s == STATUS_OK
                ? io_array_builder_add_grid(&c->builder, block, IO_ARRAY_X + axis, &place)
                : s;
    }
    const netcdf_variable *x = &c->header.variables[field->coordinate[0]];
    c->builder.catalog->longitude = strstr(x->attributes.units, "degree") ? 1 : 0;
    return s;
}

/* ---- Fields and steps -------------------------------------------------------------- */

static status count_steps(const contents *c, int *count)
{
    enum { MOST_STEPS = 1 << 24 };
    const int time = c->guess.fields[c->guess.chosen].dimension[NETCDF_TIME];
    const int64_t steps = time < 0 ? 1 : c->header.dimensions[time].count;
    *count = (int)(steps < MOST_STEPS ? steps : MOST_STEPS);
    return steps > 0 && steps < MOST_STEPS
               ? STATUS_OK
               : base_fail(STATUS_INPUT, "netCDF file '%s' has %s steps: write it again",
                           c->builder.path, steps > 0 ? "too many" : "no");
}

/* Records lie one behind the other, so a field has one place for all steps. */
static status add_field(contents *c, int variable)
{
    const netcdf_variable *v = &c->header.variables[variable];
    const netcdf_field *found = &c->guess.fields[variable];
    const io_array_field field = {v->name, GRID_VERTEX, 0, 1, NULL};
    const int time = found->position[NETCDF_TIME];
    const status s = check_complete(c, v);
    io_array_place place = place_of(v, found->position);
    place.next = time < 0 ? 0 : v->stride[time];
    return s == STATUS_OK ? io_array_builder_add_field(&c->builder, 0, 0, &field, &place)
                          : s;
}

static status add_fields(contents *c)
{
    status s = STATUS_OK;
    io_array_builder_make_even(&c->builder);
    for (int n = 0; n < c->header.nvariables && s == STATUS_OK; n++) {
        const char *obstacle = c->guess.fields[n].obstacle;
        const bool is_list = c->header.variables[n].rank < 2;
        if (!obstacle) {
            s = add_field(c, n);
        } else if (obstacle[0] != '\0' && !is_list) {
            s = io_catalog_omit(c->builder.catalog, "variable '%s': %s",
                                c->header.variables[n].name, obstacle);
        }
    }
    return s;
}

/* Reads the times into the steps. */
static status read_times(const contents *c)
{
    const netcdf_variable *v = &c->header.variables[c->guess.time];
    double *times = NULL;
    status s = check_complete(c, v);
    s = s == STATUS_OK ? netcdf_values_read(c->builder.path, &c->header, v, &times) : s;
    for (int n = 0; n < c->builder.nsteps && s == STATUS_OK; n++) {
        c->builder.steps[n].step.time = times[n];
    }
    free(times);
    return s;
}

static status add_steps(contents *c)
{
    status s = count_steps(c, &c->builder.nsteps);
    s = s == STATUS_OK ? check_complete(c, &c->header.variables[c->guess.chosen]) : s;
    if (s != STATUS_OK) {
        return s; /* before a list of steps that are not there */
    }
    c->builder.steps = calloc((size_t)c->builder.nsteps + 1, sizeof *c->builder.steps);
    if (!c->builder.steps) {
        return base_fail_memory((size_t)c->builder.nsteps, "the steps of a file");
    }
    for (int n = 0; n < c->builder.nsteps; n++) {
        io_named_step *step = &c->builder.steps[n];
        step->step = (io_step){n, n};
        snprintf(step->name, sizeof step->name, "%d", n);
    }
    return c->guess.time >= 0 ? read_times(c) : STATUS_OK;
}

/* ---- Missing and packed values ----------------------------------------------------- */

/* netCDF's fill value for parts that were never written; bytes have none. */
static bool find_default_fill(io_number type, double *out)
{
    static const double fills[] = {[IO_FLOAT32] = 9.9692099683868690e36,
                                   [IO_FLOAT64] = 9.9692099683868690e36,
                                   [IO_INT16] = -32767.0,
                                   [IO_UINT16] = 65535.0,
                                   [IO_INT32] = -2147483647.0,
                                   [IO_UINT32] = 4294967295.0,
                                   [IO_INT64] = -9223372036854775806.0,
                                   [IO_UINT64] = 18446744073709551614.0};
    *out = fills[type];
    return *out != 0.0;
}

/* Numbers come as doubles, so fill values do, rounded as the numbers are. */
static void add_fills(const netcdf_variable *variable, int count, const double *fills,
                      io_unpacking *unpacking)
{
    for (int n = 0; n < count; n++) {
        const double fill =
            variable->type == IO_FLOAT32 ? (double)(float)fills[n] : fills[n];
        io_unpacking_add_fill(unpacking, IO_STORED_FLOAT64, (io_stored){.f64 = fill});
    }
}

static void set_unpacking(const netcdf_variable *variable, const io_data_config *config,
                          io_unpacking *unpacking)
{
    const netcdf_attributes *a = &variable->attributes;
    double fill;
    unpacking->type = IO_STORED_FLOAT64;
    add_fills(variable, a->nfill, a->fill, unpacking);
    add_fills(variable, a->nmissing, a->missing, unpacking);
    if (a->nfill == 0 && find_default_fill(variable->type, &fill)) {
        add_fills(variable, 1, &fill, unpacking);
    }
    add_fills(variable, config->nfills, config->fills, unpacking);
    unpacking->is_scaled = a->nscale > 0 || a->noffset > 0;
    unpacking->scale = a->nscale > 0 ? a->scale[0] : 1.0;
    unpacking->offset = a->noffset > 0 ? a->offset[0] : 0.0;
    if (strcmp(a->units, "1") != 0) {
        snprintf(unpacking->unit, sizeof unpacking->unit, "%.*s", IO_UNIT_SIZE - 1,
                 a->units);
    }
}

static void set_unpackings(const contents *c, const io_data_config *config)
{
    const io_catalog *catalog = c->builder.catalog;
    for (int n = 0; n < c->header.nvariables; n++) {
        const netcdf_variable *v = &c->header.variables[n];
        for (int f = 0; f < catalog->nfields && !c->guess.fields[n].obstacle; f++) {
            if (strcmp(catalog->fields[f].alias, v->name) == 0) {
                set_unpacking(v, config, &catalog->unpackings[f]);
            }
        }
    }
}

/* ---- The source -------------------------------------------------------------------- */

static status add_notes(const contents *c)
{
    io_catalog *catalog = c->builder.catalog;
    const char *title = c->header.attributes.title;
    status s = io_catalog_note(catalog, "format", "netCDF, classic");
    if (s == STATUS_OK && title[0] != '\0') {
        s = io_catalog_note(catalog, "title", "%s", title);
    }
    if (s == STATUS_OK && c->guess.is_geographic) {
        s = io_catalog_note(catalog, "heights", "a kilometre counts as a degree");
    }
    return s;
}

static status add_all(contents *c)
{
    status s = netcdf_header_read(c->builder.path, &c->header);
    s = s == STATUS_OK ? netcdf_guess_make(c->builder.path, &c->header, &c->guess) : s;
    s = s == STATUS_OK ? add_grid(c) : s;
    s = s == STATUS_OK ? add_steps(c) : s;
    s = s == STATUS_OK ? add_fields(c) : s;
    return s == STATUS_OK ? add_notes(c) : s;
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    contents c = {.builder = {.path = path, .catalog = catalog, .table = table}};
    const status s = io_array_builder_finish(&c.builder, add_all(&c));
    if (s == STATUS_OK) {
        set_unpackings(&c, config);
    }
    netcdf_guess_clear(&c.guess);
    netcdf_header_clear(&c.header);
    free(c.builder.steps);
    return s;
}

static bool netcdf_takes(const char *path, FILE *stream)
{
    (void)path;
    return netcdf_is(stream);
}

static status netcdf_open(io_source *source, const io_data_config *config)
{
    static const io_array_format format = {.describe = describe};
    return io_arrays_open(source, config, &format);
}

const io_source_kind io_source_netcdf = {
    .takes = netcdf_takes, .open = netcdf_open, IO_ARRAYS_REST};
