/* karman compare: the table as JSON, for report.json and for the page. */
#ifndef MESSAGES_COMPARE_REPORT_DOCUMENT_H
#define MESSAGES_COMPARE_REPORT_DOCUMENT_H

#include "table.h"

/*
 * The whole comparison (docs/user/compare.md): the plan and the machine, the figures of
 * every case, its first two frames for the timeline, the pixels that ranks drew, and the
 * advice. Local; NULL without memory.
 */
json_t *compare_document_create(const compare_table *table, const compare_advice *advice);

#endif
