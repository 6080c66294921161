/* karman compare: a run as a trace for Perfetto and chrome://tracing (Google, Trace Event
 * Format). */
#ifndef MESSAGES_COMPARE_REPORT_TRACE_H
#define MESSAGES_COMPARE_REPORT_TRACE_H

#include "table.h"

#include <jansson.h>

/*
 * Makes a trace of the row's first run: a new reference; NULL without memory. A rank is a
 * process. The stages of all frames are slices of its first thread.
 *
 * If the run has recorded the events of a frame, waiting, sending and blending are slices
 * within the stages, on their threads. An arrow leads from the sending of pixels to their
 * receipt, or from the moment when they became readable to their reading. Local.
 */
json_t *compare_trace_create(const compare_row *row);

#endif
