#include "float_image.h"

#include "io/file.h"
#include "io/sources/hdf5/driver.h"
#include "io/sources/hdf5/in_memory.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 4 };

/* Writes one array. Times are not stored, so that equal images give equal files. */
static bool write_array(hid_t file, const char *name, int rank, const hsize_t *extents,
                        const float *values)
{
    hid_t space = H5Screate_simple(rank, extents, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    hid_t array =
        H5Dcreate(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool written = array >= 0 && H5Dwrite(array, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL,
                                          H5P_DEFAULT, values) >= 0;
    if (array >= 0) {
        written = H5Dclose(array) >= 0 && written;
    }
    H5Pclose(creation);
    H5Sclose(space);
    return written;
}

/* ---- Making ------------------------------------------------------------------------ */

/* Makes the whole file in memory: *bytes, malloc'ed, NULL if memory runs out. */
static bool make_file(const image *img, void **bytes, size_t *size)
{
    enum { HEADERS = 1 << 16 };
    const size_t channels = CHANNELS + (img->depth ? 1 : 0);
    const size_t length = (size_t)image_pixel_count(img) * channels * sizeof(float);
    hid_t file = io_hdf5_create_in_memory("float image", length + HEADERS, bytes);
    hsize_t extents[3] = {(hsize_t)img->height, (hsize_t)img->width, CHANNELS};
    bool made = file >= 0 && write_array(file, "/rgba", 3, extents, img->rgba) &&
                (!img->depth || write_array(file, "/depth", 2, extents, img->depth)) &&
                H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    /* Without a buffer, H5Fget_file_image returns the length. */
    ssize_t end = made ? H5Fget_file_image(file, NULL, 0) : 0;
    if (file >= 0) {
        made = H5Fclose(file) >= 0 && made;
    }
    *size = (size_t)end;
    return made && *bytes && end > 0;
}

status io_float_file_make(const char *path, const image *img, io_float_file *out)
{
    *out = (io_float_file){.path = strdup(path)};
    bool made = false;
    H5E_BEGIN_TRY
    {
        made = out->path && make_file(img, &out->bytes, &out->size);
    }
    H5E_END_TRY
    if (!made) {
        io_float_file_clear(out);
        return base_fail_memory((size_t)image_pixel_count(img) * 20,
                                "the file of an image");
    }
    return STATUS_OK;
}

/* ---- Writing ----------------------------------------------------------------------- */

status io_float_file_write(const io_float_file *file)
{
    return io_file_write(file->path, file->bytes, file->size);
}

void io_float_file_clear(io_float_file *file)
{
    free(file->path);
    free(file->bytes);
    *file = (io_float_file){0};
}

status io_float_image_write(const char *path, const image *img)
{
    io_float_file file;
    status s = io_float_file_make(path, img, &file);
    if (s == STATUS_OK) {
        s = io_float_file_write(&file);
        io_float_file_clear(&file);
    }
    return s;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Gets the extents of an array if it has this rank. */
static bool get_extents(hid_t array, int rank, hsize_t extents[3])
{
    hid_t space = H5Dget_space(array);
    bool fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, extents, NULL) == rank;
    if (space >= 0) {
        H5Sclose(space);
    }
    return fits;
}

static bool read_array(hid_t array, float *values)
{
    return H5Dread(array, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
}

static status fail_shape(const char *path)
{
    return base_fail(
        STATUS_INPUT,
        "'%s' is no float image: it needs /rgba [height][width][4], and /depth, "
        "if it is there, [height][width]",
        path);
}

/* depth is negative if the file has none. */
static status read_arrays(const char *path, hid_t rgba, hid_t depth, image **out)
{
    hsize_t extents[3], across[3];
    if (!get_extents(rgba, 3, extents) || extents[2] != CHANNELS ||
        extents[0] > IMAGE_MAX_SIDE || extents[1] > IMAGE_MAX_SIDE) {
        return fail_shape(path);
    }
    if (depth >= 0 && (!get_extents(depth, 2, across) || across[0] != extents[0] ||
                       across[1] != extents[1])) {
        return fail_shape(path);
    }
    image *img;
    status s = image_create((int)extents[1], (int)extents[0], depth >= 0, &img);
    if (s != STATUS_OK) {
        return s;
    }
    if (!read_array(rgba, img->rgba) || (depth >= 0 && !read_array(depth, img->depth))) {
        image_destroy(&img);
        return base_fail(STATUS_INPUT, "cannot read '%s': the file is cut off or broken",
                         path);
    }
    img->active = (pixel_rect){0, 0, img->width, img->height};
    *out = img;
    return STATUS_OK;
}

static status read_file(const char *path, image **out)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    io_hdf5_driver_set(access);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file < 0) {
        return base_fail(STATUS_INPUT, "cannot open '%s' as an HDF5 file", path);
    }
    hid_t rgba = H5Dopen(file, "/rgba", H5P_DEFAULT);
    hid_t depth = H5Dopen(file, "/depth", H5P_DEFAULT);
    status s = rgba < 0 ? fail_shape(path) : read_arrays(path, rgba, depth, out);
    if (depth >= 0) {
        H5Dclose(depth);
    }
    if (rgba >= 0) {
        H5Dclose(rgba);
    }
    H5Fclose(file);
    return s;
}

status io_float_image_read(const char *path, image **out)
{
    const io_hdf5_watch before = io_hdf5_watch_begin();
    const status read = read_file(path, out), s = io_hdf5_watch_check(read);
    io_hdf5_watch_end(&before);
    if (read == STATUS_OK && s != STATUS_OK) {
        image_destroy(out);
    }
    return s;
}
