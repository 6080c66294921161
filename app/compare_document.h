/* karman compare: the table as JSON, for report.json and for the page. */
#ifndef APP_COMPARE_DOCUMENT_H
#define APP_COMPARE_DOCUMENT_H

#include "app/compare_table.h"

/*
 * The whole comparison (docs/compare.md): what was run where, the figures of every case,
 * its first two frames for the timeline, what ranks drew, and the advice. Local; NULL
 * without memory.
 */
json_t *compare_document_create(const compare_table *table, const compare_advice *advice);

/*
 * A case's frames as events of Chrome's trace format: a rank is a process, its main
 * thread is thread 0, microseconds since the first frame began. Local; NULL without
 * memory.
 */
json_t *compare_document_trace(const compare_row *row);

#endif
