/* Classic netCDF files. */
#ifndef TESTS_MPI_TEST_CLASSIC_SUPPORT_H
#define TESTS_MPI_TEST_CLASSIC_SUPPORT_H

#include <stdbool.h>

enum { CLASSIC_NI = 5, CLASSIC_NJ = 4, CLASSIC_NK = 3, CLASSIC_NT = 2 };

/* The number that both fields have at (i, j, k) of a step; that at (1, 1, 1) is missing.
 */
double classic_number(int i, int j, int k, int step);

/* Writes a file of version 1, 2 or 5, with "packed" and "plain" values. is_curved:
 * longitudes and latitudes are planes. */
void classic_write(const char *path, int version, bool is_curved);

#endif
