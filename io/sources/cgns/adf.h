/*
 * Nodes of an ADF file, the older container of CGNS. A node has a header of fixed size,
 * which points to a table of its children and to its data: one chunk, or a table of
 * chunks. Pointers are the number of a block of 4096 bytes and an offset in it: as
 * hexadecimal text in files of version A, as binary numbers in those of version B.
 * Source: CGNS Steering Committee, "ADF Implementation" (CGNS, src/adf).
 *
 * Every place and size is compared with the length of the file before it is used. All
 * functions are local. Errors: STATUS_INPUT: the file cannot be read, is cut off or is
 * damaged; STATUS_MEMORY.
 */
#ifndef IO_SOURCES_CGNS_ADF_H
#define IO_SOURCES_CGNS_ADF_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CGNS_ADF_NAME = 32, CGNS_ADF_AXES = 12 };

/* An open file. */
typedef struct cgns_adf {
    const char *path; /* borrowed */
    int descriptor;
    int64_t size;
    int64_t root;   /* byte of the first node */
    bool is_big;    /* order of bytes of numbers */
    bool is_text;   /* pointers and extents are text */
    int long_size;  /* bytes of the types I8 and U8 */
    char separator; /* between the file and the path of a link */
} cgns_adf;

typedef struct cgns_adf_node {
    char name[CGNS_ADF_NAME + 1];
    char label[CGNS_ADF_NAME + 1];
    char type[CGNS_ADF_NAME + 1]; /* such as "R8"; "MT": no data; "LK": a link */
    int rank;
    int64_t shape[CGNS_ADF_AXES]; /* [rank]: fastest axis first */
    int64_t children, nchildren;  /* byte of their table */
    int64_t data, nchunks;        /* byte of the chunk, or of a table of several */
} cgns_adf_node;

typedef struct cgns_adf_child {
    char name[CGNS_ADF_NAME + 1];
    int64_t at; /* byte of its header */
} cgns_adf_child;

/* Bytes of data. */
typedef struct cgns_adf_piece {
    int64_t offset, length;
} cgns_adf_piece;

/* Whether a file begins as ADF does. */
bool cgns_adf_is(FILE *stream);

/* Opens a file. `path` is borrowed until it is closed; closing a zero file does nothing.
 */
status cgns_adf_open(const char *path, cgns_adf *out);
void cgns_adf_close(cgns_adf *file);

status cgns_adf_read_node(const cgns_adf *file, int64_t at, cgns_adf_node *out);

/* Reads the children of a node: *out: [node->nchildren], malloc'ed; NULL: none. */
status cgns_adf_read_children(const cgns_adf *file, const cgns_adf_node *node,
                              cgns_adf_child **out);

/* Finds where the first `bytes` bytes of a node's data lie. *out: [*count], malloc'ed,
 * the caller's. */
status cgns_adf_find_data(const cgns_adf *file, const cgns_adf_node *node, int64_t bytes,
                          int64_t *count, cgns_adf_piece **out);

/* Reads all bytes of some pieces. */
status cgns_adf_read_pieces(const cgns_adf *file, int64_t count,
                            const cgns_adf_piece *pieces, void *out);

#endif
