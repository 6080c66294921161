/*
 * Writes small files with layouts other than karman's own.
 *
 *     make_layouts KIND FILE
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 5, NJ = 4, NK = 3, MOST_VALUES = 4096 };

static const hsize_t vertices[4] = {NK, NJ, NI, 3};
static const hsize_t cells[3] = {NK - 1, NJ - 1, NI - 1};
static hid_t intermediate; /* link property: creates missing groups */

/* ---- writing ---------------------------------------------------------------------- */

/* Value n of an array with this axis: a coordinate of a box, or any smooth function. */
static double value_at(int axis, hsize_t n, const hsize_t *dims)
{
    const hsize_t i = n % dims[2], j = n / dims[2] % dims[1], k = n / dims[2] / dims[1];
    return axis == 0   ? (double)i
           : axis == 1 ? (double)j
           : axis == 2 ? (double)k
                       : 1.0 + (double)(i * j + k);
}

static void write_values(hid_t file, const char *path, int rank, const hsize_t *dims,
                         int axis)
{
    static double values[MOST_VALUES];
    hsize_t count = 1;
    for (int n = 0; n < rank; n++) {
        count *= dims[n];
    }
    const hsize_t line[3] = {1, 1, count};
    for (hsize_t n = 0; n < count && n < MOST_VALUES; n++) {
        values[n] = rank == 4   ? value_at((int)(n % dims[3]), n / dims[3], dims)
                    : rank == 3 ? value_at(axis, n, dims)
                                : value_at(0, n, line);
    }
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t set = H5Dcreate(file, path, H5T_IEEE_F32LE, space, intermediate, H5P_DEFAULT,
                          H5P_DEFAULT);
    if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        exit(1);
    }
    H5Dclose(set);
    H5Sclose(space);
}

static void write_grid(hid_t file, const char *const paths[3], const hsize_t *dims)
{
    for (int axis = 0; axis < 3; axis++) {
        write_values(file, paths[axis], 3, dims, axis);
    }
}

/* Characters, as CGNS writes them. */
static void write_word(hid_t file, const char *path, const char *word)
{
    const hsize_t length = strlen(word);
    hid_t space = H5Screate_simple(1, &length, NULL);
    hid_t set = H5Dcreate(file, path, H5T_NATIVE_CHAR, space, intermediate, H5P_DEFAULT,
                          H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, word);
    H5Dclose(set);
    H5Sclose(space);
}

static void make_group(hid_t file, const char *path)
{
    H5Gclose(H5Gcreate(file, path, intermediate, H5P_DEFAULT, H5P_DEFAULT));
}

static void put_attribute(hid_t file, const char *path, const char *name, hid_t type,
                          const void *value)
{
    hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Oclose(object);
}

static void put_text(hid_t file, const char *path, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    put_attribute(file, path, name, type, text);
    H5Tclose(type);
}

/* ---- layouts that a config can name ----------------------------------------------- */

static const char *const plain[3] = {"/grid/x", "/grid/y", "/grid/z"};

/* The example of README.md. */
static void make_readme(hid_t file)
{
    const double time = 0.5, later = 1.5;
    write_grid(file, plain, vertices);
    for (int step = 10; step <= 20; step += 10) {
        char path[64];
        snprintf(path, sizeof path, "/flow/%04d/rho", step);
        write_values(file, path, 3, vertices, 3);
        snprintf(path, sizeof path, "/flow/%04d/m", step);
        write_values(file, path, 4, vertices, 3);
    }
    put_text(file, "/grid/x", "units", "m");
    put_attribute(file, "/flow/0010", "time", H5T_NATIVE_DOUBLE, &time);
    put_attribute(file, "/flow/0020", "TIME", H5T_NATIVE_DOUBLE, &later);
}

/* One array of coordinates, fields in cells, blanking, a step number in a name. */
static void make_points(hid_t file)
{
    write_values(file, "/mesh/coordinates", 4, vertices, 3);
    write_values(file, "/mesh/IBLANK", 3, vertices, 3);
    write_values(file, "/out/p_100", 3, cells, 3);
    write_values(file, "/out/p_200", 3, cells, 3);
    write_values(file, "/mean/p", 3, cells, 3);
    write_values(file, "/mean/wall distance", 3, vertices, 3);
}

static void make_blocks(hid_t file)
{
    static const hsize_t large[3] = {NK, NJ, NI + 2};
    static const char *const second[3] = {"/b2/x", "/b2/y", "/b2/z"};
    static const char *const first[3] = {"/b1/x", "/b1/y", "/b1/z"};
    write_grid(file, first, vertices);
    write_grid(file, second, large);
    write_values(file, "/b1/rho", 3, vertices, 3);
    write_values(file, "/b2/rho", 3, large, 3);
}

/* The blocks of blocks.h5 in karman's own layout, by links. */
static void make_own(hid_t file)
{
    static const char *const links[][2] = {
        {"/b1/x", "/grid/b1/x"},           {"/b1/y", "/grid/b1/y"},
        {"/b1/z", "/grid/b1/z"},           {"/b2/x", "/grid/b2/x"},
        {"/b2/y", "/grid/b2/y"},           {"/b2/z", "/grid/b2/z"},
        {"/b1/rho", "/flow/1/b1/density"}, {"/b2/rho", "/flow/1/b2/density"}};
    for (size_t n = 0; n < sizeof links / sizeof links[0]; n++) {
        H5Lcreate_external("blocks.h5", links[n][0], file, links[n][1], intermediate,
                           H5P_DEFAULT);
    }
}

static void make_cgns(hid_t file)
{
    static const char *const zone[3] = {"/Base/Zone 1/GridCoordinates/CoordinateX/ data",
                                        "/Base/Zone 1/GridCoordinates/CoordinateY/ data",
                                        "/Base/Zone 1/GridCoordinates/CoordinateZ/ data"};
    write_word(file, "/ hdf5version", "HDF5 Version 1.10");
    write_word(file, "/Base/Zone 1/ZoneType/ data", "Structured");
    write_grid(file, zone, vertices);
    write_values(file, "/Base/Zone 1/FlowSolution/Density/ data", 3, cells, 3);
    write_values(file, "/Base/Zone 1/FlowSolution/MomentumX/ data", 3, cells, 3);
}

/* Many steps, and links of every kind: two in circles, one into another file, and two
 * that lead nowhere. */
static void make_links(hid_t file)
{
    hid_t other = H5Fcreate("elsewhere.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write_values(other, "/deep/t", 3, vertices, 3);
    H5Fclose(other);
    write_grid(file, plain, vertices);
    for (int step = 1; step <= 12; step++) {
        char path[64];
        snprintf(path, sizeof path, "/flow/step%d/rho", step);
        write_values(file, path, 3, vertices, 3);
    }
    H5Lcreate_hard(file, "/", file, "/grid/up", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file, "/grid/x", file, "/grid/twin", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/grid", file, "/soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "/dangling", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("elsewhere.h5", "/deep", file, "/other", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("gone.h5", "/t", file, "/gone", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("/", "/t", file, "/nameless", H5P_DEFAULT, H5P_DEFAULT);
}

/* ---- layouts that cannot be drawn ------------------------------------------------- */

static void make_vtkhdf(hid_t file)
{
    static const hsize_t points[2] = {20, 3}, corners[1] = {48};
    write_values(file, "/VTKHDF/Points", 2, points, 3);
    write_values(file, "/VTKHDF/Connectivity", 1, corners, 3);
    put_text(file, "/VTKHDF", "Type", "UnstructuredGrid");
}

static void make_fluent(hid_t file)
{
    make_group(file, "/meshes/1");
    make_group(file, "/settings");
}

static void make_cgns_unstructured(hid_t file)
{
    static const hsize_t line[1] = {60};
    write_word(file, "/ hdf5version", "HDF5 Version 1.10");
    write_word(file, "/Base/Zone 1/ZoneType/ data", "Unstructured");
    write_values(file, "/Base/Zone 1/GridCoordinates/CoordinateX/ data", 1, line, 3);
}

static void make_exodus(hid_t file)
{
    const int size = 8;
    put_text(file, "/", "_NCProperties", "version=2");
    put_attribute(file, "/", "api_version", H5T_NATIVE_INT, &size);
    put_attribute(file, "/", "floating_point_word_size", H5T_NATIVE_INT, &size);
}

static void make_rectilinear(hid_t file)
{
    static const hsize_t n[3] = {NI, NJ, NK};
    static const char *const names[3] = {"/x", "/y", "/z"};
    for (int axis = 0; axis < 3; axis++) {
        write_values(file, names[axis], 1, &n[axis], 3);
    }
    write_values(file, "/p", 3, vertices, 3);
    put_text(file, "/p", "units", "Pa");
    put_text(file, "/", "_NCProperties", "version=2");
}

static void make_lists(hid_t file)
{
    static const hsize_t line[1] = {60};
    static const char *const names[4] = {"/x", "/y", "/z", "/p"};
    for (int n = 0; n < 4; n++) {
        write_values(file, names[n], 1, line, 3);
    }
}

static void make_misfit(hid_t file)
{
    static const hsize_t others[2] = {NJ, NI + 1};
    write_values(file, "/x", 2, vertices, 3);
    write_values(file, "/y", 2, others, 3);
}

/* Values of a plane, at two steps. */
static void make_plane(hid_t file)
{
    static const hsize_t n[3] = {2, NJ, NI}, nt = 2;
    write_values(file, "/x", 2, &n[1], 3);
    write_values(file, "/y", 2, &n[1], 3);
    write_values(file, "/p", 3, n, 3);
    write_values(file, "/time", 1, &nt, 3);
}

static void make_first(hid_t file)
{
    static const hsize_t n[4] = {3, NK, NJ, NI};
    write_values(file, "/xyz", 4, n, 3);
}

static void make_nameless(hid_t file)
{
    write_values(file, "/p", 3, vertices, 3);
}

/* A grid at the place of karman's own layout, but no step below /flow. */
static void make_stepless(hid_t file)
{
    static const char *const block[3] = {"/grid/box/x", "/grid/box/y", "/grid/box/z"};
    write_grid(file, block, vertices);
    write_values(file, "/flow/mean/box/p", 3, vertices, 3);
}

/* Types and attributes of every sort. */
static void make_types(hid_t file)
{
    static const hsize_t two[1] = {2};
    const char bytes[32] = {0};
    hid_t space = H5Screate_simple(1, two, NULL);
    hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "re", 0, H5T_IEEE_F64LE);
    H5Tinsert(pair, "im", 8, H5T_IEEE_F64LE);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    const struct {
        const char *path;
        hid_t type;
    } sets[] = {{"/pairs", pair},
                {"/texts", text},
                {"/small", H5T_STD_U8LE},
                {"/odd", H5T_STD_I64BE}};
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        H5Dclose(H5Dcreate(file, sets[n].path, sets[n].type, space, intermediate,
                           H5P_DEFAULT, H5P_DEFAULT));
    }
    const char *words = "a text\nof two lines";
    put_attribute(file, "/", "words", text, &words);
    put_attribute(file, "/", "pair", pair, bytes);
    H5Tclose(text);
    H5Tclose(pair);
    H5Sclose(space);
}

static void make_empty(hid_t file)
{
    (void)file;
}

typedef struct layout {
    const char *name;
    void (*make)(hid_t file);
} layout;

static const layout layouts[] = {
    {"readme", make_readme},
    {"points", make_points},
    {"blocks", make_blocks},
    {"own", make_own},
    {"cgns", make_cgns},
    {"links", make_links},
    {"vtkhdf", make_vtkhdf},
    {"fluent", make_fluent},
    {"cgns-unstructured", make_cgns_unstructured},
    {"exodus", make_exodus},
    {"rectilinear", make_rectilinear},
    {"lists", make_lists},
    {"plane", make_plane},
    {"plane-misfit", make_misfit},
    {"first", make_first},
    {"nameless", make_nameless},
    {"stepless", make_stepless},
    {"types", make_types},
    {"empty", make_empty},
};

int main(int argc, char **argv)
{
    for (size_t n = 0; argc == 3 && n < sizeof layouts / sizeof layouts[0]; n++) {
        if (strcmp(argv[1], layouts[n].name) == 0) {
            intermediate = H5Pcreate(H5P_LINK_CREATE);
            H5Pset_create_intermediate_group(intermediate, 1);
            hid_t file = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
            layouts[n].make(file);
            H5Pclose(intermediate);
            return H5Fclose(file) < 0;
        }
    }
    fprintf(stderr, "usage: make_layouts KIND FILE\n");
    return 2;
}
