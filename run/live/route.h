/* The paths that can be requested. Inside live/ only. */
#ifndef RUN_LIVE_ROUTE_H
#define RUN_LIVE_ROUTE_H

#include "reply.h"

/* The secret that a request needs (site.h). */
typedef enum live_access {
    LIVE_ACCESS_PAGE, /* the token in the query, or the cookie */
    LIVE_ACCESS_DATA, /* the token in the header X-Karman-Token */
    LIVE_ACCESS_WATCH /* that, or the guest's there */
} live_access;

typedef struct live_route {
    const char *path;
    const char *method; /* "GET" allows HEAD, too */
    live_access access;
    live_result (*reply)(const live_exchange *exchange, const char *path);
} live_route;

/* The route of a path, for any method; NULL if there is none. A view has another table
 * than a run directory. */
const live_route *live_route_find(const live_site *site, const char *path);

#endif
