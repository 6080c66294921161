/* The catalogue of a CGNS file: structured zones, fields, steps, walls. */
#ifndef IO_SOURCES_CGNS_CONTENTS_H
#define IO_SOURCES_CGNS_CONTENTS_H

#include "io/catalog.h"
#include "tables.h"

/*
 * Reads a base into the catalogue and the tables. base: its name; NULL: the first with
 * structured zones. is_adf: the file is the image of one in ADF, and a note says so.
 * Local. Errors: STATUS_INPUT: there is no such base, a zone lacks coordinates, or arrays
 * have wrong shapes; STATUS_MEMORY.
 */
status cgns_contents_read(const io_hdf5_file *file, bool is_adf, const char *base,
                          io_catalog *catalog, cgns_tables *tables);

/* Whether the file has CGNS nodes with a structured zone. Local. */
bool cgns_contents_has_zones(hid_t file);

#endif
