/* One structured zone of a CGNS file: its size, coordinates, solutions and walls. */
#ifndef IO_CGNS_ZONE_H
#define IO_CGNS_ZONE_H

#include "io/catalog.h"
#include "tables.h"

/* The context of cgns_zone_read. */
typedef struct cgns_zones {
    const io_hdf5_file *file;
    const cgns_node *base;
    io_catalog *catalog;
    cgns_tables *tables;
} cgns_zones;

/* Adds a zone to the catalogue and the tables; context: a cgns_zones. Local. Errors:
 * STATUS_INPUT: it is two-dimensional, or lacks x, y, z of the right shape;
 * STATUS_MEMORY. */
status cgns_zone_read(void *context, const cgns_node *zone);

#endif
