/* Conversion of the records of particles to lines. */
#ifndef TRACE_LINES_H
#define TRACE_LINES_H

#include "base/status.h"
#include "line.h"
#include "records.h"

/*
 * Makes the lines of a mode from the records of all particles, and reorders these. A
 * particle's number is the number of its seed plus nseeds times that of its release
 * (streamlines: 0 with the flow, 1 against it). `out` is overwritten. Local. Errors:
 * STATUS_MEMORY, after which it is empty.
 */
status trace_lines_make(trace_mode mode, int64_t nseeds, trace_records *records,
                        trace_lines *out);
void trace_lines_clear(trace_lines *lines);

#endif
