#include "file.h"

#include "failure.h"

#include <hdf5.h>
#include <stdio.h>
#include <sys/stat.h>

enum { PATH_SIZE = SOLVER_NAME_SIZE + 16 };

static bool fail_array(const char *path, const char *array)
{
    return solver_fail(
        SOLVER_FAILED,
        "'%s': %s cannot be read as coordinates [nk][nj][ni], with at least 2 "
        "along each axis and the same for x, y and z",
        path, array);
}

/* Vertices along k, j, i of an open array; false unless it has three axes. */
static bool get_size(hid_t array, hsize_t n[3])
{
    hid_t space = array >= 0 ? H5Dget_space(array) : -1;
    bool fits = space >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
                H5Sget_simple_extent_dims(space, n, NULL) == 3 && n[0] > 1 && n[1] > 1 &&
                n[2] > 1;
    if (space >= 0) {
        H5Sclose(space);
    }
    return fits;
}

/* Reads one coordinate into every third number of the block's vertices. */
static bool read_strided(hid_t array, const hsize_t n[3], double *xyz, hsize_t component)
{
    hsize_t count = n[0] * n[1] * n[2], all = 3 * count, stride = 3;
    hid_t in_memory = H5Screate_simple(1, &all, NULL);
    H5Sselect_hyperslab(in_memory, H5S_SELECT_SET, &component, &stride, &count, NULL);
    herr_t error =
        H5Dread(array, H5T_NATIVE_DOUBLE, in_memory, H5S_ALL, H5P_DEFAULT, xyz);
    H5Sclose(in_memory);
    return error >= 0;
}

static bool read_coordinate(hid_t file, const char *path, solver_grid *grid, int block,
                            const char *name, int component)
{
    char array_path[PATH_SIZE];
    hsize_t n[3] = {0, 0, 0};
    solver_block *b = &grid->blocks[block];
    snprintf(array_path, sizeof array_path, "/grid/%s/%c", name, "xyz"[component]);
    hid_t array = H5Dopen(file, array_path, H5P_DEFAULT);
    bool works = get_size(array, n);
    if (works && component == 0) {
        const int64_t cells[3] = {(int64_t)n[2] - 1, (int64_t)n[1] - 1,
                                  (int64_t)n[0] - 1};
        works = solver_grid_size(grid, block, name, cells);
    }
    works = works && (int64_t)n[0] == b->cells[2] + 1 &&
            (int64_t)n[1] == b->cells[1] + 1 && (int64_t)n[2] == b->cells[0] + 1 &&
            read_strided(array, n, b->xyz, (hsize_t)component);
    if (array >= 0) {
        H5Dclose(array);
    }
    return works || fail_array(path, array_path);
}

static bool read_block(hid_t file, const char *path, solver_grid *grid, int block)
{
    char name[SOLVER_NAME_SIZE];
    ssize_t length = -1;
    /* Opens the group itself: a path does not find names behind a link to another
     * file. */
    hid_t group = H5Gopen(file, "/grid", H5P_DEFAULT);
    if (group >= 0) {
        length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC,
                                    (hsize_t)block, name, sizeof name, H5P_DEFAULT);
        H5Gclose(group);
    }
    if (length < 0 || length >= SOLVER_NAME_SIZE) {
        return solver_fail(SOLVER_FAILED,
                           "'%s': block %d has no name of at most %d bytes", path, block,
                           SOLVER_NAME_SIZE - 1);
    }
    bool works = true;
    for (int c = 0; works && c < 3; c++) {
        works = read_coordinate(file, path, grid, block, name, c);
    }
    return works;
}

static bool read_blocks(hid_t file, const char *path, solver_grid **out)
{
    H5G_info_t info = {0};
    if (H5Gget_info_by_name(file, "/grid", &info, H5P_DEFAULT) < 0 || info.nlinks < 1) {
        return solver_fail(SOLVER_FAILED, "'%s' has no blocks in /grid", path);
    }
    bool works = solver_grid_create((int)info.nlinks, out);
    for (int b = 0; works && b < (int)info.nlinks; b++) {
        works = read_block(file, path, *out, b);
    }
    return works;
}

bool solver_grid_read(const char *path, solver_grid **out)
{
    struct stat about;
    solver_grid *grid = NULL;
    bool works;
    H5E_BEGIN_TRY
    {
        /* Opening a pipe would wait for its writer. */
        const bool is_file = stat(path, &about) == 0 && S_ISREG(about.st_mode);
        const hid_t file = is_file ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
        works = file >= 0
                    ? read_blocks(file, path, &grid)
                    : solver_fail(SOLVER_FAILED,
                                  "the grid '%s' cannot be opened as an HDF5 file", path);
        if (file >= 0) {
            H5Fclose(file);
        }
    }
    H5E_END_TRY
    if (!works) {
        solver_grid_destroy(&grid);
        return false;
    }
    *out = grid;
    return true;
}
