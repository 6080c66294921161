/* karman compare: the results of finished runs as files, so that an interrupted
 * comparison can go on. */
#ifndef MESSAGES_COMPARE_RESULT_H
#define MESSAGES_COMPARE_RESULT_H

#include "plan.h"

#include <jansson.h>

/* FOLDER/runs/NAME-REPEAT + suffix, malloc'ed; NULL without memory. Local. */
char *compare_result_path(const compare_plan *plan, const compare_case *which, int repeat,
                          const char *suffix);

/* The pattern of the paths of a case's pictures, for output.frames. malloc'ed. */
char *compare_result_pattern(const compare_plan *plan, const compare_case *which);

/*
 * Loads the result of a finished run: {partition, algorithm, ranks, repeat, seconds,
 * machine, timings}. NULL if it is missing or broken, or if its first picture is missing:
 * then the run must be repeated. Local.
 */
json_t *compare_result_load(const compare_plan *plan, const compare_case *which,
                            int repeat);

/* Writes the result atomically, from the file `timings`, which is removed. `seconds`:
 * wall seconds of the run. Local. Errors: STATUS_INPUT, STATUS_OUTPUT, STATUS_MEMORY. */
status compare_result_save(const compare_plan *plan, const compare_case *which,
                           int repeat, const char *timings, double seconds);

/* Writes a document, with each array of numbers on one line. Local. Errors:
 * STATUS_OUTPUT, STATUS_MEMORY. */
status compare_result_write(const char *path, const json_t *document);

#endif
