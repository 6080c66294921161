/* XML files of XDMF and VTK with other words, lies and cuts. The files that they name are
 * sound. */
#include "formats.h"
#include "tests/mpi/test_io_support.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 15 };

#define MESH                                                                             \
    "<Topology Name='t' TopologyType='3DSMesh' Dimensions='2 3 4'/>\n"                   \
    "<Geometry Name='g' GeometryType='X_Y_Z'>"                                           \
    "<DataItem Dimensions='2 3 4' Format='HDF'>&f;:/x</DataItem>"                        \
    "<DataItem Dimensions='24' Format='Binary' Seek='4' Endian='Big'>fuzz.q</DataItem>"  \
    "<DataItem Dimensions='2 3 4'>0 0 0 0 0 0 0 0 0 0 0 0 "                              \
    "1 1 1 1 1 1 1 1 1 1 1 1</DataItem></Geometry>\n"
#define FIELDS                                                                           \
    "<Attribute Name='p' Center='Cell'><DataItem Dimensions='1 2 3' Precision='8'>"      \
    "1 2 3 4 5 6</DataItem></Attribute>\n"                                               \
    "<Attribute Name='v' AttributeType='Vector'><DataItem ItemType='Function' "          \
    "Function='JOIN($0, $1, $2)'><DataItem Dimensions='2 3 4' Format='HDF'>&f;:/x"       \
    "</DataItem><DataItem ItemType='HyperSlab'><DataItem Dimensions='3 3'>0 1 0 1 1 2 "  \
    "2 3 4</DataItem><DataItem Dimensions='2 4 8' Format='HDF'>&f;:/packed</DataItem>"   \
    "</DataItem><DataItem Reference='/Xdmf/Domain/DataItem'/></DataItem></Attribute>\n"  \
    "<Attribute Name='vtkGhostType'><DataItem NumberType='UChar' Dimensions='24'>"       \
    "0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 32</DataItem></Attribute>\n"
#define XDMF                                                                             \
    "<?xml version='1.0'?>\n<!DOCTYPE Xdmf SYSTEM 'Xdmf.dtd' [<!ENTITY f 'fuzz.h5'>]>\n" \
    "<Xdmf xmlns:xi='http://www.w3.org/2001/XInclude' Version='3.0'><Domain>\n"          \
    "<DataItem Dimensions='2 3 4' Format='HDF'>&f;:/packed4</DataItem>\n"

static const char *const bases[] = {
    XDMF "<Grid>" MESH FIELDS "</Grid></Domain></Xdmf>\n",
    XDMF
    "<Grid GridType='Collection' CollectionType='Temporal'>"
    "<Time TimeType='HyperSlab'><DataItem Dimensions='3'>0 1 2</DataItem></Time>\n"
    "<Grid Name='1'>" MESH FIELDS "</Grid>\n<Grid Name='2' GridType='Collection' "
    "CollectionType='Spatial'><Grid><Topology Reference='//Topology[1]'/><xi:include "
    "xpointer='xpointer(//Geometry)'/>" FIELDS
    "<xi:include href='fuzz.xyz' xpointer='element(/1/1)'/></Grid></Grid></Grid>"
    "</Domain></Xdmf>\n",
    XDMF
    "<Grid><Topology TopologyType='3DRectMesh' NumberOfElements='3 2 2'/><Geometry "
    "Type='VXVYVZ'><DataItem Dimensions='2'>0 1</DataItem><DataItem Dimensions='2'>0 "
    "1</DataItem><DataItem Dimensions='3'>0 1 2</DataItem></Geometry></Grid><Grid>"
    "<Topology TopologyType='2DCoRectMesh' Dimensions='4 4'/><Geometry "
    "GeometryType='ORIGIN_DXDY'><DataItem Dimensions='2'>0 1</DataItem><DataItem "
    "Dimensions='2'>1 1</DataItem></Geometry></Grid></Domain></Xdmf>\n",
    "<?xml version='1.0'?><VTKFile type='StructuredGrid' byte_order='LittleEndian'>\n"
    "<StructuredGrid WholeExtent='0 1 0 1 0 1'><Piece Extent='0 1 0 1 0 1'><PointData>"
    "<DataArray type='Float32' Name='p' NumberOfComponents='1' format='binary'>"
    "IAAAAAAAgD8AAABAAABAQAAAgEAAAKBAAADAQAAA4EAAAABB</DataArray>"
    "<DataArray type='UInt8' Name='vtkGhostType' format='ascii'>0 2 0 0 0 0 0 0"
    "</DataArray></PointData><Points><DataArray type='Float64' "
    "NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 "
    "1</DataArray></Points></Piece></StructuredGrid></VTKFile>\n",
};

static const char collection[] =
    "<?xml version='1.0'?><VTKFile type='Collection'><Collection>\n<DataSet timestep='0' "
    "part='0' file='fuzz.vts'/><DataSet timestep='1' file='fuzz.vts'/></Collection>"
    "</VTKFile>\n";

/* ---- Damage ------------------------------------------------------------------------ */

static const char *const words[] = {"0",
                                    "1",
                                    "-1",
                                    "2",
                                    "3",
                                    "7",
                                    "99999999999",
                                    "1e300",
                                    "nan",
                                    "",
                                    "2 3 4",
                                    "2 3",
                                    "24",
                                    "-2 3 4",
                                    "0 0 0",
                                    "HyperSlab",
                                    "Function",
                                    "JOIN($0",
                                    "JOIN($9, $1)",
                                    "$0",
                                    "Uniform",
                                    "Collection",
                                    "Temporal",
                                    "Spatial",
                                    "Tree",
                                    "HDF",
                                    "XML",
                                    "Binary",
                                    "3DSMesh",
                                    "2DSMesh",
                                    "3DRectMesh",
                                    "3DCoRectMesh",
                                    "XYZ",
                                    "XY",
                                    "X_Y",
                                    "VXVY",
                                    "Cell",
                                    "Node",
                                    "Grid",
                                    "Int",
                                    "UChar",
                                    "Float64",
                                    "Int8",
                                    "fuzz.h5:/none",
                                    "fuzz.h5:/packed",
                                    "fuzz.h5:",
                                    ":",
                                    "/Xdmf/Domain",
                                    "//DataItem",
                                    "/",
                                    "//*",
                                    "element(/1)",
                                    "xpointer(//*[",
                                    "fuzz.xyz",
                                    "fuzz.q",
                                    ".",
                                    "&f;",
                                    "&amp;",
                                    "ascii",
                                    "binary",
                                    "appended",
                                    "1 0 1 0 1 0"};

/* Replaces what stands between two places by a word, or by another part of the text. */
static void replace(char *text, size_t from, size_t to, const char *by, size_t length)
{
    const size_t size = strlen(text);
    if (from <= to && to <= size && size - (to - from) + length < MOST) {
        memmove(text + from + length, text + to, size - to + 1);
        memcpy(text + from, by, length);
    }
}

/* The next quote or bracket from a place on. */
static size_t find_mark(const char *text, size_t from)
{
    return from + strcspn(text + from, "'<>");
}

static void damage(char *text, uint64_t *state)
{
    const size_t size = strlen(text), at = random_word(state) % (size + 1);
    const size_t first = find_mark(text, at),
                 next = find_mark(text, first + (first < size));
    const char *word = words[random_word(state) % (sizeof words / sizeof words[0])];
    char part[512];
    switch (random_word(state) % 8) {
    case 0: /* a byte */
        replace(text, at, at + 1, &"<>'&!-[] 0x"[random_word(state) % 11], 1);
        break;
    case 1: /* less text */
        replace(text, first, find_mark(text, next), "", 0);
        break;
    case 2: /* twice */
        if (next - first < sizeof part) {
            memcpy(part, text + first, next - first);
            replace(text, first, first, part, next - first);
        }
        break;
    default: /* an attribute or a text */
        replace(text, first + (first < size), next, word, strlen(word));
    }
}

/* ---- Cases ------------------------------------------------------------------------- */

/* Writes the files that the documents name, once. */
static void write_heavy(void)
{
    static const hsize_t n[3] = {2, 3, 4};
    static bool is_written;
    double values[64];
    FILE *file = is_written ? NULL : fopen(test_path("fuzz.q"), "wb");
    if (!file) {
        return;
    }
    for (int v = 0; v < 64; v++) {
        const unsigned char bytes[4] = {0x3f, 0x80, (unsigned char)(v / 4), 0};
        values[v] = v % 4 + 0.1 * v;
        fwrite(bytes, 4, 1, file);
    }
    fclose(file);
    const hid_t h5 = file_create(test_path("fuzz.h5"));
    file_write(h5, "/x", H5T_IEEE_F32BE, 3, n, values);
    file_write(h5, "/packed", H5T_NATIVE_INT16, 3, (const hsize_t[3]){2, 4, 8}, values);
    file_write(h5, "/packed4", H5T_IEEE_F64BE, 3, n, values);
    H5Fclose(h5);
    file = fopen(test_path("fuzz.xyz"), "w");
    fputs("<Xdmf><Attribute Name='q'><DataItem Dimensions='2 3 4' Format='HDF'>"
          "fuzz.h5:/x</DataItem></Attribute></Xdmf>",
          file);
    fclose(file);
    file = fopen(test_path("fuzz.vts"), "w");
    fputs(bases[3], file);
    fclose(file);
    is_written = true;
}

static status run(uint64_t *state)
{
    static char text[MOST];
    char path[512];
    write_heavy();
    snprintf(path, sizeof path, "%s", test_path("fuzz.xml"));
    const uint32_t base = random_word(state) % (1 + sizeof bases / sizeof bases[0]);
    strcpy(text, base == 0 ? collection : bases[base - 1]);
    for (uint32_t n = random_word(state) % 4; n > 0; n--) {
        damage(text, state);
    }
    FILE *file = fopen(path, "wb");
    fputs(text, file);
    fclose(file);
    return fuzz_read(&(io_data_config){.file = path}, state);
}

const fuzz_format fuzz_xml = {"xml", run, false};
