/*
 * The CGNS source: structured zones of a CGNS file, read without its library.
 *
 * Rank 0 reads the nodes and broadcasts catalogue and tables. All ranks then open the
 * file together, and read values as from any HDF5 file. Of a file in ADF they open an
 * image in HDF5.
 */
#include "adf.h"
#include "adf_image.h"
#include "base/parallel/parallel.h"
#include "contents.h"
#include "io/source.h"
#include "io/source_kind.h"
#include "io/sources/arrays/rows.h"
#include "io/sources/hdf5/driver.h"
#include "io/sources/hdf5/open.h"
#include "io/sources/hdf5/opened.h"
#include "io/sources/hdf5/transfer.h"
#include "io/view.h"
#include "io/window.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cgns_state {
    io_hdf5_file file;    /* id 0: not open */
    hid_t mode;           /* property list of reads */
    cgns_adf_image image; /* while an ADF file is opened */
    cgns_tables tables;
    io_data_config fills; /* only its fill values */
    io_hdf5_opened_list opened;
    io_hdf5_opened *now; /* the array that is read */
} cgns_state;

/* ---- Recognition ------------------------------------------------------------------- */

/* io_source_kind.takes: an ADF file, or an HDF5 file with CGNS nodes and a structured
 * zone. */
static bool cgns_takes(const char *path, FILE *stream)
{
    static const char signature[8] = "\211HDF\r\n\032\n";
    char bytes[sizeof signature];
    bool has = false;
    if (cgns_adf_is(stream)) {
        return true;
    }
    fseek(stream, 0, SEEK_SET);
    if (fread(bytes, sizeof bytes, 1, stream) != 1 ||
        memcmp(bytes, signature, sizeof bytes) != 0) {
        return false;
    }
    const io_hdf5_watch before = io_hdf5_watch_begin();
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    io_hdf5_driver_set(access);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file >= 0) {
        has = H5Lexists(file, "CGNSLibraryVersion", io_hdf5_links()) > 0 &&
              cgns_contents_has_zones(file);
        H5Fclose(file);
    }
    io_hdf5_watch_end(&before);
    return has;
}

/* ---- Opening ----------------------------------------------------------------------- */

static status create_state(MPI_Comm comm, const io_data_config *config, cgns_state **out)
{
    cgns_state *state = calloc(1, sizeof *state);
    if (!state) {
        return base_fail_memory(sizeof *state, "the CGNS source");
    }
    state->fills.nfills = config->nfills;
    memcpy(state->fills.fills, config->fills, sizeof config->fills);
    state->mode = io_hdf5_transfer_mode(comm);
    *out = state;
    return STATUS_OK;
}

/* Opens the file on the ranks of comm, or the image if there is one. */
static status open_file(MPI_Comm comm, const char *path, const cgns_adf_image *image,
                        io_hdf5_file *out)
{
    return image->size > 0 ? cgns_adf_image_open(image, path, out)
                           : io_hdf5_file_open(comm, path, false, out);
}

/* Rank 0's part of opening: finds all errors in a file. */
static status read_catalog(const char *path, const char *base, io_catalog *catalog,
                           cgns_state *state)
{
    io_hdf5_file file;
    status s = cgns_adf_image_make(path, &state->image);
    const bool is_adf = state->image.size > 0;
    if (s == STATUS_OK && !is_adf) {
        s = io_hdf5_file_check(path);
    }
    if (s == STATUS_OK) {
        s = open_file(MPI_COMM_SELF, path, &state->image, &file);
    }
    if (s == STATUS_OK) {
        s = cgns_contents_read(&file, is_adf, base, catalog, &state->tables);
        H5Fclose(file.id);
    }
    return s;
}

static void note_fills(const cgns_state *state, io_catalog *catalog)
{
    for (int field = 0; field < catalog->nfields; field++) {
        io_hdf5_unpacking_add(&state->fills, &catalog->unpackings[field]);
    }
}

static status open_together(io_source *source, const io_data_config *config)
{
    cgns_state *state = NULL;
    status s = create_state(source->comm, config, &state);
    source->state = state;
    if (s == STATUS_OK && parallel_rank(source->comm) == 0) {
        s = io_hdf5_watch_check(
            read_catalog(source->path, config->base, &source->catalog, state));
        if (s == STATUS_OK) {
            note_fills(state, &source->catalog);
        }
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK) {
        s = io_catalog_broadcast(source->comm, &source->catalog);
    }
    if (s == STATUS_OK) {
        s = cgns_tables_broadcast(source->comm, &state->tables);
    }
    if (s == STATUS_OK) {
        s = cgns_adf_image_share(source->comm, &state->image);
    }
    if (s == STATUS_OK) {
        s = open_file(source->comm, source->path, &state->image, &state->file);
        s = parallel_agree(source->comm, io_hdf5_watch_check(s));
    }
    if (state && state->image.size > 0) { /* each rank has its own file */
        H5Pset_dxpl_mpio(state->mode, H5FD_MPIO_INDEPENDENT);
        free(state->image.bytes);
        state->image = (cgns_adf_image){0};
    }
    return s;
}

static status cgns_open(io_source *source, const io_data_config *config)
{
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = open_together(source, config);
    source->reads_alone = io_hdf5_is_one_node(source->comm);
    io_hdf5_watch_end(&before);
    return s;
}

static void cgns_close(io_source *source)
{
    cgns_state *state = source->state;
    if (!state) {
        return;
    }
    io_hdf5_opened_close(&state->opened);
    if (state->file.id > 0) {
        H5Fclose(state->file.id);
    }
    H5Pclose(state->mode);
    cgns_tables_clear(&state->tables);
    free(state);
    source->state = NULL;
}

/* ---- Reading ----------------------------------------------------------------------- */

static const cgns_place *find_grid(const cgns_tables *tables, int step, int block)
{
    return &tables->grids[tables->grid[cgns_tables_at(tables, block, step)]];
}

/* The place of an array, and the path of its values; NULL: the zone has none. */
static const cgns_place *find_place(const io_source *source, int step, int block,
                                    int array, char path[IO_PATH_SIZE])
{
    const cgns_state *state = source->state;
    const cgns_tables *tables = &state->tables;
    if (array >= 0) {
        const cgns_place *place = cgns_tables_find(tables, state->file.id, step, block,
                                                   tables->arrays[array], path);
        const bool wants_cells = source->catalog.fields[array].location == GRID_CELL;
        return place && place->is_cells == wants_cells ? place : NULL;
    }
    const cgns_place *grid = find_grid(tables, step, block);
    cgns_tables_path(state->file.id, grid,
                     cgns_tables_coordinate(grid, array - IO_ARRAY_X), path);
    return path[0] != '\0' ? grid : NULL;
}

/* Checks the shape of the open data set: that of the block with ghost planes. */
static status check_shape(const io_source *source, const cgns_place *place)
{
    const cgns_state *state = source->state;
    int64_t n[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t vertices =
            io_catalog_all_blocks(&source->catalog)[place->block].n[axis];
        n[axis] = vertices - (place->is_cells && vertices > 1) + place->rind[2 * axis] +
                  place->rind[2 * axis + 1];
    }
    return io_hdf5_dataset_check(&state->file, &state->now->dataset, n, "its zone");
}

static status open_array(io_source *source, int step, int block, int array)
{
    cgns_state *state = source->state;
    const grid_block *its = &io_catalog_all_blocks(&source->catalog)[block];
    io_hdf5_place where = {.is_grid = its->n[2] == 1, .axes = {.component = -1}};
    const char *ignored = NULL;
    state->now->place = find_place(source, step, block, array, where.path);
    if (!state->now->place && array >= 0 &&
        *io_catalog_presence(&source->catalog, step, array)) {
        return STATUS_OK; /* other zones have it */
    }
    if (!state->now->place) {
        return base_fail(STATUS_INPUT, "step %" PRId64 " of file '%s' has no field '%s'",
                         source->catalog.steps[step].number, source->path,
                         array >= 0 ? source->catalog.fields[array].name : "x, y, z");
    }
    status s = io_hdf5_dataset_open(&state->file, &where, &state->now->dataset);
    if (s == STATUS_OK) {
        s = check_shape(source, state->now->place);
    }
    if (s == STATUS_OK && array < 0) {
        s = io_hdf5_dataset_check_stored(&state->file, &state->now->dataset);
    }
    if (s == STATUS_OK) {
        s = io_hdf5_unpacking_read(&state->file, &state->now->dataset,
                                   &state->now->unpacking, &ignored);
    }
    if (s == STATUS_OK && array >= 0) {
        io_hdf5_unpacking_add(&state->fills, &state->now->unpacking);
    }
    return s;
}

/* How a box of the open array is read. */
static io_hdf5_transfer transfer_of(const io_source *source, int array)
{
    const cgns_state *state = source->state;
    const io_hdf5_opened *now = state->now;
    return (io_hdf5_transfer){.file = &state->file,
                              .dataset = &now->dataset,
                              .bytes = now->lies ? &now->bytes : NULL,
                              .unpacking = &now->unpacking,
                              .mode = state->mode,
                              .array = array,
                              .wants_doubles = source->wants_doubles,
                              .origin = source->origin};
}

/* Opens an array, unless it is open. Every rank fails alike, since all see the same
 * metadata. */
static status select_array(io_source *source, int step, int block, int array)
{
    cgns_state *state = source->state;
    state->now = io_hdf5_opened_find(&state->opened, step, block, array);
    if (state->now) {
        return STATUS_OK;
    }
    state->now = io_hdf5_opened_make(&state->opened);
    status s = open_array(source, step, block, array);
    if (s != STATUS_OK) {
        io_hdf5_dataset_close(&state->now->dataset);
        return s;
    }
    io_hdf5_opened_keep(&state->opened, state->now, step, block, array);
    io_array_place bytes;
    const io_hdf5_transfer transfer = transfer_of(source, array);
    if (state->now->place && io_hdf5_transfer_place(&transfer, &bytes)) {
        s = io_hdf5_opened_place(&state->opened, state->now, &bytes);
    }
    return s;
}

static size_t count_values(const io_box *box)
{
    const bool is_empty = box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0;
    return is_empty ? 0 : (size_t)box->n[0] * (size_t)box->n[1] * (size_t)box->n[2];
}

/* Gives an array that the zone lacks, all values of which are missing, or 0. */
static status give_same(const io_source *source, int array, int32_t kind,
                        const io_box *box, void *out)
{
    const io_array_place place = {.file = kind};
    const io_array_wish want = {.origin = array < 0 ? source->origin : NULL,
                                .is_float = array >= 0 && !source->wants_doubles};
    return count_values(box) > 0 ? io_array_rows_give(&place, box, NULL, &want, out)
                                 : STATUS_OK;
}

static status read_box(io_source *source, int step, int block, int array,
                       const io_box *box, void *out)
{
    cgns_state *state = source->state;
    status s = select_array(source, step, block, array);
    if (s != STATUS_OK) {
        return s;
    }
    if (!state->now->place) {
        return out ? give_same(source, array, IO_ARRAY_LACKS, box, out) : STATUS_OK;
    }
    const cgns_place *place = state->now->place;
    io_box shifted = *box;
    for (int axis = 0; axis < 3; axis++) {
        shifted.lo[axis] += place->rind[2 * axis];
    }
    const io_hdf5_transfer transfer = transfer_of(source, array);
    return io_hdf5_transfer_read(&transfer, &shifted, out);
}

/* Reads x or y of a zone with r and theta. Ranks without memory take part. */
static status read_turned(io_source *source, int step, int block, int array,
                          const io_box *box, void *out)
{
    const cgns_state *state = source->state;
    const double unit = find_grid(&state->tables, step, block)->angle;
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const size_t count = count_values(box), bytes = (2 * count + 1) * sizeof(double);
    const double *origin = source->origin;
    double *r = malloc(bytes), *theta = r ? r + count : NULL;
    source->origin = NULL;
    status s = read_box(source, step, block, IO_ARRAY_X, r ? box : &nothing, r);
    status second = read_box(source, step, block, IO_ARRAY_Y, r ? box : &nothing, theta);
    source->origin = origin;
    s = s == STATUS_OK ? second : s;
    s = r ? s : base_fail_memory(bytes, "coordinates being read");
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        const double angle = theta[n] * unit;
        r[n] *= array == IO_ARRAY_X ? cos(angle) : sin(angle);
    }
    if (s == STATUS_OK && count > 0) {
        const io_box all = {{0, 0, 0}, {box->n[0], box->n[1], box->n[2]}};
        const io_array_place place =
            io_array_place_make(IO_FLOAT64, false, 0, box->n, 1, 0);
        const io_array_wish want = {.origin = origin};
        s = io_array_rows_give(&place, &all, (const char *)r, &want, out);
    }
    free(r);
    return s;
}

/* The vertices around a box of cells. */
static io_box find_corners(const io_source *source, int block, const io_box *box)
{
    io_box corners = *box;
    for (int axis = 0; axis < 3; axis++) {
        corners.n[axis] += io_catalog_all_blocks(&source->catalog)[block].n[axis] > 1;
    }
    return count_values(box) > 0 ? corners : *box;
}

/* Turns a vector of a point, r and theta, into a component along x or y. x, y: the
 * point, in any length. */
static double turn_vector(int axis, double x, double y, double r, double theta)
{
    const double length = hypot(x, y);
    const double c = length > 0.0 ? x / length : 1.0;
    const double s = length > 0.0 ? y / length : 0.0;
    return axis == 0 ? r * c - theta * s : r * s + theta * c;
}

/* The mean of the corners of a cell of a box. */
static double mean_corner(const io_box *corners, const io_box *box, size_t cell,
                          const double *values)
{
    const int64_t i = (int64_t)cell % box->n[0], row = (int64_t)cell / box->n[0];
    const int64_t j = row % box->n[1], k = row / box->n[1];
    double sum = 0.0;
    for (int64_t dk = 0; dk <= corners->n[2] - box->n[2]; dk++) {
        for (int64_t dj = 0; dj <= corners->n[1] - box->n[1]; dj++) {
            for (int64_t di = 0; di <= corners->n[0] - box->n[0]; di++) {
                sum +=
                    values[((k + dk) * corners->n[1] + j + dj) * corners->n[0] + i + di];
            }
        }
    }
    return sum;
}

/* Reads four arrays one after the other: both components of a vector, x and y. */
static status read_four(io_source *source, const io_view_array *from, const io_box *box,
                        const io_box *corners, double *const to[4])
{
    const cgns_state *state = source->state;
    const cgns_polar *polar = &state->tables.polar[from->array];
    const bool wanted = source->wants_doubles;
    source->wants_doubles = true;
    status s = read_box(source, from->step, from->block, polar->radial, box, to[0]);
    status one = read_box(source, from->step, from->block, polar->angular, box, to[1]);
    source->wants_doubles = wanted;
    s = s == STATUS_OK ? one : s;
    for (int axis = 0; axis < 2; axis++) {
        one = read_turned(source, from->step, from->block, IO_ARRAY_X + axis, corners,
                          to[2 + axis]);
        s = s == STATUS_OK ? one : s;
    }
    return s;
}

/* Reads a component along x or y of a vector along r and theta. Ranks without memory
 * take part. */
static status read_vector(io_source *source, const io_view_array *from, const io_box *box,
                          void *out)
{
    const cgns_state *state = source->state;
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const bool is_cells = source->catalog.fields[from->array].location == GRID_CELL;
    const io_box corners = is_cells ? find_corners(source, from->block, box) : *box;
    const size_t count = count_values(box), around = count_values(&corners);
    const size_t bytes = (2 * count + 2 * around + 1) * sizeof(double);
    double *r = malloc(bytes);
    double *to[4] = {r, r ? r + count : NULL, r ? r + 2 * count : NULL,
                     r ? r + 2 * count + around : NULL};
    status s = read_four(source, from, r ? box : &nothing, r ? &corners : &nothing, to);
    s = r ? s : base_fail_memory(bytes, "a vector being read");
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        const double value = turn_vector(
            state->tables.polar[from->array].axis, mean_corner(&corners, box, n, to[2]),
            mean_corner(&corners, box, n, to[3]), to[0][n], to[1][n]);
        if (source->wants_doubles) {
            ((double *)out)[n] = value;
        } else {
            ((float *)out)[n] = (float)value;
        }
    }
    free(r);
    return s;
}

/* Whether a zone has a field as components along r and theta. Collective. */
static bool is_vector(io_source *source, const io_view_array *from)
{
    cgns_state *state = source->state;
    const cgns_polar *polar = &state->tables.polar[from->array];
    return cgns_polar_is(polar) && cgns_tables_is_turned(&state->tables, from->block) &&
           select_array(source, from->step, from->block, from->array) == STATUS_OK &&
           !state->now->place;
}

static status read_any(io_source *source, int step, int block, int array,
                       const io_box *box, void *out)
{
    const cgns_state *state = source->state;
    const io_view_array from = {step, block, array};
    const cgns_place *grid = find_grid(&state->tables, step, block);
    if (!out && source->reads_alone) { /* io_source_expect */
        return read_box(source, step, block, array, box, NULL);
    }
    if (array >= 0) {
        return is_vector(source, &from) ? read_vector(source, &from, box, out)
                                        : read_box(source, step, block, array, box, out);
    }
    return array == IO_ARRAY_Z && grid->lacks_z
               ? give_same(source, array, IO_ARRAY_RAMP, box, out)
           : array < IO_ARRAY_Z && grid->is_turned
               ? read_turned(source, step, block, array, box, out)
               : read_box(source, step, block, array, box, out);
}

static status cgns_read(io_source *source, int step, int block, int array,
                        const io_box *box, void *out)
{
    cgns_state *state = source->state;
    block = io_catalog_member(&source->catalog, block); /* as the tables count */
    if (array == IO_ARRAY_IBLANK) {
        cgns_tables_mark(&state->tables, block, box, out);
        return STATUS_OK;
    }
    const io_hdf5_watch before = io_hdf5_watch_begin();
    status s = io_hdf5_watch_check(read_any(source, step, block, array, box, out));
    io_hdf5_watch_end(&before);
    return s;
}

const io_source_kind io_source_cgns = {.takes = cgns_takes,
                                       .open = cgns_open,
                                       .read = cgns_read,
                                       .close = cgns_close,
                                       .has_doubles = true,
                                       .has_bases = true,
                                       .has_places = true,
                                       .window = IO_WINDOW_VERTICES};
