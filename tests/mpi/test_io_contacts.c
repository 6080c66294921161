/*
 * Fields in cells of CGNS zones whose connections and walls tell what coordinates do not:
 * which vertices are one though rounding moved them, and where a wall has no thickness.
 */
#include "test_cgns_support.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9 }; /* vertices along an axis, so that a zone is one brick */

/* A zone of unit cells whose vertex (i, j, k) lies at `lo` + (i, j * thin, k); `turned`:
 * its i, j, k run along z, x and -y. */
typedef struct zone {
    int n[3]; /* vertices */
    double lo[3], thin, noise, value;
    bool turned;
} zone;

static void point_of(const zone *z, double i, double j, double k, double out[3])
{
    const double at[3] = {z->turned ? j : i, z->turned ? (z->n[2] - 1 - k) : j,
                          z->turned ? i : k};
    for (int axis = 0; axis < 3; axis++) {
        const double step = axis == 1 ? z->thin : 1.0;
        out[axis] = z->lo[axis] + step * at[axis] + (axis == 0 ? z->noise : 0.0);
    }
}

/* Of each zone its own value, and one that rises with x. */
static double value_of(const zone *z, double i, double j, double k)
{
    double at[3];
    point_of(z, i + 0.5, j + 0.5, k + 0.5, at);
    return z->value + 0.25 * (at[0] - z->noise);
}

static void put_array(hid_t file, const char *path, const zone *z, int axis)
{
    const int less = axis < 0 ? 1 : 0;
    const int n[3] = {z->n[0] - less, z->n[1] - less, z->n[2] - less};
    double values[MOST * MOST * MOST];
    for (int v = 0; v < n[0] * n[1] * n[2]; v++) {
        double at[3];
        const int i = v % n[0], j = v / n[0] % n[1], k = v / n[0] / n[1];
        point_of(z, i, j, k, at);
        values[v] = axis < 0 ? value_of(z, i, j, k) : at[axis];
    }
    const hsize_t dims[3] = {(hsize_t)n[2], (hsize_t)n[1], (hsize_t)n[0]};
    cgns_put_node(file, path, "DataArray_t", "R8");
    cgns_put_data(file, path, H5T_NATIVE_DOUBLE, 3, dims, values);
}

static void put_zone(hid_t file, const char *path, const zone *z)
{
    const int *n = z->n;
    const int sizes[9] = {n[0], n[1], n[2], n[0] - 1, n[1] - 1, n[2] - 1, 0, 0, 0};
    const hsize_t dims[2] = {3, 3};
    char below[256];
    cgns_put_node(file, path, "Zone_t", "I4");
    cgns_put_data(file, path, H5T_NATIVE_INT, 2, dims, sizes);
    cgns_put_text(file, cgns_below(path, "ZoneType"), "ZoneType_t", "Structured");
    cgns_put_node(file, cgns_below(path, "GridCoordinates"), "GridCoordinates_t", "MT");
    for (int axis = 0; axis < 3; axis++) {
        snprintf(below, sizeof below, "%s/GridCoordinates/Coordinate%c", path,
                 "XYZ"[axis]);
        put_array(file, below, z, axis);
    }
    snprintf(below, sizeof below, "%s/Flow", path);
    cgns_put_node(file, below, "FlowSolution_t", "MT");
    cgns_put_text(file, cgns_below(below, "GridLocation"), "GridLocation_t",
                  "CellCenter");
    snprintf(below, sizeof below, "%s/Flow/c", path);
    put_array(file, below, z, -1);
    cgns_put_node(file, cgns_below(path, "ZoneBC"), "ZoneBC_t", "MT");
    cgns_put_node(file, cgns_below(path, "Sides"), "ZoneGridConnectivity_t", "MT");
}

/* Ranges of vertices of a zone and its donor, and the transform, as CGNS has them. */
typedef struct connection {
    const char *zone, *donor;
    int range[6], of_donor[6], transform[3];
} connection;

/* Says that a connection turns by 10 degrees about the x axis at z = 2. */
static void put_turn(hid_t file, const char *at, float sign)
{
    static const float center[3] = {0.0f, 0.0f, 2.0f};
    const float angle[3] = {sign * 0.17453293f, 0.0f, 0.0f};
    const hsize_t dims[1] = {3};
    char path[512];
    snprintf(path, sizeof path, "%s/P/Periodic/RotationAngle", at);
    cgns_put_node(file, path, "DataArray_t", "R4");
    cgns_put_data(file, path, H5T_NATIVE_FLOAT, 1, dims, angle);
    snprintf(path, sizeof path, "%s/P/Periodic/RotationCenter", at);
    cgns_put_node(file, path, "DataArray_t", "R4");
    cgns_put_data(file, path, H5T_NATIVE_FLOAT, 1, dims, center);
}

static void put_connection(hid_t file, const char *name, const connection *c,
                           bool periodic)
{
    char path[256];
    snprintf(path, sizeof path, "/Base/%s/Sides/%s", c->zone, name);
    cgns_put_text(file, path, "GridConnectivity1to1_t", c->donor);
    cgns_put_ints(file, cgns_below(path, "PointRange"), "IndexRange_t", 6, c->range);
    cgns_put_ints(file, cgns_below(path, "PointRangeDonor"), "IndexRange_t", 6,
                  c->of_donor);
    cgns_put_ints(file, cgns_below(path, "Transform"), "\"int[IndexDimension]\"", 3,
                  c->transform);
    if (periodic) {
        cgns_put_node(file, cgns_below(path, "P"), "GridConnectivityProperty_t", "MT");
        cgns_put_node(file, cgns_below(path, "P/Periodic"), "Periodic_t", "MT");
        put_turn(file, path, c->range[0] == 1 ? -1.0f : 1.0f);
    }
}

static void put_condition(hid_t file, const char *of, const char *name, const char *type,
                          const int range[6])
{
    char path[256];
    snprintf(path, sizeof path, "/Base/%s/ZoneBC/%s", of, name);
    cgns_put_text(file, path, "BC_t", type);
    cgns_put_ints(file, cgns_below(path, "PointRange"), "IndexRange_t", 6, range);
}

static hid_t create(int count, const zone *zones)
{
    const hid_t file = file_create(test_path("contacts.cgns"));
    cgns_put_node(file, "/CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4");
    cgns_put_ints(file, "/Base", "CGNSBase_t", 2, (const int[]){3, 3});
    for (int n = 0; n < count; n++) {
        char path[16];
        snprintf(path, sizeof path, "/Base/%c", 'A' + n);
        put_zone(file, path, &zones[n]);
    }
    return file;
}

/* ---- Values ------------------------------------------------------------------------ */

/* Checks that the ranks load together what each of them loads alone. */
static void compare(io_source *source, const grid_layout *layout,
                    const grid_recipe *recipe, const grid_store *all)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    const int64_t count = choose_bricks(layout, 0, numbers);
    const io_load_list list = {layout, count, numbers, GRID_VERTEX};
    grid_store *some = NULL;
    if (check_ok(io_load_bricks(MPI_COMM_WORLD, source, &list, &some), "bricks")) {
        check_ok(grid_store_add_gradients(some), "gradients");
        check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, 0, some), "field");
        check_same_scalars(some, all, "c");
    }
    grid_store_destroy(&some);
    free(numbers);
}

/* Loads the field of the file; the caller's. *notes: a copy of those of the source.
 * Collective. */
static grid_store *load(char notes[1024])
{
    MPI_Barrier(MPI_COMM_WORLD);
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("contacts.cgns"));
    io_data_config config = {.file = path};
    io_source *source = NULL, *alone = NULL;
    grid_layout *layout = NULL;
    grid_recipe *recipe = NULL;
    grid_store *all = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_source_open(MPI_COMM_SELF, &config, &alone), "open alone") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout") &&
        check_ok(grid_recipe_create("c", io_source_field_count(source),
                                    io_source_fields(source), test_gas, &recipe),
                 "c")) {
        grid_recipe_move_to_vertices(recipe);
        all = load_alone(alone, layout, recipe);
        compare(source, layout, recipe, all);
        snprintf(notes, 1024, "%.1023s", io_source_notes(source));
    }
    grid_recipe_destroy(&recipe);
    io_source_close(&alone);
    io_source_close(&source);
    test_file_remove(path);
    /* The store borrows the layout, which lives on for the test. */
    return all;
}

/* The value at a vertex of a zone, which is one brick. */
static double value_at(const grid_store *all, const zone *zones, int number, int i, int j,
                       int k)
{
    const int *n = zones[number].n;
    return (double)all->bricks[number].vertex[(k * n[1] + j) * n[0] + i][3];
}

static void expect(double found, double expected, const char *what)
{
    check(fabs(found - expected) < 1e-5, "%s: %g, not %g", what, found, expected);
}

/* ---- Tests ------------------------------------------------------------------------- */

/* Cells 0.001 wide whose vertices are off by 0.0005: coordinates show no joint. B's i, j
 * and k run along z, x and -y. */
static const zone split[2] = {{{4, 6, 5}, {0, 0, 0}, 1e-3, 0.0, 1.0, false},
                              {{5, 4, 6}, {3, 0, 0}, 1e-3, 5e-4, 3.0, true}};
static const connection split_sides[2] = {
    {"A", "B", {4, 1, 1, 4, 6, 5}, {1, 1, 6, 5, 1, 1}, {2, -3, 1}},
    {"B", "/Base/A", {1, 1, 6, 5, 1, 1}, {4, 1, 1, 4, 6, 5}, {3, 1, -2}}};

static void check_split(bool joined)
{
    char notes[1024] = "";
    if (is_root()) {
        hid_t file = create(2, split);
        for (int n = 0; n < 2; n++) {
            put_connection(file, "C", &split_sides[n], !joined);
        }
        H5Fclose(file);
    }
    grid_store *all = load(notes);
    for (int j = 0; j < 6 && all; j++) {
        for (int k = 0; k < 5; k++) { /* at x = 3, between cells at 2.5 and 3.5 */
            const double a = 1.0 + 0.25 * 2.5, b = 3.0 + 0.25 * 3.5;
            expect(value_at(all, split, 0, 3, j, k), joined ? (a + b) / 2.0 : a, "A");
            expect(value_at(all, split, 1, k, 0, 5 - j), joined ? (a + b) / 2.0 : b, "B");
        }
    }
    check(strstr(notes, "left out") == NULL, "%s", notes);
    const char *period = strstr(notes, "period\t");
    check(joined == !period, "%s", notes);
    check(!period ||
              (!strstr(period + 1, "period\t") &&
               strstr(period, "10 degrees: data.copies: {rotate: {axis: [1, 0, 0], "
                              "count: 36, point: [0, 0, 2]}}")),
          "%s", notes);
    grid_store_destroy(&all);
}

static void connected_vertices_are_one_though_they_differ(void)
{
    check_split(true);
}

static void periodic_vertices_are_not_one(void)
{
    check_split(false);
}

/* A below and B above a plate without thickness at z = 0 for x up to 4, behind which
 * they are connected. */
static const zone plate[2] = {{{9, 4, 5}, {0, 0, -4}, 1.0, 0.0, -1.0, false},
                              {{9, 4, 5}, {0, 0, 0}, 1.0, 0.0, 1.0, false}};

static void check_plate(const char *type, bool is_wall)
{
    static const int upper[6] = {1, 1, 5, 5, 4, 5}, lower[6] = {1, 1, 1, 5, 4, 1};
    static const int sides[4][6] = {
        {1, 1, 1, 1, 4, 5}, {9, 1, 1, 9, 4, 5}, {1, 1, 1, 9, 1, 5}, {1, 4, 1, 9, 4, 5}};
    static const connection wake = {
        "A", "B", {5, 1, 5, 9, 4, 5}, {5, 1, 1, 9, 4, 1}, {1, 2, 3}};
    static const connection back = {
        "B", "A", {5, 1, 1, 9, 4, 1}, {5, 1, 5, 9, 4, 5}, {1, 2, 3}};
    char notes[1024] = "";
    if (is_root()) {
        hid_t file = create(2, plate);
        put_connection(file, "C", &wake, false);
        put_connection(file, "C", &back, false);
        put_condition(file, "A", "Plate", type, upper);
        put_condition(file, "B", "Plate", type, lower);
        for (int n = 0; n < 8; n++) {
            const char name[2] = {(char)('a' + n % 4), '\0'};
            put_condition(file, n < 4 ? "A" : "B", name, "BCSymmetryPlane", sides[n % 4]);
        }
        H5Fclose(file);
    }
    grid_store *all = load(notes);
    for (int i = 1; i < 8 && all; i++) {
        for (int j = 0; j < 4; j++) {
            const double side = is_wall && i < 4 ? 1.0 : 0.0, at = 0.25 * i;
            expect(value_at(all, plate, 0, i, j, 4), at - side, "below the plate");
            expect(value_at(all, plate, 1, i, j, 0), at + side, "above the plate");
        }
    }
    grid_store_destroy(&all);
}

static void walls_without_thickness_part_what_lies_on_their_sides(void)
{
    check_plate("BCWallViscous", true);
    check_plate("BCOutflow", false);
}

static void connections_that_do_not_fit_are_named(void)
{
    static const connection bad[4] = {
        {"A", "B", {4, 1, 1, 4, 6, 5}, {1, 1, 6, 5, 1, 1}, {1, 2, 3}},
        {"A", "B", {4, 1, 1, 4, 6, 9}, {1, 1, 6, 9, 1, 1}, {2, -3, 1}},
        {"A", "C", {4, 1, 1, 4, 6, 5}, {1, 1, 6, 5, 1, 1}, {2, -3, 1}},
        {"A", "B", {4, 1, 1, 4, 6, 5}, {1, 1, 6, 5, 1, 1}, {2, -3, 2}}};
    static const char *const says[4] = {
        "connection 'C' of zone 'A': its ranges do not fit",
        "a connection of zone 'A' with 'B': its ranges do not fit",
        "a connection of zone 'A' with 'C': there is no such zone",
        "connection 'C' of zone 'A': its ranges do not fit"};
    for (int n = 0; n < 4; n++) {
        char notes[1024] = "";
        if (is_root()) {
            hid_t file = create(2, split);
            put_connection(file, "C", &bad[n], false);
            H5Fclose(file);
        }
        grid_store *all = load(notes);
        check(strstr(notes, says[n]) != NULL, "%d: '%s'", n, notes);
        grid_store_destroy(&all);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    test_folder_create("io_contacts");
    run_test("connected vertices are one though they differ",
             connected_vertices_are_one_though_they_differ);
    run_test("periodic vertices are not one", periodic_vertices_are_not_one);
    run_test("walls without thickness part what lies on their sides",
             walls_without_thickness_part_what_lies_on_their_sides);
    run_test("connections that do not fit are named",
             connections_that_do_not_fit_are_named);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
