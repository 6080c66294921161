/* The source of Tecplot files, in text and binary. */
#include "base/array.h"
#include "binary.h"
#include "io/gzip/unpacked.h"
#include "io/source_kind.h"
#include "io/sources/arrays/builder.h"
#include "io/sources/listing/names.h"
#include "strands.h"
#include "zone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Values ------------------------------------------------------------------------ */

/* Reads a variable of a zone. `last`: the number behind its last one. */
static status read_values(const char *path, tecplot_text *text,
                          const io_array_place *place, double *out)
{
    const int64_t first = place->code[1], distance = place->code[2];
    const int64_t count = place->code[3], last = first + (count - 1) * distance + 1;
    int64_t next = 0; /* to find */
    for (int64_t at = 0; at < last;) {
        double value;
        const bool is_there =
            tecplot_next(text) == TECPLOT_NUMBER && tecplot_value(text, &value);
        const int64_t times = is_there ? tecplot_times(text) : 0;
        if (times < 1) {
            return tecplot_fail(path, "has a word among its numbers, or ends there");
        }
        at += times;
        for (; next < count && first + next * distance < at; next++) {
            out[next] = value;
        }
    }
    return STATUS_OK;
}

/* io_array_format.decode: code is the byte where numbers begin, and first, distance and
 * count of a tecplot_array. */
static status decode(const char *path, const io_array_place *place, void **values,
                     int64_t *bytes)
{
    const size_t size = (size_t)place->code[3] * sizeof(double);
    tecplot_text *text = calloc(1, sizeof *text);
    double *numbers = malloc(size + 1);
    FILE *stream = io_unpacked_stream(path);
    status s = !stream ? base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                                   strerror(errno))
               : !numbers || !text ? base_fail_memory(size, "an array in text")
                                   : STATUS_OK;
    if (s == STATUS_OK) {
        text->stream = stream;
        s = tecplot_seek(text, place->code[0])
                ? read_values(path, text, place, numbers)
                : tecplot_fail(path, "ends before its numbers");
    }
    if (stream) {
        fclose(stream);
    }
    free(text);
    if (s != STATUS_OK) {
        free(numbers);
        numbers = NULL;
    }
    *values = numbers;
    *bytes = (int64_t)size;
    return s;
}

/* In binary files, cells have the distances of vertices. */
static io_array_place place_of(const tecplot_file *file, const tecplot_zone *zone,
                               const tecplot_array *array)
{
    int64_t n[3];
    if (file->is_binary) {
        const int64_t step = array->distance, row = step * zone->n[0];
        io_array_place place =
            io_array_place_make(array->type, file->swaps, array->begin, zone->n, 1, 0);
        place.stride[0] = step;
        place.stride[1] = row;
        place.stride[2] = row * zone->n[1];
        return place;
    }
    io_array_counts(zone->n, array->is_cell ? GRID_CELL : GRID_VERTEX, n);
    io_array_place place = io_array_place_make(IO_FLOAT64, false, 0, n, 1, 0);
    place.is_coded = true;
    place.code[0] = array->begin;
    place.code[1] = array->first;
    place.code[2] = array->distance;
    place.code[3] = array->count;
    return place;
}

/* ---- Names ------------------------------------------------------------------------- */

enum { NO_VARIABLE = -1 };

/* Splits "Pressure (Pa)" or "Pressure [Pa]" into name and unit. "v (x)" is a name. */
static void split_unit(const char *text, char name[GRID_NAME_SIZE],
                       char unit[IO_UNIT_SIZE])
{
    const size_t open = strcspn(text, "(["), length = strlen(text);
    const size_t inside = length - open < 2 ? 0 : length - open - 2;
    const bool has = open > 0 && inside > 0 && inside < IO_UNIT_SIZE &&
                     strchr(")]", text[length - 1]) &&
                     !(inside == 1 && strchr("xyzuvwXYZUVW", text[open + 1]));
    size_t end = has ? open : length;
    while (end > 0 && text[end - 1] == ' ') {
        end--;
    }
    snprintf(name, GRID_NAME_SIZE, "%.*s", (int)end, text);
    snprintf(unit, IO_UNIT_SIZE, "%.*s", has ? (int)inside : 0, text + open + has);
}

/* A Tecplot file as it becomes a catalogue. */
typedef struct contents {
    tecplot_file file;
    int axes[3], iblank; /* variables; NO_VARIABLE: none */
    int *block;          /* [nzones]: its block; -1: left out */
    tecplot_strands strands;
    bool has_sizes; /* a strand has zones of several */
    int nsteps;
    double *times; /* [nsteps], ascending */
    io_array_builder builder;
} contents;

static status find_axes(contents *c)
{
    char rest[NAMES_SIZE], name[GRID_NAME_SIZE], unit[IO_UNIT_SIZE];
    c->axes[0] = c->axes[1] = c->axes[2] = c->iblank = NO_VARIABLE;
    for (int n = c->file.nvariables - 1; n >= 0; n--) {
        int axis;
        split_unit(c->file.variables[n], name, unit);
        const path_part part = {name, strlen(name)};
        if (names_find_axis(part, &axis, rest)) {
            c->axes[axis] = n;
        } else if (strcasecmp(name, "iblank") == 0) { /* "Blank" may mean the opposite */
            c->iblank = n;
        }
    }
    if (c->axes[0] >= 0 && c->axes[1] >= 0) {
        return STATUS_OK;
    }
    return c->file.kind == 2
               ? base_fail(STATUS_INPUT,
                           "Tecplot file '%s' is a solution without its grid: save both "
                           "in one file with Tecplot 360",
                           c->file.path)
               : base_fail(
                     STATUS_INPUT,
                     "Tecplot file '%s' has no variables named X and Y, which would "
                     "be its coordinates: rename them",
                     c->file.path);
}

/* ---- Blocks and steps -------------------------------------------------------------- */

static bool has_vertices(const tecplot_zone *zone, int variable)
{
    return zone->arrays[variable].begin >= 0 && !zone->arrays[variable].is_cell;
}

/* Why a zone is left out; NULL: it is a block. */
static const char *find_obstacle(const contents *c, const tecplot_zone *zone)
{
    bool has_axes = zone->is_ordered;
    for (int axis = 0; axis < 3 && has_axes; axis++) {
        has_axes = c->axes[axis] < 0 || has_vertices(zone, c->axes[axis]);
    }
    return !zone->is_ordered ? "it is no structured grid of two or three dimensions"
           : !has_axes       ? "it has no coordinates at its vertices"
                             : NULL;
}

/* The block of an earlier zone that is the same at another time, or -1. *name: where
 * there is one of other sizes, its name. */
static int find_strand(const contents *c, int zone, char name[GRID_NAME_SIZE])
{
    const tecplot_zone *its = &c->file.zones[zone];
    const io_catalog *catalog = c->builder.catalog;
    int64_t at = 0, n;
    while ((n = tecplot_strands_next(&c->strands, its, &at)) >= 0) {
        const grid_block *block = &catalog->blocks[c->block[n]];
        memcpy(name, block->name, GRID_NAME_SIZE);
        if (memcmp(block->n, its->n, sizeof its->n) == 0) {
            return c->block[n];
        }
    }
    return -1;
}

static status add_block(contents *c, int n)
{
    const tecplot_zone *zone = &c->file.zones[n];
    const char *obstacle = find_obstacle(c, zone);
    c->block[n] = -1;
    if (obstacle) {
        return io_catalog_omit(c->builder.catalog, "zone %d '%s': %s", n + 1, zone->title,
                               obstacle);
    }
    grid_block block = {.name = ""};
    c->block[n] = find_strand(c, n, block.name);
    if (c->block[n] >= 0) {
        return STATUS_OK;
    }
    memcpy(block.n, zone->n, sizeof block.n);
    c->has_sizes |= block.name[0] != '\0';
    if (block.name[0] == '\0') {
        io_array_builder_name(&c->builder, zone->title, "zone", n + 1, block.name);
    }
    const status s = io_array_builder_add_block(&c->builder, &block, &c->block[n]);
    return s == STATUS_OK ? tecplot_strands_add(&c->strands, n) : s;
}

static status add_blocks(contents *c)
{
    const size_t bytes = ((size_t)c->file.nzones + 1) * sizeof(double);
    c->block = calloc(1, bytes);
    c->times = calloc(1, bytes);
    if (!c->block || !c->times) {
        return base_fail_memory(bytes, "the zones of a Tecplot file");
    }
    status s = tecplot_strands_create(&c->file, &c->strands);
    for (int n = 0; n < c->file.nzones && s == STATUS_OK; n++) {
        s = add_block(c, n);
    }
    tecplot_strands_sort(&c->strands, c->block);
    return s != STATUS_OK || c->builder.catalog->nblocks > 0
               ? s
               : base_fail(STATUS_INPUT,
                           "Tecplot file '%s' has no ordered zone of two or three "
                           "dimensions, and karman draws structured grids only: "
                           "interpolate it to a rectangular zone with Tecplot 360, or "
                           "resample it with ParaView (Resample To Image) and save that "
                           "as .vti",
                           c->file.path);
}

static bool is_step(const contents *c, int zone)
{
    return c->block[zone] >= 0 && c->file.zones[zone].strand > 0;
}

/* Lists the times of strands; without one, that of the first zone that has one. */
static status add_times(contents *c)
{
    int count = 0;
    for (int n = 0; n < c->file.nzones; n++) {
        if (is_step(c, n)) {
            c->times[count++] = c->file.zones[n].time;
        }
    }
    for (int n = 0; n < c->file.nzones && count == 0; n++) {
        if (c->file.zones[n].has_time) {
            c->times[count++] = c->file.zones[n].time;
        }
    }
    qsort(c->times, (size_t)count, sizeof *c->times, base_array_compare_doubles);
    for (int n = 0; n < count; n++) {
        if (n == 0 || c->times[n] > c->times[c->nsteps - 1]) {
            c->times[c->nsteps++] = c->times[n];
        }
    }
    c->nsteps = count == 0 ? 1 : c->nsteps;
    c->builder.nsteps = c->nsteps;
    c->builder.steps = calloc((size_t)c->nsteps, sizeof *c->builder.steps);
    for (int n = 0; n < c->nsteps && c->builder.steps; n++) {
        io_named_step *step = &c->builder.steps[n];
        step->step = (io_step){n, c->times[n]};
        snprintf(step->name, sizeof step->name, "%d", n);
    }
    return c->builder.steps ? STATUS_OK : base_fail_memory(0, "steps");
}

/* ---- Arrays ------------------------------------------------------------------------ */

/* The zone of a block at a step: the last before, or the first. */
static int find_zone(const contents *c, int block, int step)
{
    return tecplot_strands_zone(&c->strands, block, c->times[step]);
}

/* Whether coordinates or sizes of a strand differ, or strands come and go. */
static bool is_moving(const contents *c)
{
    bool moves = c->has_sizes;
    for (int n = 0; n < c->file.nzones && !moves; n++) {
        const tecplot_zone *zone = &c->file.zones[n];
        moves = is_step(c, n) &&
                (tecplot_strands_ends(&c->strands, n, c->times[0]) ||
                 tecplot_strands_ends(&c->strands, n, c->times[c->nsteps - 1]));
        for (int axis = 0; axis < 3 && is_step(c, n); axis++) {
            const int variable = c->axes[axis];
            const int first = find_zone(c, c->block[n], 0);
            moves = moves ||
                    (variable >= 0 &&
                     !tecplot_zone_same(&c->file, zone, &c->file.zones[first], variable));
        }
    }
    return moves;
}

static status add_grid(contents *c, int block, const tecplot_zone *zone)
{
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        const int variable = c->axes[axis];
        const io_array_place place =
            variable < 0 ? (io_array_place){.file = IO_ARRAY_RAMP}
                         : place_of(&c->file, zone, &zone->arrays[variable]);
        s = io_array_builder_add_grid(&c->builder, block, IO_ARRAY_X + axis, &place);
    }
    if (s == STATUS_OK && c->iblank >= 0 && has_vertices(zone, c->iblank)) {
        const io_array_place place = place_of(&c->file, zone, &zone->arrays[c->iblank]);
        s = io_array_builder_add_grid(&c->builder, block, IO_ARRAY_IBLANK, &place);
    }
    return s;
}

static status add_fields(contents *c, int block, int step, const tecplot_zone *zone)
{
    char name[GRID_NAME_SIZE], unit[IO_UNIT_SIZE];
    status s = STATUS_OK;
    for (int n = 0; n < c->file.nvariables && s == STATUS_OK; n++) {
        const tecplot_array *array = &zone->arrays[n];
        if (n == c->axes[0] || n == c->axes[1] || n == c->axes[2] || n == c->iblank ||
            array->begin < 0) {
            continue;
        }
        split_unit(c->file.variables[n], name, unit);
        const io_array_field field = {name, array->is_cell ? GRID_CELL : GRID_VERTEX, 0,
                                      1, NULL};
        const io_array_place place = place_of(&c->file, zone, array);
        s = io_array_builder_add_field(&c->builder, block, step, &field, &place);
    }
    return s;
}

/* Adds the grid of a block at a step, unless the block is not there, or has other sizes.
 */
static status add_grid_at(contents *c, int block, int step)
{
    const int zone = find_zone(c, block, step);
    const double now = c->times[step];
    if (is_step(c, zone) &&
        (tecplot_strands_ends(&c->strands, zone, now) ||
         (c->has_sizes && tecplot_strands_replaces(&c->strands, zone, now)))) {
        return STATUS_OK;
    }
    const status s = io_array_builder_mark(&c->builder, block, step);
    return s == STATUS_OK ? add_grid(c, block, &c->file.zones[zone]) : s;
}

static status add_arrays(contents *c)
{
    status s = STATUS_OK;
    const bool moves = is_moving(c);
    for (int step = 0; step < c->nsteps; step++) {
        c->builder.grid_step = step;
        for (int b = 0; b < c->builder.catalog->nblocks && s == STATUS_OK; b++) {
            const int zone = find_zone(c, b, step);
            s = moves       ? add_grid_at(c, b, step)
                : step == 0 ? add_grid(c, b, &c->file.zones[zone])
                            : STATUS_OK;
            if (s == STATUS_OK &&
                (!is_step(c, zone) || c->file.zones[zone].time == c->times[step])) {
                s = add_fields(c, b, step, &c->file.zones[zone]);
            }
        }
    }
    return s;
}

/* Gives fields and lengths the units of their variables. */
static void add_units(const contents *c)
{
    char name[GRID_NAME_SIZE], unit[IO_UNIT_SIZE];
    io_catalog *catalog = c->builder.catalog;
    for (int n = 0; n < c->file.nvariables; n++) {
        split_unit(c->file.variables[n], name, unit);
        if (n == c->axes[0]) {
            memcpy(catalog->length_unit, unit, sizeof unit);
        }
        for (int f = 0; f < catalog->nfields; f++) {
            if (strcmp(catalog->fields[f].alias, name) == 0) {
                memcpy(catalog->unpackings[f].unit, unit, sizeof unit);
            }
        }
    }
}

/* ---- The source -------------------------------------------------------------------- */

static status read_file(const char *path, tecplot_file *out)
{
    FILE *stream = io_unpacked_stream(path);
    const bool is_binary = stream && tecplot_binary_is(stream);
    const bool fails = !stream || ferror(stream);
    if (stream) {
        fclose(stream);
    }
    return fails       ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path,
                                   strerror(errno))
           : is_binary ? tecplot_binary_read(path, out)
                       : tecplot_file_read(path, out);
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    (void)config;
    contents c = {.builder = {.path = path, .catalog = catalog, .table = table}};
    status s = read_file(path, &c.file);
    s = s == STATUS_OK ? find_axes(&c) : s;
    s = s == STATUS_OK ? add_blocks(&c) : s;
    s = s == STATUS_OK ? add_times(&c) : s;
    s = s == STATUS_OK ? add_arrays(&c) : s;
    s = s == STATUS_OK ? io_catalog_note(catalog, "format", "Tecplot, %s",
                                         c.file.is_binary ? "binary" : "text")
                       : s;
    if (s == STATUS_OK && c.file.has_bits) {
        s = io_catalog_omit(catalog, "variables of '%s' whose values are single bits",
                            path);
    }
    if (s == STATUS_OK && c.file.title[0] != '\0') {
        s = io_catalog_note(catalog, "title", "%s", c.file.title);
    }
    s = io_array_builder_finish(&c.builder, s);
    if (s == STATUS_OK) {
        add_units(&c);
    }
    tecplot_strands_clear(&c.strands);
    tecplot_file_clear(&c.file);
    free(c.builder.steps);
    free(c.block);
    free(c.times);
    return s;
}

static bool tecplot_takes(const char *path, FILE *stream)
{
    (void)path;
    return tecplot_binary_is(stream) || tecplot_is(stream);
}

static status tecplot_open(io_source *source, const io_data_config *config)
{
    static const io_array_format format = {.describe = describe, .decode = decode};
    return io_arrays_open(source, config, &format);
}

const io_source_kind io_source_tecplot = {
    .takes = tecplot_takes, .open = tecplot_open, IO_ARRAYS_REST};
