#include "virtual.h"

#include "driver.h"
#include "names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Virtual data sets made of virtual ones: depth, and data sets to look at in all. */
enum { MOST_DEPTH = 8, MOST_SOURCES = 100000 };

/* A data set, and the way to it. */
typedef struct place {
    hid_t dataset;
    int depth;
    int *left; /* data sets that may still be looked at */
    char file[PATH_MAX], path[IO_PATH_SIZE];
} place;

static bool are_safe(place *p, bool *is_virtual);

/* ---- Virtual data sets ------------------------------------------------------------- */

/* The name of the first of a numbered series of files: %b stands for a block's number. */
static void put_number(char *name)
{
    char *percent = strstr(name, "%b");
    if (percent) {
        percent[0] = '0';
        memmove(percent + 1, percent + 2, strlen(percent + 2) + 1);
    }
}

/* Whether a file is in a folder, whose name has `length` characters. */
static bool is_in(const char *folder, size_t length, const char *name,
                  char path[PATH_MAX])
{
    const int n = snprintf(path, PATH_MAX, "%.*s/%s",
                           (int)(length < PATH_MAX ? length : PATH_MAX), folder, name);
    return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

/* Finds a source: as named, beside the file, or in the folder that HDF5's environment
 * variable names. */
static bool find_source(const char *file, const char *name, char path[PATH_MAX])
{
    const char *slash = strrchr(file, '/'), *prefix = getenv("HDF5_VDS_PREFIX");
    if (access(name, R_OK) == 0) {
        snprintf(path, PATH_MAX, "%s", name);
        return true;
    }
    return (slash && name[0] != '/' && is_in(file, (size_t)(slash - file), name, path)) ||
           (prefix && is_in(prefix, strlen(prefix), name, path));
}

/* Looks at a source, which may be virtual, too. HDF5 shares files that are open. */
static bool source_is_safe(const place *p, hid_t file, const char *path)
{
    place source = {.depth = p->depth + 1, .left = p->left};
    bool safe = true;
    if (source.depth > MOST_DEPTH || --*p->left < 0) {
        io_hdf5_refuse(
            "data set '%.200s' of file '%.200s' takes values from virtual data "
            "sets in a circle, or in too long a chain: write it as one data set",
            p->path, p->file);
        return false;
    }
    source.dataset = H5Dopen(file, path, io_hdf5_links());
    if (source.dataset >= 0) {
        safe = are_safe(&source, NULL);
        H5Dclose(source.dataset);
    }
    return safe;
}

static bool file_is_safe(const place *p, const char *name, const char *path)
{
    char found[PATH_MAX];
    if (!find_source(p->file, name, found)) {
        io_hdf5_refuse(
            "data set '%.120s' of file '%.120s' takes values from file '%.120s', "
            "which is missing: put it into the folder of '%.100s'",
            p->path, p->file, name, p->file);
        return false;
    }
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    io_hdf5_driver_set(access);
    const hid_t file = H5Fopen(found, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    const bool safe = file >= 0 && source_is_safe(p, file, path);
    if (file >= 0) {
        H5Fclose(file);
    } else {
        io_hdf5_refuse("data set '%.150s' of file '%.150s' takes values from '%.150s', "
                       "which is no HDF5 file",
                       p->path, p->file, found);
    }
    return safe;
}

static bool mapping_is_safe(const place *p, hid_t list, size_t number)
{
    char name[PATH_MAX] = "", path[IO_PATH_SIZE] = "";
    if (H5Pget_virtual_filename(list, number, name, sizeof name - 1) < 0 ||
        H5Pget_virtual_dsetname(list, number, path, sizeof path - 1) < 0) {
        return true;
    }
    put_number(name);
    put_number(path);
    return strcmp(name, ".") == 0 ? source_is_safe(p, p->dataset, path)
                                  : file_is_safe(p, name, path);
}

/* ---- Raw data ---------------------------------------------------------------------- */

/* The path of raw data: HDF5 takes it from the working folder, or from that of its
 * environment variable, which may name the file's own. */
static void find_raw(const place *p, const char *name, char path[PATH_MAX])
{
    static const char origin[] = "${ORIGIN}";
    const char *prefix = getenv("HDF5_EXTFILE_PREFIX"), *slash = strrchr(p->file, '/');
    if (!prefix || name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
    } else if (strncmp(prefix, origin, strlen(origin)) == 0) {
        snprintf(path, PATH_MAX, "%.*s%s/%s", slash ? (int)(slash - p->file) : 1,
                 slash ? p->file : ".", prefix + strlen(origin), name);
    } else {
        snprintf(path, PATH_MAX, "%s/%s", prefix, name);
    }
}

static bool raw_is_safe(const place *p, hid_t list, unsigned number)
{
    char name[PATH_MAX] = "", path[PATH_MAX];
    off_t offset = 0;
    hsize_t bytes = 0;
    struct stat about;
    if (H5Pget_external(list, number, sizeof name - 1, name, &offset, &bytes) < 0) {
        return true;
    }
    find_raw(p, name, path);
    const char *problem =
        stat(path, &about) != 0   ? strerror(errno)
        : !S_ISREG(about.st_mode) ? io_hdf5_kind_name(about.st_mode)
        : bytes != H5F_UNLIMITED && (offset < 0 || offset > about.st_size ||
                                     bytes > (hsize_t)(about.st_size - offset))
            ? "it ends before its data do"
            : NULL;
    if (problem) {
        io_hdf5_refuse(
            "data set '%.130s' of file '%.130s' takes values from '%.130s': %s", p->path,
            p->file, path, problem);
    }
    return !problem;
}

int io_hdf5_raw_open(hid_t dataset, int64_t *offset)
{
    place p = {.dataset = dataset};
    char name[PATH_MAX] = "", path[PATH_MAX];
    off_t start = 0;
    hsize_t bytes = 0;
    const hid_t list = H5Dget_create_plist(dataset);
    const bool is_one =
        list >= 0 && H5Pget_external_count(list) == 1 &&
        H5Pget_external(list, 0, sizeof name - 1, name, &start, &bytes) >= 0 &&
        bytes >= H5Dget_storage_size(dataset);
    if (list >= 0) {
        H5Pclose(list);
    }
    if (!is_one) {
        return -1;
    }
    H5Fget_name(dataset, p.file, sizeof p.file);
    find_raw(&p, name, path);
    *offset = (int64_t)start;
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* ---- Any data set ------------------------------------------------------------------ */

static bool are_safe(place *p, bool *is_virtual)
{
    const hid_t list = H5Dget_create_plist(p->dataset);
    const bool maps = list >= 0 && H5Pget_layout(list) == H5D_VIRTUAL;
    const int raw = list >= 0 && !maps ? H5Pget_external_count(list) : 0;
    size_t count = 0;
    bool safe = true;
    if ((maps && H5Pget_virtual_count(list, &count) >= 0) || raw > 0) {
        H5Fget_name(p->dataset, p->file, sizeof p->file);
        H5Iget_name(p->dataset, p->path, sizeof p->path);
    }
    for (size_t n = 0; n < count && safe; n++) {
        safe = mapping_is_safe(p, list, n);
    }
    for (int n = 0; n < raw && safe; n++) {
        safe = raw_is_safe(p, list, (unsigned)n);
    }
    if (list >= 0) {
        H5Pclose(list);
    }
    if (is_virtual) {
        *is_virtual = maps;
    }
    return safe;
}

/* Of a data set without a place, HDF5 1.10 gives HADDR_UNDEF, and the size of a user
 * block more if the file has one: all bits are set, or the lowest 9 and more. */
int64_t io_hdf5_values_offset(hid_t dataset)
{
    const haddr_t offset = H5Dget_offset(dataset);
    return (offset & (offset + 1)) == 0 ? -1 : (int64_t)offset;
}

bool io_hdf5_values_are_safe(hid_t dataset, bool *is_virtual)
{
    if (io_hdf5_values_offset(dataset) >= 0) {
        if (is_virtual) {
            *is_virtual = false;
        }
        return true;
    }
    int left = MOST_SOURCES;
    place p = {.dataset = dataset, .left = &left};
    return are_safe(&p, is_virtual);
}

hid_t io_hdf5_values_open(hid_t location, const char *path)
{
    const hid_t set = H5Dopen(location, path, io_hdf5_links());
    if (set >= 0 && !io_hdf5_values_are_safe(set, NULL)) {
        H5Dclose(set);
        return -1;
    }
    return set;
}
