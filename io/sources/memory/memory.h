/*
 * Memory sources: the data of a running program, in its own memory and its own domain
 * decomposition, as an io_source like any other. No data are copied before they are read;
 * a read sends each rank only the values that it asks for.
 */
#ifndef IO_SOURCES_MEMORY_MEMORY_H
#define IO_SOURCES_MEMORY_MEMORY_H

#include "io/source.h"
#include "part.h"

/* Description of the data. Blocks and fields are the same on every rank; parts are those
 * of this rank. */
typedef struct io_memory_grid {
    const char *name; /* for messages */
    int nblocks;
    const grid_block *blocks; /* [nblocks]: name, n and has_iblank are used */
    int nfields;
    const grid_field *fields; /* [nfields] */
    int nparts;
    const io_memory_part *parts; /* [nparts] */
} io_memory_grid;

/*
 * Opens a memory source with one step, number 0 at time 0. Descriptions are copied; data
 * and comm are borrowed. Collective. Errors: STATUS_INPUT (a part reaches beyond its
 * block, lacks coordinates, or has wrong types), STATUS_MEMORY.
 */
status io_memory_open(MPI_Comm comm, const io_memory_grid *grid, io_source **out);

/* Sets the step whose values are now in the arrays. The same on every rank. Local. */
void io_memory_set_step(io_source *source, int64_t number, double time);

/* Sets the array of a field of a part. Local. */
void io_memory_set_field(io_source *source, int part, int field,
                         const io_memory_array *array);

/* Sets the values of fields that mean "missing": those of the config (data.fill), as
 * float32 or float64. Local. */
void io_memory_set_fills(io_source *source, const io_data_config *config);

/* A value that two parts have, and not the same one. */
typedef struct io_memory_difference {
    int block, array;
    int64_t at[3];   /* the vertex, or the cell */
    int rank, owner; /* of the part, and of the part whose value counts */
    double value, owners;
} io_memory_difference;

/*
 * Compares the values that parts have beside their owners with the owners': of a
 * coordinate (IO_ARRAY_X, ...) or a field. Parts that share nothing cost nothing. *found:
 * whether any differs by more than rounding does; then *first is that with the lowest
 * index. Collective, the same on every rank. Errors: those of io_source_read.
 */
status io_memory_compare(io_source *source, int array, bool *found,
                         io_memory_difference *first);

/* Bytes of values that this rank has sent to others so far; 0 if `source` is NULL.
 * Local. */
int64_t io_memory_bytes(const io_source *source);

#endif
