/* XML files of VTK give the values that were written, in all encodings and on any number
 * of ranks; damaged ones are refused. */
#include "base/log.h"
#include "io/source.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef KARMAN_HAS_LZ4
#include <lz4.h>
#endif
#ifdef KARMAN_HAS_LZMA
#include <lzma.h>
#endif

enum { NI = 5, NJ = 4, NK = 3, VERTICES = NI * NJ * NK, FIELDS = 5, MOST = 1 << 16 };

/* How a file is written. */
typedef struct form {
    const char *type; /* StructuredGrid, RectilinearGrid, ImageData */
    bool is_text, is_appended, is_raw, is_packed, is_wide, is_big;
    bool hides;         /* a point, by vtkGhostType */
    const char *packer; /* NULL: ZLib */
} form;

static const form all_forms[] = {
    {"StructuredGrid", .is_text = true},
    {"StructuredGrid", .is_big = true},
    {"StructuredGrid", .is_wide = true},
    {"StructuredGrid", .is_packed = true},
    {"StructuredGrid", .is_packed = true, .is_wide = true, .is_big = true},
    {"StructuredGrid", .is_appended = true},
    {"StructuredGrid", .is_appended = true, .is_packed = true},
    {"StructuredGrid", .is_appended = true, .is_raw = true},
    {"StructuredGrid", .is_appended = true, .is_raw = true, .is_big = true},
    {"StructuredGrid", .is_appended = true, .is_raw = true, .is_wide = true},
    {"StructuredGrid", .is_appended = true, .is_raw = true, .is_packed = true},
    {"RectilinearGrid", .is_text = true},
    {"RectilinearGrid", .is_appended = true, .is_raw = true},
    {"ImageData", .is_text = true},
    {"ImageData", .is_appended = true, .is_raw = true, .is_packed = true},
    {"StructuredGrid", .is_text = true, .hides = true},
    {"StructuredGrid", .is_packed = true, .hides = true},
    {"StructuredGrid", .is_appended = true, .is_raw = true, .hides = true},
#ifdef KARMAN_HAS_LZ4
    {"StructuredGrid", .is_appended = true, .is_raw = true, .is_packed = true,
     .packer = "LZ4"},
    {"StructuredGrid", .is_packed = true, .packer = "LZ4"},
#endif
#ifdef KARMAN_HAS_LZMA
    {"ImageData", .is_appended = true, .is_packed = true, .packer = "LZMA"},
    {"RectilinearGrid", .is_packed = true, .is_big = true, .packer = "LZMA"},
#endif
};
enum { FORMS = sizeof all_forms / sizeof all_forms[0] };

static char path[512];

/* Numbers that float32 holds. */
static double number(int array, int i, int j, int k)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * array;
}

/* ---- Writing ----------------------------------------------------------------------- */

typedef struct buffer {
    unsigned char bytes[MOST];
    size_t size;
} buffer;

static buffer values, stored, appended;

static void add(buffer *to, const void *bytes, size_t size)
{
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

/* Adds a number of the machine, which has the least significant byte first, as all
 * machines of these tests do. */
static void add_ordered(buffer *to, const void *from, size_t size, bool is_big)
{
    unsigned char bytes[8];
    for (size_t n = 0; n < size; n++) {
        bytes[n] = ((const unsigned char *)from)[is_big ? size - 1 - n : n];
    }
    add(to, bytes, size);
}

static void add_header(buffer *to, const form *how, uint64_t value)
{
    const uint32_t half = (uint32_t)value;
    add_ordered(to, how->is_wide ? (const void *)&value : (const void *)&half,
                how->is_wide ? 8 : 4, how->is_big);
}

static void add_base64(buffer *to, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size; n += 3) {
        const unsigned second = n + 1 < size ? bytes[n + 1] : 0;
        const unsigned third = n + 2 < size ? bytes[n + 2] : 0;
        const unsigned bits = (unsigned)bytes[n] << 16 | second << 8 | third;
        const char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63],
                              n + 1 < size ? letters[bits >> 6 & 63] : '=',
                              n + 2 < size ? letters[bits & 63] : '='};
        add(to, four, 4);
    }
}

/* Adds bytes as the file stores them: the header and the values may be a base64 each. */
static void add_stored(buffer *to, const form *how, size_t header)
{
    if (how->is_raw) {
        add(to, stored.bytes, stored.size);
    } else {
        add_base64(to, stored.bytes, header);
        add_base64(to, stored.bytes + header, stored.size - header);
    }
}

/* Compresses bytes; *size: the room for them, then their number. */
static void pack(const form *how, const unsigned char *bytes, size_t count,
                 unsigned char *out, size_t *size)
{
#ifdef KARMAN_HAS_LZ4
    if (how->packer && strcmp(how->packer, "LZ4") == 0) {
        *size = (size_t)LZ4_compress_default((const char *)bytes, (char *)out, (int)count,
                                             (int)*size);
        return;
    }
#endif
#ifdef KARMAN_HAS_LZMA
    if (how->packer && strcmp(how->packer, "LZMA") == 0) {
        size_t given = 0;
        lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes, count, out, &given,
                                *size);
        *size = given;
        return;
    }
#endif
    uLongf given = *size;
    check(!how->packer && compress2(out, &given, bytes, count, 6) == Z_OK, "packing");
    *size = given;
}

/* Adds the array in `values`, with its header. */
static void add_array(buffer *to, const form *how)
{
    enum { BLOCK = 100 };
    stored.size = 0;
    if (!how->is_packed) {
        add_header(&stored, how, values.size);
        add(&stored, values.bytes, values.size);
        add_stored(to, how, how->is_raw ? 0 : stored.size);
        return;
    }
    static buffer packed;
    const size_t blocks = (values.size + BLOCK - 1) / BLOCK;
    add_header(&stored, how, blocks);
    add_header(&stored, how, BLOCK);
    add_header(&stored, how, values.size % BLOCK);
    packed.size = 0;
    for (size_t n = 0; n < blocks; n++) {
        const size_t rest = values.size - n * BLOCK;
        size_t size = MOST - packed.size;
        pack(how, values.bytes + n * BLOCK, rest < BLOCK ? rest : BLOCK,
             packed.bytes + packed.size, &size);
        add_header(&stored, how, size);
        packed.size += size;
    }
    const size_t header = stored.size;
    add(&stored, packed.bytes, packed.size);
    add_stored(to, how, header);
}

/* Ends an array in `values`, of this type: writes it, or its place. */
static void put_array(FILE *f, const form *how, const char *name, const char *type,
                      int components)
{
    static buffer text;
    const bool is_byte = strcmp(type, "UInt8") == 0;
    fprintf(f, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" ", type,
            name, components);
    if (how->is_text) {
        fprintf(f, "format=\"ascii\">\n");
        for (size_t n = 0; n < values.size; n += is_byte ? 1 : 4) {
            float one = values.bytes[n];
            if (!is_byte) {
                memcpy(&one, values.bytes + n, sizeof one);
            }
            fprintf(f, " %.9g", (double)one);
        }
    } else if (how->is_appended) {
        fprintf(f, "format=\"appended\" offset=\"%zu\">", appended.size);
        add_array(&appended, how);
    } else {
        text.size = 0;
        add_array(&text, how);
        fprintf(f, "format=\"binary\">\n %.*s\n", (int)text.size, text.bytes);
    }
    fprintf(f, "</DataArray>\n");
    values.size = 0;
}

static void add_number(const form *how, double value)
{
    const float single = (float)value;
    add_ordered(&values, &single, sizeof single, how->is_big);
}

/* Writes tuples of `components` numbers, those of arrays from `array` on. */
static void put_tuples(FILE *f, const form *how, const char *name, const int shape[2])
{
    const int less = shape[0] == 3, components = shape[1];
    for (int k = 0; k < NK - less; k++) {
        for (int j = 0; j < NJ - less; j++) {
            for (int i = 0; i < NI - less; i++) {
                for (int c = 0; c < components; c++) {
                    add_number(how, number(shape[0] + c, i, j, k));
                }
            }
        }
    }
    put_array(f, how, name, "Float32", components);
}

/* Hides the vertex (1, 1, 0). */
static void put_ghosts(FILE *f, const form *how)
{
    memset(values.bytes, 0, VERTICES);
    values.bytes[NI + 1] = 2;
    values.size = VERTICES;
    put_array(f, how, "vtkGhostType", "UInt8", 1);
}

static void put_grid(FILE *f, const form *how)
{
    static const int n[3] = {NI, NJ, NK};
    if (strcmp(how->type, "StructuredGrid") == 0) {
        fprintf(f, "<Points>\n");
        put_tuples(f, how, "Points", (const int[2]){0, 3});
        fprintf(f, "</Points>\n");
    } else if (strcmp(how->type, "RectilinearGrid") == 0) {
        fprintf(f, "<Coordinates>\n");
        for (int axis = 0; axis < 3; axis++) {
            for (int i = 0; i < n[axis]; i++) {
                add_number(how, 3.0 * i * i + axis);
            }
            put_array(f, how, "axis", "Float32", 1);
        }
        fprintf(f, "</Coordinates>\n");
    }
}

static void write_xml(FILE *f, const form *how)
{
    const char *extent = "2 6 0 3 -1 1";
    appended.size = values.size = 0;
    fprintf(f,
            "<?xml version=\"1.0\"?>\n<!-- of a test: <Piece> -->\n"
            "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"%s\"%s%s%s>\n",
            how->type, how->is_big ? "BigEndian" : "LittleEndian",
            how->is_wide ? "UInt64" : "UInt32", how->is_packed ? " compressor=\"vtk" : "",
            how->is_packed ? (how->packer ? how->packer : "ZLib") : "",
            how->is_packed ? "DataCompressor\"" : "");
    fprintf(f, "<%s WholeExtent=\"%s\" Origin=\"0 2 5\" Spacing=\"0.5 0.25 2\">\n",
            how->type, extent);
    fprintf(f, "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
               "NumberOfTuples=\"1\" format=\"ascii\">2.5</DataArray></FieldData>\n");
    fprintf(f, "<Piece Extent=\"%s\">\n<PointData>\n", extent);
    put_tuples(f, how, "velocity", (const int[2]){4, 3});
    put_tuples(f, how, "temp here", (const int[2]){7, 1});
    if (how->hides) {
        put_ghosts(f, how);
    }
    fprintf(f, "</PointData>\n<CellData>\n");
    put_tuples(f, how, "pressure", (const int[2]){3, 1});
    fprintf(f, "</CellData>\n");
    put_grid(f, how);
    fprintf(f, "</Piece>\n</%s>\n", how->type);
    if (how->is_appended) {
        fprintf(f, "<AppendedData encoding=\"%s\">\n_", how->is_raw ? "raw" : "base64");
        fwrite(appended.bytes, 1, appended.size, f);
        fprintf(f, "\n</AppendedData>\n");
    }
    fprintf(f, "</VTKFile>\n");
}

static void write_file(const char *name, const form *how)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (is_root()) {
        FILE *f = fopen(name, "wb");
        write_xml(f, how);
        fclose(f);
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

static double place_of(const form *how, int axis, const int at[3])
{
    /* of the vertex (2, 0, -1), where the extent begins */
    static const double origin[3] = {1, 2, 3}, spacing[3] = {0.5, 0.25, 2};
    return how->type[0] == 'S'   ? number(axis, at[0], at[1], at[2])
           : how->type[0] == 'R' ? 3.0 * at[axis] * at[axis] + axis
                                 : origin[axis] + spacing[axis] * at[axis];
}

/* Compares a box of an array of a block; `first`: its number in `number`, or -1 of a
 * coordinate. */
static void check_box(io_source *source, const form *how, const int place[2], int first)
{
    const io_box box = {{1, 1, 0}, {2, 2, 2}};
    const int block = place[0], array = place[1];
    double got[8] = {0};
    const status s = array < 0
                         ? io_source_read(source, 0, block, array, &box, got)
                         : io_source_read_doubles(source, 0, block, array, &box, got);
    check_ok(s, "a box");
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

static void check_hidden(io_source *source)
{
    const io_box box = {{1, 1, 0}, {2, 1, 1}};
    int32_t iblank[2] = {7, 7};
    check_ok(io_source_read(source, 0, 0, IO_ARRAY_IBLANK, &box, iblank), "iblank");
    check(iblank[0] == 0 && iblank[1] == 1, "iblank is %d, %d", iblank[0], iblank[1]);
}

static void check_block(io_source *source, const form *how, int block)
{
    for (int axis = 0; axis < 3; axis++) {
        check_box(source, how, (const int[2]){block, IO_ARRAY_X + axis}, -1);
    }
    check_box(source, how, (const int[2]){block, find_field(source, "pressure")}, 3);
    check_box(source, how, (const int[2]){block, find_field(source, "velocity_x")}, 4);
    check_box(source, how, (const int[2]){block, find_field(source, "velocity_z")}, 6);
    check_box(source, how, (const int[2]){block, find_field(source, "temp_here")}, 7);
}

static io_source *open_source(const char *name)
{
    const io_data_config config = {.file = (char *)name};
    io_source *source = NULL;
    return check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "opening") ? source
                                                                                 : NULL;
}

static void check_file(const form *how)
{
    write_file(path, how);
    io_source *source = open_source(path);
    if (!source) {
        return;
    }
    check(io_source_field_count(source) == FIELDS, "form %d: %d fields",
          (int)(how - all_forms), io_source_field_count(source));
    check(io_source_steps(source)[0].time == 2.5, "the time is 2.5");
    check(io_source_fields(source)[find_field(source, "pressure")].location == GRID_CELL,
          "pressure is in cells");
    check(io_source_blocks(source)[0].has_iblank == how->hides, "iblank is there");
    check_block(source, how, 0);
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

/* A file cut anywhere before the end of its values is refused. */
static void cut_files_are_refused(void)
{
    for (int n = 0; n < FORMS; n++) {
        write_file(path, &all_forms[n]);
        int64_t size = 0;
        if (is_root()) {
            FILE *f = fopen(path, "rb");
            fseek(f, 0, SEEK_END);
            size = ftell(f);
            fclose(f);
        }
        parallel_bcast(&size, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
        for (int64_t left = size - 40; left > 200; left -= 331) {
            const io_data_config config = {.file = path};
            io_source *source = NULL;
            MPI_Barrier(MPI_COMM_WORLD);
            check(!is_root() || truncate(path, left) == 0, "cutting");
            MPI_Barrier(MPI_COMM_WORLD);
            check(io_source_open(MPI_COMM_WORLD, &config, &source) == STATUS_INPUT,
                  "form %d, cut to %d bytes", n, (int)left);
            io_source_close(&source);
        }
    }
}

/* ---- Several blocks ---------------------------------------------------------------- */

#define SET_HEAD                                                                         \
    "<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\"><vtkMultiBlockDataSet>"      \
    "<Block index=\"0\"><DataSet index=\"0\" name=\"wing\" file=\"a.vts\"/>"             \
    "<DataSet index=\"1\" name=\"tail\" file=\""
#define SET_TAIL "\"/></Block><DataSet file=\"c.vtu\"/></vtkMultiBlockDataSet></VTKFile>"

static void check_set(const char *set, const form *how, const char *second)
{
    io_source *source = open_source(set);
    if (!source) {
        return;
    }
    check(io_source_block_count(source) == 2, "two blocks");
    check(strcmp(io_source_blocks(source)[1].name, second) == 0, "the second is '%s'",
          io_source_blocks(source)[1].name);
    check_block(source, &how[0], 0);
    check_block(source, &how[1], 1);
    io_source_close(&source);
}

static void blocks_of_several_files_are_read(void)
{
    static const form how[2] = {{"StructuredGrid", .is_packed = true},
                                {"ImageData", .is_appended = true, .is_raw = true}};
    char a[512], b[512], set[512];
    snprintf(a, sizeof a, "%s", test_path("a.vts"));
    snprintf(b, sizeof b, "%s", test_path("b.vti"));
    snprintf(set, sizeof set, "%s", test_path("set.vtm"));
    write_file(a, &how[0]);
    write_file(b, &how[1]);
    write_text(set, SET_HEAD "b.vti" SET_TAIL);
    check_set(set, how, "tail");
    write_text(set,
               "<VTKFile type=\"PStructuredGrid\"><PStructuredGrid><PPointData/>"
               "<Piece Extent=\"0 1 0 1 0 1\" Source=\"a.vts\"/><Piece Source=\"b.vti\"/>"
               "</PStructuredGrid></VTKFile>");
    check_set(set, how, "block_2");
    test_file_remove(a);
    test_file_remove(b);
    test_file_remove(set);
}

/* ---- Refusals ---------------------------------------------------------------------- */

static void check_refused(const char *text, const char *part)
{
    const io_data_config config = {.file = path};
    io_source *source = NULL;
    write_text(path, text);
    check(io_source_open(MPI_COMM_WORLD, &config, &source) == STATUS_INPUT,
          "'%s' is refused", text);
    check(strstr(base_fail_message(), part) != NULL, "'%s' is said: %s", part,
          base_fail_message());
    base_fail_set_message("");
    io_source_close(&source);
}

#define PIECE_HEAD(attributes, extent)                                                   \
    "<VTKFile type=\"StructuredGrid\" " attributes                                       \
    "><StructuredGrid><Piece Extent=\"" extent "\"><Points>"                             \
    "<DataArray type=\"Float32\" NumberOfComponents=\"3\" "
#define PIECE_TAIL "</DataArray></Points></Piece></StructuredGrid></VTKFile>"

/* ---- Collections ------------------------------------------------------------------- */

#define COLLECTION(last)                                                                 \
    "<?xml version=\"1.0\"?><VTKFile type=\"Collection\"><Collection>\n"                 \
    "<DataSet timestep=\"2\" part=\"0\" file=\"a.vts\"/>"                                \
    "<DataSet timestep=\"2\" part=\"1\" file=\"" last "\"/>"                             \
    "<DataSet timestep=\"0.5\" part=\"0\" name=\"wing\" file=\"a.vts\"/>"                \
    "<DataSet timestep=\"0.5\" part=\"1\" file=\"b.vts\"/></Collection></VTKFile>"

/* Two steps of two parts; the second part of the last step is a file of its own. */
static void check_collection(const char *text, const form *last, bool moves)
{
    char set[512];
    snprintf(set, sizeof set, "%s", test_path("all.pvd"));
    write_text(set, text);
    io_source *source = open_source(set);
    if (!source) {
        return;
    }
    check(io_source_step_count(source) == 2 && io_source_block_count(source) == 2,
          "%d steps, %d blocks", io_source_step_count(source),
          io_source_block_count(source));
    check(io_source_steps(source)[0].time == 0.5 &&
              io_source_steps(source)[1].time == 2.0,
          "the times are 0.5 and 2");
    check(strcmp(io_source_blocks(source)[0].name, "wing") == 0, "the first is the wing");
    check(io_source_moves(source) == moves, "whether the grid moves");
    check_block(source, &all_forms[0], 1);
    if (moves) {
        check(io_source_choose_grid(source, 1) == STATUS_OK, "the grid of a step");
        const io_box box = {{2, 1, 1}, {1, 1, 1}};
        double x = 0.0;
        check_ok(io_source_read(source, IO_GRID_STEP, 1, IO_ARRAY_X, &box, &x), "x");
        check(x == place_of(last, 0, (const int[3]){2, 1, 1}), "x is %g", x);
    }
    io_source_close(&source);
    test_file_remove(set);
}

static void collections_are_steps(void)
{
    const form raw = {"StructuredGrid", .is_appended = true, .is_raw = true};
    const form packed = {"StructuredGrid", .is_packed = true};
    const form axes = {"RectilinearGrid", .is_text = true};
    const form *const thirds[] = {&raw, &packed, &axes};
    char names[3][512];
    snprintf(names[0], sizeof names[0], "%s", test_path("a.vts"));
    snprintf(names[1], sizeof names[1], "%s", test_path("b.vts"));
    snprintf(names[2], sizeof names[2], "%s", test_path("c.vts"));
    for (int n = 0; n < 3; n++) {
        write_file(names[0], thirds[n == 2 ? 0 : n]);
        write_file(names[1], thirds[n == 2 ? 0 : n]);
        write_file(names[2], thirds[n]);
        check_collection(COLLECTION("c.vts"), thirds[n], n == 2);
    }
    check_collection(COLLECTION("b.vts"), &raw, false);
    for (int n = 0; n < 3; n++) {
        test_file_remove(names[n]);
    }
}

static void what_karman_cannot_draw_is_refused(void)
{
    check_refused(SET_HEAD "b.vti" SET_TAIL, "a.vts");
    check_refused("<VTKFile type=\"vtkMultiBlockDataSet\"><vtkMultiBlockDataSet>"
                  "<DataSet file=\"c.vtu\"/></vtkMultiBlockDataSet></VTKFile>",
                  "no structured grid");
    check_refused("<VTKFile type=\"vtkMultiBlockDataSet\"><vtkMultiBlockDataSet>"
                  "<DataSet file=\"grid.vts\"/></vtkMultiBlockDataSet></VTKFile>",
                  "without end");
    check_refused("<!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile type=\"StructuredGrid\"/>",
                  "document type");
    check_refused(
        PIECE_HEAD("compressor=\"vtkOtherDataCompressor\"", "0 1 0 1 0 1") ">" PIECE_TAIL,
        "vtkOtherDataCompressor");
    check_refused(PIECE_HEAD("", "0 1 0 1 0 1") "format=\"ascii\">1 2 3" PIECE_TAIL,
                  "ends inside");
    check_refused(PIECE_HEAD("", "0 9999999 0 9999999 0 9999") ">1 2 3" PIECE_TAIL,
                  "array");
    check_refused(
        PIECE_HEAD("", "0 1 0 1 0 1") "format=\"binary\">/////wAAAAAAAAAA" PIECE_TAIL,
        "another size");
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_vtk_xml");
    snprintf(path, sizeof path, "%s", test_path("grid.vts"));
    run_test("all forms are read", all_forms_are_read);
    run_test("cut files are refused", cut_files_are_refused);
    run_test("blocks of several files are read", blocks_of_several_files_are_read);
    run_test("collections of files are steps", collections_are_steps);
    run_test("what karman cannot draw is refused", what_karman_cannot_draw_is_refused);
    test_file_remove(path);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
