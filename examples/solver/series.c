#include "series.h"

#include "failure.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char solver_series_grid[] = "_grid.h5";

/* ---- Paths ---- */

void solver_series_path(const char *index, const char *suffix, char out[SOLVER_FILE_SIZE])
{
    size_t length = strlen(index);
    bool ends = length > 3 && strcmp(index + length - 3, ".h5") == 0;
    snprintf(out, SOLVER_FILE_SIZE, "%.*s%s", (int)(ends ? length - 3 : length), index,
             suffix);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The path of a step's file. */
static void step_path(const char *index, double step, char out[SOLVER_FILE_SIZE])
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "_%06" PRId64 ".h5", (int64_t)step);
    solver_series_path(index, suffix, out);
}

/* ---- Steps ---- */

/* The index has a list of number and time of each step, so that readers need not open all
 * files. */
static const char list_name[] = "/steps";

/* Reads the list, and allocates one more entry. */
static bool read_array(hid_t array, const char *index, solver_series_steps *out)
{
    hid_t space = array >= 0 ? H5Dget_space(array) : -1;
    hsize_t n[2] = {0, 0};
    bool works = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                 H5Sget_simple_extent_dims(space, n, NULL) == 2 && n[1] == 2;
    if (space >= 0) {
        H5Sclose(space);
    }
    out->count = (int64_t)n[0];
    out->steps = works ? malloc((size_t)(n[0] + 1) * sizeof *out->steps) : NULL;
    if (works && !out->steps) {
        return solver_fail_memory((size_t)n[0] * sizeof *out->steps, "a list of steps");
    }
    works = works && (n[0] == 0 || H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                                           H5P_DEFAULT, out->steps) >= 0);
    return works ||
           solver_fail(SOLVER_FAILED, "the list of steps in '%s' cannot be read", index);
}

/* Reads the steps of a series; out->steps is NULL if `index` is not an index. A file that
 * cannot be read may be one, and is a failure. */
static bool read_steps(const char *index, solver_series_steps *out)
{
    struct stat about;
    *out = (solver_series_steps){0, NULL};
    if (stat(index, &about) != 0) {
        return true;
    }
    bool is_file = S_ISREG(about.st_mode); /* opening a pipe would wait for its writer */
    hid_t file = is_file ? H5Fopen(index, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    htri_t has = file >= 0 ? H5Lexists(file, list_name, H5P_DEFAULT)
                 : is_file ? H5Fis_hdf5(index)
                           : -1;
    bool works = has == 0;
    if (has > 0 && file >= 0) {
        hid_t array = H5Dopen(file, list_name, H5P_DEFAULT);
        works = read_array(array, index, out);
        if (array >= 0) {
            H5Dclose(array);
        }
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    if (!works) {
        free(out->steps);
        *out = (solver_series_steps){0, NULL};
    }
    return works || solver_fail(SOLVER_FAILED, "'%s' cannot be read", index);
}

/* Adds a step, or replaces the one with its number. Drops the steps whose files are
 * missing. */
static void add_step(const char *index, const double step[2], solver_series_steps *list)
{
    int64_t left = 0;
    for (int64_t n = 0; n < list->count; n++) {
        char path[SOLVER_FILE_SIZE];
        step_path(index, list->steps[n][0], path);
        if (list->steps[n][0] != step[0] && access(path, F_OK) == 0) {
            memmove(list->steps[left++], list->steps[n], sizeof *list->steps);
        }
    }
    memcpy(list->steps[left], step, sizeof *list->steps);
    list->count = left + 1;
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
    char path[SOLVER_FILE_SIZE], name[64];
    solver_series_path(index, solver_series_grid, path);
    bool works = add_link(file, "/grid", path);
    for (int64_t n = 0; works && n < list->count; n++) {
        snprintf(name, sizeof name, "/flow/%06" PRId64, (int64_t)list->steps[n][0]);
        step_path(index, list->steps[n][0], path);
        works = add_link(file, name, path);
    }
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
    hid_t group = H5Gcreate(file, "/flow", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && H5Gclose(group) >= 0 && add_links(file, index, list) &&
           write_list(file, list) &&
           solver_store_attribute(file, "/", "karman_format", 1.0) &&
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

static bool write_index(const char *index, const char *part,
                        const solver_series_steps *list)
{
    size_t size = 0;
    void *bytes = make_index(index, list, &size);
    bool works = bytes ? solver_output_write(part, index, bytes, size)
                       : solver_fail_memory((size_t)list->count * 256, "an index");
    free(bytes);
    return works;
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
static bool remove_series(const char *index, const char *kept)
{
    solver_series_steps list;
    if (!read_steps(index, &list)) {
        return false;
    }
    unlink(index);
    for (int64_t n = 0; n < list.count; n++) {
        char path[SOLVER_FILE_SIZE];
        step_path(index, list.steps[n][0], path);
        if (!(kept && is_same_file(path, kept))) {
            unlink(path);
        }
    }
    free(list.steps);
    return true;
}

bool solver_series_begin(const char *index, const char *part, const char *kept)
{
    char grid[SOLVER_FILE_SIZE];
    solver_series_path(index, solver_series_grid, grid);
    return remove_series(index, kept) && solver_output_commit(part, grid) &&
           write_index(index, part, &(solver_series_steps){0, NULL});
}

bool solver_series_resume(const char *index)
{
    solver_series_steps list;
    bool works = read_steps(index, &list);
    if (works && !list.steps) {
        return solver_fail(SOLVER_USAGE,
                           "'%s' contains its steps itself, not links to files: name "
                           "another output.file to continue from it",
                           index);
    }
    free(list.steps);
    return works;
}

bool solver_series_add(const char *index, const char *part, const double step[2],
                       solver_series_steps *out)
{
    char path[SOLVER_FILE_SIZE];
    solver_series_steps list;
    if (!read_steps(index, &list)) {
        return false;
    }
    if (!list.steps) {
        return solver_fail(SOLVER_FAILED,
                           "the index '%s' is gone, or is another file now", index);
    }
    step_path(index, step[0], path);
    bool works = solver_output_commit(part, path);
    if (works) {
        add_step(index, step, &list);
        works = write_index(index, part, &list);
    }
    if (!works) {
        free(list.steps);
        return false;
    }
    *out = list;
    return true;
}
