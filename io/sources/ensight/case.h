/* The case file of EnSight Gold and of EnSight 6: which files hold the geometry and the
 * variables of which steps. Source: EnSight, "User Manual", chapter on data formats. */
#ifndef IO_ENSIGHT_CASE_H
#define IO_ENSIGHT_CASE_H

#include "grid/field.h"
#include "io/catalog.h"

#include <stdbool.h>

enum { ENSIGHT_NAME = 64, ENSIGHT_PATH = 4096, ENSIGHT_PATTERN = 1024 };

/* Numbers that a case file lists. */
typedef struct ensight_list {
    int64_t count;
    double *values; /* [count] */
} ensight_list;

typedef struct ensight_times {
    int64_t number; /* of the time set */
    int64_t count;  /* steps */
    double start, increment;
    ensight_list numbers; /* in names of files; empty: start + n * increment */
    ensight_list times;   /* [count] */
} ensight_times;

/* Steps that a file of a file set holds. */
typedef struct ensight_part_of_set {
    int64_t number; /* of the file set */
    int64_t index;  /* of the file */
    int64_t count;  /* steps */
} ensight_part_of_set;

/* The geometry, or a variable. */
typedef struct ensight_item {
    char name[ENSIGHT_NAME];
    char pattern[ENSIGHT_PATTERN]; /* name of the file; '*' are digits of a number */
    int64_t times, files;          /* numbers of its sets; 0: none */
    grid_location location;
    int components; /* 1, 3, 6 or 9 */
} ensight_item;

typedef struct ensight_case {
    char path[ENSIGHT_PATH];
    bool is_six; /* EnSight 6; else Gold */
    ensight_item geometry;
    int64_t nitems;
    ensight_item *items; /* [nitems]: variables */
    int64_t nsets;
    ensight_times *sets; /* [nsets] */
    int64_t nfiles;
    ensight_part_of_set *files; /* [nfiles] */
    int64_t nservers;
    char (*servers)[ENSIGHT_PATTERN]; /* [nservers]: case files that it names */
} ensight_case;

/* Whether a file begins as case files do, those of older versions too. Local. */
bool ensight_case_is(FILE *stream);

/* Reads a case file; call ensight_case_clear also after a failure. Variables that karman
 * does not read are omitted from the catalogue. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status ensight_case_read(const char *path, io_catalog *catalog, ensight_case *out);
void ensight_case_clear(ensight_case *c);

/* The time set of an item whose files depend on time; NULL: it rests. Local. */
const ensight_times *ensight_case_times(const ensight_case *c, const ensight_item *item);

/* The number of a step of a time set in names of files. Local. */
double ensight_times_number(const ensight_times *set, int64_t step);

/* Finds the file of an item at a step of its time set, and the step inside of the file.
 * Local. Errors: STATUS_INPUT. */
status ensight_case_locate(const ensight_case *c, const ensight_item *item, int64_t step,
                           char path[ENSIGHT_PATH], int64_t *inside);

#endif
