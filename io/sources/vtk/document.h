/* A VTK XML file: its elements, and the places of its arrays. */
#ifndef IO_SOURCES_VTK_DOCUMENT_H
#define IO_SOURCES_VTK_DOCUMENT_H

#include "io/sources/arrays/builder.h"
#include "io/sources/xml/elements.h"
#include "io/sources/xml/markup.h"

typedef struct vtk_document {
    const char *path;
    int32_t file; /* in the table */
    FILE *stream;
    int64_t size; /* bytes of the file */
    xml_markup markup;
    xmlDoc *xml;
    const xmlNode *data; /* the element whose name is the file's type */
    char type[64];
    int form;            /* of all arrays: VTK_XML, and of the others what goes for all */
    bool swaps;          /* numbers have another order of bytes than this machine's */
    bool appends_base64; /* appended data are in base64 */
} vtk_document;

/* Opens a file; close it all the same. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status vtk_document_open(const char *path, vtk_document *out);
void vtk_document_close(vtk_document *document);

/* Fails with a sentence about the file. */
status vtk_document_fail(const vtk_document *document, const char *what);

/* An array: the place of the first of `components`, and the bytes from one to the
 * next. */
typedef struct vtk_array {
    io_array_place place;
    int components;
    int64_t step;
} vtk_array;

/* Finds the place of a DataArray of `n` tuples along i, j, k. *known: whether its type is
 * one of numbers; else nothing else is set. Local. Errors: STATUS_INPUT: it does not fit
 * into the file; STATUS_MEMORY. */
status vtk_document_array(const vtk_document *document, const xmlNode *element,
                          const int64_t n[3], vtk_array *out, bool *known);

/* The place of a component. Local. */
io_array_place vtk_array_component(const vtk_array *array, int component);

#endif
