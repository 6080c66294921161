/* Files with more than 2^31 values are read at their far end. They are sparse, so that
 * they take next to no disk. */
#define _GNU_SOURCE /* SEEK_DATA, pwrite of 64 bits */
#include "base/log.h"
#include "io/source.h"
#include "test_cgns_support.h"
#include "test_io_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* 2.2e9 vertices; the last ones, END along each axis, have values. */
enum { SIDE = 1300, END = 3 };
static const int64_t total = INT64_C(1) * SIDE * SIDE * SIDE;

static float value_at(int array, int64_t i, int64_t j, int64_t k)
{
    return (float)(1000 * array + 100 * i + 10 * j + k + 1);
}

/* Where the values of a file lie. */
typedef struct places {
    off_t start[3]; /* of x, y and z; of the field alone, if there is one */
    int step;       /* bytes from one value to the next along i */
    bool is_big;    /* the byte order */
    bool is_field;  /* the file has a field, and lists of coordinates */
    off_t part;     /* Fortran's record is cut into parts of so many bytes; 0: none */
    off_t before;   /* where that record begins */
} places;

/* Writes a byte of a record; of Fortran's parts, each has a mark of 4 bytes at both ends.
 */
static bool put_byte(int file, const places *p, off_t at, char byte)
{
    const off_t off = p->part > 0 ? p->before + 4 + 8 * (at / p->part) : 0;
    return pwrite(file, &byte, 1, at + off) == 1;
}

/* Writes the far end of an array. */
static bool write_end(int file, const places *p, int array)
{
    bool is_good = true;
    for (int n = 0; n < END * END * END && is_good; n++) {
        const int64_t i = n % END, j = n / END % END, k = n / END / END;
        const int64_t first = SIDE - END;
        const int64_t vertex = ((first + k) * SIDE + first + j) * SIDE + first + i;
        const float value = value_at(array, i, j, k);
        char bytes[sizeof value];
        memcpy(bytes, &value, sizeof value);
        for (int b = 0; b < 4 && is_good; b++) {
            is_good = put_byte(file, p, p->start[array] + vertex * p->step + b,
                               bytes[p->is_big ? 3 - b : b]);
        }
    }
    return is_good;
}

/* Sets the places of arrays of single precision one behind the other. */
static void set_rows(places *p, off_t start)
{
    for (int c = 0; c < 3; c++) {
        p->start[c] = start + 4 * total * c;
    }
    p->step = 4;
}

/* Sets the places of points, x, y and z of each together. */
static void set_points(places *p, off_t start)
{
    for (int c = 0; c < 3; c++) {
        p->start[c] = start + 4 * c;
    }
    p->step = 12;
}

/* ---- Heads of files ---------------------------------------------------------------- */

static void put_int(FILE *file, int value)
{
    fwrite(&value, sizeof value, 1, file);
}

static void put_words(FILE *file, const char *text, int count)
{
    for (int n = 0; n < count; n++) {
        put_int(file, n < (int)strlen(text) ? text[n] : 0);
    }
}

/* A line of EnSight. */
static void put_line(FILE *file, const char *text)
{
    char line[80] = "";
    snprintf(line, sizeof line, "%s", text);
    fwrite(line, sizeof line, 1, file);
}

static bool head_plot3d(FILE *file, const char *path, places *p)
{
    (void)path;
    for (int c = 0; c < 3; c++) {
        put_int(file, SIDE);
    }
    set_rows(p, 12);
    return true;
}

/* The records of gfortran: marks of 4 bytes; those of 2 GiB are cut into parts. A part
 * that others follow has a negative mark before it, and one that follows others behind.
 */
static bool head_fortran(FILE *file, const char *path, places *p)
{
    const off_t most = 2147483639, all = 12 * total;
    (void)path;
    put_int(file, 12);
    head_plot3d(file, path, p);
    put_int(file, 12);
    p->before = ftello(file);
    for (off_t done = 0; done < all; done += most) {
        const int size = (int)(all - done < most ? all - done : most);
        put_int(file, done + size < all ? -size : size);
        fseeko(file, size, SEEK_CUR);
        put_int(file, done > 0 ? -size : size);
    }
    p->part = most;
    set_rows(p, 0);
    return true;
}

static bool head_legacy(FILE *file, const char *path, places *p)
{
    (void)path;
    fprintf(file,
            "# vtk DataFile Version 3.0\na box\nBINARY\nDATASET STRUCTURED_GRID\n"
            "DIMENSIONS %d %d %d\nPOINTS %lld float\n",
            SIDE, SIDE, SIDE, (long long)total);
    set_points(p, ftello(file));
    p->is_big = true;
    return true;
}

#ifdef KARMAN_HAS_LIBXML2
/* The end of the file stands behind the values. */
static bool head_vts(FILE *file, const char *path, places *p)
{
    const uint64_t size = (uint64_t)(12 * total);
    (void)path;
    fprintf(file,
            "<VTKFile type=\"StructuredGrid\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">"
            "<StructuredGrid WholeExtent=\"0 %d 0 %d 0 %d\">"
            "<Piece Extent=\"0 %d 0 %d 0 %d\"><Points><DataArray type=\"Float32\" "
            "NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/></Points></Piece>"
            "</StructuredGrid><AppendedData encoding=\"raw\">_",
            SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 1);
    fwrite(&size, sizeof size, 1, file);
    set_points(p, ftello(file));
    fseeko(file, 12 * total, SEEK_CUR);
    fprintf(file, "</AppendedData></VTKFile>");
    return true;
}
#endif

static bool head_plt(FILE *file, const char *path, places *p)
{
    const float zone = 299.0f, end = 357.0f;
    const double ends[2] = {0.0, 5000.0}, time = 0.0;
    static const int head[] = {1, 0, 0, 3, 'X', 0, 'Y', 0, 'Z', 0}; /* no title */
    (void)path;
    fprintf(file, "#!TDV112");
    fwrite(head, sizeof head, 1, file);
    fwrite(&zone, sizeof zone, 1, file);
    put_words(file, "box", 4);
    put_int(file, -1);
    put_int(file, -1);
    fwrite(&time, sizeof time, 1, file);
    put_int(file, -1);
    put_words(file, "", 4);
    for (int c = 0; c < 3; c++) {
        put_int(file, SIDE);
    }
    put_int(file, 0);
    fwrite(&end, sizeof end, 1, file);
    fwrite(&zone, sizeof zone, 1, file);
    for (int n = 0; n < 6; n++) {
        put_int(file, n < 3 ? 1 : n < 5 ? 0 : -1);
    }
    for (int c = 0; c < 3; c++) {
        fwrite(ends, sizeof ends, 1, file);
    }
    set_rows(p, ftello(file));
    return true;
}

/* The grid of a case; `path` is the case. */
static bool head_ensight(FILE *file, const char *path, places *p)
{
    static const char *const lines[] = {"C Binary",       "",    "", "node id off",
                                        "element id off", "part"};
    FILE *list = fopen(path, "w");
    fprintf(list, "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: large.geo\n");
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        put_line(file, lines[n]);
    }
    put_int(file, 1);
    put_line(file, "box");
    put_line(file, "block");
    for (int c = 0; c < 3; c++) {
        put_int(file, SIDE);
    }
    set_rows(p, ftello(file));
    return fclose(list) == 0;
}

/* ---- Classic netCDF ---------------------------------------------------------------- */

/* A big-endian number of `size` bytes. */
static void put_big(FILE *file, int64_t value, int size)
{
    for (int n = size - 1; n >= 0; n--) {
        fputc((int)((uint64_t)value >> 8 * n & 255), file);
    }
}

static void put_name(FILE *file, const char *text)
{
    const int length = (int)strlen(text), room = (length + 3) / 4 * 4;
    put_big(file, length, 8);
    for (int n = 0; n < room; n++) {
        fputc(n < length ? text[n] : 0, file);
    }
}

static void put_variable(FILE *file, int axis, const char *unit, int64_t at)
{
    static const char *const names[] = {"depth", "lat", "lon", "heat"};
    const int first = axis < 3 ? axis : 0, last = axis < 3 ? axis : 2;
    put_name(file, names[axis]);
    put_big(file, last - first + 1, 8);
    for (int n = first; n <= last; n++) {
        put_big(file, n, 8);
    }
    put_big(file, 12, 4);
    put_big(file, 1, 8);
    put_name(file, "units");
    put_big(file, 2, 4);
    put_name(file, unit);
    put_big(file, 5, 4);
    put_big(file, axis < 3 ? 4 * SIDE : 4 * total, 8);
    put_big(file, at, 8);
}

/* CDF-5, with lists of coordinates and a field. */
static bool head_classic(FILE *file, const char *path, places *p)
{
    enum { HEAD = 1024 }; /* more than the head takes */
    static const char *const axes[] = {"depth", "lat", "lon"};
    static const char *const units[] = {"m", "degrees_north", "degrees_east", "K"};
    (void)path;
    fprintf(file, "CDF\5");
    put_big(file, 0, 8);
    put_big(file, 10, 4);
    put_big(file, 3, 8);
    for (int n = 0; n < 3; n++) {
        put_name(file, axes[n]);
        put_big(file, SIDE, 8);
    }
    put_big(file, 0, 12);
    put_big(file, 11, 4);
    put_big(file, 4, 8);
    for (int n = 0; n < 4; n++) {
        put_variable(file, n, units[n], HEAD + 4 * SIDE * n);
    }
    fseeko(file, HEAD, SEEK_SET);
    for (int n = 0; n < 3 * SIDE; n++) {
        const float value = 0.01f * (float)(n % SIDE);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put_big(file, bits, 4);
    }
    *p = (places){.start = {ftello(file)}, .step = 4, .is_big = true, .is_field = true};
    return true;
}

/* ---- HDF5 -------------------------------------------------------------------------- */

/* Makes one array without values; *start is the place of the first. */
static bool make_array(hid_t file, const char *path, off_t *start)
{
    const hsize_t n[3] = {SIDE, SIDE, SIDE};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(3, n, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t set =
        H5Dcreate(file, path, H5T_IEEE_F32LE, space, links, creation, H5P_DEFAULT);
    *start = set >= 0 ? (off_t)H5Dget_offset(set) : -1;
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Pclose(links);
    return *start > 0;
}

static bool make_own(const char *path, places *p)
{
    static const char *const names[] = {"/grid/b/x", "/grid/b/y", "/grid/b/z"};
    bool is_good = true;
    const hid_t file = file_create(path);
    for (int c = 0; c < 3; c++) {
        is_good = make_array(file, names[c], &p->start[c]) && is_good;
    }
    p->step = 4;
    return H5Fclose(file) >= 0 && is_good;
}

static bool make_cgns(const char *path, places *p)
{
    static const char zone[] = "/Base/Zone", grid[] = "/Base/Zone/GridCoordinates";
    static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const float version = 4.2f;
    const hsize_t one = 1, dims[2] = {3, 3};
    const int base[2] = {3, 3};
    const int64_t sizes[9] = {SIDE, SIDE, SIDE, SIDE - 1, SIDE - 1, SIDE - 1};
    bool is_good = true;
    const hid_t file = file_create(path);
    cgns_put_node(file, "/CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4");
    cgns_put_data(file, "/CGNSLibraryVersion", H5T_NATIVE_FLOAT, 1, &one, &version);
    cgns_put_ints(file, "/Base", "CGNSBase_t", 2, base);
    cgns_put_node(file, zone, "Zone_t", "I8");
    cgns_put_data(file, zone, H5T_NATIVE_INT64, 2, dims, sizes);
    cgns_put_text(file, cgns_below(zone, "ZoneType"), "ZoneType_t", "Structured");
    cgns_put_node(file, grid, "GridCoordinates_t", "MT");
    for (int c = 0; c < 3; c++) {
        char array[128];
        snprintf(array, sizeof array, "%s/%s", grid, names[c]);
        cgns_put_node(file, array, "DataArray_t", "R4");
        strcat(array, "/ data");
        is_good = make_array(file, array, &p->start[c]) && is_good;
    }
    p->step = 4;
    return H5Fclose(file) >= 0 && is_good;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* A format: makes a file of HDF5, or writes the head of another. `values`: the name of
 * the file with the values. */
typedef struct format {
    const char *name, *values;
    bool (*make)(const char *path, places *p);
    bool (*head)(FILE *file, const char *path, places *p);
} format;

/* Writes a sparse file; `path` is the one to open. */
static bool write_file(const format *f, const char *path)
{
    places p = {.step = 4};
    char values[512];
    bool is_good = true;
    snprintf(values, sizeof values, "%s", test_path(f->values));
    if (f->make) {
        is_good = f->make(path, &p);
    } else {
        FILE *file = fopen(values, "wb");
        is_good = file && f->head(file, path, &p);
        is_good = (!file || fclose(file) == 0) && is_good;
    }
    const int file = open(values, O_WRONLY);
    const off_t all = 4 * total * (p.is_field ? 1 : 3) + p.start[0];
    const off_t size = lseek(file, 0, SEEK_END);
    is_good = is_good && (size >= all || ftruncate(file, all) == 0);
    for (int c = 0; c < (p.is_field ? 1 : 3) && is_good; c++) {
        is_good = write_end(file, &p, c);
    }
    return close(file) == 0 && is_good;
}

/* The bytes that this process has read so far; 0: the system does not tell. */
static int64_t bytes_read(void)
{
    long long bytes = 0;
    FILE *file = fopen("/proc/self/io", "r");
    const bool is_there = file && fscanf(file, "rchar: %lld", &bytes) == 1;
    if (file) {
        fclose(file);
    }
    return is_there ? bytes : 0;
}

/* Reads a box that begins one vertex before the far end. */
static void check_file(const char *path)
{
    const int64_t before = bytes_read(), most = 1 << 28;
    enum { N = END + 1 };
    const io_data_config config = {.file = (char *)path, .all_steps = true};
    const io_box box = {{SIDE - N, SIDE - N, SIDE - N}, {N, N, N}};
    io_source *source = NULL;
    double values[N * N * N];
    if (!check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), path)) {
        return;
    }
    const bool is_field = io_source_field_count(source) > 0;
    for (int c = 0; c < (is_field ? 1 : 3); c++) {
        int wrong = 0;
        check_ok(is_field ? io_source_read_doubles(source, 0, 0, 0, &box, values)
                          : io_source_read(source, 0, 0, IO_ARRAY_X + c, &box, values),
                 path);
        for (int n = 0; n < N * N * N; n++) {
            const int i = n % N - 1, j = n / N % N - 1, k = n / N / N - 1;
            const double wanted =
                i < 0 || j < 0 || k < 0 ? 0.0 : (double)value_at(c, i, j, k);
            wrong += values[n] != wanted;
        }
        check(wrong == 0, "%s: %d values are wrong", path, wrong);
    }
    io_source_close(&source);
    check(bytes_read() - before < most, "%s: nearly all of it is read", path);
}

static const format formats[] = {
    {"large.h5", "large.h5", make_own, NULL},
    {"large.cgns", "large.cgns", make_cgns, NULL},
    {"large.xyz", "large.xyz", NULL, head_plot3d},
    {"fortran.xyz", "fortran.xyz", NULL, head_fortran},
    {"large.vtk", "large.vtk", NULL, head_legacy},
    {"large.plt", "large.plt", NULL, head_plt},
    {"large.case", "large.geo", NULL, head_ensight},
    {"large.nc", "large.nc", NULL, head_classic},
#ifdef KARMAN_HAS_LIBXML2
    {"large.vts", "large.vts", NULL, head_vts},
#endif
};

static void files_are_read_at_their_far_end(void)
{
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        const format *f = &formats[n];
        char path[512];
        int is_written = 0;
        snprintf(path, sizeof path, "%s", test_path(f->name));
        is_written = is_root() && write_file(f, path);
        parallel_bcast(&is_written, 1, MPI_INT, 0, MPI_COMM_WORLD);
        check(is_written, "'%s' cannot be written as a sparse file", path);
        if (is_written) {
            check_file(path);
        }
        test_file_remove(path);
        if (strcmp(f->values, f->name) != 0) {
            test_file_remove(test_path(f->values));
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_large");
    run_test("files of 2.2e9 vertices are read at their far end",
             files_are_read_at_their_far_end);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
