/* Periods of CGNS connections (Periodic_t), told to people with the copies that they
 * stand for. */
#ifndef IO_SOURCES_CGNS_PERIODS_H
#define IO_SOURCES_CGNS_PERIODS_H

#include "conditions.h"

/* Whether a connection is periodic; notes its period in the catalogue, once for all
 * connections with it. Local. Errors: STATUS_MEMORY. */
status cgns_periods_note(const cgns_conditions *to, const cgns_node *connection,
                         bool *is_periodic);

#endif
