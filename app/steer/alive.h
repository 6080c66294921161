/* Who uses a run directory, and whether that program still runs. No MPI calls; local. */
#ifndef APP_STEER_ALIVE_H
#define APP_STEER_ALIVE_H

#include <jansson.h>
#include <stdbool.h>

/* A program on another host is believed to run while its status.json is not older than
 * this many seconds: its steps may be long, and it writes between steps only. */
#define STEER_SILENCE 300.0

/* Seconds since 1970. */
double steer_now(void);

/* Name of this host; "unknown" where it has none. */
void steer_host(size_t size, char *name);

/* What run.json says of this process: host, pid, and when the process began, which tells
 * it from a later one with the same pid. A new reference, or NULL. */
json_t *steer_alive_describe(void);

/*
 * Whether the program that a run.json and a status.json tell of is alive, as far as can
 * be known: on this host the system says so, elsewhere its status is not finished and not
 * older than STEER_SILENCE. Either may be NULL.
 */
bool steer_alive_check(const json_t *run, const json_t *status);

#endif
