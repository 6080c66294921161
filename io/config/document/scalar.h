/* Numbers in YAML, by the rules of its core schema. */
#ifndef IO_CONFIG_DOCUMENT_SCALAR_H
#define IO_CONFIG_DOCUMENT_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether all of `text` is a decimal whole number of 64 bits: no leading zeros (they
 * would mean octal to some readers), no other base. Sets *value only then. */
bool io_scalar_integer(const char *text, int64_t *value);

/* Whether all of `text` is a finite decimal number that a double can hold. Sets *value
 * only then. */
bool io_scalar_number(const char *text, double *value);

#endif
