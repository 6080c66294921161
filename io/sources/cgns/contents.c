#include "contents.h"

#include "base/array.h"
#include "connections.h"
#include "io/sources/hdf5/attributes.h"
#include "io/sources/listing/names.h"
#include "presence.h"
#include "steps.h"
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

/* Opens the base of this name, or else (NULL) the first, with structured zones. */
static bool find_base(hid_t file, const char *name, cgns_node *base)
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
        if ((!name || strcmp(names[n], name) == 0) &&
            cgns_node_child(&root, names[n], base)) {
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
    const bool has = find_base(file, NULL, &base);
    cgns_node_close(&base);
    return has;
}

/* ---- Fields ------------------------------------------------------------------------ */

static grid_location location_of(const cgns_place *place)
{
    return place->is_cells ? GRID_CELL : GRID_VERTEX;
}

/* The first zone that has an array at a step, at a location, and the path of its values;
 * -1: there is none. */
static int find_block(const io_hdf5_file *file, const cgns_tables *tables, int step,
                      const char *array, grid_location location, char path[IO_PATH_SIZE])
{
    for (int block = 0; block < tables->nblocks; block++) {
        const cgns_place *place =
            cgns_tables_find(tables, file->id, step, block, array, path);
        if (place && location_of(place) == location) {
            return block;
        }
    }
    return -1;
}

/* The field of an array; -1: none. */
static int find_known(const cgns_tables *tables, const char *array)
{
    int field = tables->nfields - 1;
    while (field >= 0 && strcmp(tables->arrays[field], array) != 0) {
        field--;
    }
    return field;
}

/* Whether an array of a place has values. */
static bool has_values(const cgns_zones *zones, const cgns_place *place,
                       const char *array)
{
    char path[IO_PATH_SIZE];
    cgns_tables_path(zones->file->id, place, array, path);
    return path[0] != '\0';
}

/* Adds a field for an array. */
static status add_field(const cgns_zones *zones, const char *array,
                        grid_location location)
{
    io_catalog *catalog = zones->catalog;
    cgns_tables *tables = zones->tables;
    grid_field field = {.location = location};
    names_find_field((path_part){array, strlen(array)}, -1, 1, field.name);
    snprintf(field.alias, sizeof field.alias, "%s", array);
    if (io_catalog_find_field(catalog, field.name) >= 0) {
        names_keep((path_part){array, strlen(array)}, field.name);
    }
    if (io_catalog_find_field(catalog, field.name) >= 0) {
        return io_catalog_omit(zones->catalog, "array '%s': there is another field '%s'",
                               array, field.name);
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

/* The length of a name without the letter at its end; 0: it ends otherwise. */
static int stem_of(const char *name, const char *letters)
{
    const size_t length = strlen(name);
    return length > 1 && strchr(letters, name[length - 1]) ? (int)length - 1 : 0;
}

/* Where r and theta are coordinates, VelocityR and VelocityTheta become VelocityX and
 * VelocityY, too. */
static status add_turned(const cgns_zones *zones, const cgns_place *place,
                         const char *array)
{
    static const char angular[] = "Theta";
    const int stem = stem_of(array, "R");
    char other[CGNS_NAME_SIZE + sizeof angular];
    status s = STATUS_OK;
    snprintf(other, sizeof other, "%.*s%s", stem, array, angular);
    if (stem == 0 || !cgns_tables_is_turned(zones->tables, place->block) ||
        !has_values(zones, place, other)) {
        return s;
    }
    for (int axis = 0; axis < 2 && s == STATUS_OK; axis++) {
        snprintf(other, sizeof other, "%.*s%c", stem, array, "XY"[axis]);
        s = find_known(zones->tables, other) < 0
                ? add_field(zones, other, location_of(place))
                : s;
    }
    return s;
}

/* Adds an array of a solution, unless it is known. Notes one that cannot be read beside
 * the others of its name. */
static status add_array(const cgns_zones *zones, int step, const cgns_place *place,
                        const char *array)
{
    const cgns_tables *tables = zones->tables;
    const int known = find_known(tables, array);
    const char *zone = zones->catalog->blocks[place->block].name;
    char path[IO_PATH_SIZE];
    if (known < 0) {
        status s = add_field(zones, array, location_of(place));
        return s == STATUS_OK ? add_turned(zones, place, array) : s;
    }
    const cgns_place *read =
        cgns_tables_find(tables, zones->file->id, step, place->block, array, path);
    if (step == 0 && read && read != place) {
        return io_catalog_omit(
            zones->catalog, "array '%s' of solution '%s' of zone '%s': '%s' has one, too",
            array, place->name, zone, read->name);
    }
    return step > 0 || zones->catalog->fields[known].location == location_of(place)
               ? STATUS_OK
               : io_catalog_omit(
                     zones->catalog,
                     "array '%s' of zone '%s': it is %s, but not so elsewhere", array,
                     zone, place->is_cells ? "in cells" : "at vertices");
}

static status add_arrays(const cgns_zones *zones, int step, const cgns_place *place)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    cgns_node node = {.id = H5Oopen(zones->file->id, place->path, io_hdf5_links())};
    strcpy(node.path, place->path);
    status s = node.id > 0 ? cgns_node_names(&node, &count, &names) : STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node array;
        if ((step == 0 || find_known(zones->tables, names[n]) < 0) &&
            cgns_node_child(&node, names[n], &array)) {
            s = cgns_node_is(&array, "DataArray_t")
                    ? add_array(zones, step, place, names[n])
                    : s;
            cgns_node_close(&array);
        }
    }
    free(names);
    cgns_node_close(&node);
    return s;
}

/* The fields are those of any zone at any step. */
static status add_fields(const cgns_zones *zones)
{
    const cgns_tables *tables = zones->tables;
    status s = STATUS_OK;
    for (int step = 0; step < tables->nsteps && s == STATUS_OK; step++) {
        for (int block = 0; block < tables->nblocks && s == STATUS_OK; block++) {
            int first, end;
            cgns_tables_at_step(tables, block, step, &first, &end);
            for (int n = first; n < end && s == STATUS_OK; n++) {
                s = add_arrays(zones, step, &tables->solutions[n]);
            }
        }
    }
    return s;
}

/* Finds the fields along r and theta that make those along x and y. */
static status find_turned(cgns_tables *tables)
{
    tables->polar = calloc((size_t)tables->nfields + 1, sizeof *tables->polar);
    for (int field = 0; field < tables->nfields && tables->polar; field++) {
        cgns_polar *polar = &tables->polar[field];
        const char *array = tables->arrays[field];
        const int stem = stem_of(array, "XY");
        char name[CGNS_NAME_SIZE + 8];
        *polar = (cgns_polar){-1, -1, 0};
        if (stem > 0) {
            polar->axis = array[stem] == 'Y';
            snprintf(name, sizeof name, "%.*sR", stem, array);
            polar->radial = find_known(tables, name);
            snprintf(name, sizeof name, "%.*sTheta", stem, array);
            polar->angular = find_known(tables, name);
        }
    }
    return tables->polar ? STATUS_OK : base_fail_memory(0, "the fields of a CGNS file");
}

/* Whether a zone has both components of a turned field at a step. */
static bool has_turned(const io_hdf5_file *file, const cgns_tables *tables, int step,
                       int field, grid_location location)
{
    const cgns_polar *polar = &tables->polar[field];
    char path[IO_PATH_SIZE];
    bool has = false;
    for (int block = 0; block < tables->nblocks && !has; block++) {
        if (cgns_polar_is(polar) && cgns_tables_is_turned(tables, block)) {
            const cgns_place *r = cgns_tables_find(tables, file->id, step, block,
                                                   tables->arrays[polar->radial], path);
            const cgns_place *theta = cgns_tables_find(
                tables, file->id, step, block, tables->arrays[polar->angular], path);
            has = r && theta && location_of(r) == location &&
                  location_of(theta) == location;
        }
    }
    return has;
}

/* Finds how the first values of a field are stored. A bad array says so when it is read.
 */
static void note_unpacking(const io_hdf5_file *file, const char *path, io_unpacking *out)
{
    io_hdf5_place where = {.is_grid = true, .axes = {.component = -1}};
    io_hdf5_dataset set = {.id = 0};
    const char *ignored = NULL;
    strcpy(where.path, path);
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
            char path[IO_PATH_SIZE];
            const grid_location location = catalog->fields[field].location;
            const bool has = find_block(file, tables, step, tables->arrays[field],
                                        location, path) >= 0;
            const bool is_turned =
                !has && has_turned(file, tables, step, field, location);
            *io_catalog_presence(catalog, step, field) = has || is_turned;
            if (has && is_first) {
                note_unpacking(file, path, &catalog->unpackings[field]);
            } else if (is_turned && is_first) {
                catalog->unpackings[field].type = IO_STORED_FLOAT64;
            }
            is_first = is_first && !has && !is_turned;
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

static status note_all(const cgns_node *base, bool is_adf, const cgns_tables *tables,
                       io_catalog *catalog)
{
    char class[64];
    cgns_node_child_text(base, "DataClass", sizeof class, class);
    status s =
        io_catalog_note(catalog, "format", "CGNS%s, base '%s', %d structured zone%s",
                        is_adf ? " in ADF" : "", base->name, tables->nblocks,
                        tables->nblocks == 1 ? "" : "s");
    if (s == STATUS_OK && class[0] != '\0') {
        s = io_catalog_note(catalog, "class", "%s", class);
    }
    if (s == STATUS_OK) {
        s = note_units(base, catalog);
    }
    return s;
}

/* Notes other bases. */
static status omit_bases(const cgns_zones *zones)
{
    int count = 0;
    cgns_node root, base;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    status s = cgns_node_root(zones->file->id, &root)
                   ? cgns_node_names(&root, &count, &names)
                   : STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        if (strcmp(names[n], zones->base->name) != 0 &&
            cgns_node_child(&root, names[n], &base)) {
            s = cgns_node_is(&base, "CGNSBase_t")
                    ? io_catalog_omit(zones->catalog, "base '%s': base '%s' is read",
                                      names[n], zones->base->name)
                    : s;
            cgns_node_close(&base);
        }
    }
    cgns_node_close(&root);
    free(names);
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

static status read_zone(cgns_zones *zones, const cgns_node *zone)
{
    int64_t sizes[9];
    if (!is_structured(zone)) {
        return io_catalog_omit(zones->catalog, "zone '%s': it is no structured one",
                               zone->name);
    }
    const int axes = cgns_node_ints(zone, 9, sizes) / 3;
    if (cgns_zone_is_line(axes, sizes)) {
        return io_catalog_omit(zones->catalog, "zone '%s': it is a line of vertices",
                               zone->name);
    }
    status s = cgns_zone_read(zones, zone, axes, sizes);
    return s == STATUS_OK ? cgns_steps_assign(zones, zone) : s;
}

/* Reads the zones of the base, by ascending name. */
static status read_zones(cgns_zones *zones)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    status s = cgns_node_names(zones->base, &count, &names);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node zone;
        if (cgns_node_child(zones->base, names[n], &zone)) {
            s = cgns_node_is(&zone, "Zone_t") ? read_zone(zones, &zone) : s;
            cgns_node_close(&zone);
        }
    }
    free(names);
    return s;
}

static status read_base(const io_hdf5_file *file, bool is_adf, const cgns_node *base,
                        io_catalog *catalog, cgns_tables *tables)
{
    cgns_steps steps = {0, NULL};
    cgns_zones zones = {.file = file, .base = base, .catalog = catalog, .tables = tables};
    status s = cgns_steps_read(base, &steps);
    tables->nsteps = steps.count > 0 ? steps.count : 1;
    s = s == STATUS_OK ? read_zones(&zones) : s;
    if (s == STATUS_OK && tables->nblocks == 0) {
        s = base_fail(
            STATUS_INPUT,
            "all zones of CGNS file '%s' are lines of vertices, and karman "
            "draws grids of two and three dimensions: plot them with matplotlib",
            file->path);
    }
    s = s == STATUS_OK ? cgns_connections_join(catalog, tables) : s;
    s = s == STATUS_OK && steps.count > 0 ? cgns_presence_find(&zones) : s;
    s = s == STATUS_OK ? cgns_steps_enter(&zones, &steps) : s;
    s = s == STATUS_OK ? add_fields(&zones) : s;
    s = s == STATUS_OK ? find_turned(tables) : s;
    s = s == STATUS_OK ? set_presence(file, tables, catalog) : s;
    s = s == STATUS_OK ? note_all(base, is_adf, tables, catalog) : s;
    s = s == STATUS_OK ? omit_bases(&zones) : s;
    s = s == STATUS_OK ? cgns_presence_enter(tables, catalog) : s;
    cgns_steps_clear(&steps);
    return s;
}

/* Says what there is in place of a base with structured zones. */
static status fail_to_find(const io_hdf5_file *file, const char *name)
{
    cgns_node base;
    if (!name || !find_base(file->id, NULL, &base)) {
        return base_fail(STATUS_INPUT,
                         "CGNS file '%s' has no structured zone, and karman draws "
                         "structured grids only: resample it with ParaView (Resample To "
                         "Image), and save that as .vti",
                         file->path);
    }
    status s = base_fail(STATUS_INPUT,
                         "data.base: CGNS file '%s' has no base '%s' with structured "
                         "zones; the first that has some is '%s'",
                         file->path, name, base.name);
    cgns_node_close(&base);
    return s;
}

status cgns_contents_read(const io_hdf5_file *file, bool is_adf, const char *name,
                          io_catalog *catalog, cgns_tables *tables)
{
    cgns_node base;
    if (!find_base(file->id, name, &base)) {
        return fail_to_find(file, name);
    }
    status s = read_base(file, is_adf, &base, catalog, tables);
    cgns_node_close(&base);
    return s;
}
