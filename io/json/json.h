/* JSON documents. jansson makes them; this module adds values that JSON cannot express,
 * and a readable layout. */
#ifndef IO_JSON_JSON_H
#define IO_JSON_JSON_H

#include "base/status.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* New value; null if `value` is not finite, since JSON has no such numbers. NULL without
 * memory. Local. */
json_t *io_json_number(double value);

/* New value; null if `bytes` (a name or a path, NULL: none) is not UTF-8, as JSON
 * requires. Local. */
json_t *io_json_text(const char *bytes);

/* Returns a value that is made; NULL if something `failed`, and frees it. Local. */
json_t *io_json_finish(json_t *value, int failed);

/* Prints the document (borrowed) for a file: indented by one, numbers with nine digits,
 * each array of numbers on one line. malloc'ed, *size characters; NULL without memory.
 * Local. */
char *io_json_print(const json_t *document, size_t *size);

/* Prints a document so to standard output, and takes it; NULL: there was no memory for
 * it. `what` names it. Local. Errors: STATUS_MEMORY. */
status io_json_show(json_t *document, const char *what);

/* Writes JSON into a page: < is escaped, so that no text in it ends or opens an element.
 * Local. */
void io_json_write_html(FILE *file, const char *json);

/* Joins every array of numbers in an indented JSON text to one line; there it has one
 * line per number. Works in place; returns the new length. Local. */
size_t io_json_fold_lines(char *text);

#endif
