/* A legacy file of VTK: lines of words. */
#ifndef IO_SOURCES_VTK_TEXT_H
#define IO_SOURCES_VTK_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { VTK_LINE = 512, VTK_WORDS = 8, VTK_WORD = 128 };

/* A line, in words. */
typedef struct vtk_line {
    int count;
    char word[VTK_WORDS][VTK_WORD];
} vtk_line;

/* Reads the next line that is not empty; false at the end of the file. Local. */
bool vtk_line_read(FILE *stream, vtk_line *line);

/* Whether a line begins with this word, in any case. Local. */
bool vtk_line_is(const vtk_line *line, const char *word);

/* A whole number of a line; false if there is none there, or one below 0. Local. */
bool vtk_line_count(const vtk_line *line, int word, int64_t *out);
bool vtk_line_real(const vtk_line *line, int word, double *out);

#endif
