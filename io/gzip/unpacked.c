#include "unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>
#include <zlib.h>

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

int io_unpacked_descriptor(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0 && is_packed(descriptor)) {
        const int packed = descriptor;
        descriptor = unpack(packed);
        const int fault = errno;
        close(packed);
        errno = fault;
    }
    if (descriptor >= 0) {
        lseek(descriptor, 0, SEEK_SET);
    }
    return descriptor;
}

FILE *io_unpacked_stream(const char *path)
{
    const int descriptor = io_unpacked_descriptor(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (descriptor >= 0 && !stream) {
        close(descriptor);
    }
    return stream;
}
