/* DataItem: arrays of an XDMF file, with HyperSlab and JOIN. */
#ifndef IO_SOURCES_XDMF_ITEM_H
#define IO_SOURCES_XDMF_ITEM_H

#include "document.h"

enum { XDMF_AXES = 10, XDMF_PARTS = 16 };

/* Values with axes, the slowest first. */
typedef struct xdmf_array {
    int rank;
    int64_t n[XDMF_AXES];
    int64_t stride[XDMF_AXES]; /* bytes */
    io_array_place place;      /* of the first value, without strides */
    char unit[IO_UNIT_SIZE];   /* "": none is known */
} xdmf_array;

/* An item: one array, or several joined as components. */
typedef struct xdmf_item {
    int count;
    xdmf_array parts[XDMF_PARTS]; /* [count] */
    const char *obstacle; /* a clause on why its values cannot be taken; NULL: none */
} xdmf_item;

/* Finds the arrays of a DataItem. Its obstacle is no error. Local. Errors: STATUS_INPUT:
 * a file is missing, or too short; a shape does not fit; STATUS_MEMORY. */
status xdmf_item_find(xdmf_set *set, const xmlNode *element, xdmf_item *out);

/* Values of axes, -1 for too many; those of an item. Local. */
int64_t xdmf_count_values(int rank, const int64_t n[]);
int64_t xdmf_item_values(const xdmf_item *item);

/* Sets the strides of values one behind the other. Local. */
void xdmf_set_strides(xdmf_array *array);

/*
 * The place of component `component` of `components` at (i, j, k), of which there are
 * n[0] x n[1] x n[2]; false: the values do not lie so that strides reach them. Local.
 */
bool xdmf_item_place(const xdmf_item *item, const int64_t n[3], int components,
                     int component, io_array_place *out);

/* Reads the numbers of a short text, at most `most`; their number. Local. */
int xdmf_text_numbers(const xmlNode *element, int most, double *out);

/* Reads all values of a small item. Local. Errors: STATUS_INPUT: there are not `count`;
 * STATUS_MEMORY. */
status xdmf_item_numbers(xdmf_set *set, const xmlNode *element, int count, double *out);

/* Reads all values of an item that lie one behind the other; malloc'ed. Local. Errors:
 * STATUS_INPUT: they do not lie so; STATUS_MEMORY. */
status xdmf_item_read(const xdmf_set *set, const xdmf_item *item, double **out);

/* Reads whole numbers separated by white space; -1: something else is there. Local. */
int xdmf_counts(const char *text, int most, int64_t *out);

/* How coded values are stored: code[2] of a place. code[1] is the number of values. */
enum {
    XDMF_TEXT, /* code[0]: their first byte */
    XDMF_HEAVY /* HDF5; code[0]: address of the data set */
};

/* A data set of an HDF5 file. */
typedef struct xdmf_heavy {
    int rank;
    int64_t n[XDMF_AXES];
    char file[XDMF_PATH];    /* that has the values: links may lead to another one */
    char unit[IO_UNIT_SIZE]; /* "": it has none */
    io_array_place place;    /* of its values; coded, if HDF5 has to read them */
} xdmf_heavy;

/*
 * Finds a data set; place.file is left to the caller. *kept is the file that stays open,
 * at first NULL. Local; needs MPI. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status xdmf_heavy_find(void **kept, const char *file, const char *path, xdmf_heavy *out);

/* Reads all values of such a data set, in the type of its place; finds the part of it
 * that has a box, and reads it (io_array_format). Local; need MPI. Errors: likewise. */
status xdmf_heavy_read(void **kept, const char *file, const io_array_place *place,
                       void *out);
status xdmf_heavy_find_part(void **kept, const char *file, const io_array_place *place,
                            const io_box *box, io_array_part *out);
status xdmf_heavy_read_part(void **kept, const char *file, const io_array_place *place,
                            const io_array_part *part, void *out);

/* Closes the file that is open. Local. */
void xdmf_heavy_forget(void **kept);

/* io_array_format: decoding of arrays; of parts, where the values are in HDF5. */
status xdmf_item_decode(const char *path, const io_array_place *place, void **values,
                        int64_t *bytes);
status xdmf_item_find_part(void **kept, const char *path, const io_array_place *place,
                           const io_box *box, io_array_part *out);

/* Whether any value of an item has a bit. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status xdmf_item_has_bit(const xdmf_set *set, const xdmf_item *item, int bit, bool *out);

#endif
