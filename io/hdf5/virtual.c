#include "virtual.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of the first of a numbered series of files: %b stands for a block's number. */
static void put_number(char name[PATH_MAX])
{
    char *percent = strstr(name, "%b");
    if (percent) {
        percent[0] = '0';
        memmove(percent + 1, percent + 2, strlen(percent + 2) + 1);
    }
}

/* Whether a file can be read in a folder, whose name has `length` characters. */
static bool is_in(const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%.*s/%s",
                           (int)(length < PATH_MAX ? length : PATH_MAX), folder, name);
    return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

/* Whether a source is there: as named, beside the file, or in the folder that HDF5's
 * environment variable names. */
static bool is_there(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/'), *prefix = getenv("HDF5_VDS_PREFIX");
    return access(name, R_OK) == 0 ||
           (slash && name[0] != '/' && is_in(file, (size_t)(slash - file), name)) ||
           (prefix && is_in(prefix, strlen(prefix), name));
}

static status check_source(const char *file, hid_t list, size_t number, const char *path)
{
    char name[PATH_MAX] = "";
    if (H5Pget_virtual_filename(list, number, name, sizeof name - 1) < 0 ||
        strcmp(name, ".") == 0) {
        return STATUS_OK;
    }
    put_number(name);
    return is_there(file, name)
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "data set '%s' of file '%s' takes values from file '%s', "
                           "which is missing: put it into the folder of '%s'",
                           path, file, name, file);
}

status io_hdf5_virtual_check(const char *file, hid_t dataset, const char *path,
                             bool *is_virtual)
{
    const hid_t list = H5Dget_create_plist(dataset);
    status s = STATUS_OK;
    size_t count = 0;
    *is_virtual = list >= 0 && H5Pget_layout(list) == H5D_VIRTUAL;
    if (*is_virtual && H5Pget_virtual_count(list, &count) < 0) {
        count = 0;
    }
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        s = check_source(file, list, n, path);
    }
    if (list >= 0) {
        H5Pclose(list);
    }
    return s;
}
