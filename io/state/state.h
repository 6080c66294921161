/* Files of states: named arrays of numbers in one HDF5 file. For one rank; local. */
#ifndef IO_STATE_STATE_H
#define IO_STATE_STATE_H

#include "base/status.h"

#include <stdint.h>

typedef struct io_state io_state;

typedef enum io_state_type {
    IO_STATE_INT64,
    IO_STATE_FLOAT64,
    IO_STATE_TEXT /* bytes */
} io_state_type;

/* An array of a state. */
typedef struct io_state_array {
    io_state_type type;
    int64_t rows;
    int columns;
    void *values; /* [rows][columns]: int64_t, double or char */
} io_state_array;

/* Makes an empty state in memory. Errors: STATUS_MEMORY. */
status io_state_create(io_state **out);

/* Adds an array; groups in `path` ("0/1/times") are made. Errors: STATUS_MEMORY; then the
 * state can only be closed. */
status io_state_put(io_state *state, const char *path, const io_state_array *array);

/* Writes the state to a file and closes it, also on failure. The file appears complete or
 * not at all. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status io_state_write(io_state **state, const char *path);

/* Opens a file. Errors: STATUS_INPUT (no such file, cut off, changed, or no state),
 * STATUS_MEMORY. */
status io_state_open(const char *path, io_state **out);

/* Reads an array of this type and number of columns. out->values is malloc'ed, the
 * caller's; a text ends with a zero, which `rows` does not count. Errors: STATUS_INPUT
 * (no such array, another type or shape), STATUS_MEMORY. */
status io_state_get(const io_state *state, const char *path, io_state_type type,
                    int columns, io_state_array *out);

/* NULL is fine. */
void io_state_close(io_state **state);

#endif
