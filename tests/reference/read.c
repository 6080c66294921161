#include "reference/reference.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 512 };

/* Reads a three-dimensional data set whole; n: its extents, slowest first. */
static status read_array(hid_t file, const char *path, hid_t type, const hsize_t n[3],
                         void *out)
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    hsize_t extent[3] = {0, 0, 0};
    bool fits = space >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
                H5Sget_simple_extent_dims(space, extent, NULL) == 3 &&
                memcmp(extent, n, sizeof extent) == 0;
    bool done = fits && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return done ? STATUS_OK
                : base_fail(STATUS_INPUT,
                            "%s: cannot be read as %llu x %llu x %llu values", path,
                            (unsigned long long)n[0], (unsigned long long)n[1],
                            (unsigned long long)n[2]);
}

/* The extents of a data set, slowest first. */
static status read_extent(hid_t file, const char *path, hsize_t n[3])
{
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    bool done = space >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
                H5Sget_simple_extent_dims(space, n, NULL) == 3;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return done ? STATUS_OK
                : base_fail(STATUS_INPUT, "%s: not a data set of three dimensions", path);
}

static status read_block(hid_t file, const reference_paths *paths, reference_block *block)
{
    hsize_t n[3] = {0}, values[3] = {0};
    status s = read_extent(file, paths->x[0], n);
    s = s == STATUS_OK ? read_extent(file, paths->scalar, values) : s;
    if (s != STATUS_OK) {
        return s;
    }
    block->cell_values = values[0] < n[0];
    for (int axis = 0; axis < 3; axis++) {
        block->n[axis] = (int64_t)n[2 - axis];
        if (values[axis] != n[axis] - (block->cell_values ? 1 : 0)) {
            return base_fail(STATUS_INPUT,
                             "%s: has neither a value per vertex nor per cell",
                             paths->scalar);
        }
    }
    s = reference_block_allocate(block, paths->iblank != NULL);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = read_array(file, paths->x[axis], H5T_NATIVE_DOUBLE, n, block->x[axis]);
    }
    if (s == STATUS_OK && paths->iblank) {
        s = read_array(file, paths->iblank, H5T_NATIVE_INT32, n, block->iblank);
    }
    return s == STATUS_OK
               ? read_array(file, paths->scalar, H5T_NATIVE_DOUBLE, values, block->scalar)
               : s;
}

status reference_grid_read_paths(const char *file, const reference_paths *paths,
                                 reference_grid *out)
{
    hid_t handle = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (handle < 0) {
        return base_fail(STATUS_INPUT, "%s: cannot be opened as HDF5", file);
    }
    reference_grid grid = {0};
    status s = reference_grid_create(1, &grid);
    s = s == STATUS_OK ? read_block(handle, paths, &grid.blocks[0]) : s;
    H5Fclose(handle);
    if (s != STATUS_OK) {
        reference_grid_clear(&grid);
        return s;
    }
    *out = grid;
    return STATUS_OK;
}

/* Name of the n-th member of a group, by name; "" if there is none. */
static void member_name(hid_t file, const char *group, int n, char name[PATH_SIZE / 4])
{
    name[0] = '\0';
    H5Lget_name_by_idx(file, group, H5_INDEX_NAME, H5_ITER_INC, (hsize_t)n, name,
                       PATH_SIZE / 4, H5P_DEFAULT);
}

static int member_count(hid_t file, const char *group)
{
    H5G_info_t info;
    return H5Gget_info_by_name(file, group, &info, H5P_DEFAULT) >= 0 ? (int)info.nlinks
                                                                     : 0;
}

/* Reads block `number` of a file in karman's own layout. */
static status read_own_block(hid_t file, int number, const char *step, const char *field,
                             reference_block *block)
{
    char name[PATH_SIZE / 4];
    char path[5][PATH_SIZE];
    member_name(file, "/grid", number, name);
    snprintf(path[0], PATH_SIZE, "/grid/%s/x", name);
    snprintf(path[1], PATH_SIZE, "/grid/%s/y", name);
    snprintf(path[2], PATH_SIZE, "/grid/%s/z", name);
    snprintf(path[3], PATH_SIZE, "/grid/%s/iblank", name);
    snprintf(path[4], PATH_SIZE, "/flow/%s/%s/%s", step, name, field);
    bool with_iblank = H5Lexists(file, path[3], H5P_DEFAULT) > 0;
    return read_block(file,
                      &(reference_paths){.x = {path[0], path[1], path[2]},
                                         .iblank = with_iblank ? path[3] : NULL,
                                         .scalar = path[4]},
                      block);
}

status reference_grid_read(const char *file, int step, const char *field,
                           reference_grid *out)
{
    hid_t handle = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (handle < 0) {
        return base_fail(STATUS_INPUT, "%s: cannot be opened as HDF5", file);
    }
    int nblocks = member_count(handle, "/grid");
    char step_name[PATH_SIZE / 4];
    member_name(handle, "/flow", step, step_name);
    reference_grid grid = {0};
    status s = nblocks > 0 ? reference_grid_create(nblocks, &grid)
                           : base_fail(STATUS_INPUT, "%s: no blocks below /grid", file);
    for (int b = 0; b < nblocks && s == STATUS_OK; b++) {
        s = read_own_block(handle, b, step_name, field, &grid.blocks[b]);
    }
    H5Fclose(handle);
    if (s != STATUS_OK) {
        reference_grid_clear(&grid);
        return s;
    }
    *out = grid;
    return STATUS_OK;
}
