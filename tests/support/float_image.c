#include "float_image.h"

#include <hdf5.h>

static bool read_array(hid_t array, float *values)
{
    return H5Dread(array, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
}

/* depth is negative if the file has none. */
static status read_arrays(hid_t rgba, hid_t depth, image **out)
{
    hsize_t extents[3] = {0};
    hid_t space = H5Dget_space(rgba);
    const bool fits = H5Sget_simple_extent_ndims(space) == 3 &&
                      H5Sget_simple_extent_dims(space, extents, NULL) == 3;
    H5Sclose(space);
    status s = fits && extents[2] == 4
                   ? image_create((int)extents[1], (int)extents[0], depth >= 0, out)
                   : base_fail(STATUS_INPUT, "/rgba is not [height][width][4]");
    if (s == STATUS_OK && !(read_array(rgba, (*out)->rgba) &&
                            (depth < 0 || read_array(depth, (*out)->depth)))) {
        image_destroy(out);
        s = base_fail(STATUS_INPUT, "the float image cannot be read");
    }
    if (s == STATUS_OK) {
        (*out)->active = (pixel_rect){0, 0, (*out)->width, (*out)->height};
    }
    return s;
}

status test_float_image_read(const char *path, image **out)
{
    hid_t file = -1, rgba = -1, depth = -1;
    H5E_BEGIN_TRY
    {
        file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        rgba = H5Dopen(file, "/rgba", H5P_DEFAULT);
        depth = H5Dopen(file, "/depth", H5P_DEFAULT);
    }
    H5E_END_TRY
    const status s = rgba < 0 ? base_fail(STATUS_INPUT, "'%s' is no float image", path)
                              : read_arrays(rgba, depth, out);
    if (depth >= 0) {
        H5Dclose(depth);
    }
    if (rgba >= 0) {
        H5Dclose(rgba);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    return s;
}
