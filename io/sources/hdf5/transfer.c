#include "transfer.h"

#include "io/sources/arrays/rows.h"
#include "open.h"

#include <stdlib.h>
#include <string.h>

/*
 * On several nodes ranks read collectively, so that each byte leaves the file system
 * once. Ranks of one node share its file cache: independent reads are two to five times
 * as fast there.
 */
hid_t io_hdf5_transfer_mode(MPI_Comm comm)
{
    const hid_t mode = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(mode, io_hdf5_is_one_node(comm) ? H5FD_MPIO_INDEPENDENT
                                                     : H5FD_MPIO_COLLECTIVE);
    return mode;
}

static size_t box_count(const io_box *box)
{
    if (box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0) {
        return 0;
    }
    return (size_t)box->n[0] * (size_t)box->n[1] * (size_t)box->n[2];
}

/* Values of a data set in a box. It may lack axes of the box. */
static size_t value_count(const io_hdf5_dataset *dataset, const io_box *box)
{
    size_t count = box_count(box) > 0 ? 1 : 0;
    for (int axis = 0; axis < 3; axis++) {
        count *= dataset->n[axis] > 0 ? (size_t)box->n[axis] : 1;
    }
    return count;
}

/*
 * The type to read. HDF5 gives up collective reads if it has to convert, so
 * floating-point values are read in their own type. So are integers with missing or
 * packed values, or less an origin; HDF5 converts other integers.
 */
static hid_t find_type(const io_hdf5_transfer *t)
{
    const bool wants_doubles = t->array < 0 || t->wants_doubles;
    return t->array == IO_ARRAY_IBLANK ? H5T_NATIVE_INT32
           : t->bytes || t->dataset->is_float || t->origin ||
                   !io_unpacking_is_plain(t->unpacking)
               ? io_hdf5_native_type(t->unpacking->type)
           : wants_doubles ? H5T_NATIVE_DOUBLE
                           : H5T_NATIVE_FLOAT;
}

static io_number number_of(hid_t type)
{
    return type == H5T_NATIVE_FLOAT    ? IO_FLOAT32
           : type == H5T_NATIVE_DOUBLE ? IO_FLOAT64
           : type == H5T_NATIVE_INT32  ? IO_INT32
           : type == H5T_NATIVE_INT64  ? IO_INT64
                                       : IO_UINT64;
}

/* float32 without missing values stays what it is, infinite or not. */
static io_array_wish find_wish(const io_hdf5_transfer *t, hid_t type)
{
    const bool is_field = t->array >= 0;
    const bool stays = io_unpacking_is_plain(t->unpacking) && type == H5T_NATIVE_FLOAT;
    return (io_array_wish){.unpack =
                               t->array == IO_ARRAY_IBLANK || stays ? NULL : t->unpacking,
                           .origin = t->array < IO_ARRAY_IBLANK ? t->origin : NULL,
                           .is_int = t->array == IO_ARRAY_IBLANK,
                           .is_float = is_field && !t->wants_doubles};
}

/* Where the values are in a file that has all of them; or, if `box` is given, in memory
 * that has those of the box. */
static io_array_place find_place(const io_hdf5_dataset *dataset, const io_box *box,
                                 hid_t type)
{
    io_array_place place = {.type = number_of(type),
                            .swaps = !box && dataset->swaps,
                            .offset = box ? 0 : dataset->offset};
    int64_t next = (int64_t)io_number_size(place.type);
    for (int n = dataset->rank - 1; n >= 0; n--) {
        const int axis = dataset->axis[n];
        if (axis >= 0) {
            place.stride[axis] = next;
            place.offset -= box ? box->lo[axis] * next : 0;
        } else if (!box) {
            place.offset += dataset->at[n] * next;
        }
        next *= !box ? dataset->shape[n] : axis < 0 ? 1 : box->n[axis];
    }
    return place;
}

/* Selects the box in the file, or nothing. Returns the memory space, which has no gaps
 * and as many axes. */
static hid_t select_box(const io_hdf5_dataset *dataset, const io_box *box, size_t count,
                        hid_t file_space)
{
    hsize_t start[IO_HDF5_AXES] = {0}, size[IO_HDF5_AXES];
    for (int n = 0; n < dataset->rank; n++) {
        const int axis = dataset->axis[n];
        start[n] = (hsize_t)(axis < 0 ? dataset->at[n] : box->lo[axis]);
        size[n] = axis < 0 || count == 0 ? 1 : (hsize_t)box->n[axis];
    }
    hid_t memory_space = H5Screate_simple(dataset->rank, size, NULL);
    if (count == 0) {
        H5Sselect_none(file_space);
        H5Sselect_none(memory_space);
    } else {
        H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, size, NULL);
    }
    return memory_space;
}

/* Reads the values of a box in the order of the file; none if `out` is NULL. */
static status read_values(const io_hdf5_transfer *t, const io_box *box, hid_t type,
                          void *out)
{
    char nothing;
    const size_t count = out ? value_count(t->dataset, box) : 0;
    hid_t file_space = H5Dget_space(t->dataset->id);
    hid_t memory_space = select_box(t->dataset, box, count, file_space);
    herr_t result = H5Dread(t->dataset->id, type, memory_space, file_space, t->mode,
                            count > 0 ? out : &nothing);
    char reason[IO_HDF5_REASON_SIZE] = "";
    if (result < 0) {
        io_hdf5_reason(reason);
    }
    H5Sclose(memory_space);
    H5Sclose(file_space);
    if (result < 0) {
        return base_fail(STATUS_INPUT, "data set '%s' of file '%s' cannot be read (%s)",
                         t->dataset->place.path, t->file->path, reason);
    }
    return STATUS_OK;
}

/* Reads a box by HDF5. A rank without memory still takes part, and reads nothing. */
static status read_by_hdf5(const io_hdf5_transfer *t, const io_box *box, hid_t type,
                           void *out)
{
    const io_array_wish want = find_wish(t, type);
    const io_array_place place = find_place(t->dataset, box, type);
    const size_t count = box_count(box);
    const bool is_in_place = count > 0 && io_array_rows_fit(&place, box, &want);
    const size_t bytes = (value_count(t->dataset, box) + 1) * io_number_size(place.type);
    char *values = is_in_place ? out : malloc(bytes);
    status s = values ? STATUS_OK : base_fail_memory(bytes, "values being read");
    const status read = read_values(t, box, type, values);
    s = s == STATUS_OK ? read : s;
    if (s == STATUS_OK && count > 0) {
        s = io_array_rows_give(&place, box, values, &want, out);
    }
    if (!is_in_place) {
        free(values);
    }
    return s;
}

/* Whether the values lie one behind the other, in the type that is read. */
static bool lies(const io_hdf5_transfer *t, hid_t type)
{
    const io_hdf5_dataset *dataset = t->dataset;
    return dataset->descriptor >= 0 && type == dataset->as_stored && dataset->rank > 0 &&
           dataset->axis[dataset->rank - 1] >= 0;
}

bool io_hdf5_transfer_place(const io_hdf5_transfer *t, io_array_place *out)
{
    const io_hdf5_dataset *dataset = t->dataset;
    const hid_t type = find_type(t);
    const bool always = dataset->is_float || t->array == IO_ARRAY_IBLANK;
    *out = find_place(dataset, NULL, type);
    return always && lies(t, type) && dataset->descriptor == t->file->descriptor;
}

/* Whether ranks read together, so that each takes part in each read. */
static bool is_shared(const io_hdf5_transfer *t)
{
    H5FD_mpio_xfer_t mode = H5FD_MPIO_INDEPENDENT;
    return H5Pget_dxpl_mpio(t->mode, &mode) >= 0 && mode == H5FD_MPIO_COLLECTIVE;
}

status io_hdf5_transfer_read(const io_hdf5_transfer *t, const io_box *box, void *out)
{
    const hid_t type = find_type(t);
    if (!t->bytes && !lies(t, type)) {
        return out || is_shared(t) ? read_by_hdf5(t, box, type, out) : STATUS_OK;
    }
    const io_array_wish want = find_wish(t, type);
    const io_array_place place =
        t->bytes ? *t->bytes : find_place(t->dataset, NULL, type);
    const io_array_file file = {
        t->file->path, t->bytes ? t->file->descriptor : t->dataset->descriptor, NULL};
    return box_count(box) > 0 ? io_array_rows_read(&file, &place, box, &want, out)
                              : STATUS_OK;
}
