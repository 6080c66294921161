#define _GNU_SOURCE /* fopencookie */
#include "unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Unpacking --------------------------------------------------------------------- */

static bool is_packed(int descriptor)
{
    unsigned char mark[2] = "";
    return pread(descriptor, mark, sizeof mark, 0) == (ssize_t)sizeof mark &&
           mark[0] == 0x1f && mark[1] == 0x8b;
}

/* Copies all contents of a file; false, with errno set, on failure. */
static bool copy(gzFile from, FILE *to)
{
    char bytes[1 << 16];
    int count;
    errno = 0;
    while ((count = gzread(from, bytes, sizeof bytes)) > 0) {
        if (fwrite(bytes, 1, (size_t)count, to) != (size_t)count) {
            return false;
        }
    }
    int fault = Z_OK;
    gzerror(from, &fault);
    if (fault != Z_OK && fault != Z_ERRNO) { /* Z_BUF_ERROR: it was cut off */
        errno = EBADMSG;
    }
    return count == 0 && fault == Z_OK && fflush(to) == 0;
}

/* Unpacks a file; the descriptor of its contents, or -1. */
static int unpack(int descriptor)
{
    const int twin = dup(descriptor);
    lseek(twin, 0, SEEK_SET); /* an attempt before may have failed */
    gzFile from = twin >= 0 ? gzdopen(twin, "rb") : NULL;
    FILE *to = from ? tmpfile() : NULL;
    int contents = -1;
    if (to && copy(from, to)) {
        contents = dup(fileno(to));
    }
    const int fault = errno;
    if (to) {
        fclose(to);
    }
    if (from) {
        gzclose(from);
    } else if (twin >= 0) {
        close(twin);
    }
    errno = fault;
    return contents;
}

/* ---- Files that stay open ---------------------------------------------------------- */

typedef struct kept_file {
    dev_t device;
    ino_t node;
    off_t size;
    struct timespec changed;
    int descriptor;
    int contents; /* of a file that is compressed; -1: not unpacked */
    int64_t used; /* the number of its last use; 0: none is here */
} kept_file;

enum { KEPT = 8 };
static kept_file kept[KEPT];
static int64_t uses;

/* Whether a path still leads to a file that is kept. */
static bool is_same(const kept_file *one, const struct stat *about)
{
    return one->used > 0 && one->device == about->st_dev && one->node == about->st_ino &&
           one->size == about->st_size && one->changed.tv_sec == about->st_mtim.tv_sec &&
           one->changed.tv_nsec == about->st_mtim.tv_nsec;
}

static void let_go(kept_file *one)
{
    if (one->used > 0) {
        close(one->descriptor);
        if (one->contents >= 0) {
            close(one->contents);
        }
    }
    *one = (kept_file){.used = 0};
}

void io_unpacked_forget(void)
{
    for (int n = 0; n < KEPT; n++) {
        let_go(&kept[n]);
    }
}

/* Opens a regular file in place of the one that was not used for the longest time. NULL,
 * with errno set: it cannot be opened, or is none: then *other is its descriptor. */
static kept_file *open_kept(const char *path, int *other)
{
    kept_file *oldest = &kept[0];
    struct stat about;
    *other = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*other < 0 || fstat(*other, &about) != 0 || !S_ISREG(about.st_mode)) {
        return NULL;
    }
    for (int n = 1; n < KEPT; n++) {
        oldest = kept[n].used < oldest->used ? &kept[n] : oldest;
    }
    let_go(oldest);
    *oldest = (kept_file){.device = about.st_dev,
                          .node = about.st_ino,
                          .size = about.st_size,
                          .changed = about.st_mtim,
                          .descriptor = *other,
                          .contents = -1};
    *other = -1;
    return oldest;
}

/* Finds a file that is kept, or opens it, as open_kept does. */
static kept_file *find_kept(const char *path, int *other)
{
    struct stat about;
    kept_file *found = NULL;
    const bool is_there = stat(path, &about) == 0;
    *other = -1;
    for (int n = 0; n < KEPT && is_there && !found; n++) {
        found = is_same(&kept[n], &about) ? &kept[n] : NULL;
    }
    found = found || !is_there ? found : open_kept(path, other);
    if (found) {
        found->used = ++uses;
    }
    return found;
}

static int twin_of(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

int io_packed_descriptor(const char *path)
{
    int other;
    const kept_file *file = find_kept(path, &other);
    return file ? twin_of(file->descriptor) : other;
}

int io_unpacked_descriptor(const char *path)
{
    int other;
    kept_file *file = find_kept(path, &other);
    if (!file) {
        return other;
    }
    const bool packed = is_packed(file->descriptor);
    if (packed && file->contents < 0) {
        file->contents = unpack(file->descriptor);
    }
    return packed && file->contents < 0
               ? -1
               : twin_of(packed ? file->contents : file->descriptor);
}

/* ---- Streams ----------------------------------------------------------------------- */

/* Descriptors of one opening share a place in the file; each stream has its own. */
typedef struct own_place {
    int descriptor;
    off_t at;
} own_place;

static ssize_t read_there(void *cookie, char *out, size_t bytes)
{
    own_place *place = cookie;
    const ssize_t count = pread(place->descriptor, out, bytes, place->at);
    place->at += count > 0 ? count : 0;
    return count;
}

static int seek_there(void *cookie, off64_t *offset, int whence)
{
    own_place *place = cookie;
    struct stat about = {.st_size = 0};
    if (whence == SEEK_END && fstat(place->descriptor, &about) != 0) {
        return -1;
    }
    const off_t at = *offset + (whence == SEEK_CUR   ? place->at
                                : whence == SEEK_END ? about.st_size
                                                     : 0);
    if (at < 0) {
        errno = EINVAL;
        return -1;
    }
    *offset = place->at = at;
    return 0;
}

static int close_there(void *cookie)
{
    own_place *place = cookie;
    const int result = close(place->descriptor);
    free(place);
    return result;
}

/* Takes the descriptor, which may be -1. */
static FILE *make_stream(int descriptor)
{
    own_place *place = descriptor >= 0 ? calloc(1, sizeof *place) : NULL;
    FILE *stream = NULL;
    if (place) {
        place->descriptor = descriptor;
        stream = fopencookie(place, "rb",
                             (cookie_io_functions_t){.read = read_there,
                                                     .seek = seek_there,
                                                     .close = close_there});
    }
    if (!stream && descriptor >= 0) {
        free(place);
        close(descriptor);
    }
    return stream;
}

FILE *io_packed_stream(const char *path)
{
    return make_stream(io_packed_descriptor(path));
}

FILE *io_unpacked_stream(const char *path)
{
    return make_stream(io_unpacked_descriptor(path));
}
