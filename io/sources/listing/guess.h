/* Guesses which data sets of a file are coordinates and which are fields, by their shapes
 * and names. */
#ifndef IO_SOURCES_LISTING_GUESS_H
#define IO_SOURCES_LISTING_GUESS_H

#include "grid/field.h"
#include "listing.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    IO_GUESS_PATH_SIZE = 512, /* of a path as a config has it */
    IO_GUESS_MOST_GRIDS = 1024,
    IO_GUESS_MOST_FIELDS = 64
};

/* Three arrays that could be coordinates; lists and planes stand for all that lie along
 * the other axes. Paths have the form of data.grid in a
 * config. */
typedef struct io_guess_grid {
    char paths[3][IO_GUESS_PATH_SIZE]; /* of x, y, z */
    char iblank[IO_GUESS_PATH_SIZE];   /* "": none */
    int object;                        /* index of x in the listing */
    int64_t n[3];                      /* vertices along i, j, k */
} io_guess_grid;

/* An array that could be a field of the chosen grid. */
typedef struct io_guess_field {
    char name[GRID_NAME_SIZE];
    char path[IO_GUESS_PATH_SIZE]; /* in the form of data.fields of a config */
    grid_location location;
    int nsteps; /* number of steps that have it; 0: its path contains no step */
} io_guess_field;

typedef struct io_guess {
    int ngrids; /* blocks, or steps of a moving grid */
    io_guess_grid *grids;
    int chosen; /* the grid with the most vertices, whose fields are listed; -1: none */
    bool has_blocks;   /* all grids are blocks, */
    io_guess_grid all; /* whose paths hold %s */
    int block_part;    /* part of the paths that names the block, from 0 */
    int nfields;
    io_guess_field *fields;
    bool is_fortran;               /* data.order: fields are [ni][nj][nk] */
    bool is_geographic;            /* x and y in degrees, z in metres */
    int64_t ntimes;                /* values of the list of times; 0: there is none */
    char time[IO_GUESS_PATH_SIZE]; /* path of that list */
    bool has_axis;                 /* a field has the step as an axis */
    bool is_cut;                   /* there are more fields */
    char reason[400]; /* one sentence on missing data or other peculiarities; "": none */
} io_guess;

/* The grid that a config names: all blocks, or the chosen one. */
const io_guess_grid *io_guess_get_grid(const io_guess *guess);

/* Whether an array could be a coordinate by its name, or by attributes of the CF
 * conventions, and along which axis; whether it could be a list of times. Local. */
bool io_guess_axis(const io_object *object, int *axis);
bool io_guess_is_time(const io_object *object);

/* Whether x is in degrees, and z in metres or decibars. Local. */
bool io_guess_is_geographic(const io_object *x, const io_object *z);

/* Guesses. Local. Errors: STATUS_MEMORY. */
status io_guess_create(const io_listing *listing, io_guess **out);
void io_guess_destroy(io_guess **guess);

#endif
