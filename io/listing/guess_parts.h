/* Functions shared by the parts of a guess. */
#ifndef IO_LISTING_GUESS_PARTS_H
#define IO_LISTING_GUESS_PARTS_H

#include "guess.h"
#include "paths.h"

/* Whether an object is a data set of numbers with `rank` axes that a config can name. */
bool guess_is_array(const io_object *object, int rank);

/* Whether its first three axes have n values (along i, j, k), each reduced by `less`. */
bool guess_fits(const io_object *object, const int64_t n[3], int64_t less);

/* Parts of paths that belong to other blocks than the chosen one. */
typedef struct guess_foreign {
    int count;
    int64_t capacity;
    path_part *parts; /* [count], sorted; their text is borrowed from the listing */
} guess_foreign;

/* Whether the path belongs to another block than the chosen one. */
bool guess_is_foreign(const guess_foreign *foreign, const char *path);

/* Finds the fields of the chosen grid. Errors: STATUS_MEMORY. */
status guess_find_fields(const io_listing *listing, const guess_foreign *foreign,
                         io_guess *guess);

/* Finds io_guess.reason. */
void guess_find_reason(const io_listing *listing, const guess_foreign *foreign,
                       io_guess *guess);

#endif
