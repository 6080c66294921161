#include "dataset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- errors of HDF5 --------------------------------------------------------------- */

io_hdf5_printing io_hdf5_printing_stop(void)
{
    io_hdf5_printing before = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

void io_hdf5_printing_restore(io_hdf5_printing before)
{
    H5Eset_auto2(H5E_DEFAULT, before.print, before.data);
}

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
}

/* ---- opening ---------------------------------------------------------------------- */

enum { SHAPE_SIZE = 128 };

/* The axes of a data set in the file's order. */
typedef struct file_shape {
    int rank;
    hsize_t n[H5S_MAX_RANK];
} file_shape;

static status look_at_shape(const io_hdf5_file *file, hid_t id,
                            const io_hdf5_place *place, file_shape *out)
{
    hid_t space = H5Dget_space(id);
    out->rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, out->n, NULL);
    if (space >= 0) {
        H5Sclose(space);
    }
    int wanted = place->component < 0 ? 3 : 4;
    if (out->rank != wanted) {
        return base_fail(STATUS_INPUT,
                         "data set '%s' of file '%s' has %d axes, but %d are needed%s",
                         place->path, file->path, out->rank, wanted,
                         wanted == 4      ? " where the path ends in a component"
                         : out->rank == 4 ? ": end its path in a component, such as [0]"
                                          : "");
    }
    if (wanted == 4 && (hsize_t)place->component >= out->n[3]) {
        return base_fail(
            STATUS_INPUT,
            "data set '%s' of file '%s' has %llu components, numbered from 0: "
            "there is no [%d]",
            place->path, file->path, (unsigned long long)out->n[3], place->component);
    }
    return STATUS_OK;
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

static status open_object(const io_hdf5_file *file, const char *path, hid_t *out)
{
    hid_t id = H5Oopen(file->id, path, H5P_DEFAULT);
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
    file_shape shape;
    s = look_at_shape(file, dataset.id, place, &shape);
    if (s == STATUS_OK) {
        s = look_at_type(file, &dataset);
    }
    if (s != STATUS_OK) {
        io_hdf5_dataset_close(&dataset);
        return s;
    }
    for (int axis = 0; axis < 3; axis++) {
        dataset.n[axis] = (int64_t)shape.n[2 - axis];
    }
    *out = dataset;
    return STATUS_OK;
}

void io_hdf5_dataset_close(io_hdf5_dataset *dataset)
{
    if (dataset->id > 0) {
        H5Dclose(dataset->id);
        dataset->id = 0;
    }
}

/* ---- checking --------------------------------------------------------------------- */

/* Writes the shape as HDF5 tools do: slowest axis first. */
static const char *shape_text(const int64_t n[3], char text[SHAPE_SIZE])
{
    snprintf(text, SHAPE_SIZE, "%" PRId64 " x %" PRId64 " x %" PRId64, n[2], n[1], n[0]);
    return text;
}

status io_hdf5_dataset_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const int64_t n[3], const char *what)
{
    for (int axis = 0; axis < 3; axis++) {
        if (dataset->n[axis] != n[axis]) {
            char found[SHAPE_SIZE], wanted[SHAPE_SIZE];
            return base_fail(
                STATUS_INPUT,
                "data set '%s' of file '%s' has the shape %s, but %s needs %s",
                dataset->place.path, file->path, shape_text(dataset->n, found), what,
                shape_text(n, wanted));
        }
    }
    return STATUS_OK;
}

/* Values of an array of a block along i, j, k: one for each vertex or each cell. */
static void expected_values(const grid_block *block, grid_location location, int64_t n[3])
{
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = block->n[axis] - (location == GRID_CELL ? 1 : 0);
    }
}

status io_hdf5_location_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              const grid_block *block, const grid_field *field)
{
    int64_t n[3];
    char what[2 * GRID_NAME_SIZE + 64];
    expected_values(block, field->location, n);
    snprintf(what, sizeof what, "field '%s' %s of block '%s'", field->name,
             field->location == GRID_CELL ? "in the cells" : "at the vertices",
             block->name);
    return io_hdf5_dataset_check(file, dataset, n, what);
}

status io_hdf5_location_find(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const grid_block *block, grid_location *out)
{
    int64_t vertices[3], cells[3];
    expected_values(block, GRID_VERTEX, vertices);
    expected_values(block, GRID_CELL, cells);
    if (memcmp(dataset->n, vertices, sizeof vertices) == 0) {
        *out = GRID_VERTEX;
        return STATUS_OK;
    }
    if (memcmp(dataset->n, cells, sizeof cells) == 0) {
        *out = GRID_CELL;
        return STATUS_OK;
    }
    char found[SHAPE_SIZE], at_vertices[SHAPE_SIZE], in_cells[SHAPE_SIZE];
    return base_fail(
        STATUS_INPUT,
        "data set '%s' of file '%s' has the shape %s, but block '%s' needs %s at "
        "vertices or %s in cells",
        dataset->place.path, file->path, shape_text(dataset->n, found), block->name,
        shape_text(vertices, at_vertices), shape_text(cells, in_cells));
}
