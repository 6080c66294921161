/* The copies of all blocks: which there are, and where. */
#ifndef IO_SOURCES_COPIES_PLACES_H
#define IO_SOURCES_COPIES_PLACES_H

#include "io/config/config.h"
#include "io/source.h"

/* A copy of a block. `at`: its number in each entry of data.copies; all 0: the block
 * itself. */
typedef struct copies_place {
    int block; /* of the data */
    int at[GRID_MOST_COPIES];
    grid_view view; /* from the data to the copy */
} copies_place;

/* Copies follow their block; those of the first entry are next to each other. */
typedef struct copies_places {
    int nlevels; /* entries of data.copies */
    grid_copies levels[GRID_MOST_COPIES];
    int counts[GRID_MOST_COPIES];
    bool closes[GRID_MOST_COPIES];    /* the last copy meets the first */
    int nblocks;                      /* of the data */
    bool (*copied)[GRID_MOST_COPIES]; /* [nblocks]: whether an entry copies the block */
    int *first;                       /* [nblocks + 1]: index of the block itself */
    copies_place *all;                /* [first[nblocks]] */
} copies_places;

/* Local, the same on all ranks. Errors: STATUS_USAGE: a block is not there;
 * STATUS_MEMORY. */
status copies_places_create(const io_data_config *config, const io_source *data,
                            copies_places *out);
void copies_places_clear(copies_places *places);

/* The way from the data to a copy, by the first `levels` entries. Local. */
grid_view copies_view(const copies_places *places, const int at[], int levels);

/* The index of a copy; -1: it is none, as an entry does not copy the block. Local. */
int copies_index(const copies_places *places, int block, const int at[]);

#endif
