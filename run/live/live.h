/*
 * A page in the browser that shows a running program and steers it. This process serves
 * the page. Its only input is a run directory (run/steer/run.h).
 */
#ifndef RUN_LIVE_LIVE_H
#define RUN_LIVE_LIVE_H

#include "base/status.h"

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether karman was built with libmicrohttpd. Without it live_server_start fails. */
bool live_is_available(void);

typedef struct live_server live_server;

enum { LIVE_REQUEST_SECONDS = 15 };

/* An answer of a view. */
typedef struct live_answer {
    unsigned code;    /* of HTTP */
    const char *type; /* of the bytes */
    char *bytes;      /* [size], malloc'ed; the server frees it */
    size_t size;
    char *note; /* value of the header Karman-View, malloc'ed, or NULL; likewise */
} live_answer;

/* Data that are explored in the same process (run/view): the page asks, `answer` answers,
 * in any thread, several at a time. It is called until live_server_stop. */
typedef struct live_view {
    void (*answer)(void *context, const char *body, size_t length, live_answer *out);
    /* For those who only watch: waits some seconds for a picture behind the number
     * `after`. */
    void (*watch)(void *context, int64_t after, live_answer *out);
    void *context;
} live_view;

typedef struct live_options {
    const live_view *view; /* in the place of a run directory; NULL: none; borrowed */
    /* Checks an order for the run before it is sent, or NULL. Any thread, one at a time.
     */
    status (*check)(const char *folder, const json_t *order);
    int port;            /* 0: any free one */
    const char *proxy;   /* name of the host of a proxy before us, or NULL; borrowed */
    int request_seconds; /* time limit for a request to arrive; 0: LIVE_REQUEST_SECONDS */
} live_options;

/*
 * Serves the run directory `folder`, or a view, which has none (NULL), on 127.0.0.1, in
 * threads of its own, until live_server_stop. The folder must exist, but the program need
 * not have started. Local; no MPI. Errors: STATUS_USAGE (not built in), STATUS_INPUT (no
 * such folder), STATUS_OUTPUT (the port is taken, no randomness), STATUS_MEMORY.
 */
status live_server_start(const char *folder, const live_options *options,
                         live_server **out);

/* Stops after the requests under way, within some seconds. NULL is fine. */
void live_server_stop(live_server **server);

/* The address to open: http://127.0.0.1:PORT/?token=… Its token is the permission to
 * steer. Borrowed. */
const char *live_server_address(const live_server *server);

/* The command that forwards the server's port to another machine: ssh -L … Borrowed. */
const char *live_server_tunnel(const live_server *server);

#endif
