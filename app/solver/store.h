/* An HDF5 file that a flow goes into or comes out of; for checkpoint.c. */
#ifndef APP_SOLVER_STORE_H
#define APP_SOLVER_STORE_H

#include "app/solver/flow/flow.h"

#include <hdf5.h>

enum { SOLVER_PATH_SIZE = 2 * SOLVER_NAME_SIZE + 64 }; /* of a name inside the file */

typedef struct solver_store {
    solver_flow *flow;
    const char *path;
    hid_t file;
    hid_t transfer; /* all ranks write together */
    double *buffer; /* one array of the largest box */
} solver_store;

/* The name of variable `which`. Local. */
const char *solver_store_variable(int which);

/* Opens a file; `flags` are H5Fopen's, or H5F_ACC_TRUNC for a new one. Whatever comes of
 * it, the store is to be closed. Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status solver_store_open(solver_flow *flow, const char *path, unsigned flags,
                         solver_store *out);

/* Collective. Errors: STATUS_OUTPUT where what HDF5 held back cannot be written. */
status solver_store_close(solver_store *store);

/* Writes the coordinates (`vertex` is 1) or variables (0) of all blocks as
 * GROUP/<block>/<name>. Collective. Errors: STATUS_OUTPUT. */
status solver_store_write(const solver_store *store, const char *group, int vertex);

/* Reads variable `which` of a block from GROUP/<block>/<name>. Collective. Errors, which
 * ranks have yet to agree on: STATUS_INPUT. */
status solver_store_read(const solver_store *store, const char *group, int block,
                         int which);

/* Gives an object an attribute of one number. Collective. */
bool solver_store_attribute(const solver_store *store, const char *object,
                            const char *name, double value);

/* The failure of a write. */
status solver_store_fail(const char *path);

#endif
