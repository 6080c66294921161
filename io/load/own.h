/* Inside io/load: bricks whose inputs lie in this rank's own memory. They are read row by
 * row without the other ranks, each row by one thread, in its cache. */
#ifndef IO_LOAD_OWN_H
#define IO_LOAD_OWN_H

#include "array_box.h"
#include "sweep.h"

/* The inputs of a sweep at a location of values. */
typedef struct io_own_inputs {
    int count;
    int fields[GRID_RECIPE_MAX_INPUTS], inputs[GRID_RECIPE_MAX_INPUTS];
} io_own_inputs;

enum { IO_OWN_LOCATIONS = 2 }; /* vertices, cells */

typedef struct io_own_row {
    io_window window;                   /* bricks along i */
    array_box values[IO_OWN_LOCATIONS]; /* of an input at each location that has any */
} io_own_row;

typedef struct io_own {
    io_own_inputs inputs[IO_OWN_LOCATIONS];
    int64_t count;
    io_own_row *rows; /* [count] */
    int64_t nothers;
    int64_t *others; /* [nothers]: numbers of the bricks that are in no row, ascending */
    size_t size;     /* values of an array of the largest row */
    float *buffers;  /* [threads][inputs][size] */
} io_own;

/* Finds the rows of a sweep among the bricks with these ascending numbers. There are none
 * if the sweep reads more than inputs. Local. Errors: STATUS_MEMORY. */
status io_own_find(const io_sweep *sweep, int64_t count, const int64_t *numbers,
                   io_own *out);
void io_own_clear(io_own *own);

/* Gets a row, as the `visit` of a sweep gets windows. Several threads call it at once. */
typedef void io_own_take(void *context, const io_window *row, const grid_patch *patch);

/* Reads all rows, and passes them to `take` with the context of the sweep. Local. */
void io_own_visit(const io_sweep *sweep, const io_own *own, io_own_take *take);

#endif
