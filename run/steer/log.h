/* Reads a log of orders (log.jsonl), to repeat a run. No MPI calls; local. */
#ifndef RUN_STEER_LOG_H
#define RUN_STEER_LOG_H

#include "base/status.h"

#include <jansson.h>

/*
 * Reads the lines of the accepted orders, in their order: a new reference. If the log is
 * of several runs that continue each other, only the lines of the last run are returned.
 * An incomplete last line is ignored, and so are incomplete lines of earlier runs, as a
 * killed run may leave half a line. Errors: STATUS_INPUT (unreadable, or no log, with the
 * number of the line), STATUS_MEMORY.
 */
status steer_log_read(const char *path, json_t **out);

#endif
