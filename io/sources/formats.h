/* The formats of files: the table of IO_SOURCES, and the choice by config or content. */
#ifndef IO_SOURCES_FORMATS_H
#define IO_SOURCES_FORMATS_H

#include "io/source_kind.h"

/* Formats have numbers from 0 on. */

/* The format of a number; below 0: io_source_hdf5, which says why it cannot read a file.
 * Local. */
const io_source_kind *io_formats_at(int number);

/* Finds the first format that takes an open file, by its first bytes; -1: none. Local.
 * Errors: STATUS_INPUT: a read failed. */
status io_formats_find(const char *path, FILE *stream, int *number);

/* The format that a config names, whatever the bytes of its file; -1: it names none.
 * Local. */
int io_formats_find_wanted(const io_data_config *config);

/* Finds the format that a config names, or else that takes its file; -1: none. Local.
 * Errors: STATUS_INPUT: the file cannot be read. */
status io_formats_choose(const io_data_config *config, int *number);

/* Finds the format that takes a file and can open it by itself; -1: none. Local. Errors:
 * STATUS_INPUT: the file cannot be read. */
status io_formats_find_data(const char *path, int *number);

#endif
