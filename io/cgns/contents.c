#include "contents.h"

#include "base/array.h"
#include "base/log.h"
#include "io/hdf5/attributes.h"
#include "io/listing/names.h"
#include "zone.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bases and zones --------------------------------------------------------------- */

static bool is_structured(const cgns_node *zone)
{
    char type[32];
    if (!cgns_node_is(zone, "Zone_t")) {
        return false;
    }
    cgns_node_child_text(zone, "ZoneType", sizeof type, type);
    return strcmp(type, "Structured") == 0;
}

/* Calls `visit` for each structured zone, by ascending name. */
static status visit_zones(const cgns_node *base, void *context,
                          status (*visit)(void *context, const cgns_node *zone))
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    status s = cgns_node_names(base, &count, &names);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node zone;
        if (cgns_node_child(base, names[n], &zone)) {
            s = is_structured(&zone) ? visit(context, &zone) : STATUS_OK;
            cgns_node_close(&zone);
        }
    }
    free(names);
    return s;
}

static bool has_structured_zone(const cgns_node *base)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    bool has = false;
    if (cgns_node_names(base, &count, &names) != STATUS_OK) {
        base_fail_set_message("");
    }
    for (int n = 0; n < count && !has; n++) {
        cgns_node zone;
        if (cgns_node_child(base, names[n], &zone)) {
            has = is_structured(&zone);
            cgns_node_close(&zone);
        }
    }
    free(names);
    return has;
}

/* Opens the first base with structured zones. */
static bool find_base(hid_t file, cgns_node *base)
{
    int count = 0;
    cgns_node root;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    bool found = false;
    if (!cgns_node_root(file, &root) ||
        cgns_node_names(&root, &count, &names) != STATUS_OK) {
        base_fail_set_message("");
    }
    for (int n = 0; n < count && !found; n++) {
        if (cgns_node_child(&root, names[n], base)) {
            found = cgns_node_is(base, "CGNSBase_t") && has_structured_zone(base);
            if (!found) {
                cgns_node_close(base);
            }
        }
    }
    cgns_node_close(&root);
    free(names);
    return found;
}

bool cgns_contents_has_zones(hid_t file)
{
    cgns_node base = {.id = 0};
    const bool has = find_base(file, &base);
    cgns_node_close(&base);
    return has;
}

/* ---- Steps ------------------------------------------------------------------------- */

enum { MOST_STEPS = 100000 };

/* Times and numbers of steps, from BaseIterativeData. */
typedef struct step_list {
    int count; /* 0: the base has none */
    io_named_step *steps;
} step_list;

static int read_child_ints(const cgns_node *node, const char *name, int most,
                           int64_t *out)
{
    cgns_node child;
    int count = 0;
    if (cgns_node_child(node, name, &child)) {
        count = cgns_node_ints(&child, most, out);
        cgns_node_close(&child);
    }
    return count;
}

static int read_child_reals(const cgns_node *node, const char *name, int most,
                            double *out)
{
    cgns_node child;
    int count = 0;
    if (cgns_node_child(node, name, &child)) {
        count = cgns_node_reals(&child, most, out);
        cgns_node_close(&child);
    }
    return count;
}

/* Iterations number the steps if all have one and they ascend. */
static bool are_numbers(int wanted, int count, const int64_t *numbers)
{
    bool are = count == wanted && count > 0 && numbers[0] >= 0;
    for (int n = 1; n < count && are; n++) {
        are = numbers[n] > numbers[n - 1];
    }
    return are;
}

static status read_steps(const cgns_node *data, int count, step_list *out)
{
    const size_t most = (size_t)count;
    int64_t *numbers = calloc(most, sizeof *numbers);
    double *times = calloc(most, sizeof *times);
    out->steps = calloc(most, sizeof *out->steps);
    if (!numbers || !times || !out->steps) {
        free(numbers);
        free(times);
        return base_fail_memory(most * sizeof *out->steps, "the list of steps");
    }
    const bool has_times = read_child_reals(data, "TimeValues", count, times) == count;
    const bool has_numbers = are_numbers(
        count, read_child_ints(data, "IterationValues", count, numbers), numbers);
    for (int n = 0; n < count; n++) {
        io_named_step *step = &out->steps[n];
        step->step.number = has_numbers ? numbers[n] : n + 1;
        step->step.time = has_times ? times[n] : (double)step->step.number;
        snprintf(step->name, sizeof step->name, "%" PRId64, step->step.number);
    }
    out->count = count;
    free(numbers);
    free(times);
    return STATUS_OK;
}

/* Reads BaseIterativeData_t, of any name, if there is one. */
static status find_steps(const cgns_node *base, step_list *out)
{
    cgns_node data;
    int64_t count = 0;
    status s = STATUS_OK;
    *out = (step_list){0, NULL};
    if (!cgns_node_first(base, "BaseIterativeData_t", &data)) {
        return STATUS_OK;
    }
    cgns_node_ints(&data, 1, &count);
    if (count > MOST_STEPS) {
        s = base_fail(STATUS_INPUT, "a CGNS file has more than %d steps",
                      (int)MOST_STEPS);
    } else if (count > 0) {
        s = read_steps(&data, (int)count, out);
    }
    cgns_node_close(&data);
    return s;
}

/* ---- Solutions of steps ------------------------------------------------------------ */

/* Zones are visited once more for their pointers. */
typedef struct pointing {
    cgns_tables *tables;
    int block;
    bool all_point; /* so far, each zone names its solution of each step */
    bool moves;     /* a zone has other coordinates at other steps */
} pointing;

static int find_solution(const cgns_tables *tables, int block, const char *name)
{
    int first, end;
    cgns_tables_solutions(tables, block, &first, &end);
    for (int n = first; n < end; n++) {
        if (strcmp(tables->solutions[n].name, name) == 0) {
            return n;
        }
    }
    return -1;
}

/* Takes the names of solutions from text: 32 characters for each step. */
static bool take_pointers(const char *text, int block, cgns_tables *tables)
{
    enum { WIDTH = 32 };
    const size_t length = strlen(text);
    bool all = true;
    for (int step = 0; step < tables->nsteps && all; step++) {
        char name[WIDTH + 1] = "";
        const size_t at = (size_t)step * WIDTH;
        if (at < length) {
            snprintf(name, sizeof name, "%.*s", WIDTH, text + at);
        }
        for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--) {
            name[end - 1] = '\0';
        }
        const int found = find_solution(tables, block, name);
        tables->solution[(size_t)step * (size_t)tables->nblocks + (size_t)block] = found;
        all = found >= 0;
    }
    return all;
}

/* Whether the names of grids in a text, 32 characters for each step, differ. */
static bool are_different(const char *text, int nsteps)
{
    enum { WIDTH = 32 };
    bool differ = false;
    for (int step = 1; step < nsteps && strlen(text) > (size_t)(step * WIDTH); step++) {
        differ = differ || strncmp(text, text + step * WIDTH, WIDTH) != 0;
    }
    return differ;
}

static bool has_child(const cgns_node *zone, const char *label)
{
    cgns_node node;
    const bool has = cgns_node_first(zone, label, &node);
    if (has) {
        cgns_node_close(&node);
    }
    return has;
}

static status read_pointers(void *context, const cgns_node *zone)
{
    pointing *p = context;
    cgns_node data;
    const size_t size = (size_t)p->tables->nsteps * 32 + 1;
    char *text = calloc(size, 1);
    if (!text) {
        return base_fail_memory(size, "the solutions of steps");
    }
    if (cgns_node_first(zone, "ZoneIterativeData_t", &data)) {
        cgns_node_child_text(&data, "GridCoordinatesPointers", size, text);
        p->moves |= are_different(text, p->tables->nsteps);
        text[0] = '\0';
        cgns_node_child_text(&data, "FlowSolutionPointers", size, text);
        cgns_node_close(&data);
    }
    p->moves |=
        has_child(zone, "RigidGridMotion_t") || has_child(zone, "ArbitraryGridMotion_t");
    p->all_point &= take_pointers(text, p->block++, p->tables);
    free(text);
    return STATUS_OK;
}

/*
 * Finds the solution of each step in each zone. Without pointers there is one step, the
 * last one of the file, and all solutions of a zone belong to it.
 */
static status assign_solutions(const cgns_node *base, step_list *steps,
                               cgns_tables *tables, bool *moves)
{
    pointing p = {.tables = tables, .all_point = true};
    tables->nsteps = steps->count > 0 ? steps->count : 1;
    const size_t count = (size_t)tables->nsteps * (size_t)tables->nblocks;
    tables->solution = calloc(count + 1, sizeof *tables->solution);
    if (!tables->solution) {
        return base_fail_memory(count * sizeof *tables->solution, "the list of steps");
    }
    status s = steps->count > 0 ? visit_zones(base, &p, read_pointers) : STATUS_OK;
    *moves = p.moves;
    if (s == STATUS_OK && (steps->count == 0 || !p.all_point)) {
        if (steps->count > 0) {
            steps->steps[0] = steps->steps[steps->count - 1];
        }
        tables->nsteps = 1;
        for (int block = 0; block < tables->nblocks; block++) {
            tables->solution[block] = -1;
        }
    }
    return s;
}

static status set_steps(const io_hdf5_file *file, const step_list *steps,
                        const cgns_tables *tables, io_catalog *catalog)
{
    io_named_step single = {.name = "0"};
    const int count = tables->nsolutions > 0 ? tables->nsteps : 0;
    return io_catalog_set_steps(catalog, file->path, count,
                                steps->count > 0 ? steps->steps : &single);
}

/* ---- Fields ------------------------------------------------------------------------ */

/* Whether all zones have an array at a step, at one location; *location is that. */
static bool is_everywhere(const io_hdf5_file *file, const cgns_tables *tables, int step,
                          const char *array, grid_location *location)
{
    char path[IO_PATH_SIZE];
    for (int block = 0; block < tables->nblocks; block++) {
        const cgns_place *place =
            cgns_tables_find(tables, file->id, step, block, array, path);
        if (!place) {
            return false;
        }
        const grid_location here = place->is_cells ? GRID_CELL : GRID_VERTEX;
        if (block > 0 && here != *location) {
            return false;
        }
        *location = here;
    }
    return tables->nblocks > 0;
}

static bool is_known(const cgns_tables *tables, const char *array)
{
    bool is = false;
    for (int n = 0; n < tables->nfields && !is; n++) {
        is = strcmp(tables->arrays[n], array) == 0;
    }
    return is;
}

/* Adds a field for an array. */
static status add_field(const char *array, grid_location location, io_catalog *catalog,
                        cgns_tables *tables)
{
    grid_field field = {.location = location};
    names_find_field((path_part){array, strlen(array)}, -1, 1, field.name);
    snprintf(field.alias, sizeof field.alias, "%s", array);
    if (io_catalog_find_field(catalog, field.name) >= 0) {
        names_keep((path_part){array, strlen(array)}, field.name);
    }
    if (io_catalog_find_field(catalog, field.name) >= 0) {
        return STATUS_OK;
    }
    void *all =
        realloc(tables->arrays, ((size_t)tables->nfields + 1) * sizeof *tables->arrays);
    if (!all) {
        return base_fail_memory(sizeof *tables->arrays, "the fields of a CGNS file");
    }
    tables->arrays = all;
    snprintf(tables->arrays[tables->nfields++], CGNS_NAME_SIZE, "%s", array);
    return io_catalog_add_field(catalog, &field);
}

/* Adds the arrays of a solution of the first zone that all zones have, unless they are
 * there already. */
static status add_arrays(const io_hdf5_file *file, int step, const cgns_place *place,
                         io_catalog *catalog, cgns_tables *tables)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    cgns_node node = {.id = H5Oopen(file->id, place->path, H5P_DEFAULT)};
    strcpy(node.path, place->path);
    status s = node.id > 0 ? cgns_node_names(&node, &count, &names) : STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node array;
        grid_location location = GRID_VERTEX;
        if (!is_known(tables, names[n]) && cgns_node_child(&node, names[n], &array)) {
            if (cgns_node_is(&array, "DataArray_t") &&
                is_everywhere(file, tables, step, names[n], &location)) {
                s = add_field(names[n], location, catalog, tables);
            }
            cgns_node_close(&array);
        }
    }
    free(names);
    cgns_node_close(&node);
    return s;
}

static status add_fields(const io_hdf5_file *file, io_catalog *catalog,
                         cgns_tables *tables)
{
    status s = STATUS_OK;
    for (int step = 0; step < tables->nsteps && s == STATUS_OK; step++) {
        const int chosen = tables->solution[(size_t)step * (size_t)tables->nblocks];
        int first = chosen, end = chosen + 1;
        if (chosen < 0) {
            cgns_tables_solutions(tables, 0, &first, &end);
        }
        for (int n = first; n < end && s == STATUS_OK; n++) {
            s = add_arrays(file, step, &tables->solutions[n], catalog, tables);
        }
    }
    return s;
}

/* Finds how the first values of a field are stored. A bad array says so when it is read.
 */
static void note_unpacking(const io_hdf5_file *file, const cgns_tables *tables, int step,
                           int field, io_unpacking *out)
{
    io_hdf5_place where = {.axes = {.component = -1}};
    io_hdf5_dataset set = {.id = 0};
    const char *ignored = NULL;
    cgns_tables_find(tables, file->id, step, 0, tables->arrays[field], where.path);
    if (io_hdf5_dataset_open(file, &where, &set) != STATUS_OK ||
        io_hdf5_unpacking_read(file, &set, out, &ignored) != STATUS_OK) {
        *out = (io_unpacking){.type = IO_STORED_FLOAT64};
        base_fail_set_message("");
    }
    io_hdf5_dataset_close(&set);
}

static status set_presence(const io_hdf5_file *file, const cgns_tables *tables,
                           io_catalog *catalog)
{
    status s = io_catalog_clear_presence(catalog);
    for (int field = 0; field < catalog->nfields && s == STATUS_OK; field++) {
        bool is_first = true;
        for (int step = 0; step < catalog->nsteps; step++) {
            grid_location location = GRID_VERTEX;
            const bool has =
                is_everywhere(file, tables, step, tables->arrays[field], &location) &&
                location == catalog->fields[field].location;
            *io_catalog_presence(catalog, step, field) = has;
            if (has && is_first) {
                note_unpacking(file, tables, step, field, &catalog->unpackings[field]);
                is_first = false;
            }
        }
    }
    return s;
}

/* ---- Notes ------------------------------------------------------------------------- */

/* Units stand in five texts of 32 characters: mass, length, time, temperature, angle. */
static status note_units(const cgns_node *base, io_catalog *catalog)
{
    static const char *const names[] = {"mass", "length", "time", "temperature", "angle"};
    enum { WIDTH = 32, UNITS = 5 };
    char text[WIDTH * UNITS + 1], units[256] = "";
    cgns_node_child_text(base, "DimensionalUnits", sizeof text, text);
    for (size_t n = 0; n < UNITS && n * WIDTH < strlen(text); n++) {
        const size_t length = strcspn(text + n * WIDTH, " ");
        const size_t used = strlen(units);
        snprintf(units + used, sizeof units - used, "%s%s %.*s", n > 0 ? ", " : "",
                 names[n], length < WIDTH ? (int)length : WIDTH, text + n * WIDTH);
    }
    return units[0] != '\0' ? io_catalog_note(catalog, "units", "%s", units) : STATUS_OK;
}

static status note_all(const cgns_node *base, const cgns_tables *tables,
                       io_catalog *catalog)
{
    char class[64];
    cgns_node_child_text(base, "DataClass", sizeof class, class);
    status s =
        io_catalog_note(catalog, "format", "CGNS, base '%s', %d structured zone%s",
                        base->name, tables->nblocks, tables->nblocks == 1 ? "" : "s");
    if (s == STATUS_OK && class[0] != '\0') {
        s = io_catalog_note(catalog, "class", "%s", class);
    }
    if (s == STATUS_OK) {
        s = note_units(base, catalog);
    }
    return s;
}

/* A grid that moves is drawn as the node GridCoordinates has it. */
static status note_motion(const io_hdf5_file *file, io_catalog *catalog)
{
    base_log_warning(
        "the grid of '%s' moves: it is drawn at rest, as GridCoordinates has "
        "it",
        file->path);
    return io_catalog_note(catalog, "motion", "the grid moves, and is drawn at rest");
}

/* ---- The whole --------------------------------------------------------------------- */

static status read_base(const io_hdf5_file *file, const cgns_node *base,
                        io_catalog *catalog, cgns_tables *tables)
{
    step_list steps = {0, NULL};
    bool moves = false;
    cgns_zones zones = {file, base, catalog, tables};
    status s = visit_zones(base, &zones, cgns_zone_read);
    s = s == STATUS_OK ? find_steps(base, &steps) : s;
    s = s == STATUS_OK ? assign_solutions(base, &steps, tables, &moves) : s;
    s = s == STATUS_OK ? add_fields(file, catalog, tables) : s;
    s = s == STATUS_OK ? set_steps(file, &steps, tables, catalog) : s;
    s = s == STATUS_OK ? set_presence(file, tables, catalog) : s;
    s = s == STATUS_OK ? note_all(base, tables, catalog) : s;
    s = s == STATUS_OK && moves ? note_motion(file, catalog) : s;
    free(steps.steps);
    return s;
}

status cgns_contents_read(const io_hdf5_file *file, io_catalog *catalog,
                          cgns_tables *tables)
{
    cgns_node base;
    if (!find_base(file->id, &base)) {
        return base_fail(STATUS_INPUT, "CGNS file '%s' has no structured zone",
                         file->path);
    }
    status s = read_base(file, &base, catalog, tables);
    cgns_node_close(&base);
    return s;
}
