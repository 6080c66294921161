#include "zone.h"

#include "base/array.h"
#include "connections.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places ------------------------------------------------------------------------ */

/* Reads the planes of ghost values; without a child Rind there are none. In two
 * dimensions there are four numbers. */
static bool read_rind(const cgns_node *node, bool is_flat, int64_t rind[6])
{
    enum { MOST_PLANES = 1000 };
    cgns_node child;
    memset(rind, 0, 6 * sizeof *rind);
    if (!cgns_node_child(node, "Rind", &child)) {
        return true;
    }
    const int count = cgns_node_ints(&child, 6, rind);
    bool is_good = count == 6 || (count == 4 && is_flat);
    for (int n = 0; n < 6; n++) {
        is_good = is_good && rind[n] >= 0 && rind[n] <= MOST_PLANES;
    }
    cgns_node_close(&child);
    return is_good;
}

/* Describes a node with arrays. */
static status make_place(const cgns_zones *zones, const cgns_node *node, int block,
                         cgns_place *out)
{
    *out = (cgns_place){.block = block};
    strcpy(out->name, node->name);
    strcpy(out->path, node->path);
    return read_rind(node, zones->catalog->blocks[block].n[2] == 1, out->rind)
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "'%s/Rind' of file '%s' is not six small numbers", node->path,
                           zones->file->path);
}

/* ---- Coordinates ------------------------------------------------------------------- */

static bool has_array(const cgns_zones *zones, const cgns_place *place, const char *array)
{
    char path[IO_PATH_SIZE];
    cgns_tables_path(zones->file->id, place, array, path);
    return path[0] != '\0';
}

static status check_coordinate(const cgns_zones *zones, const cgns_place *place, int axis)
{
    const grid_block *block = &zones->catalog->blocks[place->block];
    io_hdf5_place where = {.is_grid = block->n[2] == 1, .axes = {.component = -1}};
    io_hdf5_dataset set = {.id = 0};
    int64_t n[3];
    const char *array = cgns_tables_coordinate(place, axis);
    cgns_tables_path(zones->file->id, place, array, where.path);
    if (where.path[0] == '\0') {
        return base_fail(STATUS_INPUT,
                         "zone '%s' of CGNS file '%s' has no %s: only CoordinateX, Y, Z "
                         "and CoordinateR, Theta, Z are read",
                         block->name, zones->file->path, array);
    }
    for (int a = 0; a < 3; a++) {
        n[a] = block->n[a] + place->rind[2 * a] + place->rind[2 * a + 1];
    }
    status s = io_hdf5_dataset_open(zones->file, &where, &set);
    if (s == STATUS_OK) {
        s = io_hdf5_dataset_check(zones->file, &set, n, "its zone");
        zones->catalog->double_coordinates |= set.precision > 4 || place->is_turned;
    }
    io_hdf5_dataset_close(&set);
    return s;
}

/* Finds the unit of theta: that of the array, of the grid or of the base; else radians.
 */
static double find_angle(const cgns_zones *zones, const cgns_node *grid)
{
    enum { ANGLE = 4 * 32, SIZE = 5 * 32 + 1 }; /* place of the unit, and all five */
    char units[SIZE] = "";
    cgns_node theta;
    if (cgns_node_child(grid, "CoordinateTheta", &theta)) {
        cgns_node_child_text(&theta, "DimensionalUnits", sizeof units, units);
        cgns_node_close(&theta);
    }
    if (units[0] == '\0') {
        cgns_node_child_text(grid, "DimensionalUnits", sizeof units, units);
    }
    if (units[0] == '\0') {
        cgns_node_child_text(zones->base, "DimensionalUnits", sizeof units, units);
    }
    const bool is_degree =
        strlen(units) > ANGLE && strncmp(units + ANGLE, "Degree", 6) == 0;
    return is_degree ? acos(-1.0) / 180.0 : 1.0;
}

/* Finds whether the coordinates are Cartesian or cylindrical, and whether there is z. */
static status find_coordinates(const cgns_zones *zones, const cgns_node *grid,
                               cgns_place *place)
{
    const bool was_turned = place->block > 0 && zones->tables->grids[0].is_turned;
    place->is_turned = !has_array(zones, place, "CoordinateX") &&
                       has_array(zones, place, "CoordinateR") &&
                       has_array(zones, place, "CoordinateTheta");
    place->lacks_z = zones->catalog->blocks[place->block].n[2] == 1 &&
                     !has_array(zones, place, "CoordinateZ");
    place->angle = place->is_turned ? find_angle(zones, grid) : 1.0;
    return place->is_turned && !was_turned
               ? io_catalog_note(
                     zones->catalog, "coordinates",
                     "r, theta (%s) and z, drawn as x, y and z; vectors along "
                     "r and theta become vectors along x and y, too",
                     place->angle < 1.0 ? "degrees" : "radians")
               : STATUS_OK;
}

/* Adds a grid to the tables. */
static status add_grid(const cgns_zones *zones, const cgns_node *grid, int block)
{
    cgns_tables *tables = zones->tables;
    cgns_place place;
    status s = make_place(zones, grid, block, &place);
    s = s == STATUS_OK ? find_coordinates(zones, grid, &place) : s;
    for (int axis = 0; axis < (place.lacks_z ? 2 : 3) && s == STATUS_OK; axis++) {
        s = check_coordinate(zones, &place, axis);
    }
    return s == STATUS_OK ? base_array_add(tables->grids, tables->ngrids, place,
                                           "the grids of a CGNS file")
                          : s;
}

status cgns_zone_find_grid(const cgns_zones *zones, const cgns_node *zone, int block,
                           const char *name, int *out)
{
    const cgns_tables *tables = zones->tables;
    cgns_node grid;
    for (int n = tables->ngrids - 1; n >= 0 && tables->grids[n].block == block; n--) {
        if (strcmp(tables->grids[n].name, name) == 0) {
            *out = n;
            return STATUS_OK;
        }
    }
    if (!cgns_node_child(zone, name, &grid)) {
        return base_fail(STATUS_INPUT,
                         "zone '%s' of CGNS file '%s' has no grid '%s', which "
                         "GridCoordinatesPointers names",
                         zone->name, zones->file->path, name);
    }
    *out = tables->ngrids;
    status s = add_grid(zones, &grid, block);
    cgns_node_close(&grid);
    return s;
}

/* Finds the first grid: the node GridCoordinates, or else the first of its kind. */
static status read_grid(const cgns_zones *zones, const cgns_node *zone, int block)
{
    cgns_node grid;
    if (!cgns_node_child(zone, "GridCoordinates", &grid) &&
        !cgns_node_first(zone, "GridCoordinates_t", &grid)) {
        return base_fail(STATUS_INPUT, "zone '%s' of CGNS file '%s' has no coordinates",
                         zone->name, zones->file->path);
    }
    status s = add_grid(zones, &grid, block);
    cgns_node_close(&grid);
    return s;
}

/* ---- Solutions --------------------------------------------------------------------- */

static status add_solution(const cgns_zones *zones, const cgns_node *node, int block)
{
    cgns_tables *tables = zones->tables;
    char location[32];
    cgns_place place;
    status s = make_place(zones, node, block, &place);
    cgns_node_child_text(node, "GridLocation", sizeof location, location);
    place.is_cells = strcmp(location, "CellCenter") == 0;
    if (s != STATUS_OK) {
        return s;
    }
    if (!place.is_cells && location[0] != '\0' && strcmp(location, "Vertex") != 0) {
        return io_catalog_omit(zones->catalog,
                               "solution '%s' of zone '%s': its values are at %s",
                               node->name, zones->catalog->blocks[block].name, location);
    }
    return base_array_add(tables->solutions, tables->nsolutions, place,
                          "the solutions of a CGNS file");
}

/* ---- The zone ---------------------------------------------------------------------- */

typedef status read_node(cgns_zones *zones, const cgns_node *node, int block);

static status read_children(cgns_zones *zones, const cgns_node *parent, int block,
                            read_node *read)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    status s = cgns_node_names(parent, &count, &names);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node node;
        if (cgns_node_child(parent, names[n], &node)) {
            s = read(zones, &node, block);
            cgns_node_close(&node);
        }
    }
    free(names);
    return s;
}

/* A boundary condition below ZoneBC_t, or holes and connections below
 * ZoneGridConnectivity_t. */
static status read_condition(cgns_zones *zones, const cgns_node *node, int block)
{
    const cgns_conditions to = {zones->base, zones->catalog, zones->tables, block};
    return cgns_node_is(node, "BC_t")             ? cgns_conditions_add(&to, node)
           : cgns_node_is(node, "OversetHoles_t") ? cgns_conditions_add_holes(&to, node)
           : cgns_node_is(node, "GridConnectivity1to1_t")
               ? cgns_connections_add(&to, node)
               : STATUS_OK;
}

static status read_child(cgns_zones *zones, const cgns_node *node, int block)
{
    zones->has_formula |= cgns_node_is(node, "RigidGridMotion_t") ||
                          cgns_node_is(node, "ArbitraryGridMotion_t");
    if (zones->pointers[0] == '\0' && cgns_node_is(node, "ZoneIterativeData_t")) {
        strcpy(zones->pointers, node->name);
    }
    if (cgns_node_is(node, "ZoneBC_t") || cgns_node_is(node, "ZoneGridConnectivity_t")) {
        return read_children(zones, node, block, read_condition);
    }
    return cgns_node_is(node, "FlowSolution_t") ? add_solution(zones, node, block)
                                                : STATUS_OK;
}

bool cgns_zone_is_line(int axes, const int64_t sizes[9])
{
    int longer = 0, shorter = 0;
    for (int axis = 0; axis < axes; axis++) {
        longer += sizes[axis] > 1;
        shorter += sizes[axis] < 1;
    }
    return axes > 0 && longer < 2 && shorter == 0;
}

/* The numbers of vertices come first, then those of cells and of boundary vertices. A
 * zone in two dimensions has one vertex along k. */
static status set_size(const cgns_zones *zones, const cgns_node *zone, int axes,
                       const int64_t sizes[9], grid_block *block)
{
    bool is_good = axes == 2 || axes == 3;
    for (int axis = 0; axis < 3; axis++) {
        block->n[axis] = axis < axes ? sizes[axis] : 1;
        is_good = is_good && block->n[axis] >= (axis < 2 ? 2 : 1);
    }
    snprintf(block->name, sizeof block->name, "%s", zone->name);
    return is_good
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "the size of zone '%s' of CGNS file '%s' is not three times "
                           "ni, nj, nk, each at least 2",
                           zone->name, zones->file->path);
}

status cgns_zone_read(cgns_zones *zones, const cgns_node *zone, int axes,
                      const int64_t sizes[9])
{
    grid_block block = {.has_iblank = false};
    const int number = zones->catalog->nblocks;
    zones->has_formula = false;
    zones->pointers[0] = '\0';
    status s = set_size(zones, zone, axes, sizes, &block);
    s = s == STATUS_OK ? io_catalog_add_block(zones->catalog, &block) : s;
    if (s == STATUS_OK) {
        zones->tables->nblocks = number + 1;
        s = read_grid(zones, zone, number);
    }
    return s == STATUS_OK ? read_children(zones, zone, number, read_child) : s;
}
