#include "contents.h"

#include "base/log.h"
#include "io/sources/listing/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plot3d_contents_clear(plot3d_contents *contents)
{
    plot3d_series_clear(&contents->q);
    plot3d_series_clear(&contents->function);
}

/* ---- Blocks ------------------------------------------------------------------------ */

static status add_blocks(const io_data_config *config, const plot3d_header *grid,
                         io_catalog *catalog)
{
    status s = STATUS_OK;
    const bool is_single =
        grid->records == PLOT3D_TEXT
            ? config->plot3d && config->plot3d->precision == IO_PLOT3D_FLOAT32
            : grid->real_size == 4;
    for (int b = 0; b < grid->nblocks && s == STATUS_OK; b++) {
        grid_block block = {.has_iblank = grid->has_iblank};
        snprintf(block.name, sizeof block.name, "block_%d", b + 1);
        memcpy(block.n, grid->blocks[b].n, sizeof block.n);
        s = io_catalog_add_block(catalog, &block);
    }
    catalog->double_coordinates = !is_single;
    return s;
}

/* ---- Names of fields --------------------------------------------------------------- */

/* Adds a field; a name that is there already gets a number. */
static status add_field(io_catalog *catalog, const char *name)
{
    grid_field field = {.location = GRID_VERTEX};
    snprintf(field.name, sizeof field.name, "%s", name);
    for (int n = 2; io_catalog_find_field(catalog, field.name) >= 0; n++) {
        snprintf(field.name, sizeof field.name, "%.50s_%d", name, n);
    }
    return io_catalog_add_field(catalog, &field);
}

/* The variables of a q file. In OVERFLOW's, gamma comes sixth, then the densities of
 * species, then those of turbulence. A
 * two-dimensional file has no momentum along z, which is 0 (plot3d.c). */
static status add_q_fields(const plot3d_header *header, io_catalog *catalog)
{
    static const char *const names[] = {"density",    "momentum_x", "momentum_y",
                                        "momentum_z", "energy",     "gamma"};
    const int64_t fixed = sizeof names / sizeof names[0];
    const int64_t count = header->values + (header->is_flat ? 1 : 0);
    status s = STATUS_OK;
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        char name[GRID_NAME_SIZE];
        const int64_t species = n - fixed, others = species - header->nspecies;
        snprintf(name, sizeof name, "%s_%" PRId64,
                 others < 0 ? "species_density" : "turbulence",
                 (others < 0 ? species : others) + 1);
        s = add_field(catalog, n < fixed ? names[n] : name);
    }
    return s;
}

/* Takes a name from a line "Pressure" or "u ; velocity", in which a vector follows. */
static void take_name(char *line, int64_t number, char out[NAMES_SIZE])
{
    line[strcspn(line, ";\r\n")] = '\0';
    char *start = line + strspn(line, " \t");
    size_t length = strlen(start);
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t')) {
        length--;
    }
    out[0] = '\0';
    if (length > 0) {
        names_find_field((path_part){start, length}, -1, 1, out);
    }
    if (out[0] == '\0') {
        snprintf(out, NAMES_SIZE, "function_%" PRId64, number);
    }
}

/* Fields of function files, with names from the lines of a file if there is one. */
static status add_function_fields(FILE *names, int64_t count, io_catalog *catalog)
{
    status s = STATUS_OK;
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        char line[256] = "", name[NAMES_SIZE];
        if (names && !fgets(line, sizeof line, names)) {
            line[0] = '\0';
        }
        take_name(line, n + 1, name);
        s = add_field(catalog, name);
    }
    return s;
}

static status name_functions(const char *path, const io_data_config *config,
                             int64_t count, io_catalog *catalog)
{
    const char *given = config->plot3d ? config->plot3d->names : NULL;
    char *found = given ? strdup(given) : plot3d_series_names(path);
    FILE *names = found ? fopen(found, "r") : NULL;
    status s = STATUS_OK;
    if (given && !names) {
        s = base_fail(STATUS_INPUT, "data.plot3d.names: '%s' cannot be opened: %s", given,
                      strerror(errno));
    }
    if (s == STATUS_OK) {
        s = add_function_fields(names, count, catalog);
    }
    if (names) {
        fclose(names);
    }
    free(found);
    return s;
}

/* ---- Files of values --------------------------------------------------------------- */

static status find_series(const char *path, const io_data_config *config,
                          const plot3d_request *request, plot3d_series *out)
{
    const bool is_q = request->kind == PLOT3D_Q;
    const io_plot3d_config *given = config->plot3d;
    const char *pattern = !given ? NULL : is_q ? given->q : given->function;
    return pattern ? plot3d_series_find(is_q ? "data.plot3d.q" : "data.plot3d.function",
                                        pattern, out)
                   : plot3d_series_beside(path, request->kind, request, out);
}

/* Bytes behind the values are passed over, as other programs do. */
static void warn_of_extra(const char *path, const plot3d_header *header)
{
    if (header->extra > 0) {
        base_log_warning(
            "'%s' has %" PRId64 " %s behind its values, which are passed over", path,
            header->extra, header->records == PLOT3D_TEXT ? "numbers" : "bytes");
    }
}

/* Reads the headers of all files. *first is that of the first one. Sets the times of the
 * files. */
static status read_headers(const plot3d_request *request, plot3d_series *series,
                           plot3d_header *first)
{
    status s = STATUS_OK;
    for (int n = 0; n < series->count && s == STATUS_OK; n++) {
        plot3d_request one = *request;
        plot3d_header header = {0};
        one.path = series->members[n].path;
        s = plot3d_header_look(&one, &header);
        series->members[n].step.step.time = header.reference[PLOT3D_REFERENCES - 1];
        if (n == 0) {
            *first = header;
            warn_of_extra(one.path, &header);
            continue;
        }
        if (s == STATUS_OK && header.values != first->values) {
            s = base_fail(STATUS_INPUT,
                          "file '%s' has %" PRId64 " variables, but '%s' has %" PRId64,
                          one.path, header.values, series->members[0].path,
                          first->values);
        }
        plot3d_header_clear(&header);
    }
    return s;
}

/* ---- Steps ------------------------------------------------------------------------- */

static bool are_times_alike(const plot3d_series *series)
{
    for (int n = 1; n < series->count; n++) {
        if (series->members[n].step.step.time != series->members[0].step.step.time) {
            return false;
        }
    }
    return series->count > 1;
}

/* Adds steps of a series that the list lacks. Their names are their numbers. */
static int add_steps(const plot3d_series *series, bool has_times, int count,
                     io_named_step *steps)
{
    const int before = count;
    for (int n = 0; n < series->count && series->has_numbers; n++) {
        io_named_step step = series->members[n].step;
        int at = 0;
        while (at < before && steps[at].step.number != step.step.number) {
            at++;
        }
        if (at < before) {
            continue;
        }
        step.step.time = has_times ? step.step.time : (double)step.step.number;
        snprintf(step.name, sizeof step.name, "%" PRId64, step.step.number);
        steps[count++] = step;
    }
    return count;
}

/*
 * The steps are the numbers in names of files. Their times are those of the q files; if
 * all of these are alike, as some programs leave them 0, the numbers stand in.
 */
static status set_steps(const char *path, const plot3d_contents *contents,
                        io_catalog *catalog)
{
    const plot3d_series *q = &contents->q, *function = &contents->function;
    const size_t most = (size_t)q->count + (size_t)function->count + 1;
    io_named_step *steps = calloc(most, sizeof *steps);
    if (!steps) {
        return base_fail_memory(most * sizeof *steps, "the list of steps");
    }
    int count = add_steps(q, !are_times_alike(q), 0, steps);
    count = add_steps(function, false, count, steps);
    if (count == 0 && q->count + function->count > 0) {
        steps[0] = (io_named_step){.name = "0"};
        steps[0].step.time = q->count > 0 ? q->members[0].step.step.time : 0.0;
        count = 1;
    }
    status s = io_catalog_set_steps(catalog, path, count, steps);
    free(steps);
    return s;
}

/* Notes which steps have which fields, and the values that mean "missing". */
static status set_presence(const plot3d_contents *contents, const io_data_config *config,
                           io_catalog *catalog)
{
    status s = io_catalog_clear_presence(catalog);
    for (int field = 0; field < catalog->nfields && s == STATUS_OK; field++) {
        const plot3d_series *series =
            field < contents->nq ? &contents->q : &contents->function;
        for (int step = 0; step < catalog->nsteps; step++) {
            *io_catalog_presence(catalog, step, field) =
                plot3d_series_path(series, catalog->steps[step].number) != NULL;
        }
        catalog->unpackings[field].type = contents->type[field >= contents->nq];
        for (int n = 0; n < config->nfills; n++) {
            io_unpacking_add_fill(&catalog->unpackings[field], IO_STORED_FLOAT64,
                                  (io_stored){.f64 = config->fills[n]});
        }
    }
    return s;
}

/* ---- Notes ------------------------------------------------------------------------- */

static status note_series(const char *name, const plot3d_series *series,
                          const plot3d_header *header, io_catalog *catalog)
{
    char form[96];
    plot3d_header_print(header, sizeof form, form);
    return series->count == 1
               ? io_catalog_note(catalog, name, "%s (%s)", series->members[0].path, form)
               : io_catalog_note(catalog, name, "%d files, %s to %s (%s)", series->count,
                                 series->members[0].path,
                                 series->members[series->count - 1].path, form);
}

static status note_grid(const plot3d_header *grid, io_catalog *catalog)
{
    char form[96];
    plot3d_header_print(grid, sizeof form, form);
    return io_catalog_note(catalog, "format", "PLOT3D, %s, %s",
                           grid->is_multi ? "multi-block" : "single-block", form);
}

static status note_q(const plot3d_contents *contents, const plot3d_header *q,
                     io_catalog *catalog)
{
    status s = note_series("solution", &contents->q, q, catalog);
    return s == STATUS_OK
               ? io_catalog_note(catalog, "reference",
                                 "Mach number %g, angle of attack %g, Reynolds number "
                                 "%g, time %g",
                                 q->reference[0], q->reference[1], q->reference[2],
                                 q->reference[3])
               : s;
}

/* Says why no file beside the grid was taken. */
static status note_absence(const plot3d_contents *contents, io_catalog *catalog)
{
    const char *refusal =
        contents->q.refusal[0] != '\0' ? contents->q.refusal : contents->function.refusal;
    if (refusal[0] != '\0') {
        base_log_warning("no solution beside the grid was taken: %s; name one in "
                         "data.plot3d.q or data.plot3d.function",
                         refusal);
    }
    return io_catalog_note(catalog, "solution",
                           "was not found beside the grid: name it in data.plot3d.q%s%s",
                           refusal[0] != '\0' ? "; " : "", refusal);
}

/* ---- The whole --------------------------------------------------------------------- */

static io_stored_type type_of(const plot3d_header *header)
{
    return header->real_size == 4 ? IO_STORED_FLOAT32 : IO_STORED_FLOAT64;
}

static status add_values(const char *path, const io_data_config *config,
                         const plot3d_header *grid, plot3d_contents *contents,
                         io_catalog *catalog)
{
    plot3d_request request = {.kind = PLOT3D_Q, .config = config->plot3d, .grid = grid};
    plot3d_header header = {0};
    status s = find_series(path, config, &request, &contents->q);
    if (s == STATUS_OK && contents->q.count > 0) {
        s = read_headers(&request, &contents->q, &header);
        s = s == STATUS_OK ? add_q_fields(&header, catalog) : s;
        s = s == STATUS_OK ? note_q(contents, &header, catalog) : s;
        contents->type[0] = type_of(&header);
        plot3d_header_clear(&header);
    }
    contents->nq = catalog->nfields;
    request.kind = PLOT3D_FUNCTION;
    s = s == STATUS_OK ? find_series(path, config, &request, &contents->function) : s;
    if (s == STATUS_OK && contents->function.count > 0) {
        s = read_headers(&request, &contents->function, &header);
        s = s == STATUS_OK ? name_functions(path, config, header.values, catalog) : s;
        s = s == STATUS_OK
                ? note_series("functions", &contents->function, &header, catalog)
                : s;
        contents->type[1] = type_of(&header);
        plot3d_header_clear(&header);
    }
    if (s == STATUS_OK && contents->q.count + contents->function.count == 0) {
        s = note_absence(contents, catalog);
    }
    return s;
}

status plot3d_contents_read(const char *path, const io_data_config *config,
                            const plot3d_header *grid, plot3d_contents *contents,
                            io_catalog *catalog)
{
    status s = add_blocks(config, grid, catalog);
    warn_of_extra(path, grid);
    s = s == STATUS_OK ? note_grid(grid, catalog) : s;
    s = s == STATUS_OK ? add_values(path, config, grid, contents, catalog) : s;
    s = s == STATUS_OK ? set_steps(path, contents, catalog) : s;
    return s == STATUS_OK ? set_presence(contents, config, catalog) : s;
}
