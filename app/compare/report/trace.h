/* karman compare: a run as a trace for Perfetto and chrome://tracing (Google, Trace Event
 * Format). */
#ifndef APP_COMPARE_REPORT_TRACE_H
#define APP_COMPARE_REPORT_TRACE_H

#include "table.h"

#include <jansson.h>

/*
 * A new reference; NULL without memory. A rank is a process, stages of all frames are
 * slices of its first thread; where the run has recorded events of a frame, waiting,
 * sending and blending are slices within them, on the threads that did it, and arrows
 * lead from where pixels were sent, or could be read from then on, to where they arrived
 * or were read. Local.
 */
json_t *compare_trace_create(const compare_row *row);

#endif
