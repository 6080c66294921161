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
    const haddr_t offset = H5Dget_offset(set);
    out->place.offset = (int64_t)offset;
    return offset != HADDR_UNDEF && find_type(type, &out->place);
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

status xdmf_heavy_find(const char *file, const char *path, xdmf_heavy *out)
{
    io_hdf5_file opened;
    *out = (xdmf_heavy){.rank = 0};
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = io_hdf5_file_check(file);
    s = s == STATUS_OK ? io_hdf5_file_open(MPI_COMM_SELF, file, true, &opened) : s;
    if (s == STATUS_OK) {
        s = find_in(&opened, path, out);
        H5Fclose(opened.id);
    }
    s = io_hdf5_watch_check(s);
    io_hdf5_watch_end(&before);
    return s;
}

static status read_from(const io_hdf5_file *file, const io_array_place *place, void *out)
{
    const hid_t set = H5Oopen_by_addr(file->id, (haddr_t)place->code[0]);
    const hid_t type = place->type == IO_FLOAT32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    bool is_read = false;
    if (set >= 0 && H5Iget_type(set) == H5I_DATASET) {
        const hid_t space = H5Dget_space(set);
        is_read = H5Sget_simple_extent_npoints(space) == place->code[1] &&
                  H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
        H5Sclose(space);
    }
    char reason[IO_HDF5_REASON_SIZE];
    io_hdf5_reason(reason);
    if (set >= 0) {
        H5Oclose(set);
    }
    return is_read
               ? STATUS_OK
               : base_fail(STATUS_INPUT, "a data set of file '%s' cannot be read (%s)",
                           file->path, reason);
}

status xdmf_heavy_read(const char *file, const io_array_place *place, void *out)
{
    io_hdf5_file opened;
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = io_hdf5_file_open(MPI_COMM_SELF, file, true, &opened);
    if (s == STATUS_OK) {
        s = read_from(&opened, place, out);
        H5Fclose(opened.id);
    }
    s = io_hdf5_watch_check(s);
    io_hdf5_watch_end(&before);
    return s;
}
