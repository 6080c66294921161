/*
 * A page in the browser that shows a running program and steers it, served from this
 * process. Its whole input is a run directory (app/steer/run.h).
 */
#ifndef APP_LIVE_LIVE_H
#define APP_LIVE_LIVE_H

#include "base/status.h"

#include <stdbool.h>

/* Whether karman was built with libmicrohttpd. Without it live_server_start fails. */
bool live_is_available(void);

typedef struct live_server live_server;

enum { LIVE_REQUEST_SECONDS = 15 };

typedef struct live_options {
    int port;            /* 0: a free one */
    int request_seconds; /* that a request may take to come; 0: LIVE_REQUEST_SECONDS */
} live_options;

/*
 * Serves the run directory `folder` on 127.0.0.1 until live_server_stop, in threads of
 * its own. The program that runs need not have started, but the
 * folder must be there. Local; no MPI. Errors: STATUS_USAGE (not built in), STATUS_INPUT
 * (no such folder), STATUS_OUTPUT (the port is taken, no randomness), STATUS_MEMORY.
 */
status live_server_start(const char *folder, const live_options *options,
                         live_server **out);

/* Waits for the requests that are in hand, at most some seconds. NULL is fine. */
void live_server_stop(live_server **server);

/* The address to open: http://127.0.0.1:PORT/?token=…; whoever knows it may steer.
 * Borrowed. */
const char *live_server_address(const live_server *server);

/* The command that makes the server reachable from another machine: ssh -L …
 * Borrowed. */
const char *live_server_tunnel(const live_server *server);

#endif
