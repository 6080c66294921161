/* Checks of the values that a source gives for the blocks of test_io_support.h. */
#ifndef TESTS_MPI_TEST_IO_VALUES_H
#define TESTS_MPI_TEST_IO_VALUES_H

#include "io/source.h"
#include "test_io_support.h"

typedef struct array_check {
    const test_block *block;
    int number;     /* of the block in the source */
    int array;      /* IO_ARRAY_X … or the index of a field */
    int step;       /* index */
    int field;      /* number of the field for block_value */
    bool is_cells;  /* its values are in cells */
    bool is_single; /* coordinates are float32 */
} array_check;

/* Reads boxes of the array, others on each rank and none on some, and compares them with
 * the values that were written. Collective. */
void check_array(io_source *source, const array_check *c);

#endif
