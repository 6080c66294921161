/* Numbers in YAML, by the rules of its core schema. */
#ifndef IO_CONFIG_DOCUMENT_SCALAR_H
#define IO_CONFIG_DOCUMENT_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether all of `text` is a decimal integer of 64 bits: no leading zeros (some readers
 * take them for octal), no other base. Sets *value only then. */
bool io_scalar_integer(const char *text, int64_t *value);

/* Whether all of `text` is a finite decimal number in the range of a double. Sets *value
 * only then. */
bool io_scalar_number(const char *text, double *value);

#endif
