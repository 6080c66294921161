/* Arrays of numbers in text, separated by white space, or by the sign of the next. */
#ifndef IO_ARRAYS_TEXT_H
#define IO_ARRAYS_TEXT_H

#include "arrays.h"

/* Passes over numbers; false if there are fewer. Local. */
bool io_array_text_skip(FILE *stream, int64_t count);

/* Reads numbers. Local. Errors: STATUS_INPUT: there are fewer, or one is no number. */
status io_array_text_read(FILE *stream, const char *path, int64_t count, double *out);

/* io_array_format.decode of arrays in text: code[0] is their first byte, code[1] the
 * number of values. */
status io_array_text_decode(const char *path, const io_array_place *place, void **values,
                            int64_t *bytes);

#endif
