#include "transfer.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"

#include <stdlib.h>

/* Whether there are several ranks, all on one node. Collective. */
static bool is_one_node(MPI_Comm comm)
{
    const int ranks = parallel_size(comm);
    return parallel_node_size(comm) == ranks && ranks > 1;
}

/*
 * On several nodes ranks read collectively, so that each byte
 * leaves the file system once. Ranks of one node share its file cache: independent reads
 * are two to five times as fast there. A single rank reads collectively, too, since this
 * skips data outside of its box.
 */
hid_t io_hdf5_transfer_mode(MPI_Comm comm)
{
    const hid_t mode = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(mode,
                     is_one_node(comm) ? H5FD_MPIO_INDEPENDENT : H5FD_MPIO_COLLECTIVE);
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

static hid_t wanted_type(int array, bool wants_doubles)
{
    return array == IO_ARRAY_IBLANK     ? H5T_NATIVE_INT32
           : array < 0 || wants_doubles ? H5T_NATIVE_DOUBLE
                                        : H5T_NATIVE_FLOAT;
}

/*
 * Chooses the type to read. HDF5 gives up collective reads if it has to convert, so
 * floating-point values are read in their own type and converted here. So are integers
 * with missing or packed values; HDF5 converts other integers.
 */
static status plan_transfer(const io_hdf5_transfer *t, const io_box *box, void *out,
                            transfer *plan)
{
    const int array = t->array;
    const bool is_plain = io_unpacking_is_plain(t->unpacking);
    *plan = (transfer){.out = out,
                       .count = box_count(box),
                       .wanted_type = wanted_type(array, t->wants_doubles)};
    plan->memory_type = plan->wanted_type;
    if (array != IO_ARRAY_IBLANK && (t->dataset->is_float || !is_plain)) {
        plan->memory_type = io_hdf5_native_type(t->unpacking->type);
        plan->converts = plan->memory_type != plan->wanted_type || !is_plain;
    }
    /* float32 is unpacked in place. */
    const bool in_place =
        plan->memory_type == H5T_NATIVE_FLOAT && plan->wanted_type == H5T_NATIVE_FLOAT;
    if (plan->converts && !in_place && plan->count > 0) {
        plan->scratch = malloc(plan->count * sizeof(double));
        if (!plan->scratch) {
            plan->count = 0;
            return base_fail_memory(box_count(box) * sizeof(double), "values being read");
        }
    }
    return STATUS_OK;
}

static void convert(const io_unpacking *unpacking, const transfer *plan)
{
    const void *stored = plan->scratch ? plan->scratch : plan->out;
    if (plan->wanted_type == H5T_NATIVE_FLOAT) {
        io_unpack_floats(unpacking, plan->count, stored, plan->out);
    } else {
        io_unpack_doubles(unpacking, plan->count, stored, plan->out);
    }
}

/* Selects the box in the file, or nothing. Returns the memory space, which has no
 * gaps. */
static hid_t select_box(const io_hdf5_dataset *dataset, const io_box *box, size_t count,
                        hid_t file_space)
{
    hsize_t start[4] = {0}, size[4] = {1, 1, 1, 1};
    if (count == 0) {
        H5Sselect_none(file_space);
        hid_t nothing = H5Screate_simple(3, size, NULL);
        H5Sselect_none(nothing);
        return nothing;
    }
    for (int axis = 0; axis < 3; axis++) {
        start[2 - axis] = (hsize_t)box->lo[axis];
        size[2 - axis] = (hsize_t)box->n[axis];
    }
    start[3] = dataset->place.component < 0 ? 0 : (hsize_t)dataset->place.component;
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, size, NULL);
    return H5Screate_simple(3, size, NULL);
}

static status run_transfer(const io_hdf5_transfer *t, const io_box *box,
                           const transfer *plan)
{
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

status io_hdf5_transfer_read(const io_hdf5_transfer *t, const io_box *box, void *out)
{
    transfer plan;
    status s = plan_transfer(t, box, out, &plan);
    /* A rank without memory still takes part, and reads nothing. */
    status read = run_transfer(t, box, &plan);
    if (s == STATUS_OK && read == STATUS_OK && plan.converts) {
        convert(t->unpacking, &plan);
    }
    free(plan.scratch);
    return s == STATUS_OK ? read : s;
}
