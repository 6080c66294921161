/* Formats of files that are not HDF5, recognised by their first bytes. */
#ifndef IO_SOURCES_LISTING_SIGNATURE_H
#define IO_SOURCES_LISTING_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

enum { IO_SIGNATURE_BYTES = 4096, IO_SIGNATURE_SIZE = 256 };

/*
 * Finds the format of a file that begins with these bytes ([count], at most
 * IO_SIGNATURE_BYTES of all `size` of the file). The phrase continues "it is ", and names
 * a tool that converts the format to HDF5, if there is one. "" if the format is unknown.
 * Local.
 */
void io_signature_find(const unsigned char *bytes, size_t count, int64_t size,
                       char phrase[IO_SIGNATURE_SIZE]);

#endif
