/* Data sets of HDF5 files that XDMF names. Values that lie one behind the other are read
 * as bytes; HDF5 reads the others, as chunks and compressed ones. */
#include "io/sources/hdf5/attributes.h"
#include "io/sources/hdf5/driver.h"
#include "io/sources/hdf5/open.h"
#include "io/sources/hdf5/virtual.h"
#include "item.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Finds the type of numbers, and whether their bytes have the other order. */
static bool find_type(hid_t type, io_array_place *place)
{
    const hid_t little[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I8LE,  H5T_STD_U8LE,
                            H5T_STD_I16LE,  H5T_STD_U16LE,  H5T_STD_I32LE, H5T_STD_U32LE,
                            H5T_STD_I64LE,  H5T_STD_U64LE};
    const hid_t big[] = {H5T_IEEE_F32BE, H5T_IEEE_F64BE, H5T_STD_I8BE,  H5T_STD_U8BE,
                         H5T_STD_I16BE,  H5T_STD_U16BE,  H5T_STD_I32BE, H5T_STD_U32BE,
                         H5T_STD_I64BE,  H5T_STD_U64BE};
    for (int n = 0; n < (int)(sizeof big / sizeof big[0]); n++) {
        const bool is_big = H5Tequal(type, little[n]) <= 0;
        if (!is_big || H5Tequal(type, big[n]) > 0) {
            place->type = (io_number)n;
            place->swaps = io_arrays_swap(is_big);
            return true;
        }
    }
    return false;
}

/* The address of an object in its file, by which it is opened again. */
static int64_t find_address(hid_t set)
{
#if H5_VERSION_GE(1, 12, 0)
    H5O_info1_t info;
    const herr_t result = H5Oget_info1(set, &info);
#else
    H5O_info_t info;
    const herr_t result = H5Oget_info(set, &info);
#endif
    return result >= 0 ? (int64_t)info.addr : -1;
}

static int64_t count_values(const xdmf_heavy *heavy)
{
    double count = 1.0;
    for (int axis = 0; axis < heavy->rank; axis++) {
        count *= (double)heavy->n[axis];
    }
    return count < 0x1p50 ? (int64_t)count : -1;
}

/* Whether the values of a data set are there, one behind the other, in a file as plain
 * bytes. */
static bool is_plain(hid_t set, hid_t type, xdmf_heavy *out)
{
    out->place.offset = io_hdf5_values_offset(set);
    return out->place.offset >= 0 && find_type(type, &out->place);
}

static status fail(const char *file, const char *path, const char *what)
{
    return base_fail(STATUS_INPUT, "data set '%s' of file '%s' %s", path, file, what);
}

/* Values that were never written, or are compressed beyond belief, would take memory for
 * nothing. */
static bool are_stored(hid_t set, int64_t count)
{
    enum { MOST_RATIO = 4096, SMALL = 1 << 20 };
    const hsize_t stored = H5Dget_storage_size(set);
    return count >= 0 && (count <= SMALL || (hsize_t)count / MOST_RATIO <= stored);
}

static status look_at(hid_t set, const char *file, const char *path, xdmf_heavy *out)
{
    hsize_t n[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const H5T_class_t kind = H5Tget_class(type);
    const int rank = H5Sget_simple_extent_ndims(space);
    status s = STATUS_OK;
    if (rank < 0 || rank > XDMF_AXES || H5Sget_simple_extent_dims(space, n, NULL) < 0) {
        s = fail(file, path, "has too many axes");
    } else if (kind != H5T_FLOAT && kind != H5T_INTEGER) {
        s = fail(file, path, "does not hold numbers");
    }
    out->rank = s == STATUS_OK ? rank : 0;
    for (int axis = 0; axis < out->rank; axis++) {
        out->n[axis] = (int64_t)n[axis];
    }
    const int64_t count = count_values(out);
    const bool is_single = kind == H5T_FLOAT && H5Tget_size(type) <= 4;
    if (s == STATUS_OK && !is_plain(set, type, out)) {
        out->place = (io_array_place){.type = is_single ? IO_FLOAT32 : IO_FLOAT64,
                                      .is_coded = true,
                                      .code = {find_address(set), count, XDMF_HEAVY}};
        s = are_stored(set, count) ? s
                                   : fail(file, path, "has fewer values than it says");
    }
    H5Tclose(type);
    H5Sclose(space);
    return s;
}

static void read_unit(hid_t set, xdmf_heavy *out)
{
    const io_hdf5_dataset dataset = {.id = set};
    io_hdf5_unit_read(&dataset, out->unit);
}

static status find_in(const io_hdf5_file *file, const char *path, xdmf_heavy *out)
{
    const hid_t object = H5Oopen(file->id, path, io_hdf5_links());
    if (object < 0 || H5Iget_type(object) != H5I_DATASET ||
        !io_hdf5_values_are_safe(object, NULL)) {
        if (object >= 0) {
            H5Oclose(object);
        }
        return base_fail(STATUS_INPUT, "file '%s' has no data set '%s'", file->path,
                         path);
    }
    status s = look_at(object, file->path, path, out);
    if (s == STATUS_OK) {
        H5Fget_name(object, out->file, sizeof out->file);
        read_unit(object, out);
    }
    H5Oclose(object);
    return s;
}

/* ---- Files ------------------------------------------------------------------------- */

enum { MOST_OPEN = 8 }; /* coordinates, iblank and the inputs of most recipes */

/* A file that stays open, and some of its data sets. */
typedef struct kept_file {
    char path[XDMF_PATH];
    io_hdf5_file file;
    int next; /* the place of the next data set */
    int64_t address[MOST_OPEN];
    hid_t set[MOST_OPEN]; /* 0: none */
} kept_file;

static void close_kept(kept_file *kept)
{
    for (int n = 0; n < MOST_OPEN; n++) {
        if (kept->set[n] > 0) {
            H5Oclose(kept->set[n]);
        }
    }
    if (kept->file.id > 0) {
        H5Fclose(kept->file.id);
    }
    *kept = (kept_file){.next = 0};
}

void xdmf_heavy_forget(void **kept)
{
    if (*kept) {
        const io_hdf5_watch before = io_hdf5_watch_begin();
        close_kept(*kept);
        io_hdf5_watch_end(&before);
        free(*kept);
        *kept = NULL;
    }
}

/* Opens a file, unless it is the one that is open. */
static status open_kept(void **kept, const char *path, kept_file **out)
{
    *kept = *kept ? *kept : calloc(1, sizeof(kept_file));
    kept_file *its = *kept;
    *out = its;
    if (!its) {
        return base_fail_memory(sizeof *its, "an HDF5 file");
    }
    if (its->file.id > 0 && strcmp(its->path, path) == 0) {
        return STATUS_OK;
    }
    close_kept(its);
    snprintf(its->path, sizeof its->path, "%s", path);
    const status s = io_hdf5_file_check(path);
    return s == STATUS_OK ? io_hdf5_file_open(MPI_COMM_SELF, its->path, true, &its->file)
                          : s;
}

/* Opens the data set of a place, unless it is open; -1: there is none. */
static hid_t open_set(kept_file *kept, const io_array_place *place)
{
    for (int n = 0; n < MOST_OPEN; n++) {
        if (kept->set[n] > 0 && kept->address[n] == place->code[0]) {
            return kept->set[n];
        }
    }
    const hid_t set = H5Oopen_by_addr(kept->file.id, (haddr_t)place->code[0]);
    if (set >= 0 && H5Iget_type(set) != H5I_DATASET) {
        H5Oclose(set);
        return -1;
    }
    if (set >= 0) {
        hid_t *old = &kept->set[kept->next];
        if (*old > 0) {
            H5Oclose(*old);
        }
        *old = set;
        kept->address[kept->next] = place->code[0];
        kept->next = (kept->next + 1) % MOST_OPEN;
    }
    return set;
}

status xdmf_heavy_find(void **kept, const char *file, const char *path, xdmf_heavy *out)
{
    kept_file *its = NULL;
    *out = (xdmf_heavy){.rank = 0};
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = open_kept(kept, file, &its);
    s = io_hdf5_watch_check(s == STATUS_OK ? find_in(&its->file, path, out) : s);
    io_hdf5_watch_end(&before);
    return s;
}

/* ---- Values ------------------------------------------------------------------------ */

static status fail_reading(const char *file)
{
    char reason[IO_HDF5_REASON_SIZE];
    io_hdf5_reason(reason);
    return base_fail(STATUS_INPUT, "a data set of file '%s' cannot be read (%s)", file,
                     reason);
}

/* The axes of a data set that has as many values as its place says; -1: it has not. */
static int find_axes(hid_t set, const io_array_place *place, hsize_t n[H5S_MAX_RANK])
{
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    if (space < 0) {
        return -1;
    }
    const bool fits = H5Sget_simple_extent_npoints(space) == place->code[1];
    const int rank = fits ? H5Sget_simple_extent_dims(space, n, NULL) : -1;
    H5Sclose(space);
    return rank;
}

/* Reads a slab of a data set. `part` NULL: all. */
static bool read_slab(hid_t set, const io_array_place *place, const io_array_part *part,
                      void *out)
{
    const hid_t type = place->type == IO_FLOAT32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    hsize_t n[H5S_MAX_RANK], lo[IO_ARRAY_AXES];
    const int rank = find_axes(set, place, n);
    if (rank < 0 || (part && rank != part->rank)) {
        return false;
    }
    if (!part) {
        return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    }
    for (int axis = 0; axis < rank; axis++) {
        lo[axis] = (hsize_t)part->lo[axis];
        n[axis] = (hsize_t)part->n[axis];
    }
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, n, NULL);
    const bool is_read =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, lo, NULL, n, NULL) >= 0 &&
        H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return is_read;
}

status xdmf_heavy_read_part(void **kept, const char *file, const io_array_place *place,
                            const io_array_part *part, void *out)
{
    kept_file *its = NULL;
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = open_kept(kept, file, &its);
    if (s == STATUS_OK && !read_slab(open_set(its, place), place, part, out)) {
        s = fail_reading(file);
    }
    s = io_hdf5_watch_check(s);
    io_hdf5_watch_end(&before);
    return s;
}

status xdmf_heavy_read(void **kept, const char *file, const io_array_place *place,
                       void *out)
{
    return xdmf_heavy_read_part(kept, file, place, NULL, out);
}

/* The axis of a data set along which values are so many values apart; -1: none. They are
 * *step of its own values apart. */
static int find_axis(int rank, const hsize_t n[], int64_t apart, int64_t *step)
{
    int64_t stride = 1;
    int found = -1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        if (n[axis] > 1 && stride <= apart && apart % stride == 0) {
            found = axis;
            *step = apart / stride;
        }
        stride *= (int64_t)n[axis];
    }
    return found;
}

/*
 * Finds the slab around a box, axis by axis. Axes faster than those of the grid are taken
 * whole: they have components, which are read in turn. False: the box does not lie along
 * the axes.
 */
static bool find_slab(const io_array_place *place, const io_box *box, int rank,
                      const hsize_t n[], io_array_part *out)
{
    const int64_t size = (int64_t)io_number_size(place->type);
    int64_t rest = place->offset / size, step[3] = {0}, stride = 1;
    int of[3], last = -1;
    for (int d = rank - 1; d >= 0; d--) {
        out->lo[d] = rest % (int64_t)n[d];
        out->n[d] = 1;
        rest /= (int64_t)n[d];
    }
    for (int axis = 0; axis < 3; axis++) {
        of[axis] = place->stride[axis] > 0
                       ? find_axis(rank, n, place->stride[axis] / size, &step[axis])
                       : 0;
        if (of[axis] < 0 || place->stride[axis] < 0 || place->stride[axis] % size != 0) {
            return false;
        }
        out->lo[of[axis]] += box->lo[axis] * step[axis];
        out->n[of[axis]] += (box->n[axis] - 1) * step[axis];
        last = step[axis] > 0 && of[axis] > last ? of[axis] : last;
    }
    out->rank = rank;
    out->inside = *place;
    out->inside.offset = 0;
    for (int d = rank - 1; d >= 0; d--) {
        if (d > last) {
            out->inside.offset += out->lo[d] * stride * size;
            out->lo[d] = 0;
            out->n[d] = (int64_t)n[d];
        } else if (out->lo[d] + out->n[d] > (int64_t)n[d]) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            if (step[axis] > 0 && of[axis] == d) {
                out->inside.stride[axis] = step[axis] * stride * size;
                out->inside.offset -= box->lo[axis] * out->inside.stride[axis];
            }
        }
        stride *= out->n[d];
    }
    out->bytes = stride * size;
    return last >= 0;
}

status xdmf_heavy_find_part(void **kept, const char *file, const io_array_place *place,
                            const io_box *box, io_array_part *out)
{
    hsize_t n[H5S_MAX_RANK];
    kept_file *its = NULL;
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = open_kept(kept, file, &its);
    const int rank = s == STATUS_OK ? find_axes(open_set(its, place), place, n) : -1;
    s = s == STATUS_OK && rank < 0 ? fail_reading(file) : s;
    if (s == STATUS_OK &&
        (rank > IO_ARRAY_AXES || !find_slab(place, box, rank, n, out))) {
        out->rank = 0;
    }
    s = io_hdf5_watch_check(s);
    io_hdf5_watch_end(&before);
    return s;
}
