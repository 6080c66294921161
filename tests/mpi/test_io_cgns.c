/* CGNS files, written here node by node, give the values that were written. With the
 * argument adf-big, adf-little or adf-short they are copied to ADF. */
#include "base/log.h"
#include "io/catalog.h"
#include "test_adf_support.h"
#include "test_cgns_support.h"
#include "test_io_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const test_block zones[] = {
    {.name = "Zone  1", .n = {7, 5, 4}},
    {.name = "Zone  2", .n = {3, 9, 6}, .is_ring = true},
};
enum { ZONES = 2, STEPS = 2 };
static const int64_t numbers[STEPS] = {10, 25};
static const adf_form *form; /* NULL: HDF5 */

/* ---- Arrays ------------------------------------------------------------------------ */

/* An array of a block with planes of ghost values around it. */
typedef struct ghosted {
    const test_block *block;
    bool is_cells;
    int rind[6];
    int coordinate; /* 0 to 2; -1: a field */
    int field;
    int64_t step;
} ghosted;

static double value_at(const ghosted *g, int64_t i, int64_t j, int64_t k)
{
    double point[3];
    const int64_t at[3] = {i, j, k};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] >= g->block->n[axis] - g->is_cells) {
            return -9999.0;
        }
    }
    block_point(g->block, i, j, k, point);
    return g->coordinate >= 0 ? point[g->coordinate]
                              : block_value(g->field, g->step, i, j, k);
}

static void put_array(hid_t file, const char *path, const ghosted *g)
{
    int64_t n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] =
            g->block->n[axis] - g->is_cells + g->rind[2 * axis] + g->rind[2 * axis + 1];
    }
    double *values = malloc((size_t)(n[0] * n[1] * n[2]) * sizeof *values);
    size_t at = 0;
    for (int64_t k = 0; k < n[2]; k++) {
        for (int64_t j = 0; j < n[1]; j++) {
            for (int64_t i = 0; i < n[0]; i++) {
                values[at++] =
                    value_at(g, i - g->rind[0], j - g->rind[2], k - g->rind[4]);
            }
        }
    }
    const hsize_t dims[3] = {(hsize_t)n[2], (hsize_t)n[1], (hsize_t)n[0]};
    cgns_put_node(file, path, "DataArray_t", "R8");
    cgns_put_data(file, path, H5T_NATIVE_DOUBLE, 3, dims, values);
    free(values);
}

static void put_solution(hid_t file, const char *given, ghosted g, const char *array)
{
    char path[512];
    snprintf(path, sizeof path, "%.500s", given);
    cgns_put_node(file, path, "FlowSolution_t", "MT");
    if (g.is_cells) {
        cgns_put_text(file, cgns_below(path, "GridLocation"), "GridLocation_t",
                      "CellCenter");
    }
    cgns_put_ints(file, cgns_below(path, "Rind"), "Rind_t", 6, g.rind);
    put_array(file, cgns_below(path, array), &g);
}

/* ---- Files ------------------------------------------------------------------------- */

static hid_t create_file(const char *path)
{
    const hid_t file = file_create(path);
    cgns_put_node(file, "/CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4");
    return file;
}

/* Ends a file that was written. */
static void close_file(hid_t file)
{
    char path[512];
    H5Fget_name(file, path, sizeof path);
    H5Fclose(file);
    if (form) {
        adf_replace(path, form);
    }
}

static void put_zone(hid_t file, const test_block *block)
{
    static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    static const hsize_t dims[2] = {3, 3};
    char zone[128];
    int sizes[9] = {0};
    snprintf(zone, sizeof zone, "/Base/%s", block->name);
    for (int axis = 0; axis < 3; axis++) {
        sizes[axis] = (int)block->n[axis];
        sizes[3 + axis] = (int)block->n[axis] - 1;
    }
    cgns_put_node(file, zone, "Zone_t", "I4");
    cgns_put_data(file, zone, H5T_NATIVE_INT, 2, dims, sizes);
    cgns_put_text(file, cgns_below(zone, "ZoneType"), "ZoneType_t", "Structured");
    cgns_put_node(file, cgns_below(zone, "GridCoordinates"), "GridCoordinates_t", "MT");
    for (int axis = 0; axis < 3; axis++) {
        const ghosted g = {.block = block, .coordinate = axis};
        char path[256];
        snprintf(path, sizeof path, "%s/GridCoordinates/%s", zone, names[axis]);
        put_array(file, path, &g);
    }
}

/* A base with both zones, the first of which has two solutions; and units. */
static void put_base(hid_t file)
{
    static const int dimensions[2] = {3, 3};
    cgns_put_ints(file, "/Base", "CGNSBase_t", 2, dimensions);
    cgns_put_text(file, "/Base/DimensionalUnits", "DimensionalUnits_t",
                  "Kilogram                        Meter                           "
                  "Second                          ");
    for (int z = 0; z < ZONES; z++) {
        put_zone(file, &zones[z]);
    }
}

static hid_t create_plain(const char *path)
{
    hid_t file = create_file(path);
    put_base(file);
    for (int z = 0; z < ZONES; z++) {
        char zone[128];
        snprintf(zone, sizeof zone, "/Base/%s", zones[z].name);
        ghosted g = {.block = &zones[z], .coordinate = -1, .rind = {1, 2, 0, 1, 3, 0}};
        put_solution(file, cgns_below(zone, "Nodes"), g, "MomentumX");
        g = (ghosted){.block = &zones[z],
                      .coordinate = -1,
                      .field = 1,
                      .is_cells = true,
                      .rind = {1, 1, 1, 1, 1, 1}};
        put_solution(file, cgns_below(zone, "Cells"), g, "Density");
    }
    return file;
}

/* Steps, each with a solution of its own in each zone. That of the second step lies in
 * another file, and the node in this file is a link to it. */
static void put_steps(hid_t file, hid_t other, const char *other_path)
{
    const int times = STEPS;
    const double values[STEPS] = {0.5, 2.0};
    const hsize_t count = STEPS;
    const int steps[STEPS] = {(int)numbers[0], (int)numbers[1]};
    cgns_put_ints(file, "/Base/Steps", "BaseIterativeData_t", 1, &times);
    cgns_put_ints(file, "/Base/Steps/IterationValues", "DataArray_t", STEPS, steps);
    cgns_put_node(file, "/Base/Steps/TimeValues", "DataArray_t", "R8");
    cgns_put_data(file, "/Base/Steps/TimeValues", H5T_NATIVE_DOUBLE, 1, &count, values);
    cgns_put_node(other, "/Here", "UserDefinedData_t", "MT");
    for (int z = 0; z < ZONES; z++) {
        char zone[128], there[128], link[256], iterative[160], pointers[65];
        snprintf(zone, sizeof zone, "/Base/%s", zones[z].name);
        snprintf(there, sizeof there, "/Here/%s", zones[z].name);
        ghosted g = {.block = &zones[z], .coordinate = -1, .step = numbers[0]};
        put_solution(file, cgns_below(zone, "First"), g, "Pressure");
        g.step = numbers[1];
        put_solution(other, there, g, "Pressure");
        cgns_put_node(file, cgns_below(zone, "Second"), "FlowSolution_t", "LK");
        snprintf(link, sizeof link, "%s/Second/ link", zone);
        H5Lcreate_external(other_path, there, file, link, H5P_DEFAULT, H5P_DEFAULT);
        snprintf(pointers, sizeof pointers, "%-32s%-32s", "First", "Second");
        snprintf(iterative, sizeof iterative, "%s/Iterative", zone);
        cgns_put_node(file, iterative, "ZoneIterativeData_t", "MT");
        cgns_put_text(file, cgns_below(iterative, "FlowSolutionPointers"), "DataArray_t",
                      pointers);
    }
}

/* A wall by its family along i = 1, as faces, and one by its type along k = nk. */
static void put_walls(hid_t file)
{
    const int n[3] = {(int)zones[0].n[0], (int)zones[0].n[1], (int)zones[0].n[2]};
    const int faces[6] = {1, 1, 1, 1, n[1] - 1, n[2] - 1};
    const int points[6] = {1, 1, n[2], n[0], n[1], n[2]};
    cgns_put_node(file, "/Base/Wing", "Family_t", "MT");
    cgns_put_text(file, "/Base/Wing/Condition", "FamilyBC_t", "BCWallViscous");
    cgns_put_node(file, "/Base/Zone  1/ZoneBC", "ZoneBC_t", "MT");
    cgns_put_text(file, "/Base/Zone  1/ZoneBC/A", "BC_t", "FamilySpecified");
    cgns_put_text(file, "/Base/Zone  1/ZoneBC/A/FamilyName", "FamilyName_t", "Wing");
    cgns_put_text(file, "/Base/Zone  1/ZoneBC/A/GridLocation", "GridLocation_t",
                  "IFaceCenter");
    cgns_put_ints(file, "/Base/Zone  1/ZoneBC/A/PointRange", "IndexRange_t", 6, faces);
    cgns_put_text(file, "/Base/Zone  1/ZoneBC/B", "BC_t", "BCWall");
    cgns_put_ints(file, "/Base/Zone  1/ZoneBC/B/PointRange", "IndexRange_t", 6, points);
    cgns_put_text(file, "/Base/Zone  1/ZoneBC/C", "BC_t", "BCInflow");
    cgns_put_ints(file, "/Base/Zone  1/ZoneBC/C/PointRange", "IndexRange_t", 6, faces);
}

static io_source *open_file(const char *path)
{
    const io_data_config config = {.file = (char *)path};
    io_source *source = NULL;
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), path);
    return source;
}

/* ---- Tests ------------------------------------------------------------------------- */

static int find_field(const io_source *source, const char *name)
{
    for (int n = 0; n < io_source_field_count(source); n++) {
        if (strcmp(io_source_fields(source)[n].name, name) == 0 ||
            strcmp(io_source_fields(source)[n].alias, name) == 0) {
            return n;
        }
    }
    check(false, "there is no field '%s'", name);
    return -1;
}

static void check_field(io_source *source, const char *name, array_check c)
{
    c.array = find_field(source, name);
    for (int z = 0; z < ZONES && c.array >= 0; z++) {
        c.block = &zones[z];
        c.number = z;
        check((io_source_fields(source)[c.array].location == GRID_CELL) == c.is_cells,
              "the location of '%s'", name);
        check_array(source, &c);
    }
}

static void ghost_planes_are_left_out(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("plain.cgns"));
    if (is_root()) {
        close_file(create_plain(path));
    }
    io_source *source = open_file(path);
    if (source) {
        check(io_source_block_count(source) == ZONES, "the zones");
        check(io_source_step_count(source) == 1, "one step");
        check(io_source_double_coordinates(source), "coordinates of 8 bytes");
        check(strstr(io_source_notes(source), "length Meter") != NULL, "units: %s",
              io_source_notes(source));
        for (int z = 0; z < ZONES; z++) {
            for (int array = IO_ARRAY_X; array <= IO_ARRAY_Z; array++) {
                check_array(source, &(array_check){
                                        .block = &zones[z], .number = z, .array = array});
            }
        }
        check_field(source, "momentum_x", (array_check){.field = 0});
        check_field(source, "density", (array_check){.field = 1, .is_cells = true});
    }
    io_source_close(&source);
    test_file_remove(path);
}

static void steps_may_lie_in_other_files(void)
{
    char path[512], other[512];
    snprintf(path, sizeof path, "%s", test_path("steps.cgns"));
    snprintf(other, sizeof other, "%s", test_path("other.cgns"));
    if (is_root()) {
        hid_t file = create_file(path), second = create_file(other);
        put_base(file);
        put_steps(file, second, "other.cgns");
        close_file(second);
        close_file(file);
    }
    io_source *source = open_file(path);
    if (source) {
        check(io_source_step_count(source) == STEPS, "%d steps",
              io_source_step_count(source));
        check(io_source_steps(source)[1].number == 25 &&
                  io_source_steps(source)[1].time == 2.0,
              "the second step");
        for (int step = 0; step < io_source_step_count(source); step++) {
            check_field(source, "pressure", (array_check){.step = step});
        }
    }
    io_source_close(&source);
    test_file_remove(path);
    test_file_remove(other);
}

static void walls_are_marked(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("walls.cgns"));
    if (is_root()) {
        hid_t file = create_file(path);
        put_base(file);
        put_walls(file);
        close_file(file);
    }
    io_source *source = open_file(path);
    const int64_t *n = zones[0].n;
    const io_box box = {{0, 1, 0}, {n[0], n[1] - 1, n[2]}};
    int32_t marks[7 * 5 * 4];
    int wrong = 0;
    if (source &&
        check_ok(io_source_read(source, 0, 0, IO_ARRAY_IBLANK, &box, marks), "walls")) {
        for (int64_t m = 0; m < box.n[0] * box.n[1] * box.n[2]; m++) {
            const bool is = m % n[0] == 0 || m / (box.n[0] * box.n[1]) == n[2] - 1;
            wrong += marks[m] != (is ? 2 : 1);
        }
        check(wrong == 0, "%d marks are wrong", wrong);
        check(!io_source_blocks(source)[1].has_iblank, "a zone without walls");
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Lists, holes, motion ---------------------------------------------------------- */

static const int faces_of_j[3][3] = {{1, 1, 1}, {2, 1, 1}, {5, 1, 3}};
static const int points_of_k[2][3] = {{7, 5, 4}, {6, 5, 4}};

/* Walls by lists of faces, without the letter of their axis, and of points; holes by a
 * range of vertices and by one of cells. */
static void put_lists(hid_t file)
{
    static const hsize_t three[2] = {3, 3}, two[2] = {2, 3};
    static const int hole[6] = {2, 2, 2, 3, 3, 3}, cells[6] = {3, 2, 1, 5, 3, 3};
    static const char zone[] = "/Base/Zone  1/ZoneBC";
    static const char holes[] = "/Base/Zone  1/Connectivity";
    cgns_put_node(file, zone, "ZoneBC_t", "MT");
    cgns_put_text(file, cgns_below(zone, "A"), "BC_t", "BCWallInviscid");
    cgns_put_text(file, cgns_below(zone, "A/GridLocation"), "GridLocation_t",
                  "FaceCenter");
    cgns_put_node(file, cgns_below(zone, "A/PointList"), "IndexArray_t", "I4");
    cgns_put_data(file, cgns_below(zone, "A/PointList"), H5T_NATIVE_INT, 2, three,
                  faces_of_j);
    cgns_put_text(file, cgns_below(zone, "B"), "BC_t", "BCWall");
    cgns_put_node(file, cgns_below(zone, "B/PointList"), "IndexArray_t", "I4");
    cgns_put_data(file, cgns_below(zone, "B/PointList"), H5T_NATIVE_INT, 2, two,
                  points_of_k);
    cgns_put_node(file, holes, "ZoneGridConnectivity_t", "MT");
    cgns_put_node(file, cgns_below(holes, "H"), "OversetHoles_t", "MT");
    cgns_put_ints(file, cgns_below(holes, "H/First"), "IndexRange_t", 6, hole);
    cgns_put_node(file, cgns_below(holes, "C"), "OversetHoles_t", "MT");
    cgns_put_text(file, cgns_below(holes, "C/GridLocation"), "GridLocation_t",
                  "CellCenter");
    cgns_put_ints(file, cgns_below(holes, "C/PointRange"), "IndexRange_t", 6, cells);
}

/* Of cells 3 to 5, 2 to 3 and 1 to 3, vertices between them are holes, and those at the
 * ends of the block. */
static int mark_at(int i, int j, int k)
{
    if ((i >= 1 && i <= 2 && j >= 1 && j <= 2 && k >= 1 && k <= 2) ||
        (i >= 3 && i <= 4 && j == 2)) {
        return 0;
    }
    for (int n = 0; n < 3; n++) {
        const int *face = faces_of_j[n];
        if (j == 0 && (i == face[0] - 1 || i == face[0]) &&
            (k == face[2] - 1 || k == face[2])) {
            return 2;
        }
    }
    return k == 3 && j == 4 && (i == 6 || i == 5) ? 2 : 1;
}

static void lists_and_holes_are_marked(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("lists.cgns"));
    if (is_root()) {
        hid_t file = create_file(path);
        put_base(file);
        put_lists(file);
        close_file(file);
    }
    io_source *source = open_file(path);
    const io_box box = {{0, 0, 0}, {7, 5, 4}};
    int32_t marks[7 * 5 * 4];
    int wrong = 0;
    if (source &&
        check_ok(io_source_read(source, 0, 0, IO_ARRAY_IBLANK, &box, marks), "lists")) {
        for (int m = 0; m < 7 * 5 * 4; m++) {
            wrong += marks[m] != mark_at(m % 7, m / 7 % 5, m / 35);
        }
        check(wrong == 0, "%d marks are wrong", wrong);
        check(io_source_condition_count(source) == 2, "two conditions");
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* Fields have karman's name and their own; a grid that moves by a formula is at rest,
 * with a note. */
static void motion_and_names_are_noted(void)
{
    char path[512];
    const int steps = STEPS;
    snprintf(path, sizeof path, "%s", test_path("moves.cgns"));
    if (is_root()) {
        hid_t file = create_file(path);
        put_base(file);
        cgns_put_ints(file, "/Base/Steps", "BaseIterativeData_t", 1, &steps);
        for (int z = 0; z < ZONES; z++) {
            char zone[128];
            snprintf(zone, sizeof zone, "/Base/%s", zones[z].name);
            put_solution(file, cgns_below(zone, "Only"),
                         (ghosted){.block = &zones[z], .coordinate = -1}, "Pressure");
            cgns_put_node(file, cgns_below(zone, "Turn"), "RigidGridMotion_t", "MT");
        }
        close_file(file);
    }
    io_source *source = open_file(path);
    if (source) {
        check(strstr(io_source_notes(source), "at rest") != NULL, "notes: %s",
              io_source_notes(source));
        const grid_field *fields = io_source_fields(source);
        grid_recipe *recipe = NULL;
        check(strcmp(fields[0].alias, "Pressure") == 0, "alias '%s'", fields[0].alias);
        check_ok(grid_recipe_create("Pressure", 1, fields, test_gas, &recipe),
                 "Pressure");
        grid_recipe_destroy(&recipe);
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Zones that differ ------------------------------------------------------------- */

static const char odd_name[] = "Heat[W] 10%d";

/* Zone 2 begins at the second step, where it has a field of its own. */
static void put_differing(hid_t file)
{
    static const char *const names[2][2] = {{"S1", "S2"}, {"Null", "S2"}};
    const int steps = STEPS;
    cgns_put_ints(file, "/Base/Steps", "BaseIterativeData_t", 1, &steps);
    cgns_put_ints(file, "/Other", "CGNSBase_t", 2, (const int[]){3, 3});
    for (int z = 0; z < ZONES; z++) {
        char zone[128], iterative[160], pointers[65];
        snprintf(zone, sizeof zone, "/Base/%s", zones[z].name);
        for (int step = z; step < STEPS; step++) {
            put_solution(file, cgns_below(zone, names[z][step]),
                         (ghosted){.block = &zones[z], .coordinate = -1, .step = step},
                         "Density");
        }
        snprintf(pointers, sizeof pointers, "%-32s%-32s", names[z][0], names[z][1]);
        snprintf(iterative, sizeof iterative, "%s/Iterative", zone);
        cgns_put_node(file, iterative, "ZoneIterativeData_t", "MT");
        cgns_put_text(file, cgns_below(iterative, "FlowSolutionPointers"), "DataArray_t",
                      pointers);
    }
    put_array(file, cgns_below("/Base/Zone  2/S2", odd_name),
              &(ghosted){.block = &zones[1], .coordinate = -1, .field = 3, .step = 1});
    cgns_put_node(file, "/Base/Zone  1/Faces", "FlowSolution_t", "MT");
    cgns_put_text(file, "/Base/Zone  1/Faces/GridLocation", "GridLocation_t",
                  "IFaceCenter");
    put_solution(file, "/Base/Zone  1/Later",
                 (ghosted){.block = &zones[0], .coordinate = -1}, "Density");
}

/* Expects that a zone has values at a step, or that all of them are missing. */
static void check_zone(io_source *source, const char *name, int zone, int step, bool has)
{
    const int field = find_field(source, name);
    const int64_t *n = zones[zone].n;
    float value = 0.0F;
    double number = 0.0;
    const io_box box = {{n[0] - 1, n[1] - 1, n[2] - 1}, {1, 1, 1}};
    if (field >= 0 &&
        check_ok(io_source_read(source, step, zone, field, &box, &value), name) &&
        check_ok(io_source_read_doubles(source, step, zone, field, &box, &number),
                 name)) {
        const double expected = block_value(strcmp(name, "density") == 0 ? 0 : 3, step,
                                            n[0] - 1, n[1] - 1, n[2] - 1);
        check(has ? value == (float)expected : isnan(value) && isnan(number),
              "%s of zone %d at step %d: %g", name, zone, step, (double)value);
    }
}

static void zones_may_differ_in_steps_and_fields(void)
{
    static const char *const notes[] = {"solution 'Faces' of zone 'Zone  1': its values",
                                        "IFaceCenter",
                                        "base 'Other': base 'Base' is read",
                                        "solution 'Later' of zone 'Zone  1': no step"};
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("differ.cgns"));
    if (is_root()) {
        hid_t file = create_file(path);
        put_base(file);
        put_differing(file);
        close_file(file);
    }
    io_source *source = open_file(path);
    if (source && io_source_step_count(source) == 2) {
        check_zone(source, "density", 0, 0, true);
        check_zone(source, "density", 0, 1, true);
        check_zone(source, "density", 1, 0, false);
        check_zone(source, "density", 1, 1, true);
        check_zone(source, odd_name, 0, 1, false);
        check_zone(source, odd_name, 1, 1, true);
        check(!io_source_has_field(source, 0, find_field(source, odd_name)),
              "Heat, step 0");
        for (size_t n = 0; n < sizeof notes / sizeof notes[0]; n++) {
            check(strstr(io_source_notes(source), notes[n]) != NULL, "no '%s' in: %s",
                  notes[n], io_source_notes(source));
        }
    } else {
        check(false, "expected 2 steps");
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Other coordinates ------------------------------------------------------------- */

static void put_line(hid_t file, const char *path, int rank, double (*value)(int64_t at))
{
    double values[24];
    const hsize_t dims[3] = {2, 3, 4};
    for (int64_t n = 0; n < 24; n++) {
        values[n] = value(n);
    }
    cgns_put_node(file, path, "DataArray_t", "R8");
    cgns_put_data(file, path, H5T_NATIVE_DOUBLE, rank, dims + 3 - rank, values);
}

static double radius_at(int64_t at)
{
    return 1.0 + (double)(at % 4);
}

static double degrees_at(int64_t at)
{
    return 30.0 * (double)(at / 4 % 3);
}

static double layer_at(int64_t at)
{
    return (double)(at / 12);
}

/* A vector of length 2 along x, at the vertices. */
static double radial_at(int64_t at)
{
    return 2.0 * cos(degrees_at(at) * acos(-1.0) / 180.0);
}

static double angular_at(int64_t at)
{
    return -2.0 * sin(degrees_at(at) * acos(-1.0) / 180.0);
}

static double one_at(int64_t at)
{
    (void)at;
    return 1.0;
}

/* Vectors at the vertices, and a radial one in the 3 x 2 x 1 cells. */
static void put_vectors(hid_t file)
{
    const hsize_t cells[3] = {1, 2, 3};
    const double ones[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, zeros[6] = {0.0};
    put_line(file, "/Base/Z/Flow/VelocityR", 3, radial_at);
    put_line(file, "/Base/Z/Flow/VelocityTheta", 3, angular_at);
    put_line(file, "/Base/Z/Flow/ShearR", 3, one_at); /* without its theta */
    cgns_put_node(file, "/Base/Z/Flux", "FlowSolution_t", "MT");
    cgns_put_text(file, "/Base/Z/Flux/GridLocation", "GridLocation_t", "CellCenter");
    cgns_put_node(file, "/Base/Z/Flux/MomentumR", "DataArray_t", "R8");
    cgns_put_data(file, "/Base/Z/Flux/MomentumR", H5T_NATIVE_DOUBLE, 3, cells, ones);
    cgns_put_node(file, "/Base/Z/Flux/MomentumTheta", "DataArray_t", "R8");
    cgns_put_data(file, "/Base/Z/Flux/MomentumTheta", H5T_NATIVE_DOUBLE, 3, cells, zeros);
}

/* A zone of 4 x 3 x 2 vertices in r, theta, z, or of 4 x 3 in x and y. */
static void write_turned(const char *path, bool is_flat)
{
    static const int solid[9] = {4, 3, 2, 3, 2, 1, 0, 0, 0}, flat[6] = {4, 3, 3, 2, 0, 0};
    const hsize_t dims[2] = {3, is_flat ? 2 : 3};
    char units[161];
    hid_t file = create_file(path);
    cgns_put_ints(file, "/Base", "CGNSBase_t", 2, (const int[]){3, 3});
    snprintf(units, sizeof units, "%-32s%-32s%-32s%-32s%-32s", "Kilogram", "Meter",
             "Second", "Kelvin", "Degree");
    cgns_put_text(file, "/Base/DimensionalUnits", "DimensionalUnits_t", units);
    cgns_put_node(file, "/Base/Z", "Zone_t", "I4");
    cgns_put_data(file, "/Base/Z", H5T_NATIVE_INT, 2, dims, is_flat ? flat : solid);
    cgns_put_text(file, "/Base/Z/ZoneType", "ZoneType_t", "Structured");
    cgns_put_node(file, "/Base/Z/GridCoordinates", "GridCoordinates_t", "MT");
    const int rank = is_flat ? 2 : 3;
    put_line(
        file,
        cgns_below("/Base/Z/GridCoordinates", is_flat ? "CoordinateX" : "CoordinateR"),
        rank, radius_at);
    put_line(file,
             cgns_below("/Base/Z/GridCoordinates",
                        is_flat ? "CoordinateY" : "CoordinateTheta"),
             rank, degrees_at);
    if (!is_flat) {
        put_line(file, "/Base/Z/GridCoordinates/CoordinateZ", rank, layer_at);
    }
    cgns_put_node(file, "/Base/Z/Flow", "FlowSolution_t", "MT");
    put_line(file, "/Base/Z/Flow/Pressure", rank, radius_at);
    if (!is_flat) {
        put_vectors(file);
    }
    close_file(file);
}

/* Checks a turned field at the vertices or cells of a row: the same value at each. */
static void check_vector(io_source *source, const char *name, int64_t j, double value)
{
    const int field = find_field(source, name);
    const io_box box = {{0, j, 0}, {3, 1, 1}};
    double doubles[3] = {-9.0, -9.0, -9.0};
    float floats[3] = {-9.0F, -9.0F, -9.0F};
    if (field < 0) {
        return;
    }
    check_ok(io_source_read_doubles(source, 0, 0, field, &box, doubles), name);
    check_ok(io_source_read(source, 0, 0, field, &box, floats), name);
    for (int i = 0; i < 3; i++) {
        check(fabs(doubles[i] - value) < 1e-12 && fabs((double)floats[i] - value) < 1e-6,
              "%s in row %d: %g, %g, expected %g", name, (int)j, doubles[i],
              (double)floats[i], value);
    }
}

/* The middle of a cell lies at 15 or 45 degrees. */
static void check_vectors(io_source *source)
{
    for (int64_t j = 0; j < 3; j++) {
        check_vector(source, "velocity_x", j, 2.0);
        check_vector(source, "velocity_y", j, 0.0);
    }
    for (int64_t j = 0; j < 2; j++) {
        const double angle = (15.0 + 30.0 * (double)j) * acos(-1.0) / 180.0;
        check_vector(source, "momentum_x", j, cos(angle));
        check_vector(source, "momentum_y", j, sin(angle));
    }
    check_vector(source, "ShearR", 0, 1.0);
    check(io_source_field_count(source) == 10, "%d fields",
          io_source_field_count(source));
}

static void check_turned(io_source *source, bool is_flat)
{
    const io_box box = {{3, 2, 0}, {1, 1, 2}};
    const double right[3] = {is_flat ? 4.0 : 2.0, is_flat ? 60.0 : 4.0 * sqrt(0.75), 0.0};
    for (int axis = 0; axis < 3; axis++) {
        double places[2] = {-1.0, -1.0};
        float shifted[2] = {-1.0F, -1.0F};
        const int array = IO_ARRAY_X + axis;
        check_ok(io_source_read(source, IO_GRID_STEP, 0, array, &box, places), "places");
        check_ok(io_source_read_places(source, 0, array, 1.0, &box, shifted), "places");
        for (int k = 0; k < 2; k++) {
            const double off = is_flat ? 0.1 : 1e-12;
            const double z = axis == 2 && !is_flat ? (double)k : 0.0;
            check(fabs(places[k] - right[axis] - z) <= off, "axis %d: %g", axis,
                  places[k]);
            check(fabs((double)shifted[k] - (places[k] - 1.0)) < 1e-5, "axis %d: %g",
                  axis, (double)shifted[k]);
        }
    }
    float values[2] = {0.0F, 0.0F};
    check_ok(io_source_read(source, 0, 0, 0, &box, values), "pressure");
    check(values[0] == 4.0F && values[1] == 4.0F, "pressure: %g, %g", (double)values[0],
          (double)values[1]);
}

static void grids_may_be_cylindrical_or_flat(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("turned.cgns"));
    for (int is_flat = 0; is_flat < 2; is_flat++) {
        if (is_root()) {
            write_turned(path, is_flat != 0);
        }
        io_source *source = open_file(path);
        if (source) {
            check_turned(source, is_flat != 0);
            if (!is_flat) {
                check_vectors(source);
            }
        }
        io_source_close(&source);
        test_file_remove(path);
    }
}

/* ---- Bases and conditions ---------------------------------------------------------- */

/* Opens a file with a base by its name. */
static status open_base(const char *path, const char *base, io_source **out)
{
    const io_data_config config = {.file = (char *)path, .base = (char *)base};
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    return io_source_open(MPI_COMM_WORLD, &config, out);
}

static void a_base_is_chosen_by_name(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("bases.cgns"));
    if (is_root()) {
        hid_t file = create_plain(path);
        H5Lmove(file, "/Base", file, "/Second", H5P_DEFAULT, H5P_DEFAULT);
        put_base(file);
        close_file(file);
    }
    io_source *source = NULL;
    check_ok(open_base(path, NULL, &source), path);
    check(source && io_source_field_count(source) == 0, "the first base has no field");
    io_source_close(&source);
    check_ok(open_base(path, "Second", &source), path);
    check(source && io_source_field_count(source) == 2, "the second base has two");
    io_source_close(&source);
    check(open_base(path, "Third", &source) == STATUS_INPUT &&
              strstr(base_fail_message(), "has no base 'Third'"),
          "no such base: '%s'", base_fail_message());
    base_fail_set_message("");
    test_file_remove(path);
}

/* Checks the parts of a condition of the first zone, on every rank. */
static void check_parts(const io_source *source, const char *name, int count,
                        const io_condition_part *parts)
{
    const io_condition *c = io_source_conditions(source), *found = NULL;
    for (int n = 0; n < io_source_condition_count(source); n++) {
        found = strcmp(c[n].name, name) == 0 ? &c[n] : found;
    }
    const bool is = found && found->nparts == count &&
                    memcmp(io_source_condition_parts(source) + found->first, parts,
                           (size_t)count * sizeof *parts) == 0;
    check(is, "condition %s: %d parts, expected %d", name, found ? found->nparts : -1,
          count);
}

/* Neighbours in a list become one part: faces that share vertices, and vertices. */
static void conditions_have_their_faces(void)
{
    static const hsize_t six[2] = {6, 3}, four[2] = {4, 3};
    static const int faces[6][3] = {{1, 1, 1}, {2, 1, 1}, {1, 1, 2},
                                    {2, 1, 2}, {5, 1, 1}, {5, 1, 3}};
    static const int points[4][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}};
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("parts.cgns"));
    if (is_root()) {
        hid_t file = create_file(path);
        put_base(file);
        put_walls(file);
        cgns_put_text(file, "/Base/Zone  1/ZoneBC/D", "BC_t", "BCInflow");
        cgns_put_text(file, "/Base/Zone  1/ZoneBC/D/GridLocation", "GridLocation_t",
                      "JFaceCenter");
        cgns_put_node(file, "/Base/Zone  1/ZoneBC/D/PointList", "IndexArray_t", "I4");
        cgns_put_data(file, "/Base/Zone  1/ZoneBC/D/PointList", H5T_NATIVE_INT, 2, six,
                      faces);
        cgns_put_text(file, "/Base/Zone  1/ZoneBC/E", "BC_t", "BCInflow");
        cgns_put_node(file, "/Base/Zone  1/ZoneBC/E/PointList", "IndexArray_t", "I4");
        cgns_put_data(file, "/Base/Zone  1/ZoneBC/E/PointList", H5T_NATIVE_INT, 2, four,
                      points);
        close_file(file);
    }
    io_source *source = open_file(path);
    if (source) {
        check(io_source_condition_count(source) == 5, "five conditions");
        check_parts(source, "A", 1, (io_condition_part[]){{{0, 0, 0}, {0, 4, 3}}});
        check_parts(source, "B", 1, (io_condition_part[]){{{0, 0, 3}, {6, 4, 3}}});
        check_parts(source, "D", 3,
                    (io_condition_part[]){{{0, 0, 0}, {2, 0, 2}},
                                          {{4, 0, 0}, {5, 0, 1}},
                                          {{4, 0, 2}, {5, 0, 3}}});
        check_parts(source, "E", 1, (io_condition_part[]){{{0, 0, 0}, {1, 1, 0}}});
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Bad files --------------------------------------------------------------------- */

static void lose_x(hid_t file)
{
    H5Ldelete(file, "/Base/Zone  2/GridCoordinates/CoordinateX", H5P_DEFAULT);
}

static void shrink_y(hid_t file)
{
    const ghosted g = {.block = &zones[1], .coordinate = 1};
    H5Ldelete(file, "/Base/Zone  1/GridCoordinates/CoordinateY", H5P_DEFAULT);
    put_array(file, "/Base/Zone  1/GridCoordinates/CoordinateY", &g);
}

static void resize(hid_t file, int ni, int count)
{
    const int sizes[9] = {ni, 5, 4, ni - 1, 4, 3, 0, 0, 0};
    const hsize_t dims = (hsize_t)count;
    H5Ldelete(file, "/Base/Zone  1/ data", H5P_DEFAULT);
    cgns_put_data(file, "/Base/Zone  1", H5T_NATIVE_INT, 1, &dims, sizes);
}

static void enlarge(hid_t file)
{
    resize(file, 2000000000, 9);
}

static void negate(hid_t file)
{
    resize(file, -7, 9);
}

static void flatten(hid_t file)
{
    resize(file, 7, 6);
}

static void put_rind(hid_t file, int count, const int *rind)
{
    H5Ldelete(file, "/Base/Zone  2/Cells/Rind", H5P_DEFAULT);
    cgns_put_ints(file, "/Base/Zone  2/Cells/Rind", "Rind_t", count, rind);
}

static void spoil_rind(hid_t file)
{
    put_rind(file, 6, (const int[]){-1, 1, 1, 1, 1, 1});
}

static void shorten_rind(hid_t file)
{
    put_rind(file, 4, (const int[]){0, 0, 0, 0});
}

/* A link that leads to itself. */
static void circle(hid_t file)
{
    H5Ldelete(file, "/Base/Zone  1/GridCoordinates", H5P_DEFAULT);
    cgns_put_node(file, "/Base/Zone  1/GridCoordinates", "GridCoordinates_t", "LK");
    H5Lcreate_soft("/Base/Zone  1/GridCoordinates", file,
                   "/Base/Zone  1/GridCoordinates/ link", H5P_DEFAULT, H5P_DEFAULT);
}

typedef struct bad_file {
    void (*spoil)(hid_t file);
    const char *fragment;
} bad_file;

static const bad_file bad_files[] = {
    {lose_x, "has no CoordinateX"}, {shrink_y, "has the shape"},
    {enlarge, "has the shape"},     {negate, "each at least 2"},
    {flatten, "has the shape"},     {spoil_rind, "is not six small numbers"},
    {circle, "has no coordinates"}, {shorten_rind, "is not six small numbers"},
};

static void bad_files_are_refused_in_one_sentence(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("bad.cgns"));
    for (size_t n = 0; n < sizeof bad_files / sizeof bad_files[0]; n++) {
        if (is_root()) {
            hid_t file = create_plain(path);
            bad_files[n].spoil(file);
            close_file(file);
        }
        parallel_agree(MPI_COMM_WORLD, STATUS_OK);
        const io_data_config config = {.file = path};
        io_source *source = NULL;
        status s = io_source_open(MPI_COMM_WORLD, &config, &source);
        const bool is_circle = form && bad_files[n].spoil == circle; /* HDF5 finds it */
        check(s == STATUS_INPUT &&
                  (is_circle ? strstr(base_fail_message(), "lead in a circle")
                             : strstr(base_fail_message(), bad_files[n].fragment)) &&
                  (is_circle || strstr(base_fail_message(), path)),
              "expected '%s', got %d: '%s'", bad_files[n].fragment, (int)s,
              base_fail_message());
        base_fail_set_message("");
        io_source_close(&source);
        test_file_remove(path);
    }
}

/* ---- ADF --------------------------------------------------------------------------- */

/* Opens a file that may be bad, and reads an array. */
static status try_file(const char *path)
{
    const io_data_config config = {.file = (char *)path};
    const io_box box = {{0, 0, 0}, {2, 2, 2}};
    double values[8];
    io_source *source = NULL;
    status s = io_source_open(MPI_COMM_SELF, &config, &source);
    for (int array = IO_ARRAY_X; array < 1 && s == STATUS_OK; array++) {
        s = array == IO_ARRAY_IBLANK ? s
                                     : io_source_read(source, 0, 0, array, &box, values);
    }
    io_source_close(&source);
    return s;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    check(out && fwrite(bytes, 1, size, out) == size, "'%s' is not written", path);
    if (out) {
        fclose(out);
    }
}

/* Reads all bytes of a file; the caller's. */
static char *read_bytes(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*size);
    check(bytes && fread(bytes, 1, *size, in) == *size, "'%s' cannot be read", path);
    fclose(in);
    return bytes;
}

static void check_outcome(status s, const char *what, size_t at)
{
    check(s == STATUS_OK || (s == STATUS_INPUT && strlen(base_fail_message()) > 20 &&
                             !strchr(base_fail_message(), '\n')),
          "%s at byte %zu: %d, '%s'", what, at, (int)s, base_fail_message());
    base_fail_set_message("");
}

static void cut_files_give_one_sentence(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("cut.cgns"));
    if (form && parallel_size(MPI_COMM_WORLD) == 1) {
        size_t size;
        int nread = 0;
        close_file(create_plain(path));
        char *bytes = read_bytes(path, &size);
        for (size_t at = 64; at < size; at += 64) {
            write_bytes(path, bytes, at);
            const status s = try_file(path);
            nread += s == STATUS_OK;
            check_outcome(s, "cut", at);
        }
        check(nread == 0, "%d cut files were read", nread);
        for (size_t at = 0; at < size; at += 61) {
            bytes[at] = (char)(bytes[at] ^ 1 << at % 7);
            write_bytes(path, bytes, size);
            check_outcome(try_file(path), "flipped", at);
            bytes[at] = (char)(bytes[at] ^ 1 << at % 7);
        }
        free(bytes);
    }
    test_file_remove(path);
}

/* A node that is its own child, and a link to a file that is missing. */
static void circles_and_missing_files_are_refused(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("circle.cgns"));
    if (is_root() && form) {
        size_t size;
        close_file(create_plain(path));
        char *bytes = read_bytes(path, &size);
        char *table = bytes;
        while (memcmp(table, "SNTb", 4) != 0) {
            table++;
        }
        memcpy(table + 48, bytes + 134, 12); /* the root's own pointer */
        write_bytes(path, bytes, size);
        check(try_file(path) == STATUS_INPUT &&
                  strstr(base_fail_message(), "lead in a circle"),
              "a circle: '%s'", base_fail_message());
        base_fail_set_message("");
        free(bytes);
        hid_t file = create_plain(path);
        cgns_put_node(file, "/Base/Zone  1/Lost", "FlowSolution_t", "LK");
        H5Lcreate_external("lost.cgns", "/A", file, "/Base/Zone  1/Lost/ link",
                           H5P_DEFAULT, H5P_DEFAULT);
        close_file(file);
        check(try_file(path) == STATUS_INPUT &&
                  strstr(base_fail_message(), "file 'lost.cgns', which is missing"),
              "a lost file: '%s'", base_fail_message());
        base_fail_set_message("");
    }
    test_file_remove(path);
}

static void choose_form(int argc, char **argv)
{
    static const struct {
        const char *name;
        adf_form form;
    } forms[] = {
        {"adf-big", {.is_big = true, .is_text = true}},
        {"adf-little", {.is_text = false}},
        {"adf-short", {.is_text = true, .is_short = true}},
        {"adf-new-big", {.is_big = true}},
    };
    for (size_t n = 0; n < sizeof forms / sizeof forms[0] && argc > 1; n++) {
        form = strcmp(argv[1], forms[n].name) == 0 ? &forms[n].form : form;
    }
    check(argc < 2 || form, "there is no form '%s'", argv[argc - 1]);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    choose_form(argc, argv);
    test_folder_create(argc > 1 ? argv[1] : "test_io_cgns"); /* they run side by side */
    run_test("ghost planes are left out", ghost_planes_are_left_out);
    run_test("steps may lie in other files", steps_may_lie_in_other_files);
    run_test("walls are marked", walls_are_marked);
    run_test("lists and holes are marked", lists_and_holes_are_marked);
    run_test("motion and names are noted", motion_and_names_are_noted);
    run_test("zones may differ in steps and fields",
             zones_may_differ_in_steps_and_fields);
    run_test("grids may be cylindrical or flat", grids_may_be_cylindrical_or_flat);
    run_test("a base is chosen by name", a_base_is_chosen_by_name);
    run_test("conditions have their faces", conditions_have_their_faces);
    run_test("bad files are refused in one sentence",
             bad_files_are_refused_in_one_sentence);
    run_test("cut files give one sentence", cut_files_give_one_sentence);
    run_test("circles and missing files are refused",
             circles_and_missing_files_are_refused);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
