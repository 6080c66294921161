/* Zones of a Tecplot file: their sizes, and where the numbers of each variable begin.
 * Source: Tecplot, "Data Format Guide", chapter on ASCII data. */
#ifndef IO_SOURCES_TECPLOT_ZONE_H
#define IO_SOURCES_TECPLOT_ZONE_H

#include "base/status.h"
#include "grid/layout.h"
#include "text.h"

enum { TECPLOT_VARIABLES = 512 };

/* The numbers of a variable of a zone: that of the point n is number
 * first + n * distance behind the byte `begin`. */
typedef struct tecplot_array {
    int64_t begin; /* -1: the zone has none */
    int64_t first, distance, count;
    uint64_t hash;
    bool is_cell, is_shared;
    int shared; /* with this zone, from 0 */
} tecplot_array;

typedef struct tecplot_zone {
    char title[GRID_NAME_SIZE];
    int64_t n[3];
    bool is_ordered, is_block;
    bool has_more; /* numbers behind the values: neighbours of faces */
    int64_t strand;
    double time;
    bool has_time;
    tecplot_array *arrays; /* [nvariables] */
} tecplot_zone;

typedef struct tecplot_file {
    const char *path;
    char title[GRID_NAME_SIZE];
    int nvariables;
    char (*variables)[GRID_NAME_SIZE]; /* [nvariables] */
    int nzones;
    int64_t capacity;
    tecplot_zone *zones; /* [nzones] */
} tecplot_file;

/* Whether a file begins as Tecplot's text does. Local. */
bool tecplot_is(FILE *stream);

/* Reads a whole file; call tecplot_file_clear also after a failure. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status tecplot_file_read(const char *path, tecplot_file *out);
void tecplot_file_clear(tecplot_file *file);

status tecplot_fail(const char *path, const char *what);

#endif
