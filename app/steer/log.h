/* Logs of orders (log.jsonl) as they are read to repeat a run. No MPI calls; local. */
#ifndef APP_STEER_LOG_H
#define APP_STEER_LOG_H

#include "base/status.h"

#include <jansson.h>

/*
 * The lines of the orders that were accepted, in their order, a new reference: of a log
 * of several runs, each the continuation of the one before, those of the last. A last
 * line without its end is left out, and what earlier runs left does not matter: a run
 * that is killed may leave half a line. Errors: STATUS_INPUT (it cannot be read, or is no
 * log, with the number of the line), STATUS_MEMORY.
 */
status steer_log_read(const char *path, json_t **out);

#endif
