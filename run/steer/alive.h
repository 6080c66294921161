/* The program that uses a run directory, and whether it still runs. No MPI calls;
 * local. */
#ifndef RUN_STEER_ALIVE_H
#define RUN_STEER_ALIVE_H

#include <jansson.h>
#include <stdbool.h>

/* A program on another host counts as alive while its status.json is not older than this
 * many seconds. The limit is high, as steps may be long and the program writes between
 * steps only. */
#define STEER_SILENCE 300.0

/* Seconds since 1970. */
double steer_now(void);

/* Name of this host, or "unknown". */
void steer_host(size_t size, char *name);

/* Describes this process for run.json: host, pid, and the start of the process, which
 * tells it from a later process with the same pid. A new reference, or NULL. */
json_t *steer_alive_describe(void);

/*
 * Whether the program described by run.json and status.json is alive, as far as can be
 * known. For a program on this host the system tells. On another host it counts as alive
 * unless its status is finished or older than STEER_SILENCE. Either argument may be NULL.
 */
bool steer_alive_check(const json_t *run, const json_t *status);

#endif
