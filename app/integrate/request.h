/* What the command line of `karman integrate` asks for. */
#ifndef APP_INTEGRATE_REQUEST_H
#define APP_INTEGRATE_REQUEST_H

#include "app/table/table.h"
#include "frame/integrals/integrals.h"

enum { APP_INTEGRATE_PLACES = 200 };

typedef struct app_integrate_request {
    int nplaces; /* at least one */
    frame_integrals_place places[APP_INTEGRATE_PLACES];
    frame_integrals_wish wish;
    double about[3];    /* of moments */
    const char *output; /* CSV, or JSON by its name; NULL: standard output */
    app_form form;
} app_integrate_request;

#endif
