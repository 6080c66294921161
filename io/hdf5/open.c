#include "open.h"

#include "base/parallel/parallel.h"
#include "io/listing/signature.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linked files that the catalogue keeps open: far fewer than a process may have. */
enum { MOST_LINKED = 256 };

/* ---- before HDF5 ------------------------------------------------------------------ */

static const char *name_kind(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe, no regular file"
                            : "no regular file";
}

/* Fails with the format of a file that is not HDF5. */
static status refuse_format(const char *path, int descriptor, int64_t size)
{
    unsigned char bytes[IO_SIGNATURE_BYTES];
    char phrase[IO_SIGNATURE_SIZE];
    const ssize_t count = pread(descriptor, bytes, sizeof bytes, 0);
    io_signature_find(bytes, count > 0 ? (size_t)count : 0, size, phrase);
    if (phrase[0] == '\0') {
        return base_fail(STATUS_INPUT,
                         "file '%s' is not an HDF5 file, or its start is missing", path);
    }
    return base_fail(STATUS_INPUT, "file '%s' is not an HDF5 file but %s", path, phrase);
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
                         name_kind(about.st_mode));
    }
    return H5Fis_hdf5(path) > 0 ? STATUS_OK
                                : refuse_format(path, descriptor, about.st_size);
}

/* O_NONBLOCK: otherwise opening a pipe would wait for ever. */
status io_hdf5_file_check(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK);
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

/* Access through MPI-IO. */
static void share_access(MPI_Comm comm, hid_t access)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (parallel_size(comm) == 1) {
        /* Without this ROMIO would also read the gaps between distant rows, several times
         * as many bytes. Several ranks gather their rows first. */
        MPI_Info_set(info, "romio_ds_read", "disable");
    }
    H5Pset_fapl_mpio(access, comm, info);
    MPI_Info_free(&info);
    /* One rank reads metadata and broadcasts it; otherwise every rank would access the
     * file system. */
    H5Pset_all_coll_metadata_ops(access, true);
}

/* Access by one rank. The file is only read, so it needs no lock, which parallel file
 * systems often lack. */
static void unlock_access(hid_t access)
{
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
    H5Pset_file_locking(access, false, true);
#else
    (void)access;
#endif
}

status io_hdf5_file_open(MPI_Comm comm, const char *path, bool is_alone,
                         io_hdf5_file *out)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (is_alone) {
        unlock_access(access);
    } else {
        share_access(comm, access);
    }
    if (comm == MPI_COMM_SELF || is_alone) {
        /* The catalogue visits each step several times, and each may be a linked file. */
        H5Pset_elink_file_cache_size(access, MOST_LINKED);
    }
    hid_t id = H5Fopen(path, H5F_ACC_RDONLY, access);
    status s = id < 0 ? fail_open(path) : STATUS_OK;
    H5Pclose(access);
    if (s == STATUS_OK) {
        *out = (io_hdf5_file){id, path};
    }
    return s;
}
