/* Checks a document against the schema that libcyaml will load it with. */
#ifndef IO_CONFIG_DOCUMENT_CHECK_H
#define IO_CONFIG_DOCUMENT_CHECK_H

#include "document.h"

#include <cyaml/cyaml.h>

/*
 * Walks document and schema together, so that what libcyaml would refuse (and what it
 * would let pass, such as octal numbers, infinities and keys that are there twice) is
 * reported with its line: unknown keys with the nearest known one, wrong types, missing
 * keys, lists of the wrong length. Knows the types that the config uses: INT, BOOL, ENUM,
 * FLOAT, STRING, MAPPING, SEQUENCE, SEQUENCE_FIXED and IGNORE. Local. Errors:
 * STATUS_USAGE.
 */
status io_document_check(io_document *document, const cyaml_schema_value_t *schema);

#endif
