/* karman compare: the files of the report. */
#ifndef MESSAGES_COMPARE_REPORT_REPORT_H
#define MESSAGES_COMPARE_REPORT_REPORT_H

#include "table.h"

/*
 * Writes report.html, report.json, report.csv and traces/CASE.json into the plan's
 * folder, each whole or not at all. Local. Errors: STATUS_OUTPUT, STATUS_INPUT (a picture
 * is missing), STATUS_MEMORY.
 */
status compare_report_write(const compare_table *table, const compare_advice *advice);

#endif
