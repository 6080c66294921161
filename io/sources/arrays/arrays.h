/*
 * Tables of arrays: sources of formats that only say where their arrays lie. One rank
 * describes a file in a table, and all ranks read boxes of its arrays alike: in large
 * runs, in any order of bytes and of axes, without ghost layers.
 */
#ifndef IO_SOURCES_ARRAYS_ARRAYS_H
#define IO_SOURCES_ARRAYS_ARRAYS_H

#include "io/source_kind.h"

/* Types of numbers in files. */
typedef enum io_number {
    IO_FLOAT32,
    IO_FLOAT64,
    IO_INT8,
    IO_UINT8,
    IO_INT16,
    IO_UINT16,
    IO_INT32,
    IO_UINT32,
    IO_INT64,
    IO_UINT64
} io_number;

/* Bytes of a number. Local. */
size_t io_number_size(io_number type);

enum {
    IO_ARRAY_LACKS = -1, /* the block lacks the array: its values are missing */
    IO_ARRAY_RAMP = -2   /* start + i * slope[0] + j * slope[1] + k * slope[2] */
};

/*
 * Where the values of an array of a block are: that of (i, j, k) is at the byte
 * offset + i * stride[0] + j * stride[1] + k * stride[2]. A stride of 0: values are the
 * same along that axis. With `is_coded`, that is the place in what `decode` gives for the
 * array's `code`.
 */
typedef struct io_array_place {
    int32_t file; /* index of a file of the table; or IO_ARRAY_LACKS, IO_ARRAY_RAMP */
    io_number type;
    bool swaps; /* the bytes of a number are in the other order than this machine's */
    bool is_coded;
    bool is_cut; /* bytes are counted along extents of the table */
    int64_t offset, stride[3];
    int64_t code[4]; /* the format's own; of an array that is cut: the first of its
                        extents, and their number */
    double start, slope[3];
    double scale;   /* of a stored coordinate: number * scale + start; 0: as it is */
    int32_t hidden; /* of iblank: numbers with one of these bits become 0, others 1; 0:
                       they stay */
} io_array_place;

/* A stretch of bytes of a file, of an array that is cut: the first of them is byte `from`
 * of the array's. */
typedef struct io_array_extent {
    int64_t from, offset, length;
} io_array_extent;

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
    int64_t nextents;
    io_array_extent *extents; /* [nextents] */
} io_array_table;

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

/* A place for values one behind the other, i fastest: [n[2]][n[1]][n[0]] tuples of
 * `components`, of which it is the n-th. Local. */
io_array_place io_array_place_make(io_number type, bool swaps, int64_t offset,
                                   const int64_t n[3], int components, int component);

/* Converts stored numbers to doubles, from one to the next by place->stride[0]. Local. */
void io_array_numbers(const io_array_place *place, const void *stored, int64_t count,
                      double *out);

/* io_source_kind.open, read and close of a format: `open` names it. Collective. */
status io_arrays_open(io_source *source, const io_data_config *config,
                      const io_array_format *format);
status io_arrays_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out);
void io_arrays_close(io_source *source);
bool io_arrays_reads(const io_source *source, const char *path);

/* Whether this machine has another order of bytes. Local. */
bool io_arrays_swap(bool is_big);

#endif
