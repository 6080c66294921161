/* A text file of numbers, each found by its place among them. Numbers are separated by
 * white space or commas. As in Fortran's list-directed files, "3*0.5" stands for three of
 * them, and exponents may begin with D or with their sign alone. "*****", a number that
 * did not fit its format, is NaN. */
#ifndef IO_SOURCES_PLOT3D_TEXT_H
#define IO_SOURCES_PLOT3D_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PLOT3D_CHUNK = 1 << 16, /* bytes of a chunk, the unit in which numbers are counted */
    PLOT3D_LONGEST = 128    /* a number has fewer bytes */
};

typedef struct plot3d_text {
    const char *path; /* borrowed, for messages */
    int descriptor;
    int64_t size; /* bytes of the file */
    int64_t nchunks;
    int64_t *before; /* [nchunks + 1]: numbers that begin before each chunk, and in all;
                        NULL: not counted */
    /* The chunk in memory, with one byte before and PLOT3D_LONGEST behind. */
    char *buffer;
    int64_t chunk;  /* -1: none */
    size_t length;  /* bytes in the buffer, with the one before */
    size_t at;      /* in the buffer: behind the last number that was passed */
    int64_t passed; /* numbers of the file before `at` */
} plot3d_text;

/* Whether a file begins with nothing but numbers. Local. */
bool plot3d_text_is(int descriptor);

/* Prepares to read the open file. `path` and `descriptor` stay the caller's. Local.
 * Errors: STATUS_MEMORY. */
status plot3d_text_open(const char *path, int descriptor, int64_t size, plot3d_text *out);
void plot3d_text_close(plot3d_text *text);

/* Counts the numbers that begin in the chunk. Local. Errors: STATUS_INPUT if the file
 * cannot be read, or if something is no number. */
status plot3d_text_count(plot3d_text *text, int64_t chunk, int64_t *count);

/* Begins to read at a chunk, before which the text has `passed` numbers, if they were not
 * counted. Local. Errors: STATUS_INPUT. */
status plot3d_text_start(plot3d_text *text, int64_t chunk, int64_t passed);

/* Counts the numbers of the whole text. Local. Errors: likewise, STATUS_MEMORY. */
status plot3d_text_count_all(plot3d_text *text);

/*
 * Reads the numbers [first, first + count). If they were not counted, reading begins at
 * the start of the file. Local. Errors: STATUS_INPUT: there are fewer, or one of them is
 * no number.
 */
status plot3d_text_read(plot3d_text *text, int64_t first, int64_t count, double *out);

#endif
