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

/* Where the values are: in bytes that have `sizes` of them along the axes of the file,
 * from index `first` on. */
static io_array_place lay_out(const io_hdf5_dataset *dataset, hid_t type,
                              const int64_t *sizes, const int64_t *first)
{
    io_array_place place = {.type = number_of(type), .swaps = dataset->swaps};
    int64_t next = (int64_t)io_number_size(place.type);
    for (int n = dataset->rank - 1; n >= 0; n--) {
        const int axis = dataset->axis[n];
        if (axis >= 0) {
            place.stride[axis] = next;
        }
        place.offset += ((axis < 0 ? dataset->at[n] : 0) - first[n]) * next;
        next *= sizes[n];
    }
    return place;
}

/* Where the values are in a file that has all of them. */
static io_array_place place_in_file(const io_hdf5_dataset *dataset, hid_t type)
{
    static const int64_t first[IO_HDF5_AXES] = {0};
    io_array_place place = lay_out(dataset, type, dataset->shape, first);
    place.offset += dataset->offset;
    return place;
}

/* Where the values of a box are in memory, in which HDF5 has turned their bytes. */
static io_array_place place_in_memory(const io_hdf5_dataset *dataset, const io_box *box,
                                      hid_t type)
{
    int64_t sizes[IO_HDF5_AXES], first[IO_HDF5_AXES];
    for (int n = 0; n < dataset->rank; n++) {
        const int axis = dataset->axis[n];
        sizes[n] = axis < 0 ? 1 : box->n[axis];
        first[n] = axis < 0 ? dataset->at[n] : box->lo[axis];
    }
    io_array_place place = lay_out(dataset, type, sizes, first);
    place.swaps = false;
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
    const io_array_place place = place_in_memory(t->dataset, box, type);
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
    *out = place_in_file(dataset, type);
    return always && lies(t, type) && dataset->descriptor == t->file->descriptor;
}

/* Whether ranks read together, so that each takes part in each read. */
static bool is_shared(const io_hdf5_transfer *t)
{
    H5FD_mpio_xfer_t mode = H5FD_MPIO_INDEPENDENT;
    return H5Pget_dxpl_mpio(t->mode, &mode) >= 0 && mode == H5FD_MPIO_COLLECTIVE;
}

/* ---- Chunks ------------------------------------------------------------------------ */

/*
 * HDF5 would read whole chunks, and keep each in memory of its own: fresh memory costs
 * more than a read. So it only tells where those lie that hold values as they are.
 */
typedef struct chunk_read {
    const io_hdf5_transfer *t;
    const io_box *box;
    io_array_wish want;
    char *room;    /* for a chunk */
    char *numbers; /* room for the numbers of one, as they are wanted */
    char *out;
} chunk_read;

/* Whether chunks have the values as they are, and this rank reads alone. */
static bool lies_in_chunks(const io_hdf5_transfer *t, hid_t type)
{
    const io_hdf5_dataset *d = t->dataset;
    return d->in_chunks >= 0 && type == d->as_stored && d->n[0] > 0 && d->n[1] > 0 &&
           d->n[2] > 0 && !is_shared(t);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Finds the chunk that has the value of a box at `lo`, and its part of the box. */
static void find_chunk(const io_hdf5_dataset *dataset, const io_box *box,
                       const int64_t lo[3], hsize_t first[IO_HDF5_AXES], io_box *part)
{
    for (int axis = 0; axis < 3; axis++) {
        part->lo[axis] = lo[axis];
        part->n[axis] = box->lo[axis] + box->n[axis] - lo[axis];
    }
    for (int n = 0; n < dataset->rank; n++) {
        const int axis = dataset->axis[n];
        const int64_t at = axis < 0 ? dataset->at[n] : lo[axis];
        first[n] = (hsize_t)(at - at % dataset->chunk[n]);
        if (axis >= 0) {
            part->n[axis] =
                least(part->n[axis], (int64_t)first[n] + dataset->chunk[n] - at);
        }
    }
}

/* Copies a part of a box, of numbers of so many bytes, to its place. */
static void put_part(const io_box *box, const io_box *part, size_t size,
                     const char *values, char *out)
{
    const size_t row = (size_t)part->n[0] * size;
    for (int64_t n = 0; n < part->n[1] * part->n[2]; n++) {
        const int64_t j = part->lo[1] - box->lo[1] + n % part->n[1];
        const int64_t k = part->lo[2] - box->lo[2] + n / part->n[1];
        const int64_t to = (k * box->n[1] + j) * box->n[0] + part->lo[0] - box->lo[0];
        memcpy(out + (size_t)to * size, values + (size_t)n * row, row);
    }
}

/* Reads the part of a box that lies in the chunk with the value at `lo`. False: it was
 * never written, or cannot be read. */
static bool read_chunk(const chunk_read *r, const int64_t lo[3], io_box *part, status *s)
{
    const io_hdf5_dataset *dataset = r->t->dataset;
    const io_array_file file = {r->t->file->path, dataset->in_chunks, NULL};
    hsize_t first[IO_HDF5_AXES];
    int64_t from[IO_HDF5_AXES];
    find_chunk(dataset, r->box, lo, first, part);
    for (int n = 0; n < dataset->rank; n++) {
        from[n] = (int64_t)first[n];
    }
    const int64_t offset = io_hdf5_chunk_offset(dataset->id, first, r->room);
    if (offset < 0) {
        return false;
    }
    io_array_place place = lay_out(dataset, dataset->as_stored, dataset->chunk, from);
    place.offset += offset;
    *s = io_array_rows_read(&file, &place, part, &r->want, r->numbers);
    put_part(r->box, part, io_array_rows_size(&r->want), r->numbers, r->out);
    return *s == STATUS_OK;
}

/* Reads a box chunk by chunk; false: HDF5 has to read it. */
static bool read_chunks(const io_hdf5_transfer *t, const io_box *box, void *out,
                        status *s)
{
    size_t count = 1;
    for (int n = 0; n < t->dataset->rank; n++) {
        count *= (size_t)t->dataset->chunk[n];
    }
    const size_t bytes = count * t->dataset->precision;
    const size_t values = count < box_count(box) ? count : box_count(box);
    char *room = malloc(bytes + values * sizeof(double) + 1);
    const chunk_read r = {t,    box,          find_wish(t, t->dataset->as_stored),
                          room, room + bytes, out};
    const int64_t *from = box->lo, *n = box->n;
    int64_t lo[3];
    io_box part;
    bool reads = room != NULL;
    for (lo[2] = from[2]; reads && lo[2] < from[2] + n[2]; lo[2] += part.n[2]) {
        for (lo[1] = from[1]; reads && lo[1] < from[1] + n[1]; lo[1] += part.n[1]) {
            for (lo[0] = from[0]; reads && lo[0] < from[0] + n[0]; lo[0] += part.n[0]) {
                reads = read_chunk(&r, lo, &part, s);
            }
        }
    }
    free(room);
    return reads || *s != STATUS_OK;
}

status io_hdf5_transfer_read(const io_hdf5_transfer *t, const io_box *box, void *out)
{
    const hid_t type = find_type(t);
    status s = STATUS_OK;
    if (out && !t->bytes && lies_in_chunks(t, type) && read_chunks(t, box, out, &s)) {
        return s;
    }
    if (!t->bytes && !lies(t, type)) {
        return out || is_shared(t) ? read_by_hdf5(t, box, type, out) : STATUS_OK;
    }
    const io_array_wish want = find_wish(t, type);
    const io_array_place place = t->bytes ? *t->bytes : place_in_file(t->dataset, type);
    const io_array_file file = {
        t->file->path, t->bytes ? t->file->descriptor : t->dataset->descriptor, NULL};
    return box_count(box) > 0 ? io_array_rows_read(&file, &place, box, &want, out)
                              : STATUS_OK;
}
