#include "open.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "driver.h"
#include "io/gzip/unpacked.h"
#include "io/sources/listing/signature.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linked files that the catalogue keeps open: far fewer than a process may have. */
enum { MOST_LINKED = 256 };

/* ---- before HDF5 ------------------------------------------------------------------ */

static status fail_read(const char *path)
{
    return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path, strerror(errno));
}

/* Fails with the format of a file that is not HDF5. */
static status refuse_format(const char *path, int descriptor, int64_t size)
{
    unsigned char bytes[IO_SIGNATURE_BYTES];
    char phrase[IO_SIGNATURE_SIZE];
    const ssize_t count = pread(descriptor, bytes, sizeof bytes, 0);
    if (count < 0) {
        return fail_read(path);
    }
    io_signature_find(bytes, (size_t)count, size, phrase);
    if (phrase[0] == '\0') {
        return base_fail(STATUS_INPUT,
                         "file '%s' is not an HDF5 file, or its start is missing", path);
    }
    return base_fail(STATUS_INPUT, "file '%s' is not an HDF5 file but %s", path, phrase);
}

/* The signature stands at the beginning, or behind a user block of 512 bytes, 1024, 2048
 * and so on. */
static status check_signature(const char *path, int descriptor, int64_t size)
{
    static const char signature[8] = "\211HDF\r\n\032\n";
    char bytes[sizeof signature];
    for (int64_t at = 0; at<size; at = at> 0 ? 2 * at : 512) {
        const ssize_t count = pread(descriptor, bytes, sizeof bytes, (off_t)at);
        if (count < 0) {
            return fail_read(path);
        }
        if (count == sizeof bytes && memcmp(bytes, signature, sizeof bytes) == 0) {
            return STATUS_OK;
        }
    }
    return refuse_format(path, descriptor, size);
}

static status check_open(const char *path, int descriptor)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return base_fail(STATUS_INPUT, "'%s' is %s, not an HDF5 file", path,
                         io_hdf5_kind_name(about.st_mode));
    }
    return check_signature(path, descriptor, about.st_size);
}

status io_hdf5_file_check(const char *path)
{
    const int descriptor = io_packed_descriptor(path);
    if (descriptor < 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    status s = check_open(path, descriptor);
    close(descriptor);
    return s;
}

/* ---- by HDF5 ---------------------------------------------------------------------- */

static herr_t find_truncation(unsigned depth, const H5E_error2_t *error, void *truncated)
{
    (void)depth;
    *(bool *)truncated |= error->min_num == H5E_TRUNCATED;
    return 0;
}

static status fail_open(const char *path)
{
    bool truncated = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_truncation, &truncated);
    if (truncated) {
        return base_fail(
            STATUS_INPUT,
            "file '%s' is truncated: it ends before its data does; copy or write "
            "it again",
            path);
    }
    char reason[IO_HDF5_REASON_SIZE];
    io_hdf5_reason(reason);
    return base_fail(STATUS_INPUT, "HDF5 file '%s' cannot be opened (%s)", path, reason);
}

/* Access through MPI-IO, from several nodes. */
static void share_access(MPI_Comm comm, hid_t access)
{
    H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
    /* One rank reads metadata and broadcasts it; otherwise every rank would access the
     * file system. */
    H5Pset_all_coll_metadata_ops(access, true);
}

/* Access by one rank. Rows may lie far apart, so HDF5 reads few bytes around them. */
static void own_access(hid_t access)
{
    enum { PAGE = 4096 };
    io_hdf5_driver_set(access);
    H5Pset_sieve_buf_size(access, PAGE);
    /* The catalogue visits each step several times, and each may be a linked file. */
    H5Pset_elink_file_cache_size(access, MOST_LINKED);
}

bool io_hdf5_is_one_node(MPI_Comm comm)
{
    return comm == MPI_COMM_SELF || parallel_node_size(comm) == parallel_size(comm);
}

status io_hdf5_file_open(MPI_Comm comm, const char *path, bool is_alone,
                         io_hdf5_file *out)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (is_alone || io_hdf5_is_one_node(comm)) {
        own_access(access);
    } else {
        share_access(comm, access);
    }
    hid_t id = H5Fopen(path, H5F_ACC_RDONLY, access);
    status s = id < 0 ? fail_open(path) : STATUS_OK;
    H5Pclose(access);
    if (s == STATUS_OK) {
        *out = (io_hdf5_file){id, path, io_hdf5_driver_descriptor(id)};
    }
    return s;
}
