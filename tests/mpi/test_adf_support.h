/* Writes CGNS files in ADF for tests: copies of files in HDF5; independent of the reader.
 */
#ifndef TESTS_MPI_TEST_ADF_SUPPORT_H
#define TESTS_MPI_TEST_ADF_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct adf_form {
    bool is_big;   /* IEEE_BIG, else IEEE_LITTLE */
    bool is_text;  /* version A, whose pointers are text, else version B */
    bool is_short; /* of 32 bits: I8 has 4 bytes */
} adf_form;

/* Replaces an HDF5 file by the same nodes in ADF. Every second larger array lies in
 * several chunks. Links of HDF5 become links of ADF. */
void adf_replace(const char *path, const adf_form *form);

#endif
