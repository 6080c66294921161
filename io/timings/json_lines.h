/* JSON that people can read: arrays of numbers take a line each. */
#ifndef IO_TIMINGS_JSON_LINES_H
#define IO_TIMINGS_JSON_LINES_H

#include <stddef.h>

/* Puts every array of numbers of an indented JSON text on one line instead of a line a
 * number. Works in place; returns the new length. Local. */
size_t io_json_fold_lines(char *text);

#endif
