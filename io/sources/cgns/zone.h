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
    bool names_solutions;          /* a zone names its solution of a step */
    bool has_motion;               /* a zone moves by a formula */
    bool has_formula;              /* the zone that was read last has one */
    char pointers[CGNS_NAME_SIZE]; /* the name of its ZoneIterativeData_t; "": none */
} cgns_zones;

/* Whether a zone is a line of vertices, which is not drawn. `sizes` ([3][axes]) are its
 * values: the numbers of vertices, of cells and of boundary vertices. Local. */
bool cgns_zone_is_line(int axes, const int64_t sizes[9]);

/* Adds a zone of these sizes to the catalogue and the tables. Local. Errors:
 * STATUS_INPUT: it lacks x, y, z or r, theta, z of the right shape; STATUS_MEMORY. */
status cgns_zone_read(cgns_zones *zones, const cgns_node *zone, int axes,
                      const int64_t sizes[9]);

/*
 * Finds a grid of a zone by the name of its node, and adds it to the tables if it is not
 * there. Local. Errors: STATUS_INPUT: it is missing, or lacks x, y, z of the right
 * shape; STATUS_MEMORY.
 */
status cgns_zone_find_grid(const cgns_zones *zones, const cgns_node *zone, int block,
                           const char *name, int *out);

#endif
