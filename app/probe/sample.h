/* Values of fields at points, as tables. */
#ifndef APP_PROBE_SAMPLE_H
#define APP_PROBE_SAMPLE_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>

/* Points that are asked for, in the coordinates of the data. */
typedef struct app_sample_request {
    const char *fields; /* names with commas between them; NULL: those of the file */
    const char *output; /* CSV, or JSON by its name; NULL: standard output */
    bool is_json;
    int nat;
    const char *const *at; /* [nat]: "x,y,z" */
    const char *points;    /* a file with three numbers a line; NULL */
    const char *vertices;  /* "BLOCK:i,j,k", with ranges a:b and `:`; NULL */
    const char *from, *to; /* ends of a line, "x,y,z"; NULL */
    int count;             /* points of the line */
} app_sample_request;

/*
 * Prints a row for each point, and step of the config's data: place, cell, values. Rank 0
 * writes. Points outside of the grid have no values, and are named in a warning.
 * Collective. Errors: those of the config and its data, STATUS_USAGE (a point, a field),
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status app_sample(MPI_Comm comm, const app_sample_request *request,
                  const io_config *config);

#endif
