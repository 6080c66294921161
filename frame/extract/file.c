#include "file.h"

#include "base/parallel/parallel.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

static status fail(const char *path)
{
    return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
}

/* Makes the empty file on the first rank, and tells its name to all. */
static status make(MPI_Comm comm, const char *path, char name[PATH])
{
    status s = STATUS_OK;
    char *temporary = NULL;
    memset(name, 0, PATH);
    if (parallel_rank(comm) == 0) {
        s = io_file_make_folders(path);
        s = s == STATUS_OK ? io_file_temporary_name(path, &temporary) : s;
        const int file = s == STATUS_OK ? io_file_create(temporary) : -1;
        s = s == STATUS_OK && file < 0 ? fail(path) : s;
        if (file >= 0) {
            close(file);
            snprintf(name, PATH, "%s", temporary);
        }
        free(temporary);
    }
    s = parallel_agree(comm, s);
    parallel_bcast(name, PATH, MPI_CHAR, 0, comm);
    return s;
}

static status write_at(const char *name, const char *path, const char *bytes, size_t size,
                       int64_t offset)
{
    const int file = open(name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    size_t done = 0;
    bool works = file >= 0;
    while (works && done < size) {
        const ssize_t count =
            pwrite(file, bytes + done, size - done, (off_t)(offset + (int64_t)done));
        works = count > 0 || (count < 0 && errno == EINTR);
        done += count > 0 ? (size_t)count : 0;
    }
    status s = works ? STATUS_OK : fail(path);
    if (file >= 0 && close(file) != 0 && s == STATUS_OK) {
        s = fail(path);
    }
    return s;
}

status extract_file_write(MPI_Comm comm, status printed, const char *path,
                          const char *bytes, size_t size)
{
    char name[PATH];
    int64_t offset = 0;
    const int64_t mine = (int64_t)size;
    const int rank = parallel_rank(comm);
    status s = parallel_agree(comm, printed);
    s = s == STATUS_OK ? make(comm, path, name) : s;
    if (s != STATUS_OK) {
        return s;
    }
    MPI_Exscan(&mine, &offset, 1, MPI_INT64_T, MPI_SUM, comm);
    offset = rank == 0 ? 0 : offset;
    s = parallel_agree(comm, write_at(name, path, bytes, size, offset));
    if (rank == 0 && s == STATUS_OK) {
        s = io_file_commit(name, path);
    } else if (rank == 0) {
        unlink(name);
    }
    return parallel_agree(comm, s);
}
