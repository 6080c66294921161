/* karman compare: the messages of the cases, measured and planned, for the report's page.
 */
#ifndef MESSAGES_COMPARE_REPORT_MESSAGES_H
#define MESSAGES_COMPARE_REPORT_MESSAGES_H

#include "table.h"

#include <jansson.h>

/*
 * A list of the available cases, in their order: of each a list of its first two frames
 * as messages/page shows them (messages/frame), null where a run has recorded none. A new
 * reference, NULL without memory. Local.
 */
json_t *compare_messages_create(const compare_table *table);

#endif
