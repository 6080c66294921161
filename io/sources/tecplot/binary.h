/* Binary files of Tecplot (.plt), versions 101 to 112 and 191. Source: Tecplot, "Data
 * Format Guide", chapter on the format of binary data files. */
#ifndef IO_TECPLOT_BINARY_H
#define IO_TECPLOT_BINARY_H

#include "zone.h"

/* Whether a file begins as Tecplot's binary files do, those that karman does not read
 * too. Local. */
bool tecplot_binary_is(FILE *stream);

/* Reads the headers of a file, and finds the values of its zones; call tecplot_file_clear
 * also after a failure. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status tecplot_binary_read(const char *path, tecplot_file *out);

#endif
