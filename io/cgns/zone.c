#include "zone.h"

#include "base/array.h"

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
    io_hdf5_place where = {.component = -1};
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

/* Finds the grid at all steps: the node GridCoordinates, or else the first of its kind.
 */
static status read_grid(const cgns_zones *zones, const cgns_node *zone, int block)
{
    static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    cgns_tables *tables = zones->tables;
    cgns_node grid;
    void *all = realloc(tables->grids, ((size_t)block + 1) * sizeof *tables->grids);
    if (!all) {
        return base_fail_memory(sizeof *tables->grids, "the zones of a CGNS file");
    }
    tables->grids = all;
    if (!cgns_node_child(zone, "GridCoordinates", &grid) &&
        !cgns_node_first(zone, "GridCoordinates_t", &grid)) {
        return base_fail(STATUS_INPUT, "zone '%s' of CGNS file '%s' has no coordinates",
                         zone->name, zones->file->path);
    }
    status s = make_place(zones, &grid, block, &tables->grids[block]);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = check_coordinate(zones, &tables->grids[block], names[axis]);
    }
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

/* ---- Walls ------------------------------------------------------------------------- */

/* Whether a boundary condition is a wall, by its own type or by that of its family. */
static bool is_wall(const cgns_node *base, const cgns_node *condition)
{
    static const char wall[] = "BCWall";
    char type[64], name[CGNS_NAME_SIZE];
    cgns_node family, of_family;
    cgns_node_text(condition, sizeof type, type);
    if (strcmp(type, "FamilySpecified") == 0) {
        type[0] = '\0';
        cgns_node_child_text(condition, "FamilyName", sizeof name, name);
        if (cgns_node_child(base, name, &family)) {
            if (cgns_node_first(&family, "FamilyBC_t", &of_family)) {
                cgns_node_text(&of_family, sizeof type, type);
                cgns_node_close(&of_family);
            }
            cgns_node_close(&family);
        }
    }
    return strncmp(type, wall, sizeof wall - 1) == 0;
}

/*
 * Turns a range of vertices or of faces, from 1 on, into one of vertices, from 0 on.
 * Faces reach to the next vertex along the axes of their plane.
 */
static bool find_vertices(const cgns_node *condition, const grid_block *block,
                          cgns_wall *wall)
{
    char location[32];
    int64_t range[6];
    cgns_node child;
    int count = 0;
    if (cgns_node_child(condition, "PointRange", &child)) {
        count = cgns_node_ints(&child, 6, range);
        cgns_node_close(&child);
    }
    cgns_node_child_text(condition, "GridLocation", sizeof location, location);
    const bool is_faces = strstr(location, "FaceCenter") != NULL;
    bool is_good = count == 6 &&
                   (is_faces || location[0] == '\0' || strcmp(location, "Vertex") == 0);
    for (int axis = 0; axis < 3 && is_good; axis++) {
        const int64_t a = range[axis], b = range[axis + 3];
        const bool is_plane =
            location[0] == "IJK"[axis] || (strcmp(location, "FaceCenter") == 0 && a == b);
        wall->lo[axis] = (a < b ? a : b) - 1;
        wall->hi[axis] = (a < b ? b : a) - (is_faces && !is_plane ? 0 : 1);
        is_good = wall->lo[axis] >= 0 && wall->hi[axis] < block->n[axis];
    }
    return is_good;
}

static status add_wall(const cgns_zones *zones, const cgns_node *condition, int block)
{
    cgns_tables *tables = zones->tables;
    cgns_wall wall = {.block = block};
    if (!cgns_node_is(condition, "BC_t") || !is_wall(zones->base, condition) ||
        !find_vertices(condition, &zones->catalog->blocks[block], &wall)) {
        return STATUS_OK;
    }
    cgns_wall *all = base_array_reserve(tables->walls, &tables->wall_capacity,
                                        tables->nwalls + 1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "the walls of a CGNS file");
    }
    tables->walls = all;
    all[tables->nwalls++] = wall;
    zones->catalog->blocks[block].has_iblank = true;
    return STATUS_OK;
}

/* ---- The zone ---------------------------------------------------------------------- */

/* Reads a solution, or the boundary conditions below ZoneBC_t. */
static status read_child(const cgns_zones *zones, const cgns_node *node, int block)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    if (cgns_node_is(node, "FlowSolution_t")) {
        return add_solution(zones, node, block);
    }
    if (!cgns_node_is(node, "ZoneBC_t")) {
        return STATUS_OK;
    }
    status s = cgns_node_names(node, &count, &names);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node condition;
        if (cgns_node_child(node, names[n], &condition)) {
            s = add_wall(zones, &condition, block);
            cgns_node_close(&condition);
        }
    }
    free(names);
    return s;
}

static status read_children(const cgns_zones *zones, const cgns_node *zone, int block)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    status s = cgns_node_names(zone, &count, &names);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        cgns_node node;
        if (cgns_node_child(zone, names[n], &node)) {
            s = read_child(zones, &node, block);
            cgns_node_close(&node);
        }
    }
    free(names);
    return s;
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
    return s == STATUS_OK ? read_children(zones, zone, number) : s;
}
