/* Reading and copying documents, for the files of this folder. */
#ifndef IO_CONFIG_DOCUMENT_BUILD_H
#define IO_CONFIG_DOCUMENT_BUILD_H

#include "document.h"

/* Deeper than any config; it bounds recursion over a document. */
enum { IO_DOCUMENT_DEPTH = 32 };

/* Makes a document without a node. Errors: STATUS_MEMORY. */
status io_document_create(const char *path, io_document **out);

/* Loads the one document of `text` into document->yaml. `place`: of the override that has
 * the text, for messages; or NULL. Errors: STATUS_USAGE, STATUS_MEMORY. */
status io_document_load(io_document *document, const char *text, size_t size,
                        size_t origin, const char *place);

/* Adds a copy of a text to a list; false if memory is short. */
bool io_document_add_text(const char *text, int *count, char ***list);

#endif
