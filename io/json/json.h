/* Where documents of numbers become JSON: jansson makes it; this adds only what JSON
 * cannot say and how people can read it. */
#ifndef IO_JSON_JSON_H
#define IO_JSON_JSON_H

#include <jansson.h>
#include <stddef.h>

/* New value; null where `value` is no finite number, for which JSON has no word. NULL
 * without memory. Local. */
json_t *io_json_number(double value);

/* New value; null where `bytes` (a name or a path, NULL: none) is no UTF-8, as JSON must
 * be. Local. */
json_t *io_json_text(const char *bytes);

/* The document (borrowed) as a file has it: indented by one, numbers with nine digits,
 * each array of numbers on one line. malloc'ed, of *size characters; NULL without memory.
 * Local. */
char *io_json_print(const json_t *document, size_t *size);

/* Puts every array of numbers of an indented JSON text on one line instead of a line a
 * number. Works in place; returns the new length. Local. */
size_t io_json_fold_lines(char *text);

#endif
