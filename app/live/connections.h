/*
 * The connections of a server: how long each may take, and how many strangers there may
 * be. libmicrohttpd itself only ends connections that are idle, and one byte now and then
 * keeps a connection busy for ever. Inside live/ only.
 */
#ifndef APP_LIVE_CONNECTIONS_H
#define APP_LIVE_CONNECTIONS_H

#include "base/status.h"

#include <microhttpd.h>

enum {
    LIVE_MOST_CONNECTIONS = 128,
    /* Connections that have not shown the token yet. The page shows it at once, and is
     * a stranger for milliseconds only. */
    LIVE_MOST_STRANGERS = 64,
    LIVE_REPLY_SECONDS = 60 /* to make a reply and to take it */
};

typedef struct live_connections live_connections;

/* Gives each request `seconds` to come whole, head and body, from the beginning of its
 * connection or the end of the reply before it. Starts a thread. Errors: STATUS_MEMORY.
 */
status live_connections_create(int seconds, live_connections **out);

/* To be called when the server has stopped. NULL is fine. */
void live_connections_destroy(live_connections **all);

/* What libmicrohttpd calls when a connection begins and ends; `all` is a
 * live_connections. The oldest of too many strangers is cut
 * off. */
void live_connections_notify(void *all, struct MHD_Connection *connection, void **place,
                             enum MHD_ConnectionNotificationCode code);

/* The connection has shown the token: it is no stranger. */
void live_connections_trust(struct MHD_Connection *connection);

/* Its request has come whole, or is refused: from now on the time of the reply counts. */
void live_connections_reply(struct MHD_Connection *connection);

/* Its reply is done: from now on the time of the next request counts. */
void live_connections_await(struct MHD_Connection *connection);

#endif
