/* Writes PLOT3D files for tests, in all forms; independent of the reader. */
#ifndef TESTS_MPI_TEST_PLOT3D_SUPPORT_H
#define TESTS_MPI_TEST_PLOT3D_SUPPORT_H

#include "test_io_support.h"

typedef enum form_kind { FORM_GRID, FORM_Q, FORM_FUNCTION } form_kind;

typedef struct plot3d_form {
    form_kind kind;
    bool is_text;
    bool is_big;
    int mark; /* bytes of marks of Fortran's records; 0: none */
    int part; /* the most bytes of a part of a record; 0: no limit */
    int real; /* 4 or 8 bytes */
    bool is_multi, is_overflow;
    bool has_one_species; /* OVERFLOW's header has one, not FORM_SPECIES */
    bool is_flat;         /* two-dimensional: without k and z */
} plot3d_form;

enum { FORM_FUNCTIONS = 2, FORM_SPECIES = 3, FORM_OVERFLOW = 10 };

/* Writes a file of these blocks. iblank is written if the first block has it. Values are
 * block_value with the number of the variable; `time` goes into the header of a q file.
 * Local. */
void plot3d_write(const char *path, const plot3d_form *form, int nblocks,
                  const test_block *blocks, int64_t step, double time);

#endif
