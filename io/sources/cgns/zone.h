/* One structured zone of a CGNS file: its size, coordinates, solutions and walls. */
#ifndef IO_SOURCES_CGNS_ZONE_H
#define IO_SOURCES_CGNS_ZONE_H

#include "io/catalog.h"
#include "tables.h"

/* The context of cgns_zone_read. */
typedef struct cgns_zones {
    const io_hdf5_file *file;
    const cgns_node *base;
    io_catalog *catalog;
    cgns_tables *tables;
    bool names_solutions; /* a zone names its solution of a step */
    bool has_motion;      /* a zone moves by a formula */
} cgns_zones;

/* Whether a zone is a line of vertices, which is not drawn. Local. */
bool cgns_zone_is_line(const cgns_node *zone);

/* Adds a zone to the catalogue and the tables; context: a cgns_zones. Local. Errors:
 * STATUS_INPUT: it lacks x, y, z or r, theta, z of the right shape; STATUS_MEMORY. */
status cgns_zone_read(void *context, const cgns_node *zone);

/*
 * Finds a grid of a zone by the name of its node, and adds it to the tables if it is not
 * there. Local. Errors: STATUS_INPUT: it is missing, or lacks x, y, z of the right
 * shape; STATUS_MEMORY.
 */
status cgns_zone_find_grid(const cgns_zones *zones, const cgns_node *zone, int block,
                           const char *name, int *out);

#endif
