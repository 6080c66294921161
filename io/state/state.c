#include "state.h"

#include "base/hash.h"
#include "io/file.h"
#include "io/sources/hdf5/in_memory.h"

#include <errno.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of a file: this mark, then the hash of all bytes before the mark. */
static const char mark[8] = "karmanST";
enum { TRAILER = sizeof mark + sizeof(uint64_t) };

struct io_state {
    char *path;  /* of a file that was opened, for messages */
    hid_t file;  /* in memory; -1: none */
    void *bytes; /* of the closed file, or of the opened one */
    size_t size;
};

/* ---- In memory --------------------------------------------------------------------- */

status io_state_create(io_state **out)
{
    enum { GROWTH = 1 << 16 };
    io_state *made = calloc(1, sizeof *made);
    if (made) {
        H5E_BEGIN_TRY
        {
            made->file =
                io_hdf5_create_in_memory("karman state to write", GROWTH, &made->bytes);
        }
        H5E_END_TRY
    }
    if (!made || made->file < 0) {
        free(made);
        return base_fail_memory(sizeof *made, "a file of a state");
    }
    *out = made;
    return STATUS_OK;
}

void io_state_close(io_state **state)
{
    io_state *s = *state;
    if (s) {
        if (s->file >= 0) {
            H5Fclose(s->file);
        }
        free(s->bytes);
        free(s->path);
        free(s);
        *state = NULL;
    }
}

/* ---- Writing ----------------------------------------------------------------------- */

static hid_t type_in_file(io_state_type type)
{
    return type == IO_STATE_INT64     ? H5T_STD_I64LE
           : type == IO_STATE_FLOAT64 ? H5T_IEEE_F64LE
                                      : H5T_STD_U8LE;
}

static hid_t type_in_memory(io_state_type type)
{
    return type == IO_STATE_INT64     ? H5T_NATIVE_INT64
           : type == IO_STATE_FLOAT64 ? H5T_NATIVE_DOUBLE
                                      : H5T_NATIVE_UINT8;
}

static size_t size_of(io_state_type type)
{
    return type == IO_STATE_TEXT ? 1 : 8;
}

/* Times are not stored, so that equal states give equal files. */
static bool put(hid_t file, const char *path, const io_state_array *array)
{
    const hsize_t extents[2] = {(hsize_t)array->rows, (hsize_t)array->columns};
    hid_t space = H5Screate_simple(2, extents, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_create_intermediate_group(links, 1);
    hid_t made = H5Dcreate(file, path, type_in_file(array->type), space, links, creation,
                           H5P_DEFAULT);
    bool works = made >= 0;
    if (works && array->rows > 0) {
        works = H5Dwrite(made, type_in_memory(array->type), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         array->values) >= 0;
    }
    if (made >= 0) {
        works = H5Dclose(made) >= 0 && works;
    }
    H5Pclose(links);
    H5Pclose(creation);
    H5Sclose(space);
    return works;
}

status io_state_put(io_state *state, const char *path, const io_state_array *array)
{
    bool works = false;
    H5E_BEGIN_TRY
    {
        works = put(state->file, path, array);
    }
    H5E_END_TRY
    return works ? STATUS_OK
                 : base_fail_memory((size_t)array->rows * (size_t)array->columns *
                                        size_of(array->type),
                                    "a file of a state");
}

/* Closes the file: its bytes are then in state->bytes. */
static bool finish(io_state *state)
{
    bool works = H5Fflush(state->file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t size = works ? H5Fget_file_image(state->file, NULL, 0) : 0;
    works = H5Fclose(state->file) >= 0 && works && state->bytes && size > 0;
    state->file = -1;
    state->size = works ? (size_t)size : 0;
    return works;
}

static bool write_contents(FILE *file, const void *context)
{
    const io_state *state = context;
    const uint64_t hash = base_hash_bytes(BASE_HASH_START, state->bytes, state->size);
    return fwrite(state->bytes, 1, state->size, file) == state->size &&
           fwrite(mark, sizeof mark, 1, file) == 1 &&
           fwrite(&hash, sizeof hash, 1, file) == 1;
}

status io_state_write(io_state **state, const char *path)
{
    bool works = false;
    H5E_BEGIN_TRY
    {
        works = finish(*state);
    }
    H5E_END_TRY
    status s = works ? io_file_make(path, write_contents, *state)
                     : base_fail_memory(0, "a file of a state");
    io_state_close(state);
    return s;
}

/* ---- Reading ----------------------------------------------------------------------- */

static status fail_file(const char *path, const char *why)
{
    return base_fail(STATUS_INPUT, "'%s' %s", path, why);
}

/* Reads all bytes of a file. */
static status read_bytes(const char *path, io_state *state)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return base_fail(STATUS_INPUT, "'%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    status s = size > TRAILER && fseek(file, 0, SEEK_SET) == 0
                   ? STATUS_OK
                   : fail_file(path, "is no file of a state: it is too short");
    if (s == STATUS_OK) {
        state->bytes = malloc((size_t)size);
        state->size = (size_t)size;
        s = state->bytes ? STATUS_OK : base_fail_memory((size_t)size, "a state");
    }
    if (s == STATUS_OK && fread(state->bytes, 1, state->size, file) != state->size) {
        s = fail_file(path, "cannot be read");
    }
    fclose(file);
    return s;
}

/* Compares the hash, and leaves the bytes of HDF5. */
static status check_bytes(const char *path, io_state *state)
{
    uint64_t hash;
    const char *end = (const char *)state->bytes + state->size - TRAILER;
    memcpy(&hash, end + sizeof mark, sizeof hash);
    state->size -= TRAILER;
    if (memcmp(end, mark, sizeof mark) != 0) {
        return fail_file(path, "is no file of a state, or is cut off");
    }
    return hash == base_hash_bytes(BASE_HASH_START, state->bytes, state->size)
               ? STATUS_OK
               : fail_file(path, "is damaged: its bytes are not those that were written");
}

static hid_t open_file(io_state *state)
{
    enum { GROWTH = 1 << 16 };
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (H5Pset_fapl_core(access, GROWTH, false) >= 0 &&
        H5Pset_file_image(access, state->bytes, state->size) >= 0) {
        file = H5Fopen("karman state to read", H5F_ACC_RDONLY, access);
    }
    H5Pclose(access);
    return file;
}

status io_state_open(const char *path, io_state **out)
{
    io_state *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return base_fail_memory(sizeof *made, "a state");
    }
    made->file = -1;
    status s = read_bytes(path, made);
    if (s == STATUS_OK) {
        s = check_bytes(path, made);
    }
    if (s == STATUS_OK) {
        H5E_BEGIN_TRY
        {
            made->file = open_file(made);
        }
        H5E_END_TRY
        s = made->file >= 0 ? STATUS_OK : fail_file(path, "is no file of a state");
    }
    if (s != STATUS_OK) {
        io_state_close(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

/* Whether an array has the type, and the columns; finds its rows. Its values must lie in
 * the file, so that a wrong extent cannot ask for all memory. */
static bool fits(const io_state *state, hid_t array, io_state_array *wanted)
{
    hsize_t extents[2] = {0, 0};
    hid_t space = H5Dget_space(array), type = H5Dget_type(array);
    const bool is_alike = space >= 0 && type >= 0 &&
                          H5Tequal(type, type_in_file(wanted->type)) > 0 &&
                          H5Sget_simple_extent_ndims(space) == 2 &&
                          H5Sget_simple_extent_dims(space, extents, NULL) == 2 &&
                          extents[1] == (hsize_t)wanted->columns;
    H5Tclose(type);
    H5Sclose(space);
    if (!is_alike || extents[0] > state->size) {
        return false;
    }
    const hsize_t bytes = extents[0] * extents[1] * size_of(wanted->type);
    wanted->rows = (int64_t)extents[0];
    return bytes <= state->size && H5Dget_storage_size(array) == bytes;
}

static status get(const io_state *state, const char *path, io_state_array *out)
{
    hid_t array = H5Dopen(state->file, path, H5P_DEFAULT);
    status s = array >= 0 && fits(state, array, out)
                   ? STATUS_OK
                   : base_fail(STATUS_INPUT, "'%s' has no array %s of the right shape",
                               state->path, path);
    if (s == STATUS_OK) {
        const size_t bytes =
            (size_t)out->rows * (size_t)out->columns * size_of(out->type);
        out->values = calloc(bytes + 1, 1);
        s = out->values ? STATUS_OK : base_fail_memory(bytes, "a state");
    }
    if (s == STATUS_OK && out->rows > 0 &&
        H5Dread(array, type_in_memory(out->type), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                out->values) < 0) {
        s = fail_file(state->path, "cannot be read");
    }
    if (array >= 0) {
        H5Dclose(array);
    }
    if (s != STATUS_OK) {
        free(out->values);
        out->values = NULL;
    }
    return s;
}

status io_state_get(const io_state *state, const char *path, io_state_type type,
                    int columns, io_state_array *out)
{
    status s = STATUS_OK;
    *out = (io_state_array){.type = type, .columns = columns};
    H5E_BEGIN_TRY
    {
        s = get(state, path, out);
    }
    H5E_END_TRY
    return s;
}
