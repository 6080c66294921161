#define _GNU_SOURCE /* fallocate */
#include "output.h"

#include "base/parallel/parallel.h"
#include "io/file.h"
#include "io/xdmf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- Checks ------------------------------------------------------------------------ */

status convert_output_check_file(const io_source *source, const char *path, bool replaces)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return STATUS_OK;
    }
    if (!S_ISREG(about.st_mode)) {
        return base_fail(STATUS_USAGE, "'%s' is no regular file: give another name",
                         path);
    }
    if (io_source_reads(source, path)) {
        return base_fail(STATUS_USAGE,
                         "'%s' holds the data that are converted: give another name",
                         path);
    }
    return replaces ? STATUS_OK
                    : base_fail(STATUS_USAGE,
                                "'%s' exists: --force replaces it, or give another name",
                                path);
}

/* A name that ends as files of another format do would mislead who opens it. */
static status check_ending(const char *path)
{
    static const char *const endings[] = {"", ".h5", ".hdf5", ".hdf", ".he5"};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *ending = strrchr(name, '.') ? strrchr(name, '.') : "";
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++) {
        if (strcasecmp(ending, endings[n]) == 0) {
            return STATUS_OK;
        }
    }
    return base_fail(
        STATUS_USAGE,
        "'%s': karman writes HDF5, with an XDMF file beside it, or XML files "
        "of VTK: end the name in .h5, .vtm or .pvd, not in %s",
        path, ending);
}

status convert_output_check(const io_source *source, const app_convert_request *request)
{
    char *beside = io_xdmf_path(request->output);
    status s = beside ? STATUS_OK : base_fail_memory(strlen(request->output), "a path");
    s = s == STATUS_OK
            ? convert_output_check_file(source, request->output, request->replaces)
            : s;
    s = s == STATUS_OK ? check_ending(request->output) : s;
    s = s == STATUS_OK ? convert_output_check_file(source, beside, request->replaces) : s;
    free(beside);
    return s;
}

/* ---- Making ------------------------------------------------------------------------ */

static status fail_room(const convert_output *output, int64_t size, int error)
{
    return base_fail(STATUS_OUTPUT, "cannot write '%s' of %.1f MiB: %s", output->path,
                     (double)size / (1024.0 * 1024.0), strerror(error));
}

/* Takes the room for all values at once, so that a full disk shows here. A file system
 * may not know how; then the free room is compared. */
static int take_room(int descriptor, int64_t size)
{
    struct statvfs disk;
    if (fallocate(descriptor, 0, 0, (off_t)size) == 0) {
        return 0;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return errno;
    }
    if (fstatvfs(descriptor, &disk) == 0 &&
        (double)disk.f_bavail * (double)disk.f_frsize < (double)size) {
        return ENOSPC;
    }
    return ftruncate(descriptor, (off_t)size) == 0 ? 0 : errno;
}

/* Makes the temporary file with the skeleton. Local, on rank 0. */
static status make_file(const convert_skeleton *skeleton, convert_output *output)
{
    status s = io_file_make_folders(output->path);
    if (s != STATUS_OK) {
        return s;
    }
    const int descriptor = io_file_create(output->temporary);
    if (descriptor < 0) {
        return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", output->path,
                         strerror(errno));
    }
    output->is_made = true;
    int error = take_room(descriptor, skeleton->size);
    if (error == 0 && !convert_skeleton_copy(skeleton, descriptor)) {
        error = errno;
    }
    if (close(descriptor) != 0 && error == 0) {
        error = errno;
    }
    return error == 0 ? STATUS_OK : fail_room(output, skeleton->size, error);
}

/* Gives all ranks rank 0's name. Collective. */
static status share_name(MPI_Comm comm, convert_output *output)
{
    status s =
        parallel_agree(comm, io_file_temporary_name(output->path, &output->temporary));
    if (s != STATUS_OK) {
        return s;
    }
    int size = parallel_count((int64_t)strlen(output->temporary) + 1);
    parallel_bcast(&size, 1, MPI_INT, 0, comm);
    char *name = realloc(output->temporary, (size_t)size);
    s = parallel_agree(comm, name ? STATUS_OK : base_fail_memory((size_t)size, "a path"));
    output->temporary = name ? name : output->temporary;
    if (s == STATUS_OK) {
        parallel_bcast(output->temporary, size, MPI_CHAR, 0, comm);
    }
    return s;
}

static status fail_mpi(const convert_output *output, int error)
{
    static const int known[] = {ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ESTALE};
    int class = MPI_ERR_IO, length = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    MPI_Error_class(error, &class);
    MPI_Error_string(error, text, &length);
    const char *reason = class == MPI_ERR_NO_SPACE ? "the disk is full"
                         : class == MPI_ERR_QUOTA  ? "the quota is exceeded"
                         : class == MPI_ERR_ACCESS ? "there is no permission"
                                                   : "the file system refused it";
    /* Most writes of MPI-IO fail with one class, and name the error in their text. */
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        reason = strstr(text, strerror(known[n])) ? strerror(known[n]) : reason;
    }
    return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", output->path, reason);
}

/* Opens the temporary file on all ranks. Collective. */
static status open_file(MPI_Comm comm, status s, convert_output *out)
{
    if (s == STATUS_OK) {
        const int error = MPI_File_open(comm, out->temporary, MPI_MODE_WRONLY,
                                        MPI_INFO_NULL, &out->file);
        if (error != MPI_SUCCESS) {
            out->file = MPI_FILE_NULL;
            s = fail_mpi(out, error);
        }
        s = parallel_agree(comm, s);
    }
    return s;
}

status convert_output_make(MPI_Comm comm, const char *path,
                           const convert_skeleton *skeleton, convert_output *out)
{
    *out = (convert_output){.path = path, .file = MPI_FILE_NULL};
    status s = share_name(comm, out);
    if (s == STATUS_OK) {
        s = parallel_rank(comm) == 0 ? make_file(skeleton, out) : STATUS_OK;
        s = parallel_agree(comm, s);
    }
    return open_file(comm, s, out);
}

/* Whether there is a temporary file of the skeleton's size. Local. */
static bool is_there(const convert_output *output, const convert_skeleton *skeleton)
{
    struct stat about;
    return lstat(output->temporary, &about) == 0 && S_ISREG(about.st_mode) &&
           about.st_size == (off_t)skeleton->size;
}

status convert_output_return(MPI_Comm comm, const char *path,
                             const convert_skeleton *skeleton, bool *goes_on,
                             convert_output *out)
{
    static const char ending[] = ".part";
    const size_t size = strlen(path) + sizeof ending;
    *out = (convert_output){.path = path, .file = MPI_FILE_NULL};
    out->temporary = malloc(size);
    status s = out->temporary ? STATUS_OK : base_fail_memory(size, "a path");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        snprintf(out->temporary, size, "%s%s", path, ending);
        *goes_on = *goes_on && is_there(out, skeleton);
        s = *goes_on ? s : make_file(skeleton, out);
    } else if (s == STATUS_OK) {
        snprintf(out->temporary, size, "%s%s", path, ending);
    }
    s = parallel_agree(comm, s);
    parallel_bcast(goes_on, 1, MPI_C_BOOL, 0, comm);
    out->stays = *goes_on;
    return open_file(comm, s, out);
}

/* ---- Writing ----------------------------------------------------------------------- */

status convert_output_write(const convert_output *output, int64_t offset, int64_t bytes,
                            const void *data)
{
    MPI_Status result;
    int count = 0;
    const int error = MPI_File_write_at(output->file, (MPI_Offset)offset, data,
                                        parallel_count(bytes), MPI_BYTE, &result);
    if (error != MPI_SUCCESS) {
        return fail_mpi(output, error);
    }
    MPI_Get_count(&result, MPI_BYTE, &count);
    return count == bytes ? STATUS_OK : fail_mpi(output, MPI_ERR_NO_SPACE);
}

status convert_output_close(MPI_Comm comm, convert_output *output)
{
    const int error = MPI_File_close(&output->file);
    output->file = MPI_FILE_NULL;
    return parallel_agree(comm,
                          error == MPI_SUCCESS ? STATUS_OK : fail_mpi(output, error));
}

void convert_output_abandon(MPI_Comm comm, convert_output *output)
{
    if (output->file != MPI_FILE_NULL) {
        MPI_File_close(&output->file);
    }
    parallel_agree(comm, STATUS_OK); /* all have closed it */
    if (output->is_made && !output->stays) {
        unlink(output->temporary);
    }
    free(output->temporary);
    *output = (convert_output){.file = MPI_FILE_NULL};
}
