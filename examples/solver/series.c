#include "series.h"

#include "io/file.h"
#include "io/sources/hdf5/driver.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char solver_series_grid[] = "_grid.h5";

/* ---- Paths ---- */

static status join(size_t length, const char *text, const char *suffix, char **out)
{
    size_t size = length + strlen(suffix) + 1;
    char *path = malloc(size);
    if (!path) {
        return base_fail_memory(size, "a path");
    }
    snprintf(path, size, "%.*s%s", (int)length, text, suffix);
    *out = path;
    return STATUS_OK;
}

status solver_series_path(const char *index, const char *suffix, char **out)
{
    size_t length = strlen(index);
    bool ends = length > 3 && strcmp(index + length - 3, ".h5") == 0;
    return join(ends ? length - 3 : length, index, suffix, out);
}

status solver_series_part(const char *index, char **out)
{
    return join(strlen(index), index, ".part", out);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The path of a step's file. */
static status step_path(const char *index, int64_t step, char **out)
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "_%06" PRId64 ".h5", step);
    return solver_series_path(index, suffix, out);
}

/* ---- Steps ---- */

/* The index has a list of number and time of each step, so that readers need not open all
 * files. */
static const char list_name[] = "/steps";

void solver_series_clear(solver_series_steps *list)
{
    free(list->steps);
    *list = (solver_series_steps){0, NULL};
}

static hid_t open_alone(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    io_hdf5_driver_set(access);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* Reads the list, and allocates one more entry. */
static status read_array(hid_t array, const char *index, solver_series_steps *out)
{
    hid_t space = H5Dget_space(array);
    hsize_t n[2] = {0, 0};
    bool fits = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, n, NULL) == 2 && n[1] == 2;
    size_t bytes = fits ? (size_t)(n[0] + 1) * sizeof *out->steps : 0;
    status s = fits ? STATUS_OK
                    : base_fail(STATUS_OUTPUT,
                                "the list of steps in '%s' has an unknown form", index);
    solver_series_steps list = {(int64_t)n[0], s == STATUS_OK ? malloc(bytes) : NULL};
    if (s == STATUS_OK && !list.steps) {
        s = base_fail_memory(bytes, "a list of steps");
    }
    if (s == STATUS_OK && n[0] > 0 &&
        H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, list.steps) <
            0) {
        s = base_fail(STATUS_OUTPUT, "the list of steps in '%s' cannot be read", index);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (s != STATUS_OK) {
        free(list.steps);
        return s;
    }
    *out = list;
    return STATUS_OK;
}

/* Reads the steps of a series; out->steps is NULL if `index` is not an index. */
static status read_steps(const char *index, solver_series_steps *out)
{
    const io_hdf5_watch before = io_hdf5_watch_begin();
    *out = (solver_series_steps){0, NULL};
    hid_t file = access(index, F_OK) == 0 ? open_alone(index) : -1;
    hid_t array = file >= 0 ? H5Dopen(file, list_name, H5P_DEFAULT) : -1;
    status s = array >= 0 ? read_array(array, index, out) : STATUS_OK;
    if (array >= 0) {
        H5Dclose(array);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    s = io_hdf5_watch_check(s);
    io_hdf5_watch_end(&before);
    if (s != STATUS_OK) {
        solver_series_clear(out);
    }
    return s;
}

/* Adds a step, or replaces the one with its number. Drops the steps whose files are
 * missing. */
static status add_step(const char *index, const double step[2], solver_series_steps *list)
{
    int64_t left = 0;
    for (int64_t n = 0; n < list->count; n++) {
        char *path;
        status s = step_path(index, (int64_t)list->steps[n][0], &path);
        if (s != STATUS_OK) {
            return s;
        }
        if (list->steps[n][0] != step[0] && access(path, F_OK) == 0) {
            memmove(list->steps[left++], list->steps[n], sizeof *list->steps);
        }
        free(path);
    }
    memcpy(list->steps[left], step, sizeof *list->steps);
    list->count = left + 1;
    return STATUS_OK;
}

/* ---- The index ---- */

/* Adds a link in `file` to the object of the same name in the file at `path`. */
static bool add_link(hid_t file, const char *name, const char *path)
{
    return H5Lcreate_external(name_of(path), name, file, name, H5P_DEFAULT,
                              H5P_DEFAULT) >= 0;
}

static bool add_links(hid_t file, const char *index, const solver_series_steps *list)
{
    char *path = NULL, name[64];
    bool works = solver_series_path(index, solver_series_grid, &path) == STATUS_OK &&
                 add_link(file, "/grid", path);
    for (int64_t n = 0; works && n < list->count; n++) {
        const int64_t step = (int64_t)list->steps[n][0];
        free(path);
        path = NULL;
        snprintf(name, sizeof name, "/flow/%06" PRId64, step);
        works = step_path(index, step, &path) == STATUS_OK && add_link(file, name, path);
    }
    free(path);
    return works;
}

static bool write_list(hid_t file, const solver_series_steps *list)
{
    const hsize_t n[2] = {(hsize_t)list->count, 2};
    hid_t space = H5Screate_simple(2, n, NULL);
    hid_t array = H5Dcreate(file, list_name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT);
    bool works = array >= 0 &&
                 (list->count == 0 || H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                                               H5P_DEFAULT, list->steps) >= 0);
    works = (array < 0 || H5Dclose(array) >= 0) && works;
    H5Sclose(space);
    return works;
}

static bool fill_index(hid_t file, const char *index, const solver_series_steps *list)
{
    const solver_store store = {.path = index, .file = file, .transfer = -1};
    hid_t group = H5Gcreate(file, "/flow", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && H5Gclose(group) >= 0 && add_links(file, index, list) &&
           write_list(file, list) &&
           solver_store_attribute(&store, "/", "karman_format", 1.0) &&
           H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
}

/* Makes the new index in memory, where no write of HDF5 can fail: malloc'ed, NULL without
 * memory. */
static void *make_index(const char *index, const solver_series_steps *list, size_t *size)
{
    enum { GROWTH = 1 << 16 };
    void *bytes = NULL;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, GROWTH, false);
    hid_t file = H5Fcreate("index", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file >= 0 && fill_index(file, index, list)) {
        ssize_t length = H5Fget_file_image(file, NULL, 0);
        bytes = length > 0 ? malloc((size_t)length) : NULL;
        *size = bytes ? (size_t)H5Fget_file_image(file, bytes, (size_t)length) : 0;
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    return bytes;
}

static status write_index(const char *index, const char *part,
                          const solver_series_steps *list)
{
    size_t size = 0;
    void *bytes = make_index(index, list, &size);
    if (!bytes) {
        return base_fail_memory((size_t)list->count * 256, "an index");
    }
    status s = io_file_write_by(part, index, bytes, size);
    free(bytes);
    return s;
}

/* ---- The series ---- */

static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Removes a series, except the file `kept`. The index goes first, as the grid of the new
 * series may differ from the grid of these steps. */
static status remove_series(const char *index, const char *kept)
{
    solver_series_steps list;
    status s = read_steps(index, &list);
    if (s == STATUS_OK) {
        unlink(index);
    }
    for (int64_t n = 0; s == STATUS_OK && n < list.count; n++) {
        char *path;
        s = step_path(index, (int64_t)list.steps[n][0], &path);
        if (s == STATUS_OK && !(kept && is_same_file(path, kept))) {
            unlink(path);
        }
        free(s == STATUS_OK ? path : NULL);
    }
    solver_series_clear(&list);
    return s;
}

status solver_series_begin(const char *index, const char *part, const char *kept)
{
    char *grid;
    status s = solver_series_path(index, solver_series_grid, &grid);
    if (s != STATUS_OK) {
        return s;
    }
    s = remove_series(index, kept);
    s = s == STATUS_OK ? io_file_commit(part, grid) : s;
    free(grid);
    return s == STATUS_OK ? write_index(index, part, &(solver_series_steps){0, NULL}) : s;
}

status solver_series_resume(const char *index)
{
    solver_series_steps list;
    status s = read_steps(index, &list);
    if (s == STATUS_OK && !list.steps) {
        s = base_fail(STATUS_USAGE,
                      "'%s' contains its steps itself, not links to files: name another "
                      "output.file to continue from it",
                      index);
    }
    solver_series_clear(&list);
    return s;
}

status solver_series_add(const char *index, const char *part, const double step[2],
                         solver_series_steps *out)
{
    char *path = NULL;
    solver_series_steps list;
    status s = read_steps(index, &list);
    if (s == STATUS_OK && !list.steps) {
        s = base_fail(STATUS_OUTPUT, "the index '%s' is gone, or is another file now",
                      index);
    }
    s = s == STATUS_OK ? step_path(index, (int64_t)step[0], &path) : s;
    s = s == STATUS_OK ? io_file_commit(part, path) : s;
    s = s == STATUS_OK ? add_step(index, step, &list) : s;
    s = s == STATUS_OK ? write_index(index, part, &list) : s;
    free(path);
    if (s != STATUS_OK) {
        solver_series_clear(&list);
        return s;
    }
    *out = list;
    return STATUS_OK;
}
