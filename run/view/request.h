/* A view that is asked for. */
#ifndef RUN_VIEW_REQUEST_H
#define RUN_VIEW_REQUEST_H

#include "frame/config_load.h"

/* A view. All is borrowed. */
typedef struct view_request {
    const char *path;                 /* of a config; or the place of a made one */
    const frame_job_options *options; /* as for frame_render */
    const char *other;                /* a data file, for second pictures; or NULL */
    int port;                         /* of 127.0.0.1; 0: a free one */
    const char *host;                 /* of a proxy before us, or NULL */
    double idle_seconds;              /* without an order, after which the view ends */
} view_request;

#endif
