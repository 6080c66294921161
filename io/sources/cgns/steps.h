/* The steps of a CGNS file: times and numbers from BaseIterativeData_t, and for each zone
 * the names of its grids and solutions from ZoneIterativeData_t. */
#ifndef IO_SOURCES_CGNS_STEPS_H
#define IO_SOURCES_CGNS_STEPS_H

#include "zone.h"

typedef struct cgns_steps {
    int count; /* 0: the base has none */
    io_named_step *steps;
} cgns_steps;

/* Reads BaseIterativeData_t, of any name, if there is one. Local. Errors: STATUS_INPUT:
 * there are too many steps; STATUS_MEMORY. */
status cgns_steps_read(const cgns_node *base, cgns_steps *out);

/*
 * Finds the grid and the solution of each step in the zone that was added last. Local.
 * Errors: STATUS_INPUT: a step has a grid that is missing or has a wrong shape;
 * STATUS_MEMORY.
 */
status cgns_steps_assign(cgns_zones *zones, const cgns_node *zone);

/*
 * Enters the steps into the catalogue, with the number of the grid of each. If no zone
 * names its solutions, there is one step, the last one of the file, and all solutions
 * belong to it. Local. Errors: STATUS_MEMORY.
 */
status cgns_steps_enter(const cgns_zones *zones, cgns_steps *steps);

void cgns_steps_clear(cgns_steps *steps);

#endif
