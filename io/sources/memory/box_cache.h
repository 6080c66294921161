/*
 * A cache of coordinates and iblank received from other ranks. Fields derived with
 * gradients read the same boxes at every step, and the grid does not change. Reads of one
 * step only, as when bricks are loaded, are not cached.
 *
 * All ranks know the boxes that every rank reads, so all find the same reads in their
 * caches.
 */
#ifndef IO_SOURCES_MEMORY_BOX_CACHE_H
#define IO_SOURCES_MEMORY_BOX_CACHE_H

#include "base/status.h"
#include "io/array.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct memory_kept memory_kept;

/* Local. Errors: STATUS_MEMORY. */
status io_memory_kept_create(int ranks, memory_kept **out);
void io_memory_kept_destroy(memory_kept **kept);

/* A read: the array, the origin that coordinates are relative to (or NULL), and the box
 * of each rank. */
typedef struct memory_asked {
    int block, array;
    const double *origin;
    const io_box *boxes; /* [ranks] */
} memory_asked;

/* State of a read in the cache. */
typedef enum memory_known {
    MEMORY_NEW,     /* not read in an earlier step */
    MEMORY_SEEN,    /* read in an earlier step: now it is worth keeping */
    MEMORY_IS_KEPT, /* the received values are here */
    MEMORY_FULL     /* there are too many reads to remember this one */
} memory_known;

/* Begins a step. All ranks call it. Local. */
void io_memory_kept_next_step(memory_kept *kept);

/* Looks a read up, and remembers it. *data: the kept values. Local, but the result is the
 * same on every rank. */
memory_known io_memory_kept_find(memory_kept *kept, const memory_asked *asked,
                                 const char **data);

/* Allocates memory for keeping the read that was looked up last. Local: the ranks then
 * agree, so that all keep a read or none does. Errors: STATUS_MEMORY. */
status io_memory_kept_prepare(memory_kept *kept, const memory_asked *asked);

/* Keeps the values received for the prepared read; takes over `data`. Local. */
void io_memory_kept_put(memory_kept *kept, char *data);

/* The hash of a read, compared before the read itself; for tests. */
uint64_t io_memory_kept_hash(const memory_kept *kept, const memory_asked *asked);

#endif
