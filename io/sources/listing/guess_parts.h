/* Functions shared by the parts of a guess. */
#ifndef IO_SOURCES_LISTING_GUESS_PARTS_H
#define IO_SOURCES_LISTING_GUESS_PARTS_H

#include "guess.h"
#include "paths.h"

/* Whether an object is a data set of numbers with `rank` axes that a config can name. */
bool guess_is_array(const io_object *object, int rank);

/* Whether its first three axes have n values (along i, j, k), each reduced by `less`. */
bool guess_fits(const io_object *object, const int64_t n[3], int64_t less);

/* How the axes of an array fit the chosen grid. */
typedef struct guess_shape {
    grid_location location;
    int ncomponents; /* 0: it has no such axis */
    bool component_is_first;
    int64_t nsteps; /* along the first axis; -1: it has no such axis */
} guess_shape;

/* Whether an array fits a grid of n vertices along i, j, k, and how; is_fortran: its axes
 * are [ni][nj][nk]. A first axis of `ntimes` values is that of steps. */
bool guess_find_shape(const io_object *object, const int64_t n[3], bool is_fortran,
                      int64_t ntimes, guess_shape *out);

/* The same of a map on a plane of n[0] x n[1] vertices: it lacks the axis of k. */
bool guess_find_map(const io_object *object, const int64_t n[3], bool is_fortran,
                    int64_t ntimes, guess_shape *out);

/* Finds the list of times: guess->time and ntimes. */
void guess_find_times(const io_listing *listing, io_guess *guess);

/* Finds a grid whose coordinates are lists or planes, by names and by the attributes of
 * the CF conventions. It is the one that the most arrays fit. False: there is none. */
bool guess_find_flat_grid(const io_listing *listing, io_guess *guess,
                          io_guess_grid *grid);

/* Parts of paths that belong to other blocks than the chosen one. */
typedef struct guess_foreign {
    int count;
    path_part *parts; /* [count], sorted; their text is borrowed from the listing */
} guess_foreign;

/* Finds whether the grids are blocks whose paths differ in the name of the block alone:
 * guess->has_blocks, all, block_part. */
void guess_find_blocks(const io_listing *listing, io_guess *guess);

/* Whether an array of the chosen block is in all blocks. */
bool guess_is_in_blocks(const io_listing *listing, const io_guess *guess,
                        const char *path);

/* Whether a part of a path is the name of the chosen block. */
bool guess_is_block(const io_guess *guess, path_part part);

/* Puts %s into a path, in the place of the name of the chosen block. */
void guess_put_block(const io_guess *guess, const char *path,
                     char out[IO_GUESS_PATH_SIZE]);

/* Finds the parts of the paths of other blocks; the parts are the caller's to free.
 * Errors: STATUS_MEMORY. */
status guess_find_foreign(const io_listing *listing, const io_guess *guess,
                          guess_foreign *foreign);

/* Whether the path belongs to another block than the chosen one. */
bool guess_is_foreign(const guess_foreign *foreign, const char *path);

/* Finds the fields of the chosen grid. Errors: STATUS_MEMORY. */
status guess_find_fields(const io_listing *listing, const guess_foreign *foreign,
                         io_guess *guess);

/* Finds io_guess.reason. */
void guess_find_reason(const io_listing *listing, const guess_foreign *foreign,
                       io_guess *guess);

#endif
