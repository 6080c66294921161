/* The section `data` of a config that names the data sets of a file. */
#ifndef IO_SOURCES_LISTING_SECTION_H
#define IO_SOURCES_LISTING_SECTION_H

#include "guess.h"

#include <stdio.h>

/* Writes the section as YAML, beginning with "data:": file, grid (with iblank if found)
 * and fields. The guess has a grid. Local. */
void io_section_write(FILE *out, const char *file, const io_guess *guess);

/* Writes the keys of the section but `file`, each on a line as an override has it:
 * "data.grid.x=/x". The guess has a grid. Local. */
void io_section_write_keys(FILE *out, const io_guess *guess);

#endif
