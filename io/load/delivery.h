/*
 * Deliveries: each rank reads and computes its share of the bricks, which lie together in
 * files, and delivers them to the ranks that hold them. So all ranks together read and
 * compute each value once, in large reads. This is two-phase I/O, for bricks in place of
 * bytes (R. Thakur, W. Gropp, E. Lusk: Data Sieving and Collective I/O in ROMIO, 1999).
 */
#ifndef IO_LOAD_DELIVERY_H
#define IO_LOAD_DELIVERY_H

#include "base/status.h"
#include "io/source.h"

#include <mpi.h>
#include <stddef.h>

typedef struct io_delivery io_delivery;

/* Gets a record of a brick that this rank holds. Local; several threads call it at once,
 * with different records. */
typedef void io_delivery_take(void *context, int64_t number, const void *record);

/* What is delivered, and who gets it. */
typedef struct io_delivery_plan {
    MPI_Comm comm;
    const io_source *source;
    const grid_layout *layout;
    io_delivery_take *take;
    void *context; /* of `take` */
} io_delivery_plan;

/*
 * Plans the delivery of the bricks with these ascending numbers, which this rank holds.
 * *out is NULL if each rank does as well by itself: it holds no brick but those of its
 * share (io_load_share), or the data lie in the ranks' memories. Collective. Errors:
 * STATUS_MEMORY.
 */
status io_delivery_create(const io_delivery_plan *plan, int64_t count,
                          const int64_t *numbers, io_delivery **out);
void io_delivery_destroy(io_delivery **delivery);

/* The bricks of this rank's share that any rank holds, by ascending number. Local. */
int64_t io_delivery_count(const io_delivery *delivery);
const int64_t *io_delivery_numbers(const io_delivery *delivery);

/* Adds a record of such a brick: *record is to be filled in before the next sending,
 * `bytes` long, aligned for numbers. Local; threads may call it at once. Errors:
 * STATUS_MEMORY. */
status io_delivery_add(io_delivery *delivery, int64_t number, size_t bytes,
                       void **record);

/* Sends the records that were added, and hands over those that come. Collective. Errors,
 * the same on all ranks: STATUS_MEMORY; nothing is sent any more then. */
status io_delivery_send(io_delivery *delivery);

/* Bricks to be added on a rank before the next sending. It limits the memory of records,
 * of up to 33 bytes a vertex, to 20 MB. */
enum { IO_DELIVERY_BRICKS = 128 };

#endif
