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
#include "base/parallel/parallel.h"
#include "catalog/contents.h"
#include "driver.h"
#include "io/file.h"
#include "io/source.h"
#include "io/source_kind.h"
#include "io/sources/arrays/rows.h"
#include "io/window.h"
#include "list.h"
#include "open.h"
#include "opened.h"
#include "transfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct hdf5_state {
    io_hdf5_files files;
    char *grid_path; /* of a grid in a file of its own; NULL: none */
    io_hdf5_names *names;
    hid_t transfer;       /* property list of reads */
    io_data_config fills; /* only the fill values of the config */
    bool has_warned;      /* of an ignored attribute */
    io_hdf5_opened_list opened;
    io_hdf5_opened *now; /* the data set that is read */
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

/* io_source_kind.wants: the config names data sets. */
static bool hdf5_wants(const io_data_config *config)
{
    return config->grid_x != NULL || config->grid_file != NULL || config->nfields > 0;
}

/* ---- opening ---------------------------------------------------------------------- */

static void close_files(io_hdf5_files *files)
{
    if (files->flow.id > 0) {
        H5Fclose(files->flow.id);
    }
    if (files->grid.id > 0) {
        H5Fclose(files->grid.id);
    }
    files->flow.id = files->grid.id = 0;
}

/* Opens the file of the fields and that of the grid, if it has one. Collective. */
static status open_files(MPI_Comm comm, const io_source *source, bool is_alone,
                         io_hdf5_files *out)
{
    const hdf5_state *state = source->state;
    io_hdf5_files files = {.has_grid = state->grid_path != NULL};
    status s = io_hdf5_file_open(comm, source->path, is_alone, &files.flow);
    if (s == STATUS_OK && files.has_grid) {
        s = io_hdf5_file_open(comm, state->grid_path, is_alone, &files.grid);
    }
    if (s != STATUS_OK) {
        close_files(&files);
        return s;
    }
    *out = files;
    return STATUS_OK;
}

/* Rank 0's part of opening: finds all errors in a file. */
static status read_catalog(io_source *source, const io_data_config *config,
                           bool *is_virtual)
{
    const hdf5_state *state = source->state;
    io_hdf5_files files;
    status s = io_hdf5_file_check(source->path);
    if (s == STATUS_OK && state->grid_path) {
        s = io_hdf5_file_check(state->grid_path);
    }
    if (s == STATUS_OK) {
        s = open_files(MPI_COMM_SELF, source, false, &files);
    }
    if (s == STATUS_OK) {
        s = io_hdf5_catalog_read(&files, config, state->names, &source->catalog,
                                 is_virtual);
        close_files(&files);
    }
    return s;
}

static status create_state(const io_data_config *config, hdf5_state **out)
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
    state->transfer = H5P_DEFAULT;
    *out = state;
    state->grid_path = config->grid_file ? strdup(config->grid_file) : NULL;
    return state->grid_path || !config->grid_file
               ? STATUS_OK
               : base_fail_memory(strlen(config->grid_file), "a path");
}

/* Opens the files on all ranks. HDF5 reads virtual data sets only if each rank opens the
 * file for itself. Collective. */
static status open_for_reading(io_source *source, bool is_virtual)
{
    hdf5_state *state = source->state;
    int is = is_virtual;
    parallel_bcast(&is, 1, MPI_INT, 0, source->comm);
    if (is == 0) {
        state->transfer = io_hdf5_transfer_mode(source->comm);
    }
    status s = open_files(source->comm, source, is != 0, &state->files);
    return parallel_agree(source->comm, io_hdf5_watch_check(s));
}

static status open_together(io_source *source, const io_data_config *config)
{
    hdf5_state *state = NULL;
    bool is_virtual = false;
    status s = create_state(config, &state);
    source->state = state;
    if (s == STATUS_OK && parallel_rank(source->comm) == 0) {
        s = io_hdf5_watch_check(read_catalog(source, config, &is_virtual));
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK) {
        s = io_catalog_broadcast(source->comm, &source->catalog);
    }
    return s == STATUS_OK ? open_for_reading(source, is_virtual) : s;
}

static status hdf5_open(io_source *source, const io_data_config *config)
{
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = open_together(source, config);
    source->reads_alone = io_hdf5_is_one_node(source->comm);
    io_hdf5_watch_end(&before);
    return s;
}

static void hdf5_close(io_source *source)
{
    hdf5_state *state = source->state;
    if (!state) {
        return;
    }
    io_hdf5_opened_close(&state->opened);
    close_files(&state->files);
    if (state->transfer != H5P_DEFAULT) {
        H5Pclose(state->transfer);
    }
    io_hdf5_names_destroy(&state->names);
    free(state->grid_path);
    free(state);
    source->state = NULL;
}

/* ---- reading ---------------------------------------------------------------------- */

/* The file of an array. */
static const io_hdf5_file *file_of(const hdf5_state *state, int array)
{
    return array < 0 && state->files.has_grid ? &state->files.grid : &state->files.flow;
}

static status check_array(const io_source *source, int block, int array)
{
    const hdf5_state *state = source->state;
    const grid_block *b = &source->catalog.blocks[block];
    if (array >= 0) {
        return io_hdf5_location_check(file_of(state, array), &state->now->dataset, b,
                                      &source->catalog.fields[array]);
    }
    return io_hdf5_dataset_check(file_of(state, array), &state->now->dataset, b->n,
                                 b->name);
}

/* Finds how the values of the open data set become numbers. iblank has no missing values.
 * The config's fill values apply only to fields. */
static status find_unpacking(const io_source *source, int array)
{
    hdf5_state *state = source->state;
    const char *ignored = NULL;
    state->now->unpacking = (io_unpacking){.is_scaled = false};
    if (array == IO_ARRAY_IBLANK) {
        return STATUS_OK;
    }
    status s = io_hdf5_unpacking_read(file_of(state, array), &state->now->dataset,
                                      &state->now->unpacking, &ignored);
    if (s == STATUS_OK && ignored && !state->has_warned) {
        state->has_warned = true;
        base_log_warning("attribute '%s' of data set '%s' of file '%s' is left out, as "
                         "it is not a list of 1 to %d numbers: say in data.fill which "
                         "values are missing",
                         ignored, state->now->dataset.place.path,
                         file_of(state, array)->path, (int)IO_MOST_FILLS);
    }
    if (s == STATUS_OK && array >= 0) {
        io_hdf5_unpacking_add(&state->fills, &state->now->unpacking);
    }
    return s;
}

/* How a box of the open data set is read. */
static io_hdf5_transfer transfer_of(const io_source *source, int array)
{
    const hdf5_state *state = source->state;
    const io_hdf5_opened *now = state->now;
    return (io_hdf5_transfer){.file = file_of(state, array),
                              .dataset = &now->dataset,
                              .bytes = now->lies ? &now->bytes : NULL,
                              .unpacking = &now->unpacking,
                              .mode = state->transfer,
                              .array = array,
                              .wants_doubles = source->wants_doubles,
                              .origin = source->origin};
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
    const int kept_step =
        array < 0 ? io_hdf5_names_grid(&source->catalog, step, block) : step;
    state->now = io_hdf5_opened_find(&state->opened, kept_step, block, array);
    if (state->now) {
        return STATUS_OK;
    }
    state->now = io_hdf5_opened_make(&state->opened);
    io_hdf5_place place;
    io_hdf5_names_locate(state->names, &source->catalog, step, block, array, &place);
    status s = io_hdf5_dataset_open(file_of(state, array), &place, &state->now->dataset);
    if (s == STATUS_OK) {
        s = check_array(source, block, array);
    }
    if (s == STATUS_OK) {
        s = find_unpacking(source, array);
    }
    if (s != STATUS_OK) {
        io_hdf5_dataset_close(&state->now->dataset);
        return s;
    }
    io_hdf5_opened_keep(&state->opened, state->now, kept_step, block, array);
    io_array_place bytes;
    const io_hdf5_transfer transfer = transfer_of(source, array);
    if (io_hdf5_transfer_place(&transfer, &bytes)) {
        s = io_hdf5_opened_place(&state->opened, state->now, &bytes);
    }
    return s;
}

/* z of a plane is 0. */
static status give_plane(const io_source *source, const io_box *box, void *out)
{
    const io_array_place place = {.file = IO_ARRAY_RAMP};
    const io_array_wish want = {.origin = source->origin};
    const bool is_empty = box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0;
    return is_empty ? STATUS_OK : io_array_rows_give(&place, box, NULL, &want, out);
}

static status read_box(io_source *source, int step, int block, int array,
                       const io_box *box, void *out)
{
    const hdf5_state *state = source->state;
    if (array == IO_ARRAY_Z && state->names->lacks_z) {
        return give_plane(source, box, out);
    }
    const status s = select_dataset(source, step, block, array);
    const io_hdf5_transfer transfer = transfer_of(source, array);
    return s == STATUS_OK ? io_hdf5_transfer_read(&transfer, box, out) : s;
}

static status hdf5_read(io_source *source, int step, int block, int array,
                        const io_box *box, void *out)
{
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = io_hdf5_watch_check(read_box(source, step, block, array, box, out));
    io_hdf5_watch_end(&before);
    return s;
}

/* The file of the grid, if it is another one. */
static bool hdf5_reads(const io_source *source, const char *path)
{
    const hdf5_state *state = source->state;
    return state->grid_path && io_file_is_same(state->grid_path, path);
}

const io_source_kind io_source_hdf5 = {.takes = hdf5_takes,
                                       .wants = hdf5_wants,
                                       .list = io_hdf5_list,
                                       .open = hdf5_open,
                                       .read = hdf5_read,
                                       .reads = hdf5_reads,
                                       .close = hdf5_close,
                                       .has_doubles = true,
                                       .has_places = true,
                                       .window = IO_WINDOW_VERTICES};
