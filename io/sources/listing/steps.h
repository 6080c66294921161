/* Numbers of steps in paths. */
#ifndef IO_SOURCES_LISTING_STEPS_H
#define IO_SOURCES_LISTING_STEPS_H

#include "listing.h"

#include <stddef.h>

/* A data set, and the digits of its path that number a step. */
typedef struct step_place {
    int object; /* in the listing */
    size_t at;
    size_t digits; /* 0: none */
} step_place;

/* Whether a word before digits says that they count time, as "step" does; so do digits
 * without a word. Local. */
bool steps_is_word(const char *text, size_t length);

/*
 * Finds the digits that number a step for each of `count` data sets. Such digits are the
 * only difference between paths, or form a group's name, or follow a word such as "step".
 * Parts that the path of the grid also contains are ignored. Local. Errors:
 * STATUS_MEMORY.
 */
status steps_find(const io_listing *listing, const char *grid, int count,
                  step_place *places);

#endif
