#include "signature.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DRAWS "karman reads HDF5"

typedef struct signature {
    const char *bytes;
    size_t count;
    const char *phrase;
} signature;

/* clang-format off */
static const signature signatures[] = {
    {"CDF\001", 4, "a netCDF file of the classic format: 'nccopy -k nc4 OLD NEW' makes HDF5 of it"},
    {"CDF\002", 4, "a netCDF file of the classic format: 'nccopy -k nc4 OLD NEW' makes HDF5 of it"},
    {"CDF\005", 4, "a netCDF file of the classic format: 'nccopy -k nc4 OLD NEW' makes HDF5 of it"},
    {"@(#)ADF Database", 16, "a CGNS file in ADF: 'adf2hdf OLD NEW' makes HDF5 of it"},
    {"\016\003\023\001", 4, "HDF4: 'h4toh5 OLD NEW' makes HDF5 of it"},
    {"# vtk DataFile", 14, "a VTK file of the legacy format: " DRAWS},
    {"#!TDV", 5, "a Tecplot file: " DRAWS},
    {"#!SZPLT", 7, "a Tecplot file: " DRAWS},
    {"\037\213", 2, "compressed by gzip: unpack it first"},
    {"BZh", 3, "compressed by bzip2: unpack it first"},
    {"\3757zXZ", 5, "compressed by xz: unpack it first"},
    {"\050\265\057\375", 4, "compressed by zstd: unpack it first"},
    {"PK\003\004", 4, "a zip archive: unpack it first"},
    {"C Binary", 8, "EnSight geometry: " DRAWS},
    {"Fortran Binary", 14, "EnSight geometry: " DRAWS},
    {"$MeshFormat", 11, "a Gmsh mesh, which is unstructured: karman draws structured grids only"},
    {"\211PNG", 4, "a picture (PNG)"},
};
/* clang-format on */

/* ---- XML -------------------------------------------------------------------------- */

/* Copies the value of `type` in <VTKFile type="StructuredGrid" ...>. */
static void copy_type(const char *element, char *type, size_t size)
{
    const char *start = strstr(element, "type=");
    snprintf(type, size, "of an unknown type");
    if (start && (start[5] == '"' || start[5] == '\'')) {
        snprintf(type, size, "%.*s", (int)strcspn(start + 6, "\"'>"), start + 6);
    }
}

static bool find_xml(const char *text, char phrase[IO_SIGNATURE_SIZE])
{
    char type[64];
    const char *element = strstr(text, "<VTKFile");
    if (element) {
        copy_type(element, type, sizeof type);
        const bool is_not = strstr(type, "Unstructured") || strstr(type, "PolyData");
        snprintf(phrase, IO_SIGNATURE_SIZE, "a VTK file (%s): %s", type,
                 is_not ? "karman draws structured grids only, from HDF5" : DRAWS);
        return true;
    }
    if (strstr(text, "<Xdmf")) {
        snprintf(
            phrase, IO_SIGNATURE_SIZE,
            "XDMF, which refers to data elsewhere: give karman the HDF5 file that it "
            "names");
        return true;
    }
    return false;
}

/* ---- PLOT3D ----------------------------------------------------------------------- */

static int64_t read_int(const unsigned char *bytes, bool is_big)
{
    uint32_t value = 0;
    for (int n = 0; n < 4; n++) {
        value |= (uint32_t)bytes[n] << (8 * (is_big ? 3 - n : n));
    }
    return (int32_t)value;
}

/* Number of vertices of `blocks` blocks whose sizes are in `bytes`; 0 if they are not
 * sizes. */
static int64_t count_vertices(const unsigned char *bytes, size_t count, int64_t blocks,
                              bool is_big)
{
    enum { LONGEST = 1 << 20 };
    const int64_t most = INT64_C(1) << 40; /* so that no product below overflows */
    int64_t all = 0;
    if (blocks < 1 || blocks > 1024 || (uint64_t)blocks * 12 > count) {
        return 0;
    }
    for (int64_t block = 0; block < blocks; block++) {
        int64_t vertices = 1;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t n = read_int(bytes + 12 * block + 4 * axis, is_big);
            if (n < 1 || n > LONGEST) {
                return 0;
            }
            vertices *= n;
        }
        if (vertices > most) {
            return 0;
        }
        all += vertices;
    }
    return all;
}

/* Whether a file of this size may contain this many vertices. It may have coordinates
 * with or without iblank, or a solution with its four reference values, in either
 * precision. `more`: bytes of sizes and of record marks. */
static bool size_fits(int64_t size, int64_t vertices, int64_t blocks, int64_t more)
{
    for (int64_t bytes = 4; bytes <= 8; bytes += 4) {
        const int64_t grid = vertices * 3 * bytes + more;
        const int64_t flow = vertices * 5 * bytes + blocks * 4 * bytes + more;
        if (size == grid || size == grid + 4 * vertices || size == flow ||
            size == flow + 8 * blocks) {
            return vertices > 0;
        }
    }
    return false;
}

static bool is_plot3d_of(const unsigned char *bytes, size_t count, int64_t size,
                         bool is_big)
{
    enum { MARK = 4 };
    if (count < 32) {
        return false;
    }
    const int64_t first = read_int(bytes, is_big);
    if (size_fits(size, count_vertices(bytes, count, 1, is_big), 1, 12) ||
        size_fits(size, count_vertices(bytes + 4, count - 4, first, is_big), first,
                  4 + 12 * first)) {
        return true;
    }
    /* Fortran records: 12 bytes of sizes, or 4 bytes for the number of blocks, then their
     * sizes. */
    if (first == 12 && read_int(bytes + 16, is_big) == 12) {
        const int64_t all = count_vertices(bytes + MARK, count - MARK, 1, is_big);
        return size_fits(size, all, 1, 12 + 4 * MARK);
    }
    if (first == 4 && read_int(bytes + 8, is_big) == 4) {
        const int64_t blocks = read_int(bytes + MARK, is_big);
        const int64_t all = count_vertices(bytes + 16, count - 16, blocks, is_big);
        return size_fits(size, all, blocks, 4 + 12 * blocks + (4 + 2 * blocks) * MARK);
    }
    return false;
}

/* ---- anything else ---------------------------------------------------------------- */

static bool is_text(const unsigned char *bytes, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        if (bytes[n] == 0 || (bytes[n] < 32 && !isspace(bytes[n]))) {
            return false;
        }
    }
    return count > 0;
}

static void find_text(const char *text, char phrase[IO_SIGNATURE_SIZE])
{
    const char *found = "text; a config's name ends in .yaml or .yml";
    if (strstr(text, "FoamFile")) {
        found = "a file of OpenFOAM, whose grids are unstructured: karman draws "
                "structured grids only";
    } else if (strncmp(text, "TITLE", 5) == 0 || strncmp(text, "VARIABLES", 9) == 0) {
        found = "a Tecplot file: " DRAWS;
    }
    snprintf(phrase, IO_SIGNATURE_SIZE, "%s", found);
}

void io_signature_find(const unsigned char *bytes, size_t count, int64_t size,
                       char phrase[IO_SIGNATURE_SIZE])
{
    phrase[0] = '\0';
    if (size == 0) {
        snprintf(phrase, IO_SIGNATURE_SIZE, "empty");
        return;
    }
    for (size_t n = 0; n < sizeof signatures / sizeof signatures[0]; n++) {
        if (count >= signatures[n].count &&
            memcmp(bytes, signatures[n].bytes, signatures[n].count) == 0) {
            snprintf(phrase, IO_SIGNATURE_SIZE, "%s", signatures[n].phrase);
            return;
        }
    }
    char text[IO_SIGNATURE_BYTES + 1];
    const size_t length = count < IO_SIGNATURE_BYTES ? count : IO_SIGNATURE_BYTES;
    memcpy(text, bytes, length);
    text[length] = '\0';
    if (find_xml(text, phrase)) {
        return;
    }
    if (is_plot3d_of(bytes, count, size, false) ||
        is_plot3d_of(bytes, count, size, true)) {
        snprintf(phrase, IO_SIGNATURE_SIZE, "a PLOT3D file, by its sizes: " DRAWS);
    } else if (is_text(bytes, length)) {
        find_text(text, phrase);
    }
}
