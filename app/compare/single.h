/* karman compare: one run of a case, and tiny runs. */
#ifndef APP_COMPARE_SINGLE_H
#define APP_COMPARE_SINGLE_H

#include "launch.h"

#include <jansson.h>

enum { COMPARE_PROBE = 64 }; /* pixels along a side of a tiny picture */

/* Runs a case and saves the result; the first run of a case tells what tiles cost.
 * Local. Errors: those of compare_launch and
 * compare_result_save. */
status compare_single_run(const compare_plan *plan, const compare_launcher *launcher,
                          const compare_case *which, int repeat);

/*
 * A run of the first step at `width` x `height` pixels, of which nothing stays where it
 * succeeds, but its log where it fails. *timings: what it measured, a new reference; NULL
 * where that is not wanted. Local. Errors: those of compare_launch; STATUS_INPUT where
 * the timings cannot be read.
 */
status compare_single_probe(const compare_plan *plan, const compare_launcher *launcher,
                            const compare_case *which, int width, int height,
                            json_t **timings);

#endif
