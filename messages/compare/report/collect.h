/* karman compare: reads the results on disk into a table. */
#ifndef MESSAGES_COMPARE_REPORT_COLLECT_H
#define MESSAGES_COMPARE_REPORT_COLLECT_H

#include "table.h"

/*
 * Reads the results of all cases ([count], each with the plan's repeats). Compares their
 * pictures with those of the first case of the same projection that has pictures.
 * reasons[count]: why a case has no results, malloc'ed, or NULL. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status compare_collect(const compare_plan *plan, int count, const compare_case *cases,
                       char *const *reasons, compare_table *table);

void compare_table_clear(compare_table *table);

#endif
