/* karman compare: one run of a case, and tiny runs. */
#ifndef MESSAGES_COMPARE_SINGLE_H
#define MESSAGES_COMPARE_SINGLE_H

#include "launch.h"

#include <jansson.h>

enum { COMPARE_PROBE = 64 }; /* width and height of a tiny picture, in pixels */

/* Runs a case and saves the result. The first run of a case also records the costs of
 * tiles. Local. Errors: those of compare_launch and compare_result_save. */
status compare_single_run(const compare_plan *plan, const compare_launcher *launcher,
                          const compare_case *which, int repeat);

/*
 * Runs the first step only, with a picture of `width` x `height` pixels. A success leaves
 * no files, a failure leaves its log. *timings: the run's timings, a new reference; pass
 * NULL if they are not needed. Local. Errors: those of compare_launch; STATUS_INPUT if
 * the timings cannot be read.
 */
status compare_single_probe(const compare_plan *plan, const compare_launcher *launcher,
                            const compare_case *which, int width, int height,
                            json_t **timings);

#endif
