/* The payload of a file: its bytes without the marks of Fortran's records, or the numbers
 * of a text file. Places in a file are places in its payload. */
#ifndef IO_SOURCES_PLOT3D_PAYLOAD_H
#define IO_SOURCES_PLOT3D_PAYLOAD_H

#include "base/status.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum plot3d_records {
    PLOT3D_PLAIN,   /* bytes alone, as C writes them */
    PLOT3D_FORTRAN, /* each record stands between two marks with its length */
    PLOT3D_TEXT
} plot3d_records;

/* A stretch of bytes without marks: a record, or a part of a long one. */
typedef struct plot3d_extent {
    int64_t payload; /* place of its first byte in the payload */
    int64_t offset;  /* and in the file */
    int64_t length;
    int64_t record; /* number of its record, from 0 */
} plot3d_extent;

typedef struct plot3d_payload {
    plot3d_records records;
    bool is_big;
    int mark;          /* bytes of a mark of Fortran's: 4 or 8 */
    int descriptor;    /* of the file; the caller's */
    int64_t size;      /* bytes of the file */
    plot3d_text *text; /* of PLOT3D_TEXT; the caller's */
    int64_t total;     /* bytes of the payload found so far; numbers of a text file, -1
                          if they were not counted */
    bool is_continued; /* the last extent found is not the end of its record */
    bool is_whole;     /* all records were found, up to the end of the file */
    bool is_broken;    /* the file ends inside a record, or marks disagree */
    int64_t nextents;
    plot3d_extent *extents; /* [nextents] */
} plot3d_payload;

/*
 * Opens the payload of a file with one extent, or, of Fortran's records, with none.
 * Local. Errors: STATUS_MEMORY.
 */
status plot3d_payload_open(plot3d_records records, int descriptor, int64_t size,
                           plot3d_text *text, plot3d_payload *out);
void plot3d_payload_close(plot3d_payload *payload);

/*
 * Finds the extents of Fortran's records up to record `most`, and no more than
 * `most_extents`. A record of 2 GiB and more has several: marks below 0 join them, as in
 * files of gfortran and Intel's compiler. Sets is_whole or is_broken where it ends.
 * Local. Errors: STATUS_MEMORY.
 */
status plot3d_payload_walk(plot3d_payload *payload, int64_t most, int64_t most_extents);

/* Number of records found, and bytes of the payload of a record. Local. */
int64_t plot3d_payload_records(const plot3d_payload *payload);
int64_t plot3d_payload_length(const plot3d_payload *payload, int64_t record);

/* The extent with the byte at this place; NULL: there is none. Local. */
const plot3d_extent *plot3d_payload_find(const plot3d_payload *payload, int64_t at);

/* Bytes of a whole number and its part in the payload: 1 in text. Local. */
int64_t plot3d_payload_int_size(const plot3d_payload *payload);

/* Reads `count` whole numbers, or floating-point numbers of `size` bytes. They are false
 * if the payload is shorter, or if a whole number of a text is none. Local. */
bool plot3d_payload_ints(const plot3d_payload *payload, int64_t at, int64_t count,
                         int64_t *out);
bool plot3d_payload_reals(const plot3d_payload *payload, int64_t at, int64_t count,
                          int size, double *out);

#endif
