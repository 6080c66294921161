/* CGNS files, files of karman's own layout, HDF5 files of other layouts, and netCDF-4. */
#include "formats.h"
#include "io/sources/listing/guess.h"
#include "io/sources/listing/listing.h"
#include "tests/mpi/test_adf_support.h"
#include "tests/mpi/test_io_support.h"
#include "tests/support/random.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t sizes[2][3] = {{4, 3, 5}, {2, 4, 3}};

static fuzz_node *add(fuzz_tree *tree, const char *label, const char *a, const char *b)
{
    char path[FUZZ_PATH];
    snprintf(path, sizeof path, "%.110s%s%.40s", a, b[0] != '\0' ? "/" : "", b);
    return fuzz_tree_add(tree, path, label);
}

static void write_damaged(fuzz_tree *tree, const char *path, uint64_t *state)
{
    fuzz_tree_damage(tree, state);
    fuzz_tree_write(tree, path);
    if (fuzz_with_bytes && random_below(state, 4) == 0) {
        fuzz_damage_bytes(path, false, state);
    }
}

/* ---- CGNS -------------------------------------------------------------------------- */

static void add_solution(fuzz_tree *tree, const char *zone, const char *name, int b,
                         bool is_cells)
{
    static const char *const arrays[] = {"Density", "MomentumX", "Strange"};
    static const double rind[6] = {1, 1, 0, 1, 1, 0};
    char path[FUZZ_PATH];
    int64_t n[3];
    snprintf(path, sizeof path, "%.80s/%s", zone, name);
    add(tree, "FlowSolution_t", path, "");
    if (is_cells) {
        fuzz_node_text(add(tree, "GridLocation_t", path, "GridLocation"), "CellCenter");
        fuzz_node_numbers(add(tree, "Rind_t", path, "Rind"), FUZZ_INT32, 6, rind);
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = sizes[b][axis] - is_cells +
                  (is_cells ? (int64_t)(rind[2 * axis] + rind[2 * axis + 1]) : 0);
    }
    for (int a = 0; a < 3; a++) {
        fuzz_node_array(add(tree, "DataArray_t", path, arrays[a]),
                        a == 1 ? FUZZ_FLOAT32 : FUZZ_FLOAT64, n, a + 1.0);
    }
}

static void add_conditions(fuzz_tree *tree, const char *zone, int b)
{
    const int64_t *s = sizes[b];
    const double range[6] = {1, 1, 1, (double)s[0], (double)s[1], 1};
    const double points[9] = {1, 1, 1, 2, 1, 1, 1, 2, 1};
    char path[FUZZ_PATH];
    snprintf(path, sizeof path, "%.80s/ZoneBC", zone);
    add(tree, "ZoneBC_t", path, "");
    fuzz_node_text(add(tree, "BC_t", path, "Wall"), "BCWallViscous");
    fuzz_node *node = add(tree, "IndexRange_t", path, "Wall/PointRange");
    fuzz_node_numbers(node, FUZZ_INT32, 6, range);
    fuzz_node_text(add(tree, "BC_t", path, "Family"), "FamilySpecified");
    fuzz_node_text(add(tree, "FamilyName_t", path, "Family/FamilyName"), "Skin");
    node = add(tree, "IndexArray_t", path, "Family/PointList");
    fuzz_node_numbers(node, FUZZ_INT32, 9, points);
    node->rank = 2;
    node->dims[0] = 3;
    node->dims[1] = 3;
    fuzz_node_text(add(tree, "GridLocation_t", path, "Family/GridLocation"),
                   "KFaceCenter");
}

static void add_holes(fuzz_tree *tree, const char *zone)
{
    const double range[6] = {1, 1, 1, 2, 2, 2}, transform[3] = {1, -2, -3};
    const double end[6] = {1, 1, 1, 1, 2, 2}, donor[6] = {2, 2, 2, 2, 1, 1};
    char path[FUZZ_PATH];
    snprintf(path, sizeof path, "%.80s/ZoneGridConnectivity", zone);
    add(tree, "ZoneGridConnectivity_t", path, "");
    add(tree, "OversetHoles_t", path, "Hole");
    fuzz_node_numbers(add(tree, "IndexRange_t", path, "Hole/PointRange"), FUZZ_INT32, 6,
                      range);
    fuzz_node_text(add(tree, "GridConnectivity1to1_t", path, "Side"),
                   strrchr(zone, '/') + 1);
    fuzz_node_numbers(add(tree, "IndexRange_t", path, "Side/PointRange"), FUZZ_INT64, 6,
                      end);
    fuzz_node_numbers(add(tree, "IndexRange_t", path, "Side/PointRangeDonor"), FUZZ_INT32,
                      6, donor);
    fuzz_node_numbers(add(tree, "\"int[IndexDimension]\"", path, "Side/Transform"),
                      FUZZ_INT32, 3, transform);
}

/* Parts that a file may lack, so that most cases are small. */
enum { WITH_STEPS = 1, WITH_CONDITIONS = 2, WITH_HOLES = 4, WITH_UNITS = 8 };

static void add_grid(fuzz_tree *tree, const char *zone, const char *name, int b)
{
    static const char *const coordinates[] = {"CoordinateX", "CoordinateY",
                                              "CoordinateZ"};
    char path[FUZZ_PATH];
    add(tree, "GridCoordinates_t", zone, name);
    snprintf(path, sizeof path, "%.100s/%s", zone, name);
    for (int c = 0; c < 3; c++) {
        fuzz_node_array(add(tree, "DataArray_t", path, coordinates[c]), FUZZ_FLOAT64,
                        sizes[b], 0.1 * c);
    }
}

static void add_zone(fuzz_tree *tree, int b, uint32_t parts)
{
    char zone[FUZZ_PATH];
    double size[9] = {0};
    snprintf(zone, sizeof zone, "/Base/Zone%d", b + 1);
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)sizes[b][axis];
        size[3 + axis] = (double)sizes[b][axis] - 1;
    }
    fuzz_node *node = add(tree, "Zone_t", zone, "");
    fuzz_node_numbers(node, FUZZ_INT32, 9, size);
    node->rank = 2;
    node->dims[0] = 3;
    node->dims[1] = 3;
    fuzz_node_text(add(tree, "ZoneType_t", zone, "ZoneType"), "Structured");
    add_grid(tree, zone, "GridCoordinates", b);
    add_solution(tree, zone, "Solution1", b, true);
    if (parts & WITH_CONDITIONS) {
        add_conditions(tree, zone, b);
    }
    if (parts & WITH_HOLES) {
        add_holes(tree, zone);
    }
    if (!(parts & WITH_STEPS)) {
        return;
    }
    add_solution(tree, zone, "Solution2", b, true);
    add_grid(tree, zone, "Moved", b);
    add(tree, "ZoneIterativeData_t", zone, "ZoneData");
    fuzz_node_text(add(tree, "DataArray_t", zone, "ZoneData/FlowSolutionPointers"),
                   "Solution1                       Solution2                       ");
    fuzz_node_text(add(tree, "DataArray_t", zone, "ZoneData/GridCoordinatesPointers"),
                   "GridCoordinates                 Moved                           ");
}

/* In half of the files, the zones of each step. */
static void add_zone_pointers(fuzz_tree *tree, uint64_t *state)
{
    static const double counts[2] = {1, 2};
    if (random_below(state, 2) == 0) {
        return;
    }
    fuzz_node_numbers(add(tree, "DataArray_t", "/Base/Steps/NumberOfZones", ""),
                      FUZZ_INT32, 2, counts);
    fuzz_node *node = add(tree, "DataArray_t", "/Base/Steps/ZonePointers", "");
    fuzz_node_text(node, "Zone1                   Null                    "
                         "Zone2                   Zone1                   ");
    node->rank = 3;
    node->dims[0] = node->dims[1] = 2;
    node->dims[2] = 24;
}

/* Writes a damaged file; its path. */
static const char *write_cgns(uint64_t *state)
{
    static fuzz_tree tree;
    static char path[512];
    static const double two[2] = {2, 3}, times[2] = {0.5, 1.0}, steps[2] = {10, 20};
    tree = (fuzz_tree){.is_cgns = true};
    uint32_t parts = random_word(state);
    parts &= random_word(state); /* each with a chance of one quarter */
    snprintf(path, sizeof path, "%s", test_path("fuzz.h5"));
    fuzz_node_numbers(add(&tree, "CGNSLibraryVersion_t", "/CGNSLibraryVersion", ""),
                      FUZZ_FLOAT32, 1, &two[1]);
    fuzz_node_numbers(add(&tree, "CGNSBase_t", "/Base", ""), FUZZ_INT32, 2, two);
    if (parts & WITH_UNITS) {
        fuzz_node_text(add(&tree, "DimensionalUnits_t", "/Base/DimensionalUnits", ""),
                       "Kilogram                        Meter");
        fuzz_node_text(add(&tree, "DataClass_t", "/Base/DataClass", ""), "Dimensional");
    }
    if (parts & WITH_CONDITIONS) {
        add(&tree, "Family_t", "/Base/Skin", "");
        fuzz_node_text(add(&tree, "FamilyBC_t", "/Base/Skin/FamilyBC", ""), "BCWall");
    }
    if (parts & WITH_STEPS) {
        fuzz_node_numbers(add(&tree, "BaseIterativeData_t", "/Base/Steps", ""),
                          FUZZ_INT32, 1, two);
        fuzz_node_numbers(add(&tree, "DataArray_t", "/Base/Steps/TimeValues", ""),
                          FUZZ_FLOAT64, 2, times);
        fuzz_node_numbers(add(&tree, "DataArray_t", "/Base/Steps/IterationValues", ""),
                          FUZZ_INT32, 2, steps);
        add_zone_pointers(&tree, state);
    }
    add_zone(&tree, 0, parts);
    if (random_below(state, 3) == 0) {
        add_zone(&tree, 1, parts & ~(uint32_t)WITH_CONDITIONS);
    }
    write_damaged(&tree, path, state);
    return path;
}

static status run_cgns(uint64_t *state)
{
    const io_data_config config = {.file = (char *)write_cgns(state), .all_steps = true};
    return fuzz_read(&config, state);
}

/* The same file in ADF. Of two in three some bytes change: any, or digits of pointers. */
static status run_adf(uint64_t *state)
{
    const io_data_config config = {.file = (char *)write_cgns(state), .all_steps = true};
    const uint32_t word = random_word(state);
    adf_replace(config.file, &(adf_form){word & 1, word >> 1 & 1, word >> 2 & 1});
    FILE *file = fopen(config.file, "r+b");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    for (uint32_t n = word % 3 * 2; n > 0 && size > 0; n--) {
        fseek(file, (long)(random_bits(state) % (uint64_t)size), SEEK_SET);
        fputc(random_below(state, 2) ? "0123456789ABCDEF"[random_below(state, 16)]
                                     : random_below(state, 256),
              file);
    }
    if (file) {
        fclose(file);
    }
    return fuzz_read(&config, state);
}

const fuzz_format fuzz_cgns = {"cgns", run_cgns, true};
const fuzz_format fuzz_adf = {"adf", run_adf, false};

/* ---- karman's own layout ----------------------------------------------------------- */

static void add_own_arrays(fuzz_tree *tree, int b, bool moves)
{
    static const char *const names[] = {"x", "y", "z", "iblank"};
    char path[FUZZ_PATH];
    const int64_t *n = sizes[b], cells[3] = {n[0] - 1, n[1] - 1, n[2] - 1};
    for (int c = 0; c < 4; c++) {
        snprintf(path, sizeof path, "/grid/b%d/%s", b, names[c]);
        fuzz_node_array(fuzz_tree_add(tree, path, NULL),
                        c == 3 ? FUZZ_INT32 : FUZZ_FLOAT64, n, 0.2 * c);
        snprintf(path, sizeof path, "/grids/0001/b%d/%s", b, names[c]);
        if (moves) {
            fuzz_node_array(fuzz_tree_add(tree, path, NULL),
                            c == 3 ? FUZZ_INT32 : FUZZ_FLOAT64, n, 0.3 * c);
        }
    }
    for (int step = 0; step < 2; step++) {
        snprintf(path, sizeof path, "/flow/%04d/b%d/density", step, b);
        fuzz_node *node = fuzz_tree_add(tree, path, NULL);
        fuzz_node_array(node, FUZZ_FLOAT32, n, 1.0);
        fuzz_node_attribute(node, "_FillValue", 7.0);
        snprintf(path, sizeof path, "/flow/%04d/b%d/p", step, b);
        node = fuzz_tree_add(tree, path, NULL);
        fuzz_node_array(node, FUZZ_INT32, cells, 3.0);
        fuzz_node_attribute(node, "scale_factor", 0.5);
    }
}

static status run_own(uint64_t *state)
{
    static fuzz_tree tree;
    char path[512];
    tree = (fuzz_tree){.is_cgns = false};
    snprintf(path, sizeof path, "%s", test_path("fuzz.h5"));
    fuzz_node_attribute(fuzz_tree_add(&tree, "/", NULL), "karman_format", 1.0);
    for (int step = 0; step < 2; step++) {
        char group[32];
        snprintf(group, sizeof group, "/flow/%04d", step);
        fuzz_node_attribute(fuzz_tree_add(&tree, group, NULL), "time", 0.5 * step);
    }
    add_own_arrays(&tree, 0, random_below(state, 2) == 0);
    if (random_below(state, 3) == 0) {
        add_own_arrays(&tree, 1, random_below(state, 2) == 0);
    }
    write_damaged(&tree, path, state);
    const io_data_config config = {.file = path, .all_steps = true};
    return fuzz_read(&config, state);
}

const fuzz_format fuzz_own = {"own", run_own, true};

/* ---- Other layouts ----------------------------------------------------------------- */

static void add_other(fuzz_tree *tree, uint64_t *state)
{
    static const char *const names[] = {"/mesh/x", "/mesh/y", "/mesh/z"};
    const int64_t *n = sizes[0];
    char path[FUZZ_PATH];
    for (int c = 0; c < 3; c++) {
        fuzz_node_array(fuzz_tree_add(tree, names[c], NULL), FUZZ_FLOAT64, n, 0.2 * c);
    }
    fuzz_node_array(fuzz_tree_add(tree, "/mesh/iblank", NULL), FUZZ_INT32, n, 1.0);
    const int steps = 1 + random_below(state, 3);
    for (int step = 1; step <= steps; step++) {
        snprintf(path, sizeof path,
                 random_below(state, 2) ? "/flow/%04d/rho" : "/flow/rho_%04d", step);
        fuzz_node_array(fuzz_tree_add(tree, path, NULL), FUZZ_FLOAT32, n, 1.0);
        snprintf(path, sizeof path, "/flow/%04d/m", step);
        fuzz_node *node = fuzz_tree_add(tree, path, NULL);
        fuzz_node_array(node, FUZZ_FLOAT64, n, 2.0);
        node->rank = 4;
        node->dims[3] = 3;
    }
}

/* The variables of a file of the ocean; planes: of two axes rather than lists. */
static void add_ocean(fuzz_tree *tree, bool has_planes)
{
    static const char *const names[] = {"lon", "lat", "depth", "time"};
    static const char *const units[] = {"degrees_east", "degrees_north", "m",
                                        "days since 1990-01-01"};
    const int64_t *n = sizes[0], steps = 2;
    const int64_t lengths[4] = {n[0], n[1], n[2], steps};
    char path[FUZZ_PATH];
    fuzz_node_word(fuzz_tree_add(tree, "/", NULL), "_NCProperties", "version=2");
    for (int v = 0; v < 4; v++) {
        snprintf(path, sizeof path, "/%s", names[v]);
        fuzz_node *node = fuzz_tree_add(tree, path, NULL);
        fuzz_node_array(node, FUZZ_FLOAT64, n, 10.0 * v);
        node->rank = has_planes && v < 2 ? 2 : 1;
        node->dims[0] = node->rank == 2 ? n[1] : lengths[v];
        node->dims[1] = n[0];
        fuzz_node_word(node, "units", units[v]);
        if (v == 2) {
            fuzz_node_word(node, "positive", "down");
        }
    }
    for (int v = 0; v < 2; v++) {
        fuzz_node *node = fuzz_tree_add(tree, v == 0 ? "/thetao" : "/zos", NULL);
        fuzz_node_array(node, v == 0 ? FUZZ_INT32 : FUZZ_FLOAT32, n, 1.0);
        memmove(&node->dims[1], &node->dims[v], (size_t)(3 - v) * sizeof *node->dims);
        node->rank = 4 - v;
        node->dims[0] = steps;
        fuzz_node_attribute(node, "_FillValue", 3.0);
        fuzz_node_attribute(node, "scale_factor", 0.01);
    }
}

/* The data section that 'karman init' would write. */
static status read_guess(const char *path, io_guess *guess, uint64_t *state)
{
    if (guess->chosen < 0) {
        return STATUS_INPUT;
    }
    char file[512];
    io_guess_grid grid = guess->grids[guess->chosen];
    io_field_path fields[IO_GUESS_MOST_FIELDS];
    snprintf(file, sizeof file, "%s", path);
    for (int f = 0; f < guess->nfields; f++) {
        fields[f] = (io_field_path){guess->fields[f].name, guess->fields[f].path};
    }
    const io_data_config config = {
        .file = file,
        .grid_x = grid.paths[0],
        .grid_y = grid.paths[1],
        .grid_z = grid.paths[2],
        .ntransforms = guess->is_geographic,
        .transforms = &(grid_transform){.scale = {1.0, 1.0, 0.001}},
        .time = guess->ntimes > 0 ? guess->time : NULL,
        .is_fortran = guess->is_fortran,
        .grid_iblank = grid.iblank[0] != '\0' ? grid.iblank : NULL,
        .nfields = guess->nfields,
        .fields = fields,
        .all_steps = true};
    status s = fuzz_read(&config, state);
    return s == STATUS_USAGE ? STATUS_INPUT : s;
}

/* Writes the damaged tree, and reads it as `karman render FILE` does. */
static status run_other(fuzz_tree *tree, uint64_t *state)
{
    io_listing *listing = NULL;
    io_guess *guess = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("fuzz.h5"));
    write_damaged(tree, path, state);
    status s = io_source_list(path, &listing);
    if (s == STATUS_OK && listing) {
        s = io_guess_create(listing, &guess);
    }
    if (s == STATUS_OK && guess) {
        s = read_guess(path, guess, state);
        if (s == STATUS_INPUT && base_fail_message()[0] == '\0') {
            base_fail(STATUS_INPUT, "nothing was guessed from the file");
        }
    }
    io_guess_destroy(&guess);
    io_listing_destroy(&listing);
    return s;
}

static status run_hdf5(uint64_t *state)
{
    static fuzz_tree tree;
    tree = (fuzz_tree){.is_cgns = false};
    add_other(&tree, state);
    return run_other(&tree, state);
}

static status run_netcdf(uint64_t *state)
{
    static fuzz_tree tree;
    tree = (fuzz_tree){.is_cgns = false};
    add_ocean(&tree, random_below(state, 2) == 0);
    return run_other(&tree, state);
}

const fuzz_format fuzz_hdf5 = {"hdf5", run_hdf5, true};
const fuzz_format fuzz_netcdf = {"netcdf", run_netcdf, true};
