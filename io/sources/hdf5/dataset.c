#include "dataset.h"

#include "virtual.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- errors of HDF5 --------------------------------------------------------------- */

/* Copies the innermost call's message, the most specific one; an upward walk starts with
 * it. */
static herr_t copy_innermost(unsigned depth, const H5E_error2_t *error, void *reason)
{
    if (depth == 0 && error->desc) {
        snprintf(reason, IO_HDF5_REASON_SIZE, "%s", error->desc);
    }
    return 0;
}

void io_hdf5_reason(char reason[IO_HDF5_REASON_SIZE])
{
    snprintf(reason, IO_HDF5_REASON_SIZE, "HDF5 does not say why");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, copy_innermost, reason);
    const size_t length = strlen(reason);
    if (strstr(reason, "not registered") || strstr(reason, "plugins disabled")) {
        snprintf(reason + length, IO_HDF5_REASON_SIZE - length,
                 "; KARMAN_HDF5_PLUGINS=1 lets HDF5 load filters");
    }
}

/* ---- opening ---------------------------------------------------------------------- */

enum { SHAPE_SIZE = 256 };

static status read_shape(const io_hdf5_file *file, io_hdf5_dataset *dataset)
{
    hsize_t n[H5S_MAX_RANK];
    hid_t space = H5Dget_space(dataset->id);
    const int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, n, NULL);
    if (space >= 0) {
        H5Sclose(space);
    }
    if (rank < 0 || rank > IO_HDF5_AXES) {
        return base_fail(STATUS_INPUT,
                         "data set '%s' of file '%s' has %d axes, more than %d",
                         dataset->place.path, file->path, rank, (int)IO_HDF5_AXES);
    }
    dataset->rank = rank;
    for (int axis = 0; axis < rank; axis++) {
        dataset->shape[axis] = (int64_t)n[axis];
    }
    return STATUS_OK;
}

/* Whether three axes of the file, from `first` on, are those of the vertices or cells of
 * the block. */
static bool axes_fit(const io_hdf5_dataset *dataset, int first)
{
    const io_hdf5_place *place = &dataset->place;
    for (int64_t less = 0; less < 2; less++) {
        bool fit = true;
        for (int n = 0; n < 3; n++) {
            const int64_t wanted = place->fit[place->is_fortran ? n : 2 - n] - less;
            fit = fit && dataset->shape[first + n] == wanted;
        }
        if (fit) {
            return true;
        }
    }
    return false;
}

/* Whether the axis of components is the first of those from `first` to `last`, rather
 * than the last: if the shape of the block says so or, for coordinates, if it has 3
 * components as coordinates have. */
static bool component_is_first(const io_hdf5_dataset *dataset, int first, int last)
{
    if (dataset->place.is_grid) {
        return dataset->shape[first] == 3 && dataset->shape[last] > 3;
    }
    return last - first == 3 && !axes_fit(dataset, first) && axes_fit(dataset, first + 1);
}

static status fix_axis(const io_hdf5_file *file, io_hdf5_dataset *dataset, int axis,
                       int index)
{
    const bool is_step = index == IO_AXIS_STEP;
    const int64_t at = is_step ? dataset->place.step : index;
    dataset->axis[axis] = -1;
    dataset->at[axis] = at;
    if (at < dataset->shape[axis]) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INPUT,
                     "data set '%s' of file '%s' has %" PRId64 " %s, numbered from 0: "
                     "there is no [%" PRId64 "]",
                     dataset->place.path, file->path, dataset->shape[axis],
                     is_step ? "steps" : "components", at);
}

static status fix_axes(const io_hdf5_file *file, io_hdf5_dataset *dataset)
{
    const io_axes *axes = &dataset->place.axes;
    const int first = axes->nlead, last = dataset->rank - axes->ntrail - 1;
    status s = STATUS_OK;
    for (int n = 0; n < axes->nlead && s == STATUS_OK; n++) {
        s = fix_axis(file, dataset, n, axes->lead[n]);
    }
    for (int n = 0; n < axes->ntrail && s == STATUS_OK; n++) {
        s = fix_axis(file, dataset, last + 1 + n, axes->trail[n]);
    }
    if (s == STATUS_OK && axes->component >= 0) {
        const int axis = component_is_first(dataset, first, last) ? first : last;
        s = fix_axis(file, dataset, axis, axes->component);
    }
    return s;
}

/* Gives the axes that are not fixed, `count` of them, to i, j and k. */
static void assign_axes(io_hdf5_dataset *dataset, int count)
{
    const io_hdf5_place *place = &dataset->place;
    int n = 0;
    for (int axis = 0; axis < dataset->rank; axis++) {
        if (dataset->axis[axis] < 0) {
            continue;
        }
        const int of_grid = count == 1          ? place->line
                            : place->is_fortran ? n
                                                : count - 1 - n;
        dataset->axis[axis] = of_grid;
        dataset->n[of_grid] = dataset->shape[axis];
        n++;
    }
}

/* Whether `count` axes can be those of the grid. Coordinates may have fewer than three;
 * but "/x[0]" of three axes is rather a mistake: "/x[:,0]" says it. */
static bool count_is_possible(const io_hdf5_dataset *dataset, int count)
{
    const io_hdf5_place *place = &dataset->place;
    return count == 3 ||
           (place->is_grid && place->axes.component < 0 && count >= 1 && count < 3);
}

static status look_at_shape(const io_hdf5_file *file, io_hdf5_dataset *dataset)
{
    const io_axes *axes = &dataset->place.axes;
    const int fixed = axes->nlead + axes->ntrail + (axes->component >= 0);
    status s = read_shape(file, dataset);
    const int count = dataset->rank - fixed;
    if (s == STATUS_OK && !count_is_possible(dataset, count)) {
        return base_fail(STATUS_INPUT,
                         "data set '%s' of file '%s' has %d axes, but %d are needed%s",
                         dataset->place.path, file->path, dataset->rank, 3 + fixed,
                         count == 4 ? ": end its path in a component, such as [0], or in "
                                      "[step]"
                         : fixed > 0 ? " where the path ends in a component"
                                     : "");
    }
    if (s == STATUS_OK) {
        s = fix_axes(file, dataset);
    }
    if (s == STATUS_OK) {
        assign_axes(dataset, count);
    }
    return s;
}

static status look_at_type(const io_hdf5_file *file, io_hdf5_dataset *dataset)
{
    hid_t type = H5Dget_type(dataset->id);
    H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    dataset->is_float = kind == H5T_FLOAT;
    dataset->is_unsigned = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
    dataset->precision = type < 0 ? 0 : H5Tget_size(type);
    if (type >= 0) {
        H5Tclose(type);
    }
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) {
        return base_fail(
            STATUS_INPUT,
            "data set '%s' of file '%s' does not hold numbers: floating-point "
            "or integer values are needed",
            dataset->place.path, file->path);
    }
    return STATUS_OK;
}

/* The type as which the file holds the values; or, but for the order of bytes. */
static bool find_stored(io_hdf5_dataset *dataset, hid_t type)
{
    const struct {
        hid_t stored, other;
    } types[] = {{H5T_NATIVE_FLOAT, H5T_IEEE_F32BE},
                 {H5T_NATIVE_DOUBLE, H5T_IEEE_F64BE},
                 {H5T_NATIVE_INT32, H5T_STD_I32BE}};
    const int n = !dataset->is_float ? 2 : dataset->precision == 4 ? 0 : 1;
    dataset->as_stored = types[n].stored;
    dataset->swaps = H5Tequal(type, types[n].stored) <= 0;
    return !dataset->swaps || H5Tequal(type, types[n].other) > 0;
}

/* The descriptor of the file that holds a data set, which may be a linked one. */
static int find_descriptor(const io_hdf5_file *file, hid_t dataset)
{
    const hid_t holder = H5Iget_file_id(dataset);
    const bool is_file = holder == file->id;
    H5Fclose(holder);
    return is_file ? file->descriptor : io_hdf5_driver_descriptor(dataset);
}

/* Finds out whether the values lie as they are in chunks. */
static void find_chunks(const io_hdf5_file *file, io_hdf5_dataset *dataset)
{
    const hid_t list = H5Dget_create_plist(dataset->id);
    hsize_t chunk[IO_HDF5_AXES] = {0};
    const bool is_plain = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED &&
                          H5Pget_nfilters(list) == 0 &&
                          H5Pget_chunk(list, IO_HDF5_AXES, chunk) == dataset->rank;
    for (int axis = 0; axis < dataset->rank; axis++) {
        dataset->chunk[axis] = (int64_t)chunk[axis];
    }
    dataset->in_chunks = is_plain ? find_descriptor(file, dataset->id) : -1;
    if (list >= 0) {
        H5Pclose(list);
    }
}

/* Finds out whether the values lie as they are in a file. */
static void find_bytes(const io_hdf5_file *file, io_hdf5_dataset *dataset)
{
    const hid_t type = H5Dget_type(dataset->id);
    dataset->offset = io_hdf5_values_offset(dataset->id);
    dataset->descriptor = dataset->in_chunks = -1;
    if (find_stored(dataset, type) && dataset->offset >= 0) {
        dataset->descriptor = find_descriptor(file, dataset->id);
    } else if (find_stored(dataset, type) && !dataset->is_virtual) {
        dataset->descriptor = io_hdf5_raw_open(dataset->id, &dataset->offset);
        dataset->owns_descriptor = dataset->descriptor >= 0;
        find_chunks(file, dataset);
    }
    H5Tclose(type);
}

static status open_object(const io_hdf5_file *file, const char *path, hid_t *out)
{
    hid_t id = H5Oopen(file->id, path, io_hdf5_links());
    if (id < 0) {
        char reason[IO_HDF5_REASON_SIZE];
        io_hdf5_reason(reason);
        return base_fail(STATUS_INPUT, "file '%s' has no data set '%s' (%s)", file->path,
                         path, reason);
    }
    if (H5Iget_type(id) != H5I_DATASET) {
        H5Oclose(id);
        return base_fail(STATUS_INPUT, "'%s' of file '%s' is not a data set", path,
                         file->path);
    }
    *out = id;
    return STATUS_OK;
}

status io_hdf5_dataset_open(const io_hdf5_file *file, const io_hdf5_place *place,
                            io_hdf5_dataset *out)
{
    io_hdf5_dataset dataset = {.place = *place};
    status s = open_object(file, place->path, &dataset.id);
    if (s != STATUS_OK) {
        return s;
    }
    s = look_at_shape(file, &dataset);
    if (s == STATUS_OK) {
        s = look_at_type(file, &dataset);
    }
    if (s == STATUS_OK && !io_hdf5_values_are_safe(dataset.id, &dataset.is_virtual)) {
        s = base_fail(STATUS_INPUT, "data set '%s' of file '%s' cannot be read",
                      place->path, file->path);
    }
    if (s != STATUS_OK) {
        io_hdf5_dataset_close(&dataset);
        return s;
    }
    find_bytes(file, &dataset);
    *out = dataset;
    return STATUS_OK;
}

void io_hdf5_dataset_close(io_hdf5_dataset *dataset)
{
    if (dataset->owns_descriptor) {
        close(dataset->descriptor);
    }
    dataset->owns_descriptor = false;
    if (dataset->id > 0) {
        H5Dclose(dataset->id);
        dataset->id = 0;
    }
}

/* ---- checking --------------------------------------------------------------------- */

/* Writes the shape as HDF5 tools do: slowest axis first. */
static const char *shape_text(const io_hdf5_dataset *dataset, char text[SHAPE_SIZE])
{
    size_t length = 0;
    text[0] = '\0';
    for (int axis = 0; axis < dataset->rank; axis++) {
        length += (size_t)snprintf(text + length, SHAPE_SIZE - length, "%s%" PRId64,
                                   axis > 0 ? " x " : "", dataset->shape[axis]);
    }
    return text;
}

/* Writes n values along i, j, k as the file's axes of the grid have to be. */
static const char *wanted_text(const io_hdf5_dataset *dataset, const int64_t n[3],
                               char text[SHAPE_SIZE])
{
    const bool is_fortran = dataset->place.is_fortran;
    snprintf(text, SHAPE_SIZE, "%" PRId64 " x %" PRId64 " x %" PRId64,
             n[is_fortran ? 0 : 2], n[1], n[is_fortran ? 2 : 0]);
    return text;
}

/* Whether the axes of the grid have n values in the other order. */
static const char *advise_order(const io_hdf5_dataset *dataset, const int64_t n[3])
{
    const bool is_reversed =
        dataset->n[0] == n[2] && dataset->n[1] == n[1] && dataset->n[2] == n[0];
    return !is_reversed                ? ""
           : dataset->place.is_fortran ? "; remove data.order"
                                       : "; data.order: fortran reads it in this order";
}

status io_hdf5_dataset_check_stored(const io_hdf5_file *file,
                                    const io_hdf5_dataset *dataset)
{
    /* No compression of floating-point numbers does better, but for zeros. */
    const double best_ratio = 4096.0;
    double bytes = (double)dataset->precision;
    for (int axis = 0; axis < dataset->rank; axis++) {
        bytes *= (double)dataset->shape[axis];
    }
    const double stored = (double)H5Dget_storage_size(dataset->id);
    return dataset->is_virtual || bytes <= 0.0 ||
                   (stored > 0.0 && (bytes < 1e9 || stored * best_ratio > bytes))
               ? STATUS_OK
               : base_fail(
                     STATUS_INPUT,
                     "data set '%s' of file '%s' has %.0f bytes of coordinates, but "
                     "%.0f were written",
                     dataset->place.path, file->path, bytes, stored);
}

/* Whether the data set has n values along i, j, k. It may lack axes. */
static bool has_values(const io_hdf5_dataset *dataset, const int64_t n[3])
{
    bool has = true;
    for (int axis = 0; axis < 3; axis++) {
        has = has && (dataset->n[axis] == n[axis] || dataset->n[axis] == 0);
    }
    return has;
}

status io_hdf5_dataset_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const int64_t n[3], const char *what)
{
    char found[SHAPE_SIZE], wanted[SHAPE_SIZE];
    return has_values(dataset, n)
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "data set '%s' of file '%s' has the shape %s, but %s needs %s"
                           "%s",
                           dataset->place.path, file->path, shape_text(dataset, found),
                           what, wanted_text(dataset, n, wanted),
                           advise_order(dataset, n));
}

/* Values of an array of a block along i, j, k: one for each vertex or each cell. */
static void expected_values(const grid_block *block, grid_location location, int closing,
                            int64_t n[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const bool is_less =
            location == GRID_CELL && block->n[axis] > 1 && !(closing >> axis & 1);
        n[axis] = block->n[axis] - (is_less ? 1 : 0);
    }
}

/* Whether a data set has values in cells, and along one axis also in those that lead from
 * the last vertices back to the first. *closing: the bit of this axis. */
static bool has_closing_cells(const io_hdf5_dataset *dataset, const grid_block *block,
                              uint8_t *closing)
{
    int bits = 0;
    bool fits = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = block->n[axis], cells = n > 1 ? n - 1 : 1;
        bits |= (n > 1 && dataset->n[axis] == n) << axis;
        fits = fits && (dataset->n[axis] == n || dataset->n[axis] == cells);
    }
    *closing = (uint8_t)bits;
    return fits && (bits == 1 || bits == 2 || bits == 4);
}

status io_hdf5_location_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              const grid_block *block, const grid_field *field)
{
    int64_t n[3];
    char what[2 * GRID_NAME_SIZE + 64];
    expected_values(block, field->location, field->closing, n);
    snprintf(what, sizeof what, "field '%s' %s of block '%s'", field->name,
             field->location == GRID_CELL ? "in the cells" : "at the vertices",
             block->name);
    return io_hdf5_dataset_check(file, dataset, n, what);
}

/* Whether a data set has n values along i, j, k. It may lack the axis of a plane. */
static bool fills(const io_hdf5_dataset *dataset, const int64_t n[3])
{
    bool fits = true;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_lacking = dataset->n[axis] == 0 && n[axis] == 1;
        fits = fits && (dataset->n[axis] == n[axis] || is_lacking);
    }
    return fits;
}

status io_hdf5_location_find(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const grid_block *block, bool may_close, grid_field *out)
{
    int64_t vertices[3], cells[3];
    expected_values(block, GRID_VERTEX, 0, vertices);
    expected_values(block, GRID_CELL, 0, cells);
    out->closing = 0;
    if (fills(dataset, vertices)) {
        out->location = GRID_VERTEX;
        return STATUS_OK;
    }
    if (fills(dataset, cells) ||
        (may_close && has_closing_cells(dataset, block, &out->closing))) {
        out->location = GRID_CELL;
        return STATUS_OK;
    }
    char found[SHAPE_SIZE], at_vertices[SHAPE_SIZE], in_cells[SHAPE_SIZE];
    const char *advice = advise_order(dataset, vertices);
    return base_fail(
        STATUS_INPUT,
        "data set '%s' of file '%s' has the shape %s, but block '%s' needs %s at "
        "vertices or %s in cells%s",
        dataset->place.path, file->path, shape_text(dataset, found), block->name,
        wanted_text(dataset, vertices, at_vertices),
        wanted_text(dataset, cells, in_cells),
        advice[0] != '\0' ? advice : advise_order(dataset, cells));
}
