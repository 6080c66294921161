/* Writes nodes of CGNS files for tests; independent of the reader. */
#ifndef TESTS_MPI_TEST_CGNS_SUPPORT_H
#define TESTS_MPI_TEST_CGNS_SUPPORT_H

#include <hdf5.h>

/* Makes a node at a path, whose parents are there. */
void cgns_put_node(hid_t file, const char *path, const char *label, const char *type);

/* Writes the values of a node. dims: [rank], slowest first. */
void cgns_put_data(hid_t file, const char *path, hid_t type, int rank,
                   const hsize_t *dims, const void *data);

/* Makes a node with text or with whole numbers. */
void cgns_put_text(hid_t file, const char *path, const char *label, const char *text);
void cgns_put_ints(hid_t file, const char *path, const char *label, int count,
                   const int *values);

/* A child's path, until the next call. */
const char *cgns_below(const char *path, const char *name);

#endif
