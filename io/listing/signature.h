/* Formats of files that are not HDF5, told from their first bytes. */
#ifndef IO_LISTING_SIGNATURE_H
#define IO_LISTING_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

enum { IO_SIGNATURE_BYTES = 4096, IO_SIGNATURE_SIZE = 256 };

/*
 * Says in a phrase that goes on after "it is " of which format a file is that begins with
 * these bytes ([count], at most IO_SIGNATURE_BYTES of all `size` of the file), and how it
 * becomes HDF5 where a tool does that. "" where nothing can be told. Local.
 */
void io_signature_find(const unsigned char *bytes, size_t count, int64_t size,
                       char phrase[IO_SIGNATURE_SIZE]);

#endif
