/* What the command line of `karman integrate` asks for. */
#ifndef APP_INTEGRATE_REQUEST_H
#define APP_INTEGRATE_REQUEST_H

#include "app/table/table.h"

#include <stdbool.h>

typedef enum app_integrate_kind {
    APP_INTEGRATE_ALL,   /* the whole volume */
    APP_INTEGRATE_BLOCK, /* the volume of a block */
    APP_INTEGRATE_PLANE,
    APP_INTEGRATE_FACES,
    APP_INTEGRATE_WALL,
    APP_INTEGRATE_WALLS /* all of them */
} app_integrate_kind;

enum { APP_INTEGRATE_PLACES = 200 };

typedef struct app_integrate_place {
    app_integrate_kind kind;
    const char *text; /* of the option; NULL */
} app_integrate_place;

/* Fields are names or expressions. NULL: not asked for, or the usual one. */
typedef struct app_integrate_request {
    int nplaces; /* 0: the whole volume */
    app_integrate_place places[APP_INTEGRATE_PLACES];
    const char *fields; /* integrals and means; NULL without any other quantity: all */
    const char *flux;   /* carried by the velocity through surfaces */
    bool mass_flow, force;
    const char *pressure, *viscosity, *about; /* of the force */
    const char *temperature, *conductivity;   /* heat flow */
    const char *output; /* CSV, or JSON by its name; NULL: standard output */
    app_form form;
} app_integrate_request;

#endif
