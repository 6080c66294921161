/*
 * The HDF5 source, through the MPI-IO driver.
 *
 * Rank 0 opens the file alone, reads the metadata and broadcasts the catalogue. So errors
 * in a file appear on one rank, outside of collective calls, and the file system sees one
 * reader of metadata instead of thousands. The MPI-IO driver is used even there, because
 * it takes no file locks, which parallel file systems often lack. Then all ranks open the
 * file together and read values by collective hyperslab reads.
 */
#include "attributes.h"
#include "base/log.h"
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "contents.h"
#include "io/source.h"
#include "io/source_kind.h"
#include "io/window.h"
#include "list.h"
#include "open.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct hdf5_state {
    io_hdf5_file file; /* id 0: not open */
    io_hdf5_names *names;
    hid_t transfer;       /* property list of collective reads */
    io_data_config fills; /* only the fill values of the config */
    bool has_warned;      /* of an ignored attribute */
    /* The data set of the last read, since consecutive reads are mostly of one array. */
    io_hdf5_dataset dataset;
    io_unpacking unpacking; /* how its values become numbers */
    int step, block, array;
} hdf5_state;

/* io_source_kind.takes: an HDF5 file begins with this signature, or has it behind a user
 * block of 512 bytes, 1024, 2048 and so on. */
static bool hdf5_takes(const char *path, FILE *stream)
{
    (void)path;
    static const char signature[8] = "\211HDF\r\n\032\n";
    char bytes[sizeof signature];
    for (long at = 0; at <= 65536; at = at > 0 ? 2 * at : 512) {
        if (fseek(stream, at, SEEK_SET) != 0 ||
            fread(bytes, sizeof bytes, 1, stream) != 1) {
            return false;
        }
        if (memcmp(bytes, signature, sizeof bytes) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- opening ---------------------------------------------------------------------- */

/* Rank 0's part of opening: finds all errors in a file. */
static status read_catalog(const char *path, const io_data_config *config,
                           const io_hdf5_names *names, io_catalog *catalog)
{
    io_hdf5_file file;
    status s = io_hdf5_file_check(path);
    if (s == STATUS_OK) {
        s = io_hdf5_file_open(MPI_COMM_SELF, path, &file);
    }
    if (s == STATUS_OK) {
        s = io_hdf5_catalog_read(&file, config, names, catalog);
        H5Fclose(file.id);
    }
    return s;
}

/* Whether there are several ranks, all on one node. Collective. */
static bool is_one_node(MPI_Comm comm)
{
    const int ranks = parallel_size(comm);
    return parallel_node_size(comm) == ranks && ranks > 1;
}

/*
 * Chooses the mode of reads. On several nodes ranks read collectively, so that each byte
 * leaves the file system once. Ranks of one node share its file cache: independent reads
 * are two to five times as fast there. A single rank reads collectively, too, since this
 * skips data outside of its box.
 */
static H5FD_mpio_xfer_t transfer_of(bool is_one_node)
{
    return is_one_node ? H5FD_MPIO_INDEPENDENT : H5FD_MPIO_COLLECTIVE;
}

static status create_state(const io_data_config *config, bool is_one_node,
                           hdf5_state **out)
{
    hdf5_state *state = calloc(1, sizeof *state);
    if (!state) {
        return base_fail_memory(sizeof *state, "the HDF5 source");
    }
    status s = io_hdf5_names_create(config, &state->names);
    if (s != STATUS_OK) {
        free(state);
        return s;
    }
    state->fills.nfills = config->nfills;
    memcpy(state->fills.fills, config->fills, sizeof config->fills);
    state->transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(state->transfer, transfer_of(is_one_node));
    *out = state;
    return STATUS_OK;
}

static status open_together(io_source *source, const io_data_config *config)
{
    hdf5_state *state = NULL;
    status s = create_state(config, is_one_node(source->comm), &state);
    source->state = state;
    if (s == STATUS_OK && parallel_rank(source->comm) == 0) {
        s = read_catalog(source->path, config, state->names, &source->catalog);
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK) {
        s = io_catalog_broadcast(source->comm, &source->catalog);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(source->comm,
                           io_hdf5_file_open(source->comm, source->path, &state->file));
    }
    return s;
}

static status hdf5_open(io_source *source, const io_data_config *config)
{
    io_hdf5_printing printing = io_hdf5_printing_stop();
    status s = open_together(source, config);
    io_hdf5_printing_restore(printing);
    return s;
}

static void hdf5_close(io_source *source)
{
    hdf5_state *state = source->state;
    if (!state) {
        return;
    }
    io_hdf5_dataset_close(&state->dataset);
    if (state->file.id > 0) {
        H5Fclose(state->file.id);
    }
    H5Pclose(state->transfer);
    io_hdf5_names_destroy(&state->names);
    free(state);
    source->state = NULL;
}

/* ---- reading ---------------------------------------------------------------------- */

static status check_array(const io_source *source, int block, int array)
{
    const hdf5_state *state = source->state;
    const grid_block *b = &source->catalog.blocks[block];
    if (array >= 0) {
        return io_hdf5_location_check(&state->file, &state->dataset, b,
                                      &source->catalog.fields[array]);
    }
    return io_hdf5_dataset_check(&state->file, &state->dataset, b->n, b->name);
}

/* Finds how the values of the open data set become numbers. iblank has no missing values.
 * The config's fill values apply only to fields. */
static status find_unpacking(const io_source *source, int array)
{
    hdf5_state *state = source->state;
    const char *ignored = NULL;
    state->unpacking = (io_unpacking){.is_scaled = false};
    if (array == IO_ARRAY_IBLANK) {
        return STATUS_OK;
    }
    status s = io_hdf5_unpacking_read(&state->file, &state->dataset, &state->unpacking,
                                      &ignored);
    if (s == STATUS_OK && ignored && !state->has_warned) {
        state->has_warned = true;
        base_log_warning("attribute '%s' of data set '%s' of file '%s' is left out, as "
                         "it is not a list of 1 to %d numbers: say in data.fill which "
                         "values are missing",
                         ignored, state->dataset.place.path, state->file.path,
                         (int)IO_MOST_FILLS);
    }
    if (s == STATUS_OK && array >= 0) {
        io_hdf5_unpacking_add(&state->fills, &state->unpacking);
    }
    return s;
}

/* Opens the data set of an array, unless it is open already. Every rank fails alike,
 * since all see the same metadata. */
static status select_dataset(io_source *source, int step, int block, int array)
{
    hdf5_state *state = source->state;
    if (array >= 0 && !io_source_has_field(source, step, array)) {
        return base_fail(STATUS_INPUT, "step %" PRId64 " of file '%s' has no field '%s'",
                         source->catalog.steps[step].number, source->path,
                         source->catalog.fields[array].name);
    }
    if (state->dataset.id > 0 && state->block == block && state->array == array &&
        (array < 0 || state->step == step)) {
        return STATUS_OK;
    }
    io_hdf5_dataset_close(&state->dataset);
    io_hdf5_place place;
    io_hdf5_names_locate(state->names, &source->catalog, step, block, array, &place);
    status s = io_hdf5_dataset_open(&state->file, &place, &state->dataset);
    if (s == STATUS_OK) {
        s = check_array(source, block, array);
    }
    if (s == STATUS_OK) {
        s = find_unpacking(source, array);
    }
    if (s != STATUS_OK) {
        io_hdf5_dataset_close(&state->dataset);
    }
    state->step = step;
    state->block = block;
    state->array = array;
    return s;
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

static hid_t wanted_type(int array)
{
    return array == IO_ARRAY_IBLANK ? H5T_NATIVE_INT32
           : array < 0              ? H5T_NATIVE_DOUBLE
                                    : H5T_NATIVE_FLOAT;
}

/*
 * Chooses the type to read. HDF5 gives up collective reads if it has to convert, so
 * floating-point values are read in their own type and converted here. So are integers
 * with missing or packed values; HDF5 converts other integers.
 */
static status plan_transfer(const hdf5_state *state, int array, const io_box *box,
                            void *out, transfer *plan)
{
    const bool is_plain = io_unpacking_is_plain(&state->unpacking);
    *plan = (transfer){
        .out = out, .count = box_count(box), .wanted_type = wanted_type(array)};
    plan->memory_type = plan->wanted_type;
    if (array != IO_ARRAY_IBLANK && (state->dataset.is_float || !is_plain)) {
        plan->memory_type = io_hdf5_native_type(state->unpacking.type);
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

static status run_transfer(const hdf5_state *state, const io_box *box,
                           const transfer *plan)
{
    char nothing;
    void *values = plan->scratch ? plan->scratch : plan->out;
    hid_t file_space = H5Dget_space(state->dataset.id);
    hid_t memory_space = select_box(&state->dataset, box, plan->count, file_space);
    herr_t result =
        H5Dread(state->dataset.id, plan->memory_type, memory_space, file_space,
                state->transfer, plan->count > 0 ? values : &nothing);
    char reason[IO_HDF5_REASON_SIZE] = "";
    if (result < 0) {
        io_hdf5_reason(reason);
    }
    H5Sclose(memory_space);
    H5Sclose(file_space);
    if (result < 0) {
        return base_fail(STATUS_INPUT, "data set '%s' of file '%s' cannot be read (%s)",
                         state->dataset.place.path, state->file.path, reason);
    }
    return STATUS_OK;
}

static status read_box(io_source *source, int step, int block, int array,
                       const io_box *box, void *out)
{
    hdf5_state *state = source->state;
    status s = select_dataset(source, step, block, array);
    if (s != STATUS_OK) {
        return s;
    }
    transfer plan;
    s = plan_transfer(state, array, box, out, &plan);
    /* A rank without memory still takes part, and reads nothing. */
    status read = run_transfer(state, box, &plan);
    if (s == STATUS_OK && read == STATUS_OK && plan.converts) {
        convert(&state->unpacking, &plan);
    }
    free(plan.scratch);
    return s == STATUS_OK ? read : s;
}

static status hdf5_read(io_source *source, int step, int block, int array,
                        const io_box *box, void *out)
{
    io_hdf5_printing printing = io_hdf5_printing_stop();
    status s = read_box(source, step, block, array, box, out);
    io_hdf5_printing_restore(printing);
    return s;
}

const io_source_kind io_source_hdf5 = {.takes = hdf5_takes,
                                       .list = io_hdf5_list,
                                       .open = hdf5_open,
                                       .read = hdf5_read,
                                       .close = hdf5_close,
                                       .window = IO_WINDOW_VERTICES};
