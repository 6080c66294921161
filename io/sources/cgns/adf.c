#include "adf.h"

#include "io/gzip/unpacked.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of the format's parts. */
enum { TAG = 4, POINTER = 12, BLOCK = 4096, FILE_HEADER = 186, NODE_HEADER = 246 };
enum { CHUNK_HEADER = TAG + POINTER, CHILD = CGNS_ADF_NAME + POINTER };

/* ---- Bytes ------------------------------------------------------------------------- */

static status fail_damaged(const cgns_adf *file, const char *what, int64_t at)
{
    return base_fail(STATUS_INPUT,
                     "ADF file '%s' is cut off or damaged: it has %" PRId64
                     " bytes, but %s should begin at byte %" PRId64,
                     file->path, file->size, what, at);
}

static status read_bytes(const cgns_adf *file, int64_t at, int64_t bytes, void *out)
{
    char *to = out;
    while (bytes > 0) {
        const ssize_t count = pread(file->descriptor, to, (size_t)bytes, (off_t)at);
        if (count <= 0 && !(count < 0 && errno == EINTR)) {
            return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", file->path,
                             count < 0 ? strerror(errno) : "it was cut off meanwhile");
        }
        to += count > 0 ? count : 0;
        at += count > 0 ? count : 0;
        bytes -= count > 0 ? count : 0;
    }
    return STATUS_OK;
}

static bool is_inside(const cgns_adf *file, int64_t at, int64_t bytes)
{
    return at >= 0 && bytes >= 0 && bytes <= file->size && at <= file->size - bytes;
}

/* Reads a part of the file that begins with a tag. `what` names it in messages. */
static status read_part(const cgns_adf *file, int64_t at, int64_t bytes, const char *tag,
                        const char *what, char *out)
{
    status s = is_inside(file, at, bytes) ? read_bytes(file, at, bytes, out)
                                          : fail_damaged(file, what, at);
    return s != STATUS_OK || memcmp(out, tag, TAG) == 0 ? s
                                                        : fail_damaged(file, what, at);
}

/* ---- Numbers ----------------------------------------------------------------------- */

/* A number as hexadecimal text; -1: it is none. */
static int64_t take_text(const char *bytes, int length)
{
    int64_t value = 0;
    for (int n = 0; n < length; n++) {
        const char c = bytes[n];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                 : -1;
        if (digit < 0) {
            return -1;
        }
        value = value << 4 | digit;
    }
    return value;
}

/* A number as the file's version writes pointers and extents; -1: it is none, or too
 * large. */
static int64_t take_number(const cgns_adf *file, const char *bytes, int length)
{
    uint64_t value = 0;
    if (file->is_text) {
        return take_text(bytes, length);
    }
    for (int n = 0; n < length; n++) {
        value = value << 8 | (unsigned char)bytes[file->is_big ? n : length - 1 - n];
    }
    return value <= (uint64_t)INT64_MAX / BLOCK / 2 ? (int64_t)value : -1;
}

/* The byte that a pointer means; -1: none. */
static int64_t take_pointer(const cgns_adf *file, const char *bytes)
{
    const int64_t block = take_number(file, bytes, 8);
    const int64_t offset = take_number(file, bytes + 8, 4);
    return block < 0 || offset < 0 ? -1 : block * BLOCK + offset;
}

/* Copies a name without the blanks at its end. */
static void take_name(const char *bytes, char name[CGNS_ADF_NAME + 1])
{
    size_t length = strnlen(bytes, CGNS_ADF_NAME);
    while (length > 0 && bytes[length - 1] == ' ') {
        length--;
    }
    memcpy(name, bytes, length);
    name[length] = '\0';
}

/* ---- The file ---------------------------------------------------------------------- */

/* The first four bytes, "@(#)", mostly have their highest bit set. */
static bool is_signature(const char bytes[20])
{
    for (int n = 0; n < 4; n++) {
        if ((bytes[n] & 0x7f) != "@(#)"[n]) {
            return false;
        }
    }
    return memcmp(bytes + 4, "ADF Database", 12) == 0;
}

bool cgns_adf_is(FILE *stream)
{
    char bytes[20];
    fseek(stream, 0, SEEK_SET);
    return fread(bytes, sizeof bytes, 1, stream) == 1 && is_signature(bytes);
}

static status read_header(cgns_adf *file)
{
    char header[FILE_HEADER];
    if (!is_inside(file, 0, FILE_HEADER)) {
        return fail_damaged(file, "a header of 186 bytes", 0);
    }
    status s = read_bytes(file, 0, FILE_HEADER, header);
    if (s != STATUS_OK) {
        return s;
    }
    const char version = header[25], order = header[100];
    if (!is_signature(header) || (version != 'A' && version != 'B')) {
        return base_fail(STATUS_INPUT, "file '%s' is not ADF of version A or B",
                         file->path);
    }
    if (memcmp(header + 96, "AdF2", TAG) != 0 || memcmp(header + 102, "AdF3", TAG) != 0 ||
        memcmp(header + 130, "AdF4", TAG) != 0) {
        return fail_damaged(file, "a header", 0);
    }
    file->is_text = version == 'A';
    file->is_big = order == 'B';
    file->separator = version == 'A' && take_text(header + 26, 2) < 2 ? ' ' : '>';
    file->long_size = (int)take_text(header + 112, 2);
    file->root = take_pointer(file, header + 134);
    if ((order != 'B' && order != 'L') || take_text(header + 110, 2) != 4 ||
        take_text(header + 114, 2) != 4 || take_text(header + 116, 2) != 8 ||
        (file->long_size != 4 && file->long_size != 8)) {
        return base_fail(STATUS_INPUT,
                         "ADF file '%s' has numbers of another kind than IEEE_BIG or "
                         "IEEE_LITTLE: 'adf2hdf OLD NEW' may make HDF5 of it",
                         file->path);
    }
    return STATUS_OK;
}

status cgns_adf_open(const char *path, cgns_adf *out)
{
    struct stat about;
    cgns_adf file = {.path = path, .descriptor = io_packed_descriptor(path)};
    if (file.descriptor < 0 || fstat(file.descriptor, &about) != 0) {
        status s = base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                             strerror(errno));
        cgns_adf_close(&file);
        return s;
    }
    file.size = S_ISREG(about.st_mode) ? (int64_t)about.st_size : 0;
    status s = read_header(&file);
    if (s != STATUS_OK) {
        cgns_adf_close(&file);
        return s;
    }
    *out = file;
    return STATUS_OK;
}

void cgns_adf_close(cgns_adf *file)
{
    if (file->path && file->descriptor >= 0) {
        close(file->descriptor);
    }
    *file = (cgns_adf){0};
}

/* ---- Nodes ------------------------------------------------------------------------- */

status cgns_adf_read_node(const cgns_adf *file, int64_t at, cgns_adf_node *out)
{
    char bytes[NODE_HEADER];
    status s = read_part(file, at, NODE_HEADER, "NoDe", "a node", bytes);
    if (s != STATUS_OK) {
        return s;
    }
    take_name(bytes + 4, out->name);
    take_name(bytes + 36, out->label);
    take_name(bytes + 96, out->type);
    out->nchildren = take_text(bytes + 68, 8);
    out->children = take_pointer(file, bytes + 84);
    out->rank = (int)take_text(bytes + 128, 2);
    out->nchunks = take_text(bytes + 226, 4);
    out->data = take_pointer(file, bytes + 230);
    bool is_sound = memcmp(bytes + NODE_HEADER - TAG, "TaiL", TAG) == 0 &&
                    out->nchildren >= 0 && out->rank >= 0 && out->rank <= CGNS_ADF_AXES &&
                    out->nchunks >= 0;
    for (int axis = 0; axis < out->rank && is_sound; axis++) {
        out->shape[axis] = take_number(file, bytes + 130 + 8 * axis, 8);
        is_sound = out->shape[axis] >= 0;
    }
    return is_sound ? STATUS_OK : fail_damaged(file, "a node", at);
}

/* Reads a table of `rows` rows behind a chunk's header; malloc'ed. */
static status read_table(const cgns_adf *file, int64_t at, int64_t rows, int64_t row,
                         const char *tag, char **out)
{
    const char *what = "a table";
    if (rows > file->size / row) {
        return fail_damaged(file, what, at);
    }
    const int64_t bytes = CHUNK_HEADER + rows * row;
    char *table = is_inside(file, at, bytes) ? malloc((size_t)bytes) : NULL;
    if (!table) {
        return is_inside(file, at, bytes)
                   ? base_fail_memory((size_t)bytes, "a table of an ADF file")
                   : fail_damaged(file, what, at);
    }
    status s = read_part(file, at, bytes, tag, what, table);
    if (s != STATUS_OK) {
        free(table);
        return s;
    }
    *out = table;
    return STATUS_OK;
}

status cgns_adf_read_children(const cgns_adf *file, const cgns_adf_node *node,
                              cgns_adf_child **out)
{
    char *table = NULL;
    *out = NULL;
    if (node->nchildren == 0) {
        return STATUS_OK;
    }
    status s = read_table(file, node->children, node->nchildren, CHILD, "SNTb", &table);
    if (s != STATUS_OK) {
        return s;
    }
    cgns_adf_child *children = malloc((size_t)node->nchildren * sizeof *children);
    for (int64_t n = 0; n < node->nchildren && children; n++) {
        const char *row = table + CHUNK_HEADER + n * CHILD;
        take_name(row, children[n].name);
        children[n].at = take_pointer(file, row + CGNS_ADF_NAME);
    }
    free(table);
    *out = children;
    return children ? STATUS_OK
                    : base_fail_memory((size_t)node->nchildren * sizeof *children,
                                       "nodes of an ADF file");
}

/* ---- Data -------------------------------------------------------------------------- */

/* Finds up to `most` bytes of data of a chunk; its header points to its end. */
static status find_chunk(const cgns_adf *file, int64_t at, int64_t most,
                         cgns_adf_piece *out)
{
    char header[CHUNK_HEADER];
    status s = read_part(file, at, CHUNK_HEADER, "DaTa", "data", header);
    if (s != STATUS_OK) {
        return s;
    }
    const int64_t end = take_pointer(file, header + TAG), first = at + CHUNK_HEADER;
    if (end < first || !is_inside(file, end, TAG)) {
        return fail_damaged(file, "the end of data", end);
    }
    *out = (cgns_adf_piece){first, end - first < most ? end - first : most};
    return STATUS_OK;
}

/* The same for each chunk of a table. */
static status find_chunks(const cgns_adf *file, const cgns_adf_node *node, int64_t bytes,
                          cgns_adf_piece *out)
{
    char *table = NULL;
    status s = read_table(file, node->data, node->nchunks, 2 * POINTER, "DCtb", &table);
    for (int64_t n = 0; n < node->nchunks && bytes > 0 && s == STATUS_OK; n++) {
        const char *row = table + CHUNK_HEADER + n * 2 * POINTER;
        s = find_chunk(file, take_pointer(file, row), bytes, &out[n]);
        bytes -= s == STATUS_OK ? out[n].length : 0;
    }
    free(table);
    return s;
}

status cgns_adf_find_data(const cgns_adf *file, const cgns_adf_node *node, int64_t bytes,
                          int64_t *count, cgns_adf_piece **out)
{
    cgns_adf_piece *pieces = calloc((size_t)node->nchunks + 1, sizeof *pieces);
    int64_t kept = 0, found = 0;
    if (!pieces) {
        return base_fail_memory((size_t)node->nchunks * sizeof *pieces, "data of a node");
    }
    status s = node->nchunks == 1 ? find_chunk(file, node->data, bytes, pieces)
                                  : find_chunks(file, node, bytes, pieces);
    for (int64_t n = 0; n < node->nchunks && s == STATUS_OK; n++) {
        pieces[kept] = pieces[n];
        found += pieces[n].length;
        kept += pieces[n].length > 0;
    }
    if (s == STATUS_OK && found < bytes) {
        s = base_fail(STATUS_INPUT,
                      "ADF file '%s' is damaged: node '%s' has %" PRId64
                      " bytes of data, but %" PRId64 " are needed",
                      file->path, node->name, found, bytes);
    }
    if (s != STATUS_OK) {
        free(pieces);
        return s;
    }
    *count = kept;
    *out = pieces;
    return STATUS_OK;
}

status cgns_adf_read_pieces(const cgns_adf *file, int64_t count,
                            const cgns_adf_piece *pieces, void *out)
{
    status s = STATUS_OK;
    char *to = out;
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        s = read_bytes(file, pieces[n].offset, pieces[n].length, to);
        to += pieces[n].length;
    }
    return s;
}
