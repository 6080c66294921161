/* Bytes as text (base64 of RFC 4648), for pages that hold pictures and programs. */
#ifndef IO_JSON_BASE64_H
#define IO_JSON_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* The letters for `size` bytes, with the zero at their end. */
#define IO_BASE64_LENGTH(size) (4 * (((size) + 2) / 3) + 1)

/* Four letters for three bytes, filled up by =, into `out` [IO_BASE64_LENGTH(size)].
 * Local. */
void io_base64_encode(const uint8_t *bytes, size_t size, char *out);

#endif
