/* Zones of a Tecplot file: their sizes, and where the numbers of each variable begin.
 * Source: Tecplot, "Data Format Guide", chapter on ASCII data. */
#ifndef IO_SOURCES_TECPLOT_ZONE_H
#define IO_SOURCES_TECPLOT_ZONE_H

#include "base/status.h"
#include "grid/layout.h"
#include "io/sources/arrays/arrays.h"
#include "text.h"

enum { TECPLOT_VARIABLES = 512 };

/* The numbers of a variable of a zone. In text that of the point n is number
 * first + n * distance behind the byte `begin`; in binary files it begins at the byte
 * begin + n * distance. */
typedef struct tecplot_array {
    int64_t begin; /* -1: the zone has none */
    int64_t first, distance, count;
    uint64_t hash;      /* in text: of its words */
    io_number type;     /* in binary files */
    double least, most; /* in binary files, which name them; else 0 */
    bool is_cell, is_shared;
    int shared; /* with this zone, from 0 */
} tecplot_array;

typedef struct tecplot_zone {
    char title[GRID_NAME_SIZE];
    int64_t n[3];
    bool is_ordered, is_block;
    bool has_more; /* numbers behind the values: neighbours of faces */
    int64_t strand;
    int rank; /* among the zones of its strand and time */
    double time;
    bool has_time;
    tecplot_array *arrays; /* [nvariables] */
} tecplot_zone;

typedef struct tecplot_file {
    const char *path;
    bool is_binary, swaps; /* the bytes of numbers are in the other order */
    bool has_bits;         /* variables of single bits, which are left out */
    int kind;              /* of a binary file: 0 full, 1 grid, 2 solution */
    char title[GRID_NAME_SIZE];
    int nvariables;
    char (*variables)[GRID_NAME_SIZE]; /* [nvariables] */
    int nzones;
    tecplot_zone *zones; /* [nzones] */
} tecplot_file;

/* Whether a file begins as Tecplot's text does. Local. */
bool tecplot_is(FILE *stream);

/* Reads a whole text; call tecplot_file_clear also after a failure. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status tecplot_file_read(const char *path, tecplot_file *out);
void tecplot_file_clear(tecplot_file *file);

/* Adds a zone with empty arrays; NULL: there is no memory. Local. */
tecplot_zone *tecplot_file_add(tecplot_file *file);

/* Whether a zone has vertices, and less than 2^48. Local. */
bool tecplot_zone_has_sizes(const tecplot_zone *zone);

/* Whether it is a structured grid of two or three dimensions. Local. */
bool tecplot_zone_is_grid(const tecplot_zone *zone);

/* Takes the variables that a zone shares with an earlier one. Local. Errors:
 * STATUS_INPUT. */
status tecplot_zone_share(const tecplot_file *file, tecplot_zone *zone);

/* Whether two zones have the same numbers of a variable, as words or bytes show. Local.
 */
bool tecplot_zone_same(const tecplot_file *file, const tecplot_zone *a,
                       const tecplot_zone *b, int variable);

status tecplot_fail(const char *path, const char *what);

#endif
