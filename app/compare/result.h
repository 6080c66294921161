/* karman compare: finished runs as files, so that a comparison goes on where it stopped.
 */
#ifndef APP_COMPARE_RESULT_H
#define APP_COMPARE_RESULT_H

#include "plan.h"

#include <jansson.h>

/* FOLDER/runs/NAME-REPEAT + suffix, malloc'ed; NULL without memory. Local. */
char *compare_result_path(const compare_plan *plan, const compare_case *which, int repeat,
                          const char *suffix);

/* The pattern of the paths of a case's pictures, for output.frames; malloc'ed. */
char *compare_result_pattern(const compare_plan *plan, const compare_case *which);

/*
 * The result of a finished run: {partition, algorithm, ranks, repeat, seconds, machine,
 * timings}; NULL where there is none, it is broken, or its first picture is gone: then it
 * must be run. Local.
 */
json_t *compare_result_load(const compare_plan *plan, const compare_case *which,
                            int repeat);

/* Makes that file of the timings at `timings`, which is removed, atomically. `seconds`:
 * wall seconds of the run. Local. Errors: STATUS_INPUT, STATUS_OUTPUT, STATUS_MEMORY. */
status compare_result_save(const compare_plan *plan, const compare_case *which,
                           int repeat, const char *timings, double seconds);

/* Writes a document, arrays of numbers on a line each. Local. Errors: STATUS_OUTPUT,
 * STATUS_MEMORY. */
status compare_result_write(const char *path, const json_t *document);

#endif
