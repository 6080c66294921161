/*
 * The connections of a server. They limit the time of each request and the number of
 * strangers: connections that have not shown the token. The limits are needed because
 * libmicrohttpd ends only idle connections, and one byte now and then keeps a connection
 * busy for ever. Inside live/ only.
 */
#ifndef RUN_LIVE_CONNECTIONS_H
#define RUN_LIVE_CONNECTIONS_H

#include "base/status.h"

#include <microhttpd.h>

enum {
    LIVE_MOST_CONNECTIONS = 128,
    /* The page shows the token at once: it is a stranger for milliseconds only. */
    LIVE_MOST_STRANGERS = 64,
    LIVE_REPLY_SECONDS = 60, /* to make a reply and to send it */
    LIVE_VIEW_SECONDS = 3600 /* the same of a view: pictures may take long */
};

typedef struct live_connections live_connections;

/* Gives each request `seconds` to arrive completely, head and body. The time counts from
 * the start of its connection, or from the end of the previous reply. A reply may take
 * `reply_seconds`. Starts a thread.
 * Errors: STATUS_MEMORY. */
status live_connections_create(int seconds, int reply_seconds, live_connections **out);

/* Call it after the server has stopped. NULL is fine. */
void live_connections_destroy(live_connections **all);

/* libmicrohttpd calls it when a connection begins or ends; `all` is a live_connections.
 * If there are too many strangers, the oldest one is cut off. */
void live_connections_notify(void *all, struct MHD_Connection *connection, void **place,
                             enum MHD_ConnectionNotificationCode code);

/* The connection has shown the token: it is no longer a stranger. */
void live_connections_trust(struct MHD_Connection *connection);

/* Its request has arrived completely, or is refused: the time of the reply begins. */
void live_connections_reply(struct MHD_Connection *connection);

/* Its reply is complete: the time of the next request begins. */
void live_connections_await(struct MHD_Connection *connection);

#endif
