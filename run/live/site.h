/* The data that all requests share, and one request with its reply. Inside live/ only. */
#ifndef RUN_LIVE_SITE_H
#define RUN_LIVE_SITE_H

#include "connections.h"
#include "live.h"
#include "secret.h"

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* An order to a view has a whole config. */
enum { LIVE_MOST_BODY = 64 * 1024, LIVE_MOST_CONFIG = 4 << 20, LIVE_MOST_HOST = 256 };

/*
 * The server has two secrets. The printed address contains the token. It opens the page,
 * and the page sends it in a header with each request for data and each order. No browser
 * sends such a header on its own, so no page of another site can give orders.
 *
 * The cookie lets the page be reloaded without the token in its address. It opens nothing
 * but the page itself, because browsers show a cookie to all servers of a machine, on any
 * port.
 */
typedef struct live_site {
    char *folder;          /* absolute; NULL: there is a view */
    const live_view *view; /* NULL: there is a run directory */
    status (*check)(const char *folder, const json_t *order); /* of live_options */
    char token[LIVE_SECRET_LENGTH + 1];
    char guest[LIVE_SECRET_LENGTH + 1]; /* of a view: opens pages and watches, no more */
    char key[LIVE_SECRET_LENGTH + 1];   /* the cookie's value */
    char cookie[LIVE_SECRET_LENGTH];    /* the cookie's name */
    char host[LIVE_MOST_HOST];          /* name of this machine, for the tunnel */
    const char *proxy;                  /* live_options; borrowed */
    _Atomic int port; /* 0: any free one, until the running server knows it */
    live_connections *connections;
    pthread_mutex_t order_lock; /* one order at a time, as base_fail holds one message for
                                   all */
} live_site;

struct live_route;

/* One request. Its body is set when it has arrived completely. */
typedef struct live_exchange {
    live_site *site;
    struct MHD_Connection *connection;
    const struct live_route *route;
    bool is_trusted; /* it has shown the secret that its path needs */
    char *body;      /* [length] */
    size_t length;
} live_exchange;

/* The most bytes of a body. */
size_t live_exchange_most(const live_exchange *exchange);

/* A header, or an argument of the query; NULL if it is missing. Borrowed. */
const char *live_exchange_header(const live_exchange *exchange, const char *name);
const char *live_exchange_argument(const live_exchange *exchange, const char *name);

/* A text as a whole number; -1 if it is NULL or no such number. */
int64_t live_whole_number(const char *text);

/* The argument `name` of the query as a whole number; -1 if it is missing or no such
 * number. */
int64_t live_exchange_number(const live_exchange *exchange, const char *name);

/* libmicrohttpd calls it several times for each request; `site` is a live_site. */
enum MHD_Result live_exchange_handle(void *site, struct MHD_Connection *connection,
                                     const char *path, const char *method,
                                     const char *version, const char *body,
                                     size_t *length, void **state);

/* libmicrohttpd calls it when a request is done. */
void live_exchange_forget(void *site, struct MHD_Connection *connection, void **state,
                          enum MHD_RequestTerminationCode code);

#endif
