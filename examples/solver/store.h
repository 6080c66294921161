/* An HDF5 file that a flow is written to or read from; for checkpoint.c. */
#ifndef EXAMPLES_SOLVER_STORE_H
#define EXAMPLES_SOLVER_STORE_H

#include "flow/flow.h"

#include <hdf5.h>

enum { SOLVER_PATH_SIZE = 2 * SOLVER_NAME_SIZE + 64 }; /* of a name inside the file */

typedef struct solver_store {
    solver_flow *flow;
    const char *path;
    hid_t file;
    hid_t transfer; /* transfer properties of collective input and output */
    double *buffer; /* [cells or vertices of the largest box] */
} solver_store;

/* The name of variable `which`. Local. */
const char *solver_store_variable(int which);

/* Opens a file. `flags` are those of H5Fopen, or H5F_ACC_TRUNC for a new file. Close the
 * store also after a failure. Collective. */
bool solver_store_open(solver_flow *flow, const char *path, unsigned flags,
                       solver_store *out);

/* Collective. Fails if data that HDF5 has buffered cannot be written. */
bool solver_store_close(solver_store *store);

/* Writes the coordinates (`vertex` is 1) or the variables (0) of all blocks as
 * GROUP/<block>/<name>. Collective. */
bool solver_store_write(const solver_store *store, const char *group, int vertex);

/* Reads variable `which` of a block from GROUP/<block>/<name>. Collective; the ranks have
 * not agreed yet. */
bool solver_store_read(const solver_store *store, const char *group, int block,
                       int which);

/* Adds an attribute with one number to an object. Collective. */
bool solver_store_attribute(hid_t file, const char *object, const char *name,
                            double value);

/* Fails with the message for a write that failed. */
bool solver_store_fail(const char *path);

#endif
