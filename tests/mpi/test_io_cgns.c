/* CGNS files on HDF5, written here node by node, give the values that were written. */
#include "base/log.h"
#include "support/random.h"
#include "test_io_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const test_block zones[] = {
    {.name = "Zone  1", .n = {7, 5, 4}},
    {.name = "Zone  2", .n = {3, 9, 6}, .is_ring = true},
};
enum { ZONES = 2, STEPS = 2 };
static const int64_t numbers[STEPS] = {10, 25};

/* ---- Nodes ------------------------------------------------------------------------- */

static void put_attribute(hid_t group, const char *name, size_t size, const char *text)
{
    char bytes[33] = "";
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    snprintf(bytes, sizeof bytes, "%s", text);
    H5Tset_size(type, size);
    const hid_t attribute = H5Acreate(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(H5Awrite(attribute, type, bytes) >= 0, "an attribute cannot be written");
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* Makes a node at a path, whose parents are there. */
static void put_node(hid_t file, const char *path, const char *label, const char *type)
{
    const hid_t group = H5Gcreate(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(group >= 0, "no node '%s'", path);
    put_attribute(group, "name", 33, strrchr(path, '/') + 1);
    put_attribute(group, "label", 33, label);
    put_attribute(group, "type", 3, type);
    H5Gclose(group);
}

static void put_data(hid_t file, const char *path, hid_t type, int rank,
                     const hsize_t *dims, const void *data)
{
    char name[512];
    snprintf(name, sizeof name, "%.500s/ data", path);
    const hid_t space = H5Screate_simple(rank, dims, NULL);
    const hid_t set =
        H5Dcreate(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
          "'%s' cannot be written", name);
    H5Dclose(set);
    H5Sclose(space);
}

static void put_text(hid_t file, const char *path, const char *label, const char *text)
{
    const hsize_t length = strlen(text);
    put_node(file, path, label, "C1");
    put_data(file, path, H5T_NATIVE_CHAR, 1, &length, text);
}

static void put_ints(hid_t file, const char *path, const char *label, int count,
                     const int *values)
{
    const hsize_t dims = (hsize_t)count;
    put_node(file, path, label, "I4");
    put_data(file, path, H5T_NATIVE_INT, 1, &dims, values);
}

/* A child's path, until the next call. */
static const char *below(const char *path, const char *name)
{
    static char text[1024];
    snprintf(text, sizeof text, "%s/%s", path, name);
    return text;
}

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
    put_node(file, path, "DataArray_t", "R8");
    put_data(file, path, H5T_NATIVE_DOUBLE, 3, dims, values);
    free(values);
}

static void put_solution(hid_t file, const char *given, ghosted g, const char *array)
{
    char path[512];
    snprintf(path, sizeof path, "%.500s", given);
    put_node(file, path, "FlowSolution_t", "MT");
    if (g.is_cells) {
        put_text(file, below(path, "GridLocation"), "GridLocation_t", "CellCenter");
    }
    put_ints(file, below(path, "Rind"), "Rind_t", 6, g.rind);
    put_array(file, below(path, array), &g);
}

/* ---- Files ------------------------------------------------------------------------- */

static hid_t create_file(const char *path)
{
    const hid_t file = file_create(path);
    put_node(file, "/CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4");
    return file;
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
    put_node(file, zone, "Zone_t", "I4");
    put_data(file, zone, H5T_NATIVE_INT, 2, dims, sizes);
    put_text(file, below(zone, "ZoneType"), "ZoneType_t", "Structured");
    put_node(file, below(zone, "GridCoordinates"), "GridCoordinates_t", "MT");
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
    put_ints(file, "/Base", "CGNSBase_t", 2, dimensions);
    put_text(file, "/Base/DimensionalUnits", "DimensionalUnits_t",
             "Kilogram                        Meter                           "
             "Second                          ");
    for (int z = 0; z < ZONES; z++) {
        put_zone(file, &zones[z]);
    }
}

static void write_plain(const char *path)
{
    hid_t file = create_file(path);
    put_base(file);
    for (int z = 0; z < ZONES; z++) {
        char zone[128];
        snprintf(zone, sizeof zone, "/Base/%s", zones[z].name);
        ghosted g = {.block = &zones[z], .coordinate = -1, .rind = {1, 2, 0, 1, 3, 0}};
        put_solution(file, below(zone, "Nodes"), g, "MomentumX");
        g = (ghosted){.block = &zones[z],
                      .coordinate = -1,
                      .field = 1,
                      .is_cells = true,
                      .rind = {1, 1, 1, 1, 1, 1}};
        put_solution(file, below(zone, "Cells"), g, "Density");
    }
    H5Fclose(file);
}

/* Steps, each with a solution of its own in each zone. That of the second step lies in
 * another file, and the node in this file is a link to it. */
static void put_steps(hid_t file, hid_t other, const char *other_path)
{
    const int times = STEPS;
    const double values[STEPS] = {0.5, 2.0};
    const hsize_t count = STEPS;
    const int steps[STEPS] = {(int)numbers[0], (int)numbers[1]};
    put_ints(file, "/Base/Steps", "BaseIterativeData_t", 1, &times);
    put_ints(file, "/Base/Steps/IterationValues", "DataArray_t", STEPS, steps);
    put_node(file, "/Base/Steps/TimeValues", "DataArray_t", "R8");
    put_data(file, "/Base/Steps/TimeValues", H5T_NATIVE_DOUBLE, 1, &count, values);
    put_node(other, "/Here", "UserDefinedData_t", "MT");
    for (int z = 0; z < ZONES; z++) {
        char zone[128], there[128], link[256], iterative[160], pointers[65];
        snprintf(zone, sizeof zone, "/Base/%s", zones[z].name);
        snprintf(there, sizeof there, "/Here/%s", zones[z].name);
        ghosted g = {.block = &zones[z], .coordinate = -1, .step = numbers[0]};
        put_solution(file, below(zone, "First"), g, "Pressure");
        g.step = numbers[1];
        put_solution(other, there, g, "Pressure");
        put_node(file, below(zone, "Second"), "FlowSolution_t", "LK");
        snprintf(link, sizeof link, "%s/Second/ link", zone);
        H5Lcreate_external(other_path, there, file, link, H5P_DEFAULT, H5P_DEFAULT);
        snprintf(pointers, sizeof pointers, "%-32s%-32s", "First", "Second");
        snprintf(iterative, sizeof iterative, "%s/Iterative", zone);
        put_node(file, iterative, "ZoneIterativeData_t", "MT");
        put_text(file, below(iterative, "FlowSolutionPointers"), "DataArray_t", pointers);
    }
}

/* A wall by its family along i = 1, as faces, and one by its type along k = nk. */
static void put_walls(hid_t file)
{
    const int n[3] = {(int)zones[0].n[0], (int)zones[0].n[1], (int)zones[0].n[2]};
    const int faces[6] = {1, 1, 1, 1, n[1] - 1, n[2] - 1};
    const int points[6] = {1, 1, n[2], n[0], n[1], n[2]};
    put_node(file, "/Base/Wing", "Family_t", "MT");
    put_text(file, "/Base/Wing/Condition", "FamilyBC_t", "BCWallViscous");
    put_node(file, "/Base/Zone  1/ZoneBC", "ZoneBC_t", "MT");
    put_text(file, "/Base/Zone  1/ZoneBC/A", "BC_t", "FamilySpecified");
    put_text(file, "/Base/Zone  1/ZoneBC/A/FamilyName", "FamilyName_t", "Wing");
    put_text(file, "/Base/Zone  1/ZoneBC/A/GridLocation", "GridLocation_t",
             "IFaceCenter");
    put_ints(file, "/Base/Zone  1/ZoneBC/A/PointRange", "IndexRange_t", 6, faces);
    put_text(file, "/Base/Zone  1/ZoneBC/B", "BC_t", "BCWall");
    put_ints(file, "/Base/Zone  1/ZoneBC/B/PointRange", "IndexRange_t", 6, points);
    put_text(file, "/Base/Zone  1/ZoneBC/C", "BC_t", "BCInflow");
    put_ints(file, "/Base/Zone  1/ZoneBC/C/PointRange", "IndexRange_t", 6, faces);
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
        if (strcmp(io_source_fields(source)[n].name, name) == 0) {
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
        write_plain(path);
    }
    io_source *source = open_file(path);
    if (source) {
        check(io_source_block_count(source) == ZONES, "the zones");
        check(io_source_step_count(source) == 1, "one step");
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
        H5Fclose(second);
        H5Fclose(file);
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
        H5Fclose(file);
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
    put_data(file, "/Base/Zone  1", H5T_NATIVE_INT, 1, &dims, sizes);
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

static void spoil_rind(hid_t file)
{
    const int rind[6] = {-1, 1, 1, 1, 1, 1};
    H5Ldelete(file, "/Base/Zone  2/Cells/Rind", H5P_DEFAULT);
    put_ints(file, "/Base/Zone  2/Cells/Rind", "Rind_t", 6, rind);
}

/* A link that leads to itself. */
static void circle(hid_t file)
{
    H5Ldelete(file, "/Base/Zone  1/GridCoordinates", H5P_DEFAULT);
    put_node(file, "/Base/Zone  1/GridCoordinates", "GridCoordinates_t", "LK");
    H5Lcreate_soft("/Base/Zone  1/GridCoordinates", file,
                   "/Base/Zone  1/GridCoordinates/ link", H5P_DEFAULT, H5P_DEFAULT);
}

typedef struct bad_file {
    void (*spoil)(hid_t file);
    const char *fragment;
} bad_file;

static const bad_file bad_files[] = {
    {lose_x, "has no CoordinateX"},  {shrink_y, "has the shape"},
    {enlarge, "has the shape"},      {negate, "each at least 2"},
    {flatten, "is two-dimensional"}, {spoil_rind, "is not six small numbers"},
    {circle, "has no coordinates"},
};

static void bad_files_are_refused_in_one_sentence(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("bad.cgns"));
    for (size_t n = 0; n < sizeof bad_files / sizeof bad_files[0]; n++) {
        if (is_root()) {
            write_plain(path);
            hid_t file = file_open(path);
            bad_files[n].spoil(file);
            H5Fclose(file);
        }
        parallel_agree(MPI_COMM_WORLD, STATUS_OK);
        const io_data_config config = {.file = path};
        io_source *source = NULL;
        status s = io_source_open(MPI_COMM_WORLD, &config, &source);
        check(s == STATUS_INPUT && strstr(base_fail_message(), bad_files[n].fragment) &&
                  strstr(base_fail_message(), path),
              "expected '%s', got %d: '%s'", bad_files[n].fragment, (int)s,
              base_fail_message());
        base_fail_set_message("");
        io_source_close(&source);
        test_file_remove(path);
    }
}

/* ---- Damaged nodes ----------------------------------------------------------------- */

enum { MOST_OBJECTS = 256, PATH = 200 };

typedef struct object_list {
    int count;
    char paths[MOST_OBJECTS][PATH];
} object_list;

static herr_t list_object(hid_t file, const char *name, const H5O_info_t *info,
                          void *context)
{
    object_list *list = context;
    (void)file;
    (void)info;
    if (list->count < MOST_OBJECTS && strcmp(name, ".") != 0 && strlen(name) < PATH) {
        strcpy(list->paths[list->count++], name);
    }
    return 0;
}

/* Overwrites values with numbers that lie. */
static void lie(hid_t set, uint64_t *state)
{
    static const int64_t lies[] = {0, -1, 1, 2, 1000000, INT32_MAX, INT32_MIN};
    const hid_t space = H5Dget_space(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    int64_t *values = calloc((size_t)count + 1, sizeof *values);
    for (hssize_t n = 0; n < count; n++) {
        values[n] = lies[random_word(state) % (sizeof lies / sizeof lies[0])];
    }
    H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    free(values);
    H5Sclose(space);
}

/* Takes away an object, its label or its values, or changes the latter. */
static void damage_node(hid_t file, uint64_t *state)
{
    static object_list list;
    list.count = 0;
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, list_object, &list);
    const char *path = list.paths[random_word(state) % (uint32_t)list.count];
    const hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    const uint32_t kind = random_word(state) % 4;
    if (kind == 0) {
        H5Ldelete(file, path, H5P_DEFAULT);
    } else if (H5Iget_type(object) == H5I_DATASET) {
        lie(object, state);
    } else if (kind == 1) {
        H5Adelete(object, "label");
    } else {
        H5Ldelete(object, " data", H5P_DEFAULT);
    }
    H5Oclose(object);
}

static status read_some(const char *path)
{
    const io_data_config config = {.file = (char *)path};
    io_source *source = NULL;
    status s = io_source_open(MPI_COMM_SELF, &config, &source);
    for (int b = 0; s == STATUS_OK && b < io_source_block_count(source); b++) {
        const int fields = io_source_step_count(source) > 0
                               ? io_source_field_count(source)
                               : IO_ARRAY_IBLANK;
        for (int array = IO_ARRAY_X; array < fields && s == STATUS_OK; array++) {
            const io_box box = {{0, 1, 0}, {2, 1, 2}};
            double values[4];
            s = io_source_read(source, 0, b, array, &box, values);
        }
    }
    io_source_close(&source);
    return s;
}

static void damaged_nodes_give_values_or_one_sentence(void)
{
    enum { CASES = 60 };
    char path[512];
    int nread = 0;
    snprintf(path, sizeof path, "%s", test_path("damaged.cgns"));
    H5E_auto2_t print;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    for (int n = 0; n < CASES && is_root(); n++) {
        uint64_t state = random_start(test_seed, (uint64_t)n);
        write_plain(path);
        hid_t file = file_open(path);
        damage_node(file, &state);
        H5Fclose(file);
        status s = read_some(path);
        check(s == STATUS_OK || (s == STATUS_INPUT && strlen(base_fail_message()) > 10),
              "case %d: %d: '%s'", n, (int)s, base_fail_message());
        base_fail_set_message("");
        nread += s == STATUS_OK;
    }
    H5Eset_auto2(H5E_DEFAULT, print, data);
    check(!is_root() || (nread > 5 && nread < CASES - 5), "%d of %d were read", nread,
          (int)CASES);
    test_file_remove(path);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_cgns");
    run_test("ghost planes are left out", ghost_planes_are_left_out);
    run_test("steps may lie in other files", steps_may_lie_in_other_files);
    run_test("walls are marked", walls_are_marked);
    run_test("bad files are refused in one sentence",
             bad_files_are_refused_in_one_sentence);
    run_test("damaged nodes give values or one sentence",
             damaged_nodes_give_values_or_one_sentence);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
