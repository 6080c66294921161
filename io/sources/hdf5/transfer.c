#include "transfer.h"

#include "io/stretches.h"
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

/* Values of a box and their place in memory. */
typedef struct transfer {
    hid_t memory_type;
    hid_t wanted_type;
    void *out;
    void *scratch; /* values of memory_type; NULL if they are read to `out` */
    size_t count;
    bool converts; /* the values read must be converted */
} transfer;

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

static hid_t wanted_type(const io_hdf5_transfer *t)
{
    const bool wants_doubles = t->array < 0 ? !t->origin : t->wants_doubles;
    return t->array == IO_ARRAY_IBLANK ? H5T_NATIVE_INT32
           : wants_doubles             ? H5T_NATIVE_DOUBLE
                                       : H5T_NATIVE_FLOAT;
}

/*
 * Chooses the type to read. HDF5 gives up collective reads if it has to convert, so
 * floating-point values are read in their own type and converted here. So are integers
 * with missing or packed values, or less an origin; HDF5 converts other integers.
 */
static status plan_transfer(const io_hdf5_transfer *t, const io_box *box, void *out,
                            transfer *plan)
{
    const int array = t->array;
    const bool is_plain = io_unpacking_is_plain(t->unpacking);
    *plan = (transfer){
        .out = out, .count = value_count(t->dataset, box), .wanted_type = wanted_type(t)};
    plan->memory_type = plan->wanted_type;
    if (array != IO_ARRAY_IBLANK && (t->dataset->is_float || !is_plain || t->origin)) {
        const bool shifts = t->origin && *t->origin != 0.0;
        plan->memory_type = io_hdf5_native_type(t->unpacking->type);
        plan->converts = plan->memory_type != plan->wanted_type || !is_plain || shifts;
    }
    /* float32 is unpacked in place. */
    const bool in_place =
        plan->memory_type == H5T_NATIVE_FLOAT && plan->wanted_type == H5T_NATIVE_FLOAT;
    if (plan->converts && !in_place && plan->count > 0) {
        plan->scratch = malloc(plan->count * sizeof(double));
        if (!plan->scratch) {
            const size_t bytes = plan->count * sizeof(double);
            plan->count = 0;
            return base_fail_memory(bytes, "values being read");
        }
    }
    return STATUS_OK;
}

/* Converts coordinates to float32 less an origin, few enough at a time for the cache.
 * `stored` may be `out`. */
static void convert_places(const io_unpacking *unpacking, double origin, size_t count,
                           const char *stored, float *out)
{
    enum { PIECE = 1024 };
    const size_t size =
        unpacking->type == IO_STORED_FLOAT32 ? sizeof(float) : sizeof(double);
    for (size_t first = 0; first < count; first += PIECE) {
        double numbers[PIECE];
        const size_t left = count - first, length = left < PIECE ? left : PIECE;
        io_unpack_doubles(unpacking, length, stored + first * size, numbers);
        for (size_t n = 0; n < length; n++) {
            out[first + n] = (float)(numbers[n] - origin);
        }
    }
}

static void convert(const io_hdf5_transfer *t, const transfer *plan)
{
    const void *stored = plan->scratch ? plan->scratch : plan->out;
    const io_unpacking *unpacking = t->unpacking;
    if (t->origin) {
        convert_places(unpacking, *t->origin, plan->count, stored, plan->out);
    } else if (plan->wanted_type == H5T_NATIVE_FLOAT) {
        io_unpack_floats(unpacking, plan->count, stored, plan->out);
    } else {
        io_unpack_doubles(unpacking, plan->count, stored, plan->out);
    }
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

/* Whether the values can be read without HDF5. It reads row by row of a box. */
static bool has_bytes(const io_hdf5_transfer *t, const transfer *plan)
{
    const io_hdf5_dataset *dataset = t->dataset;
    return dataset->descriptor >= 0 && plan->memory_type == dataset->as_stored &&
           dataset->rank > 0 && dataset->axis[dataset->rank - 1] >= 0;
}

/* Adds the rows of a box, in the order of the file. */
static status add_rows(const io_hdf5_dataset *dataset, const io_box *box,
                       io_stretches *rows)
{
    const int last = dataset->rank - 1;
    const int64_t length = box->n[dataset->axis[last]] * (int64_t)dataset->precision;
    int64_t at[IO_HDF5_AXES] = {0};
    status s = STATUS_OK;
    for (int axis = 0; axis >= 0 && s == STATUS_OK;) {
        int64_t place = 0;
        for (int n = 0; n < dataset->rank; n++) {
            const int64_t lo =
                dataset->axis[n] < 0 ? dataset->at[n] : box->lo[dataset->axis[n]];
            place = place * dataset->shape[n] + lo + at[n];
        }
        s = io_stretches_add(rows, dataset->offset + place * (int64_t)dataset->precision,
                             length);
        for (axis = last - 1; axis >= 0; axis--) { /* the next row */
            const int64_t n = dataset->axis[axis] < 0 ? 1 : box->n[dataset->axis[axis]];
            if (++at[axis] < n) {
                break;
            }
            at[axis] = 0;
        }
    }
    return s;
}

static status read_bytes(const io_hdf5_transfer *t, const io_box *box,
                         const transfer *plan)
{
    const io_stretch_file file = {t->file->path, t->dataset->descriptor,
                                  (int)t->dataset->precision, t->dataset->swaps};
    io_stretches rows = {0};
    status s = plan->count > 0 ? add_rows(t->dataset, box, &rows) : STATUS_OK;
    s = s == STATUS_OK
            ? io_stretches_read(&rows, &file, plan->scratch ? plan->scratch : plan->out)
            : s;
    io_stretches_free(&rows);
    return s;
}

static status run_transfer(const io_hdf5_transfer *t, const io_box *box,
                           const transfer *plan)
{
    if (has_bytes(t, plan)) {
        return read_bytes(t, box, plan);
    }
    char nothing;
    void *values = plan->scratch ? plan->scratch : plan->out;
    hid_t file_space = H5Dget_space(t->dataset->id);
    hid_t memory_space = select_box(t->dataset, box, plan->count, file_space);
    herr_t result = H5Dread(t->dataset->id, plan->memory_type, memory_space, file_space,
                            t->mode, plan->count > 0 ? values : &nothing);
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

/* Reads the values of a data set in a box, in the order of the file. */
static status read_values(const io_hdf5_transfer *t, const io_box *box, void *out)
{
    transfer plan;
    status s = plan_transfer(t, box, out, &plan);
    /* A rank without memory still takes part, and reads nothing. */
    status read = run_transfer(t, box, &plan);
    if (s == STATUS_OK && read == STATUS_OK && plan.converts) {
        convert(t, &plan);
    }
    free(plan.scratch);
    return s == STATUS_OK ? read : s;
}

/* ---- Other axes -------------------------------------------------------------------- */

/* Distances of neighbours along i, j and k among the values read; 0 along an axis that
 * the data set lacks. */
static void find_strides(const io_hdf5_dataset *dataset, const io_box *box,
                         size_t stride[3])
{
    size_t next = 1;
    stride[0] = stride[1] = stride[2] = 0;
    for (int n = dataset->rank - 1; n >= 0; n--) {
        const int axis = dataset->axis[n];
        if (axis >= 0) {
            stride[axis] = next;
            next *= (size_t)box->n[axis];
        }
    }
}

/* Copies values of 4 or 8 bytes that lie `stride` values apart. */
static void copy_row(size_t count, size_t bytes, const char *from, size_t stride,
                     char *to)
{
    if (stride == 1) {
        memcpy(to, from, count * bytes);
    } else if (bytes == 4) { /* a known size, so that no value takes a call */
        for (size_t n = 0; n < count; n++) {
            memcpy(to + 4 * n, from + 4 * n * stride, 4);
        }
    } else {
        for (size_t n = 0; n < count; n++) {
            memcpy(to + 8 * n, from + 8 * n * stride, 8);
        }
    }
}

/* Copies values, read in the order of the file, to [n[2]][n[1]][n[0]]. */
static void spread(const io_hdf5_dataset *dataset, const io_box *box, size_t bytes,
                   const char *from, char *to)
{
    size_t stride[3];
    const size_t count = (size_t)box->n[0];
    find_strides(dataset, box, stride);
    for (size_t k = 0; k < (size_t)box->n[2]; k++) {
        for (size_t j = 0; j < (size_t)box->n[1]; j++) {
            copy_row(count, bytes, from + (k * stride[2] + j * stride[1]) * bytes,
                     stride[0], to);
            to += count * bytes;
        }
    }
}

status io_hdf5_transfer_read(const io_hdf5_transfer *t, const io_box *box, void *out)
{
    static const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    if (t->dataset->is_plain) {
        return read_values(t, box, out);
    }
    const size_t bytes = H5Tget_size(wanted_type(t));
    const size_t room = (value_count(t->dataset, box) + 1) * bytes;
    char *values = malloc(room);
    status s = values ? STATUS_OK : base_fail_memory(room, "values being read");
    /* A rank without memory still takes part, and reads nothing. */
    status read = read_values(t, values ? box : &nothing, values);
    if (s == STATUS_OK && read == STATUS_OK && box_count(box) > 0) {
        spread(t->dataset, box, bytes, values, out);
    }
    free(values);
    return s == STATUS_OK ? read : s;
}
