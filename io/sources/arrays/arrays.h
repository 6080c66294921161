/*
 * Tables of arrays: sources of formats that only say where their arrays lie. One rank
 * describes a file in a table, and all ranks read boxes of its arrays alike: in large
 * runs, in any order of bytes and of axes, without ghost layers.
 */
#ifndef IO_SOURCES_ARRAYS_ARRAYS_H
#define IO_SOURCES_ARRAYS_ARRAYS_H

#include "io/source_kind.h"
#include "io/window.h"
#include "place.h"

/* The places of the fields of a step: those of a row, so many files and bytes further. */
typedef struct io_array_step {
    int32_t row, file;
    int64_t offset;
} io_array_step;

/*
 * A table: which place an array of the catalogue has. Blocks are those of all grids
 * (io_catalog_all_blocks). Coordinates and iblank (by io/array.h, -4 to -1) have places
 * for each grid, fields for each step:
 *
 *     place[io_array_table_at(table, catalog, step, block, array)]
 */
typedef struct io_array_table {
    int nfiles;
    char **files; /* [nfiles]: paths; the first is the source's own */
    int64_t nplaces;
    io_array_place *places;
    io_array_step *steps; /* [nsteps]; NULL: each step has its own places of fields */
    bool is_even;         /* fields have places for the first step alone, and those of the
                             others are place.next bytes apart */
    int64_t nextents;
    io_array_extent *extents; /* [nextents] */
} io_array_table;

/* A part of a coded array: a slab of the values that are stored. */
enum { IO_ARRAY_AXES = 10 };
typedef struct io_array_part {
    int rank;                                    /* 0: all of the array */
    int64_t lo[IO_ARRAY_AXES], n[IO_ARRAY_AXES]; /* [rank]: the slowest axis first */
    int64_t bytes;                               /* of the slab */
    io_array_place inside;                       /* of the array, in the slab */
} io_array_part;

/* What a format does. */
typedef struct io_array_format {
    /* Fills in the catalogue, and calls io_array_table_create and sets the places. On one
     * rank. Errors: STATUS_INPUT, STATUS_MEMORY. */
    status (*describe)(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table);
    /* Reads an array that is coded, as text or compressed: *values is malloc'ed and has
     * the numbers of place->type in the place's order of bytes. Places of one file with
     * one code have the same values. Local. Errors: likewise. NULL: none is. */
    status (*decode)(const char *path, const io_array_place *place, void **values,
                     int64_t *bytes);
    /*
     * Of arrays that can be decoded in parts: `find_part` finds the part that has a box
     * of an array, where part->rank 0 means all of it, by `decode`. `decode_part` decodes
     * it to `out`, [part->bytes]. *kept is what the format keeps open, at first NULL;
     * `forget` frees it. Local. Errors: likewise. NULL: there are none.
     */
    status (*find_part)(void **kept, const char *path, const io_array_place *place,
                        const io_box *box, io_array_part *out);
    status (*decode_part)(void **kept, const char *path, const io_array_place *place,
                          const io_array_part *part, void *out);
    void (*forget)(void **kept);
} io_array_format;

/* Allocates the places of a complete catalogue (blocks, fields, steps): all arrays are
 * lacking. Adds the source's own path, if there is no file yet. Local. Errors:
 * STATUS_MEMORY. */
status io_array_table_create(const char *path, const io_catalog *catalog,
                             io_array_table *out);

/* Adds a file; its index. Local. Errors: STATUS_MEMORY. */
status io_array_table_add_file(io_array_table *table, const char *path, int32_t *index);

/* The place of an array, to be set. Local. */
io_array_place *io_array_table_at(const io_array_table *table, const io_catalog *catalog,
                                  int step, int block, int array);

/* Steps whose places are those of a step before, in other files or further on in one,
 * share them. Afterwards places are found, and not set. Local. */
void io_array_table_fold(io_array_table *table, const io_catalog *catalog);
io_array_place io_array_table_find(const io_array_table *table, const io_catalog *catalog,
                                   int step, int block, int array);

bool io_array_place_is_same(const io_array_place *a, const io_array_place *b);

/* io_source_kind.open, read and close of a format: `open` names it. Collective. */
status io_arrays_open(io_source *source, const io_data_config *config,
                      const io_array_format *format);
status io_arrays_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out);
void io_arrays_close(io_source *source);
bool io_arrays_reads(const io_source *source, const char *path);

/* The members of an io_source_kind that all such formats share. */
#define IO_ARRAYS_REST                                                                   \
    .read = io_arrays_read, .reads = io_arrays_reads, .close = io_arrays_close,          \
    .has_doubles = true, .has_places = true, .window = IO_WINDOW_VERTICES

/* Whether this machine has another order of bytes. Local. */
bool io_arrays_swap(bool is_big);

#endif
