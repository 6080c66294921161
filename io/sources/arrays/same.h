/* Comparing arrays: programs write the grid of each step, though it rests. */
#ifndef IO_SOURCES_ARRAYS_SAME_H
#define IO_SOURCES_ARRAYS_SAME_H

#include "arrays.h"

/* Whether two files, or one, have the same bytes at two places. Local. */
bool io_array_same_bytes(const char *const files[2], const int64_t at[2], int64_t bytes);

/*
 * Whether two arrays of `count` numbers, one behind the other, are the same; `decode` is
 * that of their format. What cannot be read counts as different. Local.
 */
bool io_array_same(const io_array_table *table, const io_array_place *const places[2],
                   int64_t count,
                   status (*decode)(const char *path, const io_array_place *place,
                                    void **values, int64_t *bytes));

#endif
