/*
 * Stretches of bytes of a file, which are read one behind the other into memory. Reads
 * are few and large: stretches that lie close together are read at once with the gaps
 * between them. This is data sieving (R. Thakur, W. Gropp, E. Lusk: Data Sieving and
 * Collective I/O in ROMIO, 1999).
 */
#ifndef IO_STRETCHES_H
#define IO_STRETCHES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct io_stretch {
    int64_t offset, length; /* bytes */
} io_stretch;

enum { IO_STRETCH_GAP = 1 << 14 }; /* bytes that take no longer than another read */

/* Zero: none. */
typedef struct io_stretches {
    int64_t count;
    int64_t bytes;   /* of all */
    io_stretch *all; /* [count] */
} io_stretches;

/* Adds a stretch; one that continues the last one lengthens it. Local. Errors:
 * STATUS_MEMORY. */
status io_stretches_add(io_stretches *stretches, int64_t offset, int64_t length);
void io_stretches_free(io_stretches *stretches);

/* Where stretches are read. */
typedef struct io_stretch_file {
    const char *path; /* for messages */
    int descriptor;
    int number_size; /* bytes of a number: 4 or 8 */
    bool swaps;      /* the bytes of each number are reversed */
} io_stretch_file;

/* Reads all stretches: out: [stretches->bytes]. Threads share the reads. Local. Errors:
 * STATUS_INPUT: the file cannot be read, or was cut off; STATUS_MEMORY. */
status io_stretches_read(const io_stretches *stretches, const io_stretch_file *file,
                         void *out);

/* Has all stretches brought into the file cache, and does not wait. Local. */
void io_stretches_expect(const io_stretches *stretches, int descriptor);

#endif
