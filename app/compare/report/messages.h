/* karman compare: the messages of the cases, measured and planned, for the report's page.
 */
#ifndef APP_COMPARE_REPORT_MESSAGES_H
#define APP_COMPARE_REPORT_MESSAGES_H

#include "table.h"

#include <jansson.h>

/*
 * A list of the available cases, in their order: of each a list of its first two frames
 * as app/player shows them (app/traffic), null where a run has recorded none. A new
 * reference, NULL without memory. Local.
 */
json_t *compare_messages_create(const compare_table *table);

#endif
