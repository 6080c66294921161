/* XDMF files: elements, with those that xi:include and Reference name. */
#ifndef IO_SOURCES_XDMF_DOCUMENT_H
#define IO_SOURCES_XDMF_DOCUMENT_H

#include "io/sources/arrays/builder.h"
#include "io/sources/xml/elements.h"
#include "io/sources/xml/markup.h"

enum { XDMF_DOCUMENTS = 64, XDMF_PATH = 4096 };

/* A file. */
typedef struct xdmf_document {
    char *path;
    int32_t file; /* in the table */
    xml_markup markup;
    xmlDoc *xml;
} xdmf_document;

/* A file and those that it includes. */
typedef struct xdmf_set {
    io_array_builder *builder;
    int count;
    xdmf_document documents[XDMF_DOCUMENTS]; /* [count]: the first is the source's */
    int64_t copied;                          /* elements that were included */
    char *pointer;                           /* the last XPointer, */
    xmlDoc *pointed;                         /* in this document, */
    xmlNode **targets; /* [ntargets]: and its elements; they are the document's */
    int ntargets;
    base_lookup files; /* of the table */
    void *heavy;       /* the HDF5 file that is open (item.h) */
} xdmf_set;

/* Opens a file with all that it includes. Close it all the same. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status xdmf_set_open(const char *path, io_array_builder *builder, xdmf_set *out);
void xdmf_set_close(xdmf_set *set);

/* The document that an element was written in. Local. */
const xdmf_document *xdmf_document_of(const xmlNode *element);

/* Evaluates an XPath in a document; free the result. Local. */
xmlNode **xdmf_find_all(xmlDoc *document, const char *path, int *count);

/* The element that is meant: that of a Reference. *out: itself, if it has none. Local.
 * Errors: STATUS_INPUT: there is no such element. */
status xdmf_resolve(const xmlNode *element, const xmlNode **out);

/* The first child of this name, resolved; *out is NULL if there is none. Local. Errors:
 * likewise. */
status xdmf_child(const xmlNode *element, const char *name, const xmlNode **out);

/* The first DataItem of an element, and the next one behind one; version 1 calls it
 * DataStructure. NULL: there is none. Local. */
const xmlNode *xdmf_first_item(const xmlNode *element);
const xmlNode *xdmf_next_item(const xmlNode *item);

/* Whether an attribute has this value, in any case. Local. */
bool xdmf_is(const xmlNode *element, const char *name, const char *value);

/* Copies the attribute that has the type of an element, as `TopologyType` of Topology;
 * older files call it `Type`. Local. */
bool xdmf_type(const xmlNode *element, const char *name, char *out, size_t size);

/* Makes the path of a file that an element names, from the folder of its document. Local.
 * Errors: STATUS_INPUT: it is too long. */
status xdmf_path(const xmlNode *element, const char *file, char out[XDMF_PATH]);

/* Fails with a sentence about the file of an element. */
__attribute__((format(printf, 2, 3))) status xdmf_fail(const xmlNode *element,
                                                       const char *format, ...);

#endif
