/* Structured parts of the geometries of case files. */
#ifndef IO_SOURCES_ENSIGHT_PARTS_H
#define IO_SOURCES_ENSIGHT_PARTS_H

#include "io/sources/arrays/builder.h"

/* A part, of each size that it has. */
typedef struct ensight_part {
    int set; /* number of the case file */
    int64_t number;
    int block;
    int64_t n[3];
    uint8_t *is_there; /* [nsteps]: 1 if it has this size at the step */
    io_array_place latest[IO_ARRAY_IBLANK - IO_ARRAY_X + 1]; /* that were added */
} ensight_part;

typedef struct ensight_parts {
    int nsteps;
    bool rest; /* at all steps each is as at the first */
    int64_t count;
    ensight_part *items; /* [count] */
} ensight_parts;

/* The part at a step; NULL: there is none. Local. */
ensight_part *ensight_parts_find(const ensight_parts *parts, int set, int64_t number,
                                 int step);

/* Adds a block for a part at a step, or finds that of the same part at another one;
 * `wanted` has set, number and sizes. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status ensight_parts_take(ensight_parts *parts, io_array_builder *builder,
                          const char *title, int step, ensight_part *wanted,
                          ensight_part **out);
void ensight_parts_clear(ensight_parts *parts);

#endif
