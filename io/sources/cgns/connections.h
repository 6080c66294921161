/* Connections of zones, vertex by vertex. */
#ifndef IO_SOURCES_CGNS_CONNECTIONS_H
#define IO_SOURCES_CGNS_CONNECTIONS_H

#include "conditions.h"

/* Reads a node GridConnectivity1to1_t: adds a contact to the catalogue, whose donor is an
 * index of tables->donors until cgns_connections_join. A periodic one has no donor.
 * Local. Errors: STATUS_MEMORY. */
status cgns_connections_add(const cgns_conditions *to, const cgns_node *connection);

/* Finds the donors' blocks, which all are in the catalogue, and leaves out connections
 * that do not fit. Local. Errors: STATUS_MEMORY. */
status cgns_connections_join(io_catalog *catalog, cgns_tables *tables);

#endif
