/* Variables of EnSight that have values at some of a part's vertices or cells: a list of
 * their numbers, then values in its order. */
#ifndef IO_ENSIGHT_PARTIAL_H
#define IO_ENSIGHT_PARTIAL_H

#include "file.h"

/* How many values there are, and the place of the list. */
typedef struct ensight_partial {
    int64_t count;
    io_array_place list;
} ensight_partial;

/* Reads the list, and moves behind it; false: the file ends before, or there are more
 * values than `most`. Local. */
bool ensight_partial_begin(ensight_file *file, int64_t most, ensight_partial *out);

/* The place of the next component, of an array with `n` values along i, j, k, and moves
 * behind it; false: the file ends before. Local. */
bool ensight_partial_array(ensight_file *file, const ensight_partial *partial,
                           const int64_t n[3], io_array_place *out);

/* io_array_format.decode: of such an array, the others being missing, and of text. */
status ensight_partial_decode(const char *path, const io_array_place *place,
                              void **values, int64_t *bytes);

#endif
