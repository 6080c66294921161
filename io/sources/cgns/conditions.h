/* Boundary conditions and holes of a zone. */
#ifndef IO_SOURCES_CGNS_CONDITIONS_H
#define IO_SOURCES_CGNS_CONDITIONS_H

#include "io/catalog.h"
#include "tables.h"

typedef struct cgns_conditions {
    const cgns_node *base;
    io_catalog *catalog;
    cgns_tables *tables;
    int block;
} cgns_conditions;

/*
 * Reads a node BC_t: adds it to the catalogue, and its vertices to the marks if it is a
 * wall, by its own type or by that of its family. Local. Errors: STATUS_MEMORY.
 */
status cgns_conditions_add(const cgns_conditions *to, const cgns_node *condition);

/* Reads a node OversetHoles_t: adds its vertices to the marks. Local. Errors:
 * STATUS_MEMORY. */
status cgns_conditions_add_holes(const cgns_conditions *to, const cgns_node *holes);

#endif
