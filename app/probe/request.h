/* What the command lines of `karman probe` and `karman line` ask for. */
#ifndef APP_PROBE_REQUEST_H
#define APP_PROBE_REQUEST_H

#include "app/table/table.h"

#include <stdbool.h>

/* Points that are asked for, in the coordinates of the data. */
typedef struct app_sample_request {
    const char *fields; /* names with commas between them; NULL: those of the file */
    const char *output; /* CSV, or JSON by its name; NULL: standard output */
    app_form form;
    int nat;
    const char *const *at; /* [nat]: "x,y,z" */
    const char *points;    /* a file with three numbers a line; NULL */
    const char *vertices;  /* "BLOCK:i,j,k", with ranges a:b and `:`; NULL */
    const char *from, *to; /* ends of a line, "x,y,z"; NULL */
    int count;             /* points of the line */
    const char *stream;    /* a point of a streamline, "x,y,z"; NULL */
} app_sample_request;

#endif
