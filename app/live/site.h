/* What all requests share, and the exchange of one request for one reply. Inside live/
 * only. */
#ifndef APP_LIVE_SITE_H
#define APP_LIVE_SITE_H

#include "connections.h"
#include "secret.h"

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { LIVE_MOST_BODY = 64 * 1024, LIVE_MOST_HOST = 256 };

/*
 * Two secrets. The token, which stands in the printed address, opens the page, and the
 * page sends it in a header with each question for data and each order. No browser sends
 * such a header on its own, so no page of somebody else can give orders. The cookie lets
 * a page be loaded anew without the token in its address, and opens nothing but the page
 * itself: browsers show cookies to all servers of a machine, whatever their port.
 */
typedef struct live_site {
    char *folder; /* absolute */
    char token[LIVE_SECRET_LENGTH + 1];
    char key[LIVE_SECRET_LENGTH + 1]; /* the cookie's value */
    char cookie[LIVE_SECRET_LENGTH];  /* the cookie's name */
    char host[LIVE_MOST_HOST];        /* of this machine, for the tunnel */
    _Atomic int port; /* 0: a free one, until the server, which runs already, knows it */
    live_connections *connections;
    pthread_mutex_t order_lock; /* one order at a time: the held message is everybody's */
} live_site;

struct live_route;

/* One request. The body is there once all of it has come. */
typedef struct live_exchange {
    live_site *site;
    struct MHD_Connection *connection;
    const struct live_route *route;
    bool is_trusted; /* it has brought what its path needs */
    char *body;      /* [length] */
    size_t length;
} live_exchange;

/* Looks up a header or an argument of the query; NULL where there is none. Borrowed. */
const char *live_exchange_header(const live_exchange *exchange, const char *name);
const char *live_exchange_argument(const live_exchange *exchange, const char *name);

/* A whole number of the query, `name`; -1 where it is missing or none. */
int64_t live_exchange_number(const live_exchange *exchange, const char *name);

/* What libmicrohttpd calls for each request, several times; `site` is a live_site. */
enum MHD_Result live_exchange_handle(void *site, struct MHD_Connection *connection,
                                     const char *path, const char *method,
                                     const char *version, const char *body,
                                     size_t *length, void **state);

/* What it calls when a request is done. */
void live_exchange_forget(void *site, struct MHD_Connection *connection, void **state,
                          enum MHD_RequestTerminationCode code);

#endif
