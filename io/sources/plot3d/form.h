/* The form of a PLOT3D file: its blocks, and how its numbers are written. */
#ifndef IO_SOURCES_PLOT3D_FORM_H
#define IO_SOURCES_PLOT3D_FORM_H

#include "io/config/config.h"
#include "payload.h"

typedef enum plot3d_kind { PLOT3D_GRID, PLOT3D_Q, PLOT3D_FUNCTION } plot3d_kind;

enum { PLOT3D_REFERENCES = 4, PLOT3D_MOST_VALUES = 1000 };

/* A block in a file. Places are places in the payload. */
typedef struct plot3d_block {
    int64_t n[3];   /* vertices along i, j, k */
    int64_t values; /* arrays of floating-point numbers, one after the other */
    int64_t start;  /* of the first array */
} plot3d_block;

typedef struct plot3d_header {
    plot3d_kind kind;
    plot3d_records records;
    bool is_big;
    bool is_multi;    /* the number of blocks comes first */
    bool is_overflow; /* a q file of OVERFLOW, with a longer header */
    bool has_iblank;
    bool is_flat;     /* two-dimensional: without z, or the momentum along it */
    int64_t extra;    /* bytes (of a text: numbers) behind the values */
    bool is_padded;   /* all of them are zeros */
    int real_size;    /* bytes of a floating-point number: 4 or 8; 1 in text */
    int64_t nspecies; /* of OVERFLOW */
    int64_t values;   /* the least number of arrays of a block */
    double reference[PLOT3D_REFERENCES]; /* Mach number, angle of attack, Reynolds number,
                                            time of a q file's first block */
    int nblocks;
    plot3d_block *blocks; /* [nblocks] */
    int64_t nextents;
    plot3d_extent *extents; /* [nextents]; of a text that was counted: its chunks, their
                               `offset` being the number of each */
} plot3d_header;

/* What a file has to be. */
typedef struct plot3d_request {
    const char *path;
    plot3d_kind kind;
    const io_plot3d_config *config; /* forms that the user names; NULL: none */
    const plot3d_header *grid;      /* of the same blocks; NULL: any */
    bool is_counted;                /* the length of a text counts: all of it is read */
} plot3d_request;

void plot3d_header_clear(plot3d_header *header);

/* The form in words, such as "float32, big-endian, Fortran records". Local. */
void plot3d_header_print(const plot3d_header *header, size_t size, char *text);

/* The kind in words, such as "grid". */
const char *plot3d_kind_name(plot3d_kind kind);

#endif
