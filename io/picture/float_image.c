#include "float_image.h"

#include "io/file.h"
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
