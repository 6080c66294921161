/* Files that are opened to read, and may be compressed by gzip. */
#ifndef IO_GZIP_UNPACKED_H
#define IO_GZIP_UNPACKED_H

#include <stdio.h>

/*
 * Opens a file to read; the contents of one that is compressed by gzip are first unpacked
 * into a temporary file, which vanishes when it is closed. A pipe is not waited for. NULL
 * or -1, with errno set: the file cannot be opened, or unpacked (EBADMSG: it is damaged).
 * The last few files stay open, unpacked, until io_unpacked_forget. To open one again
 * only asks the file system whether the path still leads to it: on a parallel one each
 * opening takes a round trip or two. So descriptors share a place in the file: read by
 * pread. A stream has its own. One thread opens files. Local.
 */
int io_unpacked_descriptor(const char *path);
FILE *io_unpacked_stream(const char *path);

/* The same for the bytes as they are. Local. */
int io_packed_descriptor(const char *path);
FILE *io_packed_stream(const char *path);

/* Closes files that stay open. Descriptors and streams are not touched. Local. */
void io_unpacked_forget(void);

#endif
