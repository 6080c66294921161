/* The other end of a run directory (app/steer/run.h): orders are sent, files are read. No
 * MPI. */
#ifndef APP_STEER_CLIENT_H
#define APP_STEER_CLIENT_H

#include "base/status.h"

#include <jansson.h>

/*
 * Makes an order out of words as they stand on a command line: {"set", "camera.position",
 * "1,2,3"}, {"halt"}, {"resume"}, {"step"}, {"step", "10"}, {"stop"}, {"redraw"}; checks
 * it against the parameters of the run; a new reference. Local. Errors: STATUS_USAGE with
 * what would be right (nearest names, limits), STATUS_INPUT (no such run), STATUS_MEMORY.
 */
status steer_order_parse(const char *folder, int nwords, const char *const *words,
                         json_t **out);

/*
 * Puts an order into the directory and waits up to `seconds` for its answer, a new
 * reference: {"accepted": true, "cycle": 120, "message": "..."}; *answer is NULL where
 * none came in time (the order stays). Errors: STATUS_INPUT (no run there, or it has
 * ended), STATUS_OUTPUT, STATUS_MEMORY.
 */
status steer_order_send(const char *folder, const json_t *order, double seconds,
                        json_t **answer);

/* Reads one of the files of the directory as JSON, whole: "status.json", say. A new
 * reference. Errors: STATUS_INPUT, STATUS_MEMORY. */
status steer_read_json(const char *folder, const char *name, json_t **out);

/* The last whole line of a file of lines, "monitors.jsonl", say: a new reference, or NULL
 * where there is none. Reads at most the last 64 KiB. Never fails. */
json_t *steer_read_last(const char *folder, const char *name);

/*
 * Puts a log into the directory, which is made where there is none, so that the next run
 * there repeats it; *count: orders that it will give. Errors: STATUS_INPUT (it is no log,
 * or a program is alive in the directory), STATUS_OUTPUT, STATUS_MEMORY.
 */
status steer_log_put(const char *folder, const char *path, int *count);

#endif
