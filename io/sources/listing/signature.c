#include "signature.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct signature {
    const char *bytes;
    size_t count;
    const char *phrase;
} signature;

/* clang-format off */
static const signature signatures[] = {
    {"\300\250\243\251ADF Database", 16, "a CGNS file in ADF, whose data sets have no paths: leave out 'data.grid' and 'data.fields'"},
    {"\016\003\023\001", 4, "HDF4: 'h4toh5 OLD NEW' makes HDF5 of it"},
    {"\037\213", 2, "compressed by gzip: unpack it first"},
    {"BZh", 3, "compressed by bzip2: unpack it first"},
    {"\3757zXZ", 5, "compressed by xz: unpack it first"},
    {"\050\265\057\375", 4, "compressed by zstd: unpack it first"},
    {"PK\003\004", 4, "a zip archive: unpack it first"},
    {"$MeshFormat", 11, "a Gmsh mesh, which is unstructured, and karman draws structured grids only: resample it with ParaView (Resample To Image), and save that as .vti"},
    {"\211PNG", 4, "a picture (PNG): give a data file, or a config (.yaml)"},
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
        snprintf(phrase, IO_SIGNATURE_SIZE,
                 "a VTK file (%.40s): karman draws structured grids only; ParaView puts "
                 "others on an image (Resample To Image), a .vti",
                 type);
        return true;
    }
    return false;
}

/* ---- Fortran's records ------------------------------------------------------------- */

/* The first `length` bytes as a whole number. */
static int64_t take_mark(const unsigned char *bytes, int length, bool is_big)
{
    uint64_t value = 0;
    for (int n = 0; n < length; n++) {
        value = value << 8 | bytes[is_big ? n : length - 1 - n];
    }
    return value < (uint64_t)INT64_MAX ? (int64_t)value : 0;
}

/* Whether the file consists of records of one length, as many codes write their arrays.
 */
static bool find_records(const unsigned char *bytes, size_t count, int64_t size,
                         char phrase[IO_SIGNATURE_SIZE])
{
    enum { LEAST = 64 };
    for (int n = 0; n < 4 && count >= 8; n++) {
        const int mark = n < 2 ? 4 : 8;
        const int64_t length = take_mark(bytes, mark, n % 2 == 1);
        if (length >= LEAST && length < size && size % (length + 2 * mark) == 0) {
            snprintf(phrase, IO_SIGNATURE_SIZE,
                     "%" PRId64 " Fortran records of %" PRId64 " bytes, which do not say "
                     "the sizes of a grid: write them as PLOT3D or HDF5, as "
                     "docs/user/formats.md describes",
                     size / (length + 2 * mark), length);
            return true;
        }
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
        found = "a file of OpenFOAM, whose grids are unstructured, and karman draws "
                "structured grids only: resample it with ParaView (Resample To Image), "
                "and save that as .vti";
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
    if (find_xml(text, phrase) || find_records(bytes, count, size, phrase)) {
        return;
    }
    if (is_text(bytes, length)) {
        find_text(text, phrase);
    }
}
