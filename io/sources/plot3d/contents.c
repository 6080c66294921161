#include "contents.h"

#include "base/log.h"
#include "io/sources/listing/names.h"
#include "places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files of values of a grid. Fields are those of the q files, then those of the
 * function files. */
typedef struct contents {
    plot3d_series q, function;
    int nq; /* fields of q files */
} contents;

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

/* Reads the headers of all files. Sets the times of the files. */
static status read_headers(const plot3d_request *request, plot3d_series *series)
{
    const plot3d_member *first = &series->members[0];
    status s = STATUS_OK;
    for (int n = 0; n < series->count && s == STATUS_OK; n++) {
        plot3d_member *member = &series->members[n];
        plot3d_request one = *request;
        one.path = member->path;
        one.is_counted = true;
        s = plot3d_header_look(&one, &member->header);
        member->step.step.time = member->header.reference[PLOT3D_REFERENCES - 1];
        if (n == 0) {
            warn_of_extra(one.path, &member->header);
        } else if (s == STATUS_OK && member->header.values != first->header.values) {
            s = base_fail(STATUS_INPUT,
                          "file '%s' has %" PRId64 " variables, but '%s' has %" PRId64,
                          one.path, member->header.values, first->path,
                          first->header.values);
        }
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
static status set_steps(const char *path, const contents *found, io_catalog *catalog)
{
    const plot3d_series *q = &found->q, *function = &found->function;
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
static status set_presence(const contents *found, const io_data_config *config,
                           io_catalog *catalog)
{
    status s = io_catalog_clear_presence(catalog);
    for (int field = 0; field < catalog->nfields && s == STATUS_OK; field++) {
        const plot3d_series *series = field < found->nq ? &found->q : &found->function;
        for (int step = 0; step < catalog->nsteps; step++) {
            *io_catalog_presence(catalog, step, field) =
                plot3d_series_at(series, catalog->steps[step].number) != NULL;
        }
        catalog->unpackings[field].type = series->members[0].header.real_size == 4
                                              ? IO_STORED_FLOAT32
                                              : IO_STORED_FLOAT64;
        for (int n = 0; n < config->nfills; n++) {
            io_unpacking_add_fill(&catalog->unpackings[field], IO_STORED_FLOAT64,
                                  (io_stored){.f64 = config->fills[n]});
        }
    }
    return s;
}

static status set_places(const char *path, contents *found, const plot3d_header *grid,
                         const io_catalog *catalog, io_array_table *table)
{
    status s = io_array_table_create(path, catalog, table);
    s = s == STATUS_OK ? plot3d_places_set_grid(grid, catalog, table) : s;
    for (int step = 0; step < catalog->nsteps && s == STATUS_OK; step++) {
        s = plot3d_places_set_fields(&found->q, 0, step, catalog, table);
        s = s == STATUS_OK ? plot3d_places_set_fields(&found->function, found->nq, step,
                                                      catalog, table)
                           : s;
    }
    return s;
}

/* ---- Notes ------------------------------------------------------------------------- */

static status note_series(const char *name, const plot3d_series *series,
                          io_catalog *catalog)
{
    char form[96];
    plot3d_header_print(&series->members[0].header, sizeof form, form);
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

static status note_q(const plot3d_series *series, io_catalog *catalog)
{
    const plot3d_header *q = &series->members[0].header;
    status s = note_series("solution", series, catalog);
    return s == STATUS_OK
               ? io_catalog_note(catalog, "reference",
                                 "Mach number %g, angle of attack %g, Reynolds number "
                                 "%g, time %g",
                                 q->reference[0], q->reference[1], q->reference[2],
                                 q->reference[3])
               : s;
}

/* Says why no file beside the grid was taken. */
static status note_absence(const contents *found, io_catalog *catalog)
{
    const char *refusal =
        found->q.refusal[0] != '\0' ? found->q.refusal : found->function.refusal;
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

static status add_values(const char *path, const io_data_config *config,
                         const plot3d_header *grid, contents *found, io_catalog *catalog)
{
    plot3d_request request = {.kind = PLOT3D_Q, .config = config->plot3d, .grid = grid};
    status s = find_series(path, config, &request, &found->q);
    if (s == STATUS_OK && found->q.count > 0) {
        s = read_headers(&request, &found->q);
        s = s == STATUS_OK ? add_q_fields(&found->q.members[0].header, catalog) : s;
        s = s == STATUS_OK ? note_q(&found->q, catalog) : s;
    }
    found->nq = catalog->nfields;
    request.kind = PLOT3D_FUNCTION;
    s = s == STATUS_OK ? find_series(path, config, &request, &found->function) : s;
    if (s == STATUS_OK && found->function.count > 0) {
        s = read_headers(&request, &found->function);
        const int64_t values = found->function.members[0].header.values;
        s = s == STATUS_OK ? name_functions(path, config, values, catalog) : s;
        s = s == STATUS_OK ? note_series("functions", &found->function, catalog) : s;
    }
    if (s == STATUS_OK && found->q.count + found->function.count == 0) {
        s = note_absence(found, catalog);
    }
    return s;
}

status plot3d_contents_read(const char *path, const io_data_config *config,
                            const plot3d_header *grid, io_catalog *catalog,
                            io_array_table *table)
{
    contents found = {.nq = 0};
    status s = add_blocks(config, grid, catalog);
    warn_of_extra(path, grid);
    s = s == STATUS_OK ? note_grid(grid, catalog) : s;
    s = s == STATUS_OK ? add_values(path, config, grid, &found, catalog) : s;
    s = s == STATUS_OK ? set_steps(path, &found, catalog) : s;
    s = s == STATUS_OK ? set_presence(&found, config, catalog) : s;
    s = s == STATUS_OK ? set_places(path, &found, grid, catalog, table) : s;
    plot3d_series_clear(&found.q);
    plot3d_series_clear(&found.function);
    return s;
}
