/* Files that may be compressed by gzip. */
#ifndef IO_GZIP_UNPACKED_H
#define IO_GZIP_UNPACKED_H

#include <stdio.h>

/*
 * Opens a file to read; the contents of one that is compressed by gzip are first unpacked
 * into a temporary file, which vanishes when it is closed. A pipe is not waited for. NULL
 * or -1, with errno set: the file cannot be opened, or unpacked (EBADMSG: it is damaged).
 * Local.
 */
int io_unpacked_descriptor(const char *path);
FILE *io_unpacked_stream(const char *path);

#endif
