/* Legacy VTK files, in text and binary. */
#ifndef TESTS_MPI_TEST_LEGACY_SUPPORT_H
#define TESTS_MPI_TEST_LEGACY_SUPPORT_H

#include <stdbool.h>
#include <stdio.h>

enum { LEGACY_NI = 5, LEGACY_NJ = 4, LEGACY_NK = 3 };

/* The number that an array has at (i, j, k), which float32 holds. */
double legacy_number(int array, int i, int j, int k);

/* Writes a file with a field in cells, a vector and a field at vertices. */
typedef void legacy_writer(FILE *f, bool is_text);
legacy_writer legacy_curvilinear, legacy_rectilinear, legacy_uniform;

/* The same of a uniform grid, with bits and texts before. */
legacy_writer legacy_bits;

#endif
