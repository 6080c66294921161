#include "zone.h"

#include "base/array.h"
#include "conditions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places ------------------------------------------------------------------------ */

/* Reads the planes of ghost values; without a child Rind there are none. */
static bool read_rind(const cgns_node *node, int64_t rind[6])
{
    enum { MOST_PLANES = 1000 };
    cgns_node child;
    memset(rind, 0, 6 * sizeof *rind);
    if (!cgns_node_child(node, "Rind", &child)) {
        return true;
    }
    bool is_good = cgns_node_ints(&child, 6, rind) == 6;
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
    return read_rind(node, out->rind)
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "'%s/Rind' of file '%s' is not six small numbers", node->path,
                           zones->file->path);
}

/* ---- Coordinates ------------------------------------------------------------------- */

static status check_coordinate(const cgns_zones *zones, const cgns_place *place,
                               const char *array)
{
    io_hdf5_place where = {.axes = {.component = -1}};
    io_hdf5_dataset set = {.id = 0};
    int64_t n[3];
    cgns_tables_path(zones->file->id, place, array, where.path);
    if (where.path[0] == '\0') {
        return base_fail(STATUS_INPUT,
                         "zone '%s' of CGNS file '%s' has no %s: only Cartesian "
                         "coordinates are read",
                         zones->catalog->blocks[place->block].name, zones->file->path,
                         array);
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = zones->catalog->blocks[place->block].n[axis] + place->rind[2 * axis] +
                  place->rind[2 * axis + 1];
    }
    status s = io_hdf5_dataset_open(zones->file, &where, &set);
    if (s == STATUS_OK) {
        s = io_hdf5_dataset_check(zones->file, &set, n, "its zone");
        zones->catalog->double_coordinates |= set.precision > 4;
    }
    io_hdf5_dataset_close(&set);
    return s;
}

/* Adds a grid to the tables. */
static status add_grid(const cgns_zones *zones, const cgns_node *grid, int block)
{
    static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    cgns_tables *tables = zones->tables;
    cgns_place *all = base_array_reserve(tables->grids, &tables->grid_capacity,
                                         tables->ngrids + 1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "the grids of a CGNS file");
    }
    tables->grids = all;
    status s = make_place(zones, grid, block, &all[tables->ngrids]);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = check_coordinate(zones, &all[tables->ngrids], names[axis]);
    }
    tables->ngrids += s == STATUS_OK;
    return s;
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
    if (s != STATUS_OK ||
        (!place.is_cells && location[0] != '\0' && strcmp(location, "Vertex") != 0)) {
        return s; /* values on faces and edges are left out */
    }
    cgns_place *all = base_array_reserve(tables->solutions, &tables->capacity,
                                         tables->nsolutions + 1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "the solutions of a CGNS file");
    }
    tables->solutions = all;
    all[tables->nsolutions++] = place;
    return STATUS_OK;
}

/* ---- The zone ---------------------------------------------------------------------- */

typedef status read_node(const cgns_zones *zones, const cgns_node *node, int block);

static status read_children(const cgns_zones *zones, const cgns_node *parent, int block,
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

/* A boundary condition below ZoneBC_t, or holes below ZoneGridConnectivity_t. */
static status read_condition(const cgns_zones *zones, const cgns_node *node, int block)
{
    const cgns_conditions to = {zones->base, zones->catalog, zones->tables, block};
    return cgns_node_is(node, "BC_t")             ? cgns_conditions_add(&to, node)
           : cgns_node_is(node, "OversetHoles_t") ? cgns_conditions_add_holes(&to, node)
                                                  : STATUS_OK;
}

static status read_child(const cgns_zones *zones, const cgns_node *node, int block)
{
    if (cgns_node_is(node, "ZoneBC_t") || cgns_node_is(node, "ZoneGridConnectivity_t")) {
        return read_children(zones, node, block, read_condition);
    }
    return cgns_node_is(node, "FlowSolution_t") ? add_solution(zones, node, block)
                                                : STATUS_OK;
}

/* The numbers of vertices come first, then those of cells and of boundary vertices. */
static status read_size(const cgns_zones *zones, const cgns_node *zone, grid_block *block)
{
    int64_t sizes[9];
    const int count = cgns_node_ints(zone, 9, sizes);
    if (count == 9 && sizes[0] >= 2 && sizes[1] >= 2 && sizes[2] >= 2) {
        memcpy(block->n, sizes, sizeof block->n);
        snprintf(block->name, sizeof block->name, "%s", zone->name);
        return STATUS_OK;
    }
    return count == 6 || count == 3 || (count == 9 && sizes[2] == 1)
               ? base_fail(STATUS_INPUT,
                           "zone '%s' of CGNS file '%s' is two-dimensional: "
                           "two-dimensional grids are not drawn yet",
                           zone->name, zones->file->path)
               : base_fail(STATUS_INPUT,
                           "the size of zone '%s' of CGNS file '%s' is not three times "
                           "ni, nj, nk, each at least 2",
                           zone->name, zones->file->path);
}

status cgns_zone_read(void *context, const cgns_node *zone)
{
    const cgns_zones *zones = context;
    grid_block block = {.has_iblank = false};
    const int number = zones->catalog->nblocks;
    status s = read_size(zones, zone, &block);
    s = s == STATUS_OK ? io_catalog_add_block(zones->catalog, &block) : s;
    if (s == STATUS_OK) {
        zones->tables->nblocks = number + 1;
        s = read_grid(zones, zone, number);
    }
    return s == STATUS_OK ? read_children(zones, zone, number, read_child) : s;
}
