/* The markup of an XML file, without the text between its tags. Arrays may fill
 * gigabytes, and appended bytes are no XML at all. */
#ifndef IO_SOURCES_XML_MARKUP_H
#define IO_SOURCES_XML_MARKUP_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { XML_MOST_KEPT = 4096 };

/* What a format has of XML. */
typedef struct xml_dialect {
    const char *kind; /* of the files, for messages: "VTK file" */
    int64_t kept;     /* texts of at most so many bytes stay behind their places;
                         at most XML_MOST_KEPT */
    bool has_types;   /* a document type with entities is taken; else it is refused */
    bool appends;     /* as VTK's files do */
} xml_dialect;

/*
 * Text that an XML parser takes: in place of each text of an element are two numbers, its
 * first byte in the file and its length. Behind them is the text, if it is short.
 * Comments are left out. It ends where appended data begin.
 */
typedef struct xml_markup {
    char *text; /* [length]; malloc'ed */
    int64_t length;
    int64_t at;       /* bytes of the file that were read */
    int64_t appended; /* the byte behind the _ of appended data; 0: there are none */
} xml_markup;

/* Reads the markup from the start of a file; free the text all the same. Local. Errors:
 * STATUS_INPUT: it has a document type that is refused, or ends inside a tag;
 * STATUS_MEMORY. */
status xml_markup_read(FILE *stream, const char *path, const xml_dialect *dialect,
                       xml_markup *out);

#endif
