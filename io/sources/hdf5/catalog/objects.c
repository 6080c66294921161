#include "io/sources/hdf5/layouts.h"
#include "reader.h"

#include <string.h>

H5I_type_t catalog_object_kind(hid_t location, const char *path)
{
    hid_t id = H5Oopen(location, path, io_hdf5_links());
    if (id < 0) {
        return H5I_BADID;
    }
    H5I_type_t kind = H5Iget_type(id);
    H5Oclose(id);
    return kind;
}

bool catalog_visit_members(const io_hdf5_file *file, const char *path,
                           H5L_iterate_t visit, void *context)
{
    hid_t group = H5Oopen(file->id, path, io_hdf5_links());
    if (group < 0) {
        return false;
    }
    herr_t result = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, context);
    H5Oclose(group);
    return result >= 0;
}

bool catalog_read_attribute(const io_hdf5_file *file, const char *path, const char *name,
                            double *value)
{
    hid_t attribute = H5Aopen_by_name(file->id, path, name, H5P_DEFAULT, io_hdf5_links());
    if (attribute < 0) {
        return false;
    }
    hid_t space = H5Aget_space(attribute);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    double number;
    bool done = single && H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    H5Aclose(attribute);
    if (done) {
        *value = number;
    }
    return done;
}

bool catalog_read_time(const io_hdf5_file *file, const char *path, double *value)
{
    static const char *const names[] = {"time", "Time", "TIME", "t"};
    bool has = false;
    for (size_t n = 0; n < sizeof names / sizeof names[0] && !has; n++) {
        has = catalog_read_attribute(file, path, names[n], value);
    }
    return has;
}

status catalog_refuse_layout(const io_hdf5_file *file, const char *lack)
{
    io_hdf5_layout layout;
    io_hdf5_layout_find(file, &layout);
    if (layout.obstacle[0] != '\0') {
        return base_fail(STATUS_INPUT, "file '%s' is %s: %s", file->path, layout.name,
                         layout.obstacle);
    }
    if (layout.name[0] != '\0') {
        return base_fail(STATUS_INPUT,
                         "file '%s' is %s, which has another layout than karman's own: "
                         "'karman info %s' lists its data sets and prints a data section "
                         "for a config",
                         file->path, layout.name, file->path);
    }
    return base_fail(STATUS_INPUT,
                     "file '%s' %s, so it is of another layout than karman's own: "
                     "'karman info %s' lists its data sets and prints a data section for "
                     "a config",
                     file->path, lack, file->path);
}

status catalog_check_name(const io_hdf5_file *file, const char *name)
{
    if (strlen(name) < GRID_NAME_SIZE) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INPUT, "file '%s': the name '%s' has more than %d bytes",
                     file->path, name, GRID_NAME_SIZE - 1);
}
