/* The markup of a VTK XML file, without the text between its tags. Arrays may fill
 * gigabytes, and appended bytes are no XML at all. */
#ifndef IO_SOURCES_VTK_MARKUP_H
#define IO_SOURCES_VTK_MARKUP_H

#include "base/status.h"

#include <stdint.h>
#include <stdio.h>

/*
 * Text that an XML parser takes: in place of each text of an element are two numbers, its
 * first byte in the file and its length. Comments are left out. It ends where appended
 * data begin.
 */
typedef struct vtk_markup {
    char *text; /* [length]; malloc'ed */
    int64_t length, capacity;
    int64_t at;       /* bytes of the file that were read */
    int64_t appended; /* the byte behind the _ of appended data; 0: there are none */
} vtk_markup;

/* Reads the markup from the start of a file; free the text all the same. Local. Errors:
 * STATUS_INPUT: it has a document type or ends inside a tag; STATUS_MEMORY. */
status vtk_markup_read(FILE *stream, const char *path, vtk_markup *out);

#endif
