#include "test_adf_support.h"

#include "test_io_support.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32, POINTER = 12, BLOCK = 4096, NODE = 246, ROOT = 266 };

/* A file that is being made. */
typedef struct output {
    const adf_form *form;
    size_t size, room;
    char *bytes;
    int narrays;
} output;

/* ---- Parts ------------------------------------------------------------------------- */

/* Adds room, filled with 'z' as ADF fills gaps. Returns its first byte. */
static size_t add_room(output *o, size_t bytes)
{
    const size_t at = o->size;
    while (o->size + bytes > o->room) {
        o->room = 2 * o->room + 65536;
        o->bytes = realloc(o->bytes, o->room);
        check(o->bytes != NULL, "no memory");
    }
    memset(o->bytes + at, 'z', bytes);
    o->size += bytes;
    return at;
}

static void put_text(output *o, size_t at, const char *text, size_t length)
{
    memset(o->bytes + at, ' ', length);
    memcpy(o->bytes + at, text, strlen(text) < length ? strlen(text) : length);
}

static void put_hexadecimal(output *o, size_t at, size_t value, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%0*zX", digits, value);
    memcpy(o->bytes + at, text, (size_t)digits);
}

/* A number of a pointer or an extent. */
static void put_number(output *o, size_t at, size_t value, int bytes)
{
    if (o->form->is_text) {
        put_hexadecimal(o, at, value, bytes);
        return;
    }
    for (int n = 0; n < bytes; n++) {
        const int from_end = o->form->is_big ? bytes - 1 - n : n;
        o->bytes[at + (size_t)n] = (char)(value >> 8 * from_end & 0xff);
    }
}

static void put_pointer(output *o, size_t at, size_t target)
{
    put_number(o, at, target / BLOCK, 8);
    put_number(o, at + 8, target % BLOCK, 4);
}

/* ---- Data -------------------------------------------------------------------------- */

static size_t add_chunk(output *o, const char *data, size_t bytes)
{
    add_room(o, 7);
    const size_t at = add_room(o, 4 + POINTER + bytes + 4);
    put_text(o, at, "DaTa", 4);
    put_pointer(o, at + 4, at + 4 + POINTER + bytes);
    memcpy(o->bytes + at + 4 + POINTER, data, bytes);
    put_text(o, at + 4 + POINTER + bytes, "dEnD", 4);
    return at;
}

/* Numbers may begin in one chunk and end in the next. */
static size_t add_chunks(output *o, const char *data, size_t bytes, int *count)
{
    enum { CHUNKS = 3 };
    const size_t cuts[CHUNKS + 1] = {0, 333, 334, bytes};
    const size_t size = 4 + POINTER + CHUNKS * 2 * POINTER + 4;
    const size_t table = add_room(o, size);
    for (size_t n = 0; n < CHUNKS; n++) {
        const size_t length = cuts[n + 1] - cuts[n];
        const size_t at = add_chunk(o, data + cuts[n], length);
        put_pointer(o, table + 4 + POINTER + n * 2 * POINTER, at);
        put_pointer(o, table + 4 + POINTER + n * 2 * POINTER + POINTER,
                    at + 4 + POINTER + length);
    }
    put_text(o, table, "DCtb", 4);
    put_pointer(o, table + 4, table + size - 4);
    put_text(o, table + size - 4, "dcTE", 4);
    *count = CHUNKS;
    return table;
}

static void put_data(output *o, size_t node, const char *type, int rank,
                     const hsize_t *dims, const char *data, size_t bytes)
{
    const bool is_split = bytes > 1000 && o->narrays++ % 2 == 0;
    int chunks = 1;
    const size_t at =
        is_split ? add_chunks(o, data, bytes, &chunks) : add_chunk(o, data, bytes);
    put_text(o, node + 96, type, NAME);
    put_hexadecimal(o, node + 128, (size_t)rank, 2);
    for (int n = 0; n < rank; n++) {
        put_number(o, node + 130 + 8 * (size_t)n, (size_t)dims[rank - 1 - n], 8);
    }
    put_hexadecimal(o, node + 226, (size_t)chunks, 4);
    put_pointer(o, node + 230, at);
}

/* The type in ADF; NULL: there is none. Makes that in HDF5, with the file's order. */
static const char *find_type(const output *o, hid_t set, hid_t *stored)
{
    const hid_t type = H5Dget_type(set);
    const size_t size = H5Tget_size(type);
    const H5T_class_t class = H5Tget_class(type);
    const char *name = class == H5T_FLOAT                  ? (size == 4 ? "R4" : "R8")
                       : class == H5T_INTEGER && size == 8 ? "I8"
                       : class == H5T_INTEGER && size == 4 ? "I4"
                       : class == H5T_INTEGER && size == 1 ? "C1"
                                                           : NULL;
    *stored = name && strcmp(name, "I8") == 0 && o->form->is_short
                  ? H5Tcopy(H5T_NATIVE_INT)
                  : H5Tcopy(type);
    if (name) {
        H5Tset_order(*stored, o->form->is_big ? H5T_ORDER_BE : H5T_ORDER_LE);
    }
    H5Tclose(type);
    return name;
}

static void copy_data(output *o, hid_t group, size_t node)
{
    enum { MOST = 1 << 20 };
    hsize_t dims[H5S_MAX_RANK];
    hid_t stored = -1;
    const hid_t set = H5Dopen(group, " data", H5P_DEFAULT);
    if (set < 0) {
        return;
    }
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const char *name = find_type(o, set, &stored);
    const size_t bytes = count > 0 ? (size_t)count * H5Tget_size(stored) : 0;
    if (name && rank > 0 && rank <= 12 && bytes > 0 && bytes <= MOST) {
        char *data = malloc(bytes);
        check(data && H5Dread(set, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
              "no data");
        put_data(o, node, name, rank, dims, data, bytes);
        free(data);
    }
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(set);
}

/* ---- Nodes ------------------------------------------------------------------------- */

static size_t add_node(output *o, hid_t group, const char *name);

typedef struct children {
    output *output;
    size_t table, count;
} children;

static herr_t count_child(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    H5O_info_t about;
    if (name[0] != ' ' && strlen(name) <= NAME && info->type == H5L_TYPE_HARD &&
        H5Oget_info_by_name(group, name, &about, H5P_DEFAULT) >= 0 &&
        about.type == H5O_TYPE_GROUP) {
        ((children *)context)->count++;
        return 1;
    }
    return 0;
}

static herr_t copy_child(hid_t group, const char *name, const H5L_info_t *info,
                         void *context)
{
    children *c = context;
    children one = {0};
    if (count_child(group, name, info, &one) == 1) {
        const hid_t child = H5Gopen(group, name, H5P_DEFAULT);
        const size_t at = add_node(c->output, child, name);
        const size_t row = c->table + 16 + 44 * c->count++;
        put_text(c->output, row, name, NAME);
        put_pointer(c->output, row + NAME, at);
        H5Gclose(child);
    }
    return 0;
}

static herr_t count_all(hid_t group, const char *name, const H5L_info_t *info,
                        void *context)
{
    count_child(group, name, info, context);
    return 0;
}

/* A table has room for more children than there are. */
static void copy_children(output *o, hid_t group, size_t node)
{
    enum { SPARE = 3 };
    children all = {0}, c = {.output = o};
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, count_all, &all);
    if (all.count > 0) {
        const size_t rows = all.count + SPARE;
        c.table = add_room(o, 16 + 44 * rows + 4);
        put_text(o, c.table, "SNTb", 4);
        put_pointer(o, c.table + 4, c.table + 16 + 44 * rows);
        put_text(o, c.table + 16 + 44 * rows, "snTE", 4);
        H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_child, &c);
        put_hexadecimal(o, node + 68, all.count, 8);
        put_hexadecimal(o, node + 76, rows, 8);
        put_pointer(o, node + 84, c.table);
    }
}

static void read_label(hid_t group, char label[64])
{
    const hid_t attribute =
        H5Aexists(group, "label") > 0 ? H5Aopen(group, "label", H5P_DEFAULT) : -1;
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    label[0] = '\0';
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Aget_storage_size(attribute) < 64) {
        H5Aread(attribute, type, label);
    }
    if (attribute >= 0) {
        H5Tclose(type);
        H5Aclose(attribute);
    }
}

/* The text of a link: ">PATH", or "FILE>PATH". */
static void copy_link(output *o, hid_t group, size_t node)
{
    char value[512] = "", text[1100];
    const char *file = "", *path = value;
    H5L_info_t info;
    unsigned flags;
    H5Lget_info(group, " link", &info, H5P_DEFAULT);
    H5Lget_val(group, " link", value, sizeof value - 1, H5P_DEFAULT);
    if (info.type == H5L_TYPE_EXTERNAL) {
        H5Lunpack_elink_val(value, info.u.val_size, &flags, &file, &path);
    }
    snprintf(text, sizeof text, "%s>%s", file, path);
    const hsize_t length = strlen(text);
    put_data(o, node, "LK", 1, &length, text, (size_t)length);
}

static size_t add_node(output *o, hid_t group, const char *name)
{
    char label[64] = "";
    const size_t at = add_room(o, NODE);
    read_label(group, label);
    memset(o->bytes + at, '0', NODE);
    put_text(o, at, "NoDe", 4);
    put_text(o, at + 4, name, NAME);
    put_text(o, at + 36, label, NAME);
    put_text(o, at + 96, "MT", NAME);
    for (int n = 0; n < 12; n++) {
        put_number(o, at + 130 + 8 * (size_t)n, 0, 8);
    }
    put_pointer(o, at + 84, BLOCK);
    put_pointer(o, at + 230, BLOCK);
    put_text(o, at + NODE - 4, "TaiL", 4);
    if (H5Lexists(group, " link", H5P_DEFAULT) > 0) {
        copy_link(o, group, at);
        return at;
    }
    if (H5Lexists(group, " data", H5P_DEFAULT) > 0) {
        copy_data(o, group, at);
    }
    copy_children(o, group, at);
    return at;
}

/* ---- The file ---------------------------------------------------------------------- */

static void put_header(output *o)
{
    static const int sizes[12] = {1, 2, 4, 8, 4, 8, 8, 8, 8, 8, 8, 8};
    memset(o->bytes, ' ', ROOT);
    memcpy(o->bytes, "\300\250\243\251", 4);
    put_text(o, 4,
             o->form->is_text ? "ADF Database Version A02011>"
                              : "ADF Database Version B02012>",
             28);
    put_text(o, 32, "AdF0", 4);
    put_text(o, 64, "AdF1", 4);
    put_text(o, 96, "AdF2", 4);
    o->bytes[100] = o->form->is_big ? 'B' : 'L';
    o->bytes[101] = o->form->is_short ? 'L' : 'B';
    put_text(o, 102, "AdF3", 4);
    for (size_t n = 0; n < 12; n++) {
        const bool is_long = n == 3 || n > 5;
        put_hexadecimal(o, 106 + 2 * n,
                        o->form->is_short && is_long ? 4 : (size_t)sizes[n], 2);
    }
    put_text(o, 130, "AdF4", 4);
    put_pointer(o, 134, ROOT);
    put_pointer(o, 146, o->size);
    put_pointer(o, 158, 186);
    put_pointer(o, 170, BLOCK);
    put_text(o, 182, "AdF5fCbt", 8);
}

void adf_replace(const char *path, const adf_form *form)
{
    output o = {.form = form};
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t root = H5Gopen(file, "/", H5P_DEFAULT);
    add_room(&o, ROOT);
    add_node(&o, root, "ADF MotherNode");
    put_header(&o);
    H5Gclose(root);
    H5Fclose(file);
    FILE *out = fopen(path, "wb");
    check(out && fwrite(o.bytes, 1, o.size, out) == o.size, "'%s' is not written", path);
    if (out) {
        fclose(out);
    }
    free(o.bytes);
}
