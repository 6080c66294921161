/*
 * Coordinates and iblank that other ranks have sent, kept for the next time: fields that
 * are derived with gradients ask for the same boxes at every step, and the grid stands
 * still. What is asked for in one step only, as when bricks are loaded, is not kept.
 *
 * All ranks know of each read what every rank asks for, so that all find the same kept.
 */
#ifndef IO_MEMORY_KEPT_H
#define IO_MEMORY_KEPT_H

#include "base/status.h"
#include "io/array.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct memory_kept memory_kept;

/* Local. Errors: STATUS_MEMORY. */
status io_memory_kept_create(int ranks, memory_kept **out);
void io_memory_kept_destroy(memory_kept **kept);

/* A read: of an array, of coordinates relative to *origin unless that is NULL, and the
 * box that each rank asks for. */
typedef struct memory_asked {
    int block, array;
    const double *origin;
    const io_box *boxes; /* [ranks] */
} memory_asked;

/* What is known of a read. */
typedef enum memory_known {
    MEMORY_NEW,     /* nothing of an earlier step */
    MEMORY_SEEN,    /* it was asked for in one: now it is worth keeping */
    MEMORY_IS_KEPT, /* what others sent is here */
    MEMORY_FULL     /* too much is asked for to remember it */
} memory_known;

/* To be called where a step begins, on all ranks. Local. */
void io_memory_kept_next_step(memory_kept *kept);

/* Looks for a read, and remembers it. *data: where it is kept. Local, but what comes out
 * is the same on every rank. */
memory_known io_memory_kept_find(memory_kept *kept, const memory_asked *asked,
                                 const char **data);

/* Makes room for keeping the read that was looked for last. Local: ranks have yet to
 * agree, as all of them keep a read or none does. Errors: STATUS_MEMORY. */
status io_memory_kept_prepare(memory_kept *kept, const memory_asked *asked);

/* Keeps what was sent for the read that room was made for; takes over `data`. Local. */
void io_memory_kept_put(memory_kept *kept, char *data);

/* The number that reads are told apart by before they are compared; for tests. */
uint64_t io_memory_kept_hash(const memory_kept *kept, const memory_asked *asked);

#endif
