/* Numbers of either byte order. */
#ifndef IO_SOURCES_PLOT3D_BYTES_H
#define IO_SOURCES_PLOT3D_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A whole number of 4 or 8 bytes, with its sign. Local. */
int64_t plot3d_bytes_int(const unsigned char *bytes, int size, bool is_big);

/* A floating-point number of 4 or 8 bytes. Local. */
double plot3d_bytes_real(const unsigned char *bytes, int size, bool is_big);

/* As pread, without interruptions by signals. A failure is remembered, as whoever tries
 * forms of a file takes its bytes for missing. Local. */
ssize_t plot3d_bytes_read(int descriptor, void *out, size_t bytes, int64_t at);

/* Forgets failures; returns errno of the first one since the last call, or 0. Local. */
int plot3d_bytes_take_failure(void);

#endif
