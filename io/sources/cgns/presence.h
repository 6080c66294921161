/* Which zones are there at which steps: ZonePointers of BaseIterativeData_t. */
#ifndef IO_SOURCES_CGNS_PRESENCE_H
#define IO_SOURCES_CGNS_PRESENCE_H

#include "zone.h"

/*
 * Marks zones as absent at the steps that do not name them. All zones are known. Without
 * ZonePointers they stay. Local. Errors: STATUS_INPUT: the list does not fit the steps,
 * or a step has no zone; STATUS_MEMORY.
 */
status cgns_presence_find(cgns_zones *zones);

/* Gives a complete catalogue the blocks of each grid, and which of them rest. Local.
 * Errors: STATUS_MEMORY. */
status cgns_presence_enter(const cgns_tables *tables, io_catalog *catalog);

#endif
