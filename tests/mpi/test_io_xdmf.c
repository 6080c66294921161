/* XDMF files give the values that were written, in all forms of items and on any number
 * of ranks; damaged ones are refused. */
#include "base/log.h"
#include "io/source.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NI = 5, NJ = 4, NK = 3, MOST = 1 << 14 };

/* How items are stored: in text, in HDF5 (big-endian float64, or chunks), in a binary
 * file. */
typedef enum storage { TEXT, HEAVY, CHUNKS, BIG, LITTLE } storage;

/* How a file is written. */
typedef struct form {
    storage how;
    const char *topology, *geometry;
    bool slabs; /* items are every second value of larger ones, by HyperSlab */
    bool joins; /* vectors are joined of scalars */
    bool hides; /* vertex (1, 1, 0), by vtkGhostType */
} form;

static const form all_forms[] = {
    {TEXT, "3DSMesh", "XYZ", .slabs = false},
    {HEAVY, "3DSMesh", "XYZ", .slabs = false},
    {CHUNKS, "3DSMesh", "XYZ", .slabs = false},
    {BIG, "3DSMesh", "XYZ", .slabs = false},
    {LITTLE, "3DSMesh", "XYZ", .slabs = false},
    {TEXT, "3DSMesh", "X_Y_Z", .joins = true},
    {HEAVY, "3DSMesh", "X_Y_Z", .joins = true, .hides = true},
    {CHUNKS, "3DSMesh", "X_Y_Z", .hides = true},
    {TEXT, "3DSMesh", "XYZ", .slabs = true},
    {HEAVY, "3DSMesh", "XYZ", .slabs = true},
    {CHUNKS, "3DSMesh", "X_Y_Z", .slabs = true, .joins = true},
    {BIG, "3DSMesh", "X_Y_Z", .slabs = true, .joins = true},
    {LITTLE, "3DSMesh", "XYZ", .slabs = true, .joins = true, .hides = true},
    {HEAVY, "3DRectMesh", "VXVYVZ", .slabs = false},
    {TEXT, "3drectmesh", "vxvyvz", .slabs = true},
    {TEXT, "3DCoRectMesh", "ORIGIN_DXDYDZ", .slabs = false},
    {HEAVY, "3DCoRectMesh", "ORIGIN_DXDYDZ", .hides = true},
};
enum { FORMS = sizeof all_forms / sizeof all_forms[0] };

static char path[512], heavy[512], binary[512];

/* Numbers that float32 holds. */
static double number(int array, int i, int j, int k)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * array;
}

static double place_of(const form *how, int axis, const int at[3])
{
    static const double origin[3] = {1, 2, 3}, spacing[3] = {0.5, 0.25, 2};
    const char kind = how->topology[2];
    return kind == 'S'                  ? number(axis, at[0], at[1], at[2])
           : kind == 'R' || kind == 'r' ? 3.0 * at[axis] * at[axis] + axis
                                        : origin[axis] + spacing[axis] * at[axis];
}

/* ---- Writing ----------------------------------------------------------------------- */

/* A file that is being written. */
typedef struct output {
    FILE *xml, *bytes;
    hid_t h5;
    const form *how;
    int items;
} output;

/* An item: values along k, j and i, of some components from `first` on. */
typedef struct item {
    int n[3], first, components;
    bool is_place; /* coordinates: place_of */
} item;

static double item_value(const output *o, const item *it, const int at[3], int c)
{
    return it->is_place ? place_of(o->how, it->first + c, at)
                        : number(it->first + c, at[0], at[1], at[2]);
}

/* Fills an array with the values, or, for a slab, one that is larger: with the values at
 * odd places. dims: [4], k first. The number of values. */
static int fill(const output *o, const item *it, int dims[4], double values[MOST])
{
    const int step = o->how->slabs ? 2 : 1, start = o->how->slabs;
    int count = it->components;
    for (int axis = 0; axis < 3; axis++) {
        dims[2 - axis] = start + step * it->n[axis];
        count *= dims[2 - axis];
    }
    dims[3] = it->components;
    for (int n = 0; n < count; n++) {
        values[n] = -9.0;
    }
    for (int n = 0; n < it->n[0] * it->n[1] * it->n[2] * it->components; n++) {
        const int c = n % it->components, v = n / it->components;
        const int at[3] = {v % it->n[0], v / it->n[0] % it->n[1],
                           v / it->n[0] / it->n[1]};
        const int row = (start + step * at[2]) * dims[1] + start + step * at[1];
        values[(row * dims[2] + start + step * at[0]) * it->components + c] =
            item_value(o, it, at, c);
    }
    return count;
}

static void put_bytes(output *o, const double *values, int count)
{
    for (int n = 0; n < count; n++) {
        const float single = (float)values[n];
        unsigned char bytes[4], swapped[4];
        memcpy(bytes, &single, 4);
        for (int b = 0; b < 4; b++) {
            swapped[b] = bytes[3 - b];
        }
        fwrite(o->how->how == BIG ? swapped : bytes, 4, 1, o->bytes);
    }
}

static void put_chunks(hid_t file, const char *name, const int dims[4],
                       const double *values)
{
    const hsize_t n[2] = {(hsize_t)dims[0], (hsize_t)(dims[1] * dims[2] * dims[3])};
    const hsize_t chunk[2] = {1, n[1] > 3 ? 3 : 1};
    const hid_t space = H5Screate_simple(2, n, NULL),
                list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_deflate(list, 6);
    const hid_t real =
        H5Dcreate(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite(real, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(real);
    H5Pclose(list);
    H5Sclose(space);
}

/* Writes the values, and the DataItem that names them. */
static void put_stored(output *o, const int dims[4], int count, const double *values)
{
    char name[32];
    const hsize_t n[4] = {(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2],
                          (hsize_t)dims[3]};
    snprintf(name, sizeof name, "/set %d", o->items++);
    fprintf(o->xml, "<DataItem Dimensions=\"%d %d %d %d\" ", dims[0], dims[1], dims[2],
            dims[3]);
    if (o->how->how == TEXT) {
        fprintf(o->xml, "Format=\"XML\" Precision=\"8\">");
        for (int v = 0; v < count; v++) {
            fprintf(o->xml, "%s%g", v % 7 == 0 ? "\n" : " ", values[v]);
        }
    } else if (o->how->how == BIG || o->how->how == LITTLE) {
        fprintf(o->xml, "Format=\"Binary\" Endian=\"%s\" Seek=\"%ld\"> data.bin",
                o->how->how == BIG ? "Big" : "Little", ftell(o->bytes));
        put_bytes(o, values, count);
    } else {
        fprintf(o->xml, "Format=\"HDF\">\n  &file;:%s\n", name);
        if (o->how->how == HEAVY) {
            file_write(o->h5, name, H5T_IEEE_F64BE, 4, n, values);
        } else {
            put_chunks(o->h5, name, dims, values);
        }
    }
    fprintf(o->xml, "</DataItem>\n");
}

static void put_item(output *o, const item *it)
{
    static double values[MOST];
    int dims[4];
    const int count = fill(o, it, dims, values);
    if (o->how->slabs) {
        fprintf(o->xml,
                "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%d %d %d %d\">"
                "<DataItem Dimensions=\"3 4\" Format=\"XML\">&one; 1 1 0  2 2 2 1  "
                "%d %d %d %d</DataItem>\n",
                it->n[2], it->n[1], it->n[0], it->components, it->n[2], it->n[1],
                it->n[0], it->components);
    }
    put_stored(o, dims, count, values);
    if (o->how->slabs) {
        fprintf(o->xml, "</DataItem>\n");
    }
}

/* An item of several components, or a JOIN of items of one. */
static void put_vector(output *o, const item *it)
{
    if (!o->how->joins || it->components == 1) {
        put_item(o, it);
        return;
    }
    fprintf(o->xml,
            "<DataItem ItemType=\"Function\" Function=\"JOIN($0, $1, $2)\" "
            "Dimensions=\"%d %d %d 3\">\n",
            it->n[2], it->n[1], it->n[0]);
    for (int c = 0; c < 3; c++) {
        item one = *it;
        one.components = 1;
        one.first += c;
        put_item(o, &one);
    }
    fprintf(o->xml, "</DataItem>\n");
}

static void put_geometry(output *o)
{
    fprintf(o->xml,
            "<Topology TopologyType=\"%s\" Dimensions=\"3 4 5\"/>\n"
            "<Geometry GeometryType=\"%s\">\n",
            o->how->topology, o->how->geometry);
    const bool is_line = o->how->geometry[0] == 'V' || o->how->geometry[0] == 'v';
    if (o->how->geometry[0] == 'O') {
        fprintf(o->xml, "<DataItem Dimensions=\"3\">3 2 1</DataItem>"
                        "<DataItem Dimensions=\"3\">2 0.25 0.5</DataItem>");
    } else if (strcmp(o->how->geometry, "XYZ") == 0) {
        put_vector(o, &(item){{NI, NJ, NK}, 0, 3, true});
    } else {
        for (int axis = 0; axis < 3; axis++) {
            item it = {{NI, NJ, NK}, axis, 1, true};
            for (int other = 0; other < 3 && is_line; other++) {
                it.n[other] = other == axis ? it.n[other] : 1;
            }
            put_item(o, &it);
        }
    }
    fprintf(o->xml, "</Geometry>\n");
}

static void put_attribute(output *o, const char *name, const char *words, const item *it)
{
    fprintf(o->xml, "<Attribute Name=\"%s\" %s>\n", name, words);
    put_vector(o, it);
    fprintf(o->xml, "<Information Name=\"Units\" Value=\"m/s\"/></Attribute>\n");
}

static void put_ghosts(output *o)
{
    fprintf(o->xml, "<Attribute Name=\"vtkGhostType\" Center=\"Node\"><DataItem "
                    "NumberType=\"UChar\" Dimensions=\"60\">");
    for (int n = 0; n < NI * NJ * NK; n++) {
        fprintf(o->xml, "%d ", n == NI + 1 ? 2 : n % 2);
    }
    fprintf(o->xml, "</DataItem></Attribute>\n");
}

static void put_all(output *o)
{
    fprintf(o->xml,
            "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" [\n<!-- it's & "
            "-->\n<!ENTITY file \"data.h5\"> <!ENTITY one '1'>]>\n<Xdmf "
            "Version=\"2.0\"><Domain><Grid Name=\"wing\"><Information Name=\"a\">"
            "<![CDATA[<main>]] ></main>]]></Information><Time Value=\"2.5\"/>\n");
    put_geometry(o);
    put_attribute(o, "velocity", "AttributeType=\"Vector\"",
                  &(item){{NI, NJ, NK}, 4, 3, false});
    put_attribute(o, "temp here", "Center=\"Node\"", &(item){{NI, NJ, NK}, 7, 1, false});
    put_attribute(o, "pressure", "Center=\"Cell\"",
                  &(item){{NI - 1, NJ - 1, NK - 1}, 3, 1, false});
    fprintf(o->xml, "<Attribute Name=\"mass\" Center=\"Grid\"><DataItem Dimensions=\"1\">"
                    "7</DataItem></Attribute>");
    if (o->how->hides) {
        put_ghosts(o);
    }
    fprintf(o->xml, "</Grid></Domain></Xdmf>\n");
}

static void write_file(const form *how)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (is_root()) {
        output o = {fopen(path, "wb"), fopen(binary, "wb"), file_create(heavy), how, 0};
        fputs("head", o.bytes);
        put_all(&o);
        fclose(o.xml);
        fclose(o.bytes);
        H5Fclose(o.h5);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void write_text(const char *name, const char *text)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root()) {
        FILE *f = fopen(name, "wb");
        fputs(text, f);
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Checks ------------------------------------------------------------------------ */

/* Compares a box of an array; `first`: its number in `number`, or -1 of a coordinate. */
static void check_box(io_source *source, const form *how, int array, int first)
{
    const io_box box = {{1, 1, 0}, {2, 2, 2}};
    double got[8] = {0};
    check_ok(array < 0 ? io_source_read(source, 0, 0, array, &box, got)
                       : io_source_read_doubles(source, 0, 0, array, &box, got),
             "a box");
    for (int n = 0; n < 8; n++) {
        const int at[3] = {1 + n % 2, 1 + n / 2 % 2, n / 4};
        const double right = first < 0 ? place_of(how, array - IO_ARRAY_X, at)
                                       : number(first, at[0], at[1], at[2]);
        check(fabs(got[n] - right) < 1e-6, "form %d, array %d: %g is no %g",
              (int)(how - all_forms), array, got[n], right);
    }
}

static int find_field(const io_source *source, const char *name)
{
    int n = io_source_field_count(source) - 1;
    while (n >= 0 && strcmp(io_source_fields(source)[n].name, name) != 0) {
        n--;
    }
    check(n >= 0, "there is no field '%s'", name);
    return n > 0 ? n : 0;
}

static io_source *open_source(const char *name)
{
    const io_data_config config = {.file = (char *)name};
    io_source *source = NULL;
    return check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "opening") ? source
                                                                                 : NULL;
}

static void check_hidden(io_source *source)
{
    const io_box box = {{1, 1, 0}, {2, 1, 1}};
    int32_t iblank[2] = {7, 7};
    check_ok(io_source_read(source, 0, 0, IO_ARRAY_IBLANK, &box, iblank), "iblank");
    check(iblank[0] == 0 && iblank[1] == 1, "iblank is %d, %d", iblank[0], iblank[1]);
}

static void check_file(const form *how)
{
    write_file(how);
    io_source *source = open_source(path);
    if (!source) {
        return;
    }
    const int pressure = find_field(source, "pressure");
    check(io_source_field_count(source) == 5, "form %d: %d fields",
          (int)(how - all_forms), io_source_field_count(source));
    check(io_source_steps(source)[0].time == 2.5, "the time is 2.5");
    check(io_source_fields(source)[pressure].location == GRID_CELL, "it is in cells");
    check(strcmp(io_source_unpacking(source, pressure)->unit, "m/s") == 0, "its unit");
    check(strstr(io_source_notes(source), "mass") != NULL, "a word on what is left out");
    for (int axis = 0; axis < 3; axis++) {
        check_box(source, how, IO_ARRAY_X + axis, -1);
    }
    check_box(source, how, pressure, 3);
    check_box(source, how, find_field(source, "velocity_x"), 4);
    check_box(source, how, find_field(source, "velocity_z"), 6);
    check_box(source, how, find_field(source, "temp_here"), 7);
    check(io_source_blocks(source)[0].has_iblank == how->hides, "iblank is there");
    if (how->hides) {
        check_hidden(source);
    }
    io_source_close(&source);
}

static void all_forms_are_read(void)
{
    for (int n = 0; n < FORMS; n++) {
        check_file(&all_forms[n]);
    }
}

static void check_refused(const char *name, const char *words)
{
    const io_data_config config = {.file = (char *)name};
    io_source *source = NULL;
    check(io_source_open(MPI_COMM_WORLD, &config, &source) == STATUS_INPUT, "%s", words);
    check(!is_root() || strstr(base_fail_message(), words), "'%s' has no '%s'",
          base_fail_message(), words);
    base_fail_set_message("");
    io_source_close(&source);
}

/* The XML cut anywhere, and the other files. */
static void cut_files_are_refused(void)
{
    for (int n = 0; n < 5; n++) {
        write_file(&all_forms[n]);
        const char *cut = n == TEXT ? path : n < BIG ? heavy : binary;
        for (long size = n == TEXT ? 1800 : 400; size > 260; size -= 131) {
            MPI_Barrier(MPI_COMM_WORLD);
            check(!is_root() || truncate(cut, size) == 0, "cutting");
            MPI_Barrier(MPI_COMM_WORLD);
            check_refused(path, "data.");
        }
    }
}

/* ---- Steps and blocks -------------------------------------------------------------- */

#define MESH                                                                             \
    "<Topology Name='t' TopologyType='2DSMesh' Dimensions='2 3'/>"                       \
    "<Geometry Name='g' GeometryType='XY'><DataItem Dimensions='2 3 2'>0 0 1 0 2 0 "     \
    "0 1 1 1 2 1</DataItem></Geometry>"
#define FIELD(values)                                                                    \
    "<Attribute Name='f'><DataItem Dimensions='2 3'>" values "</DataItem></Attribute>"
#define XI " xmlns:xi='http://www.w3.org/2001/XInclude'"

/* Two steps of two blocks; the first refers to a mesh beside, the second includes it. */
static const char all_steps[] =
    "<Xdmf Version='3.0'" XI "><Domain>" MESH
    "<Grid GridType='Collection' CollectionType='Temporal'>"
    "<Time TimeType='List'><DataItem Dimensions='2'>0.5 1.5</DataItem></Time>"
    "<Grid Name='0010' GridType='Collection' CollectionType='Spatial'>"
    "<Grid Name='a'><Topology Reference='/Xdmf/Domain/Topology[1]'/><Geometry "
    "Reference='XML'>/Xdmf/Domain/Geometry[@Name=\"g\"]</Geometry>" FIELD(
        "1 2 3 4 5 6") "</Grid>"
                       "<Grid Name='b'><xi:include href='mesh.xmf' "
                       "xpointer='element(/1/1)'/>"
                       "<xi:include xpointer='xpointer(//Geometry[1])'/>" FIELD(
                           "2 2 3 4 5 6") "</Grid></Grid>"
                                          "<Grid Name='0020' GridType='Tree'>"
                                          "<Grid Name='a'><Topology "
                                          "Reference='/Xdmf/Domain/Topology[1]'/>"
                                          "<Geometry "
                                          "Reference='/Xdmf/Domain/Geometry'/>" FIELD(
                                              "3 2 3 4 5 6") "</Grid>"
                                                             "<Grid Name='b'><xi:include "
                                                             "href='mesh.xmf' "
                                                             "xpointer='element(/1/1)'/>"
                                                             "<Geometry "
                                                             "GeometryType='XY'><"
                                                             "DataItem Dimensions='6 "
                                                             "2'>0 0 1 0 2 0 0 1 1 1 7 "
                                                             "1</DataItem></"
                                                             "Geometry>" FIELD(
                                                                 "4 2 3 4 5 6") "</"
                                                                                "Grid></"
                                                                                "Grid></"
                                                                                "Grid></"
                                                                                "Domain><"
                                                                                "/Xdmf>";

static void check_first(io_source *source, int step, int block, double right)
{
    const io_box box = {{0, 0, 0}, {1, 1, 1}};
    double got = 0.0;
    check_ok(io_source_read_doubles(source, step, block, 0, &box, &got), "a value");
    check(got == right, "step %d, block %d: %g", step, block, got);
}

static void steps_and_blocks_are_read(void)
{
    static char mesh[512];
    snprintf(mesh, sizeof mesh, "%s", test_path("mesh.xmf"));
    write_text(mesh, "<Xdmf>" MESH "</Xdmf>");
    write_text(path, all_steps);
    io_source *source = open_source(path);
    if (!source) {
        return;
    }
    check(io_source_step_count(source) == 2 && io_source_block_count(source) == 2,
          "two steps and blocks");
    check(io_source_steps(source)[1].number == 20 &&
              io_source_steps(source)[1].time == 1.5,
          "numbers by names, and times of the list");
    check(io_source_moves(source), "the second block moves");
    for (int n = 0; n < 4; n++) {
        check_first(source, n / 2, n % 2, n + 1.0);
    }
    const io_box corner = {{2, 1, 0}, {1, 1, 1}};
    for (int step = 0; step < 2; step++) {
        double x = 0.0;
        check(io_source_choose_grid(source, step) == STATUS_OK, "the grid of a step");
        check_ok(io_source_read(source, IO_GRID_STEP, 1, IO_ARRAY_X, &corner, &x), "x");
        check(x == (step == 0 ? 2.0 : 7.0), "step %d: x is %g", step, x);
    }
    io_source_close(&source);
}

#define GRID(inside) "<Xdmf" XI "><Domain><Grid>" inside "</Grid></Domain></Xdmf>"

static void bad_files_are_refused(void)
{
    static const char *const cases[][2] = {
        {GRID("<Topology TopologyType='Tetrahedron' NumberOfElements='3'/>"),
         "Resample To Image"},
        {"<Xdmf><Domain/></Xdmf>", "has no grid"},
        {GRID("<Topology TopologyType='3DSMesh' Dimensions='2 x 2'/>"), "2 x 2"},
        {GRID("<Topology TopologyType='3DSMesh' Dimensions='2 2 2'/>"),
         "without a Geometry"},
        {GRID(MESH FIELD("1 2 3 four 5 6")), "no number"},
        {GRID(MESH FIELD("1 2")), "fewer"},
        {GRID(MESH "<Attribute Name='f'><DataItem Dimensions='7'>1 2 3 4 5 6 7</DataItem>"
                   "</Attribute>"),
         "7 values of 'f'"},
        {GRID(MESH "<Attribute Name='f'><DataItem Dimensions='2 3' Format='HDF'>no.h5:/x"
                   "</DataItem></Attribute>"),
         "no.h5"},
        {GRID(MESH
              "<Attribute Name='f'><DataItem Dimensions='2 3' Format='HDF'>data.h5:/no"
              "</DataItem></Attribute>"),
         "no data set '/no'"},
        {GRID(MESH "<Attribute Name='f'><DataItem Dimensions='2 3' Format='Binary'>no.bin"
                   "</DataItem></Attribute>"),
         "no.bin"},
        {GRID(MESH "<Attribute Name='f'><DataItem ItemType='HyperSlab'><DataItem "
                   "Dimensions='3 2'>1 0 1 1 2 3</DataItem><DataItem Dimensions='2 "
                   "3'>1 2 3 4 5 6</DataItem></DataItem></Attribute>"),
         "leaves its item"},
        {GRID("<Topology Reference='/Xdmf/No'/>"), "'/Xdmf/No'"},
        {GRID("<Topology Reference='/Xdmf/Domain/Grid/Topology'/>"), "without end"},
        {GRID("<xi:include xpointer='xpointer(/Xdmf)'/>"), "holds the xi:include"},
        {GRID("<xi:include href='none.xmf'/>"), "none.xmf"},
        {"<!DOCTYPE Xdmf [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><Xdmf/>", "document type"},
        {"<Xdmf><Domain>", "no complete XML"},
    };
    write_file(&all_forms[1]);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        write_text(path, cases[n][0]);
        if (strcmp(cases[n][1], "no number") != 0) {
            check_refused(path, cases[n][1]);
            continue;
        }
        const io_box box = {{0, 0, 0}, {2, 2, 1}};
        double values[4];
        io_source *source = open_source(path);
        check(source && io_source_read(source, 0, 0, 0, &box, values) == STATUS_INPUT,
              "numbers that are none");
        io_source_close(&source);
        base_fail_set_message("");
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_xdmf");
    snprintf(path, sizeof path, "%s", test_path("data.xmf"));
    snprintf(heavy, sizeof heavy, "%s", test_path("data.h5"));
    snprintf(binary, sizeof binary, "%s", test_path("data.bin"));
    run_test("XDMF files of all forms are read", all_forms_are_read);
    run_test("steps and blocks of XDMF files are read", steps_and_blocks_are_read);
    run_test("cut files are refused", cut_files_are_refused);
    run_test("bad files are refused with a sentence", bad_files_are_refused);
    test_file_remove(test_path("mesh.xmf"));
    test_file_remove(path);
    test_file_remove(heavy);
    test_file_remove(binary);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
