/* From the records of particles to lines. */
#ifndef TRACE_LINES_H
#define TRACE_LINES_H

#include "base/status.h"
#include "line.h"
#include "records.h"

/*
 * Makes the lines of a mode from the records of all particles, which come to lie in
 * another order. A particle's number is that of its seed plus nseeds times that of its
 * release (streamlines: 0 with the flow, 1 against it). `out` is made anew. Local.
 * Errors: STATUS_MEMORY, which leave it empty.
 */
status trace_lines_make(trace_mode mode, int64_t nseeds, trace_records *records,
                        trace_lines *out);
void trace_lines_clear(trace_lines *lines);

#endif
