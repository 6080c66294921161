/* Inside io/sources/memory: which values of a part lie in a box, and how they are
 * converted. */
#ifndef IO_SOURCES_MEMORY_PACK_H
#define IO_SOURCES_MEMORY_PACK_H

#include "state.h"

/* Parameters of one read. */
typedef struct memory_read {
    memory_state *state;
    int block, array;
    const double *origin; /* origin of coordinates that are read as float; or NULL */
    bool in_cells;
    size_t size; /* bytes of a value in the result */
} memory_read;

/* A read of an array of a block; of coordinates relative to an origin, if it is not NULL.
 * Local. */
memory_read memory_read_of(const io_source *source, int block, int array,
                           const double *origin);

/* The intersection of a box with a part; n is 0 if it is empty. Local. */
io_box memory_intersect(const memory_read *read, const memory_extent *part,
                        const io_box *box);

/* The same of the values that the part owns. Local. */
io_box memory_intersect_own(const memory_read *read, const memory_extent *part,
                            const io_box *box);

/* The array of a part that is read. Local. */
const io_memory_array *memory_array_of(const memory_read *read,
                                       const io_memory_part *part);

/* Index in the part's array of row (j, k) of a box. Local. */
int64_t memory_row_of(const io_memory_part *part, const io_memory_array *array,
                      const io_box *box, int64_t j, int64_t k);

/* Converts n values from index `at` on: to double for coordinates (float if relative to
 * an origin), float for fields, int32 for iblank (1 without an array). Local. */
void memory_put_values(const memory_read *read, const io_memory_array *array, int64_t at,
                       int64_t n, void *out);

/* Converts a box of a part's values of a field. Local. */
void memory_put_box(const memory_read *read, const io_memory_part *part,
                    const io_box *box, const io_rows *to);

/* ---- Kernels (narrow_kernel.h) ----------------------------------------------------- */

/* Converts rows of numbers to float32; those that no float32 holds become NaN. n: numbers
 * of a row, and rows; these are `distance` and `row` numbers apart. */
typedef void memory_narrow(const double *from, int64_t distance, const int64_t n[2],
                           float *out, int64_t row);

memory_narrow memory_narrow_avx512, memory_narrow_avx2, memory_narrow_plain;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
memory_narrow *const *memory_narrow_kernels(void);

#endif
