#define _GNU_SOURCE /* SEEK_DATA, memfd_create */
#include "skeleton.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- Structure --------------------------------------------------------------------- */

static bool add_attribute(hid_t file, const char *path, const char *name, hid_t type,
                          const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(file, path, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) {
        is_good = H5Aclose(attribute) >= 0 && is_good;
    }
    H5Sclose(space);
    return is_good;
}

static bool add_group(hid_t file, const char *path)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t group = H5Gcreate(file, path, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    return group >= 0 && H5Gclose(group) >= 0;
}

/* Space for values is taken when an array is created, so that its place is known. */
static bool add_array(hid_t file, const char *path, convert_array *array)
{
    const hsize_t n[3] = {(hsize_t)array->n[2], (hsize_t)array->n[1],
                          (hsize_t)array->n[0]};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(3, n, NULL);
    const hid_t type = array->is_ghost                   ? H5T_NATIVE_UINT8
                       : array->array == IO_ARRAY_IBLANK ? H5T_NATIVE_INT32
                       : array->is_double                ? H5T_NATIVE_DOUBLE
                                                         : H5T_NATIVE_FLOAT;
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_obj_track_times(creation, false);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t set = H5Dcreate(file, path, type, space, links, creation, H5P_DEFAULT);
    const haddr_t offset = set >= 0 ? H5Dget_offset(set) : HADDR_UNDEF;
    array->offset = (int64_t)offset;
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(links);
    return set >= 0 && H5Dclose(set) >= 0 && offset != HADDR_UNDEF;
}

/* Units stand at each data set of a field, as other programs expect them. */
static bool add_unit(hid_t file, const convert_plan *plan, const convert_array *array,
                     const char *path)
{
    const char *unit = array->array < 0 ? "" : convert_plan_unit(plan, array->field);
    if (unit[0] == '\0') {
        return true;
    }
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(unit));
    H5Tset_cset(type, H5T_CSET_UTF8);
    const bool is_good = add_attribute(file, path, "units", type, unit);
    H5Tclose(type);
    return is_good;
}

static bool add_step(hid_t file, const convert_plan *plan, int step)
{
    char path[CONVERT_PATH_SIZE];
    const double time = io_source_steps(plan->source)[plan->steps[step]].time;
    snprintf(path, sizeof path, "/flow/%s", plan->step_names[step]);
    return add_group(file, path) &&
           add_attribute(file, path, "time", H5T_NATIVE_DOUBLE, &time);
}

static bool add_all(hid_t file, convert_plan *plan)
{
    const int32_t format = convert_plan_moves(plan) ? 2 : 1;
    bool is_good = add_attribute(file, "/", "karman_format", H5T_NATIVE_INT32, &format);
    for (int step = 0; step < plan->nsteps && is_good; step++) {
        is_good = add_step(file, plan, step);
    }
    for (int64_t n = 0; n < plan->narrays && is_good; n++) {
        char path[CONVERT_PATH_SIZE];
        convert_plan_path(plan, &plan->arrays[n], path);
        is_good = add_array(file, path, &plan->arrays[n]) &&
                  add_unit(file, plan, &plan->arrays[n], path);
    }
    return is_good;
}

/* Arrays of some size begin at a page. HDF5's other driver, "sec2", looks for the name
 * behind the link in /proc, and a file in memory has none. */
static hid_t create_file(const char *name)
{
    enum { LARGE = 1 << 16, PAGE = 1 << 12 };
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_stdio(access);
    H5Pset_alignment(access, LARGE, PAGE);
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

static bool build(convert_plan *plan, const char *name)
{
    H5E_auto2_t print;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = create_file(name);
    bool is_good = file >= 0 && add_all(file, plan);
    is_good = file >= 0 && H5Fclose(file) >= 0 && is_good;
    H5Eset_auto2(H5E_DEFAULT, print, data);
    return is_good;
}

/* ---- The file ---------------------------------------------------------------------- */

static double most_bytes(const convert_plan *plan)
{
    enum { HEADER = 2048 };
    double size = HEADER * (1.0 + plan->nsteps * (1.0 + plan->nblocks));
    for (int64_t n = 0; n < plan->narrays; n++) {
        size += (double)(convert_array_bytes(&plan->arrays[n]) + HEADER);
    }
    return size;
}

status convert_skeleton_check_limit(const char *path, double size)
{
    struct rlimit most;
    const double mebibytes = size / (1024.0 * 1024.0);
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
                   (double)most.rlim_cur < size
               ? base_fail(STATUS_OUTPUT,
                           "'%s' needs %.1f MiB, and files may have %.1f MiB here: raise "
                           "the limit with ulimit -f",
                           path, mebibytes, (double)most.rlim_cur / (1024.0 * 1024.0))
               : STATUS_OK;
}

/* A file in memory, which Linux has without /dev/shm, or one among temporary files: only
 * headers take room. HDF5 opens it by its name. */
typedef struct scratch {
    int descriptor;
    char name[64];
    const char *place; /* for messages */
} scratch;

static scratch open_in_memory(void)
{
    scratch s = {.place = "memory",
                 .descriptor = memfd_create("karman-convert", MFD_CLOEXEC)};
    snprintf(s.name, sizeof s.name, "/proc/self/fd/%d", s.descriptor);
    return s;
}

static scratch open_in_tmp(void)
{
    scratch s = {.place = "/tmp", .name = "/tmp/karman-convert-XXXXXX"};
    s.descriptor = mkstemp(s.name);
    return s;
}

/* Prepares the file in one place. Appends the reason to `reasons` after a failure. */
static bool make_in(scratch place, convert_plan *plan, convert_skeleton *out,
                    char reasons[256])
{
    errno = 0;
    const bool is_good = place.descriptor >= 0 && build(plan, place.name);
    const size_t length = strlen(reasons);
    if (!is_good) {
        snprintf(reasons + length, 256 - length, "%sin %s: %s", length > 0 ? "; " : "",
                 place.place, errno != 0 ? strerror(errno) : "HDF5 refused it");
    }
    if (place.descriptor >= 0 && place.name[1] == 't') {
        unlink(place.name);
    }
    if (!is_good && place.descriptor >= 0) {
        close(place.descriptor);
    } else if (is_good) {
        out->descriptor = place.descriptor;
        out->size = lseek(place.descriptor, 0, SEEK_END);
    }
    return is_good;
}

status convert_skeleton_make(convert_plan *plan, const char *path, convert_skeleton *out)
{
    char reasons[256] = "";
    status s = convert_skeleton_check_limit(path, most_bytes(plan));
    if (s != STATUS_OK) {
        return s;
    }
    return make_in(open_in_memory(), plan, out, reasons) ||
                   make_in(open_in_tmp(), plan, out, reasons)
               ? STATUS_OK
               : base_fail(STATUS_OUTPUT, "'%s' cannot be prepared %s", path, reasons);
}

/* Copies the bytes [from, to). */
static bool copy_stretch(int source, int target, off_t from, off_t to)
{
    char bytes[1 << 16];
    while (from < to) {
        const size_t left = (size_t)(to - from);
        const size_t size = left < sizeof bytes ? left : sizeof bytes;
        const ssize_t count = pread(source, bytes, size, from);
        if (count <= 0 || pwrite(target, bytes, (size_t)count, from) != count) {
            return false;
        }
        from += count;
    }
    return true;
}

bool convert_skeleton_copy(const convert_skeleton *skeleton, int descriptor)
{
    off_t from = lseek(skeleton->descriptor, 0, SEEK_DATA), to;
    while (from >= 0) {
        to = lseek(skeleton->descriptor, from, SEEK_HOLE);
        if (to < 0 || !copy_stretch(skeleton->descriptor, descriptor, from, to)) {
            return false;
        }
        from = lseek(skeleton->descriptor, to, SEEK_DATA);
    }
    return errno == ENXIO; /* no data are left */
}

void convert_skeleton_close(convert_skeleton *skeleton)
{
    if (skeleton->descriptor >= 0) {
        close(skeleton->descriptor);
    }
    skeleton->descriptor = -1;
}
