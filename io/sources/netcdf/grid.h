/* Which variables are coordinates and fields: the CF conventions. */
#ifndef IO_SOURCES_NETCDF_GRID_H
#define IO_SOURCES_NETCDF_GRID_H

#include "header.h"
#include "io/sources/listing/guess.h"

enum { NETCDF_TIME = 3, NETCDF_NONE = -1 };

/* A variable as a field: which of its dimensions lies along i, j, k and time, and the
 * variables of its coordinates. NETCDF_NONE: there is none. */
typedef struct netcdf_field {
    int position[4]; /* in netcdf_variable.dimensions */
    int dimension[4];
    int coordinate[3];
    const char *obstacle; /* why it is left out; NULL: it is a field */
} netcdf_field;

typedef struct netcdf_guess {
    const netcdf_header *header;
    io_listing *listing;        /* [header->nvariables] objects */
    netcdf_field *fields;       /* [header->nvariables] */
    int *axes, *dimension_axes; /* of variables and of dimensions */
    int chosen;                 /* a field of the grid */
    int time;                   /* variable of times; NETCDF_NONE: there is none */
    bool is_geographic;
} netcdf_guess;

/* Finds the grid with the most fields; call netcdf_guess_clear also after a failure.
 * Local. Errors: STATUS_INPUT: there is none; STATUS_MEMORY. */
status netcdf_guess_make(const char *path, const netcdf_header *header,
                         netcdf_guess *out);
void netcdf_guess_clear(netcdf_guess *guess);

#endif
