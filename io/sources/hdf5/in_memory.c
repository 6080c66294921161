#include "in_memory.h"

#include "base/system.h"

#include <stdlib.h>

/* A file of many pages is touched at once, and small pages would take half the time. */
static void *with_large_pages(void *bytes, size_t size)
{
    enum { MANY = 1 << 23 };
    if (bytes && size >= MANY) {
        base_use_large_pages(bytes, size);
    }
    return bytes;
}

/* HDF5 allocates, grows and frees the file in memory by these functions. The last one
 * keeps the bytes of the closed file for the caller. */
static void *allocate(size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    (void)context;
    return with_large_pages(malloc(size), size);
}

static void *reallocate(void *bytes, size_t size, H5FD_file_image_op_t operation,
                        void *context)
{
    (void)operation;
    (void)context;
    return with_large_pages(realloc(bytes, size), size);
}

static herr_t keep(void *bytes, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    *(void **)context = bytes;
    return 0;
}

/* HDF5 copies the context with its functions; it is the caller's pointer, so the copy is
 * the same. */
static void *copy_context(void *context)
{
    return context;
}

static herr_t free_context(void *context)
{
    (void)context;
    return 0;
}

hid_t io_hdf5_create_in_memory(const char *name, size_t growth, void **bytes)
{
    H5FD_file_image_callbacks_t functions = {.image_malloc = allocate,
                                             .image_realloc = reallocate,
                                             .image_free = keep,
                                             .udata_copy = copy_context,
                                             .udata_free = free_context,
                                             .udata = bytes};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (H5Pset_fapl_core(access, growth, false) >= 0 &&
        H5Pset_file_image_callbacks(access, &functions) >= 0) {
        file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    H5Pclose(access);
    return file;
}

hid_t io_hdf5_open_in_memory(const char *name, void *bytes, size_t size)
{
    enum { GROWTH = 1 << 16 };
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (H5Pset_fapl_core(access, GROWTH, false) >= 0 &&
        H5Pset_file_image(access, bytes, size) >= 0) {
        file = H5Fopen(name, H5F_ACC_RDONLY, access);
    }
    H5Pclose(access);
    return file;
}
