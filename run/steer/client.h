/* The client's end of a run directory (run/steer/run.h): sends orders and reads files. No
 * MPI. */
#ifndef RUN_STEER_CLIENT_H
#define RUN_STEER_CLIENT_H

#include "base/status.h"

#include <jansson.h>

/*
 * Makes an order from the words of a command line: {"set", "camera.position", "1,2,3"},
 * {"change", "layers.1.shown=false", "clip=null"}, {"halt"}, {"resume"}, {"step"},
 * {"step", "10"}, {"stop"}, {"redraw"}. Checks it against
 * the parameters of the run. A new reference. Local. Errors: STATUS_USAGE with a hint
 * (nearest names, limits), STATUS_INPUT (no such run), STATUS_MEMORY.
 */
status steer_order_parse(const char *folder, int nwords, const char *const *words,
                         json_t **out);

/* Reads a fragment of a config for the order change: malloc'ed. Errors: STATUS_INPUT
 * (unreadable, or longer than an order may be), STATUS_MEMORY. */
status steer_fragment_read(const char *path, char **text);

/*
 * Puts an order into the directory and waits up to `seconds` for its answer, a new
 * reference: {"accepted": true, "cycle": 120, "message": "..."}. If none comes in time,
 * *answer is NULL and the order stays. Errors: STATUS_INPUT (no run there, or it has
 * ended), STATUS_OUTPUT, STATUS_MEMORY.
 */
status steer_order_send(const char *folder, const json_t *order, double seconds,
                        json_t **answer);

/* Reads a whole file of the directory as JSON, such as "status.json". A new reference.
 * Errors: STATUS_INPUT, STATUS_MEMORY. */
status steer_read_json(const char *folder, const char *name, json_t **out);

/* Reads the last complete line of a file of lines, such as "monitors.jsonl": a new
 * reference, or NULL if there is none. Its `values` have the last one of each name, as a
 * step may have several lines. Reads at most the last 64 KiB. Never fails. */
json_t *steer_read_last(const char *folder, const char *name);

/*
 * Puts a log into the directory, so that the next run there repeats it. Makes the
 * directory if it is missing. *count: the number of orders in the log. Errors:
 * STATUS_INPUT (the file is not a log, or a program is alive in the directory),
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status steer_log_put(const char *folder, const char *path, int *count);

#endif
