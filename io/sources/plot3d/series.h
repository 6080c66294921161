/* Files of steps: those whose names match a pattern, and those that lie beside a grid. */
#ifndef IO_SOURCES_PLOT3D_SERIES_H
#define IO_SOURCES_PLOT3D_SERIES_H

#include "header.h"
#include "io/catalog.h"

/* A file of a step. */
typedef struct plot3d_member {
    io_named_step step; /* its time is not set */
    char *path;
    plot3d_header header; /* once it was read */
    int32_t file;         /* in the table of arrays; 0: not there */
} plot3d_member;

typedef struct plot3d_series {
    bool has_numbers;       /* false: one file, for all steps */
    int count;              /* 0: no file */
    plot3d_member *members; /* [count], by ascending number */
    char refusal[512]; /* of count 0: why files beside the grid were passed over; "" */
} plot3d_series;

/*
 * Finds the files of a pattern: a path that may have one %d or %0Nd in its last part.
 * `key`, for messages, is that of the config. Local. Errors: STATUS_INPUT: no file
 * matches, or two have one number; STATUS_MEMORY.
 */
status plot3d_series_find(const char *key, const char *pattern, plot3d_series *out);

/*
 * Finds the files beside the grid that belong to it by their names and their blocks:
 * wing.q, wing.0100.q and wing.q.0100 beside wing.xyz; combq.bin beside combxyz.bin.
 * Otherwise takes the file, or the series, of any name in the folder whose length follows
 * from the blocks of the grid. There may be none. The kind is PLOT3D_Q or
 * PLOT3D_FUNCTION. Local. Errors: STATUS_MEMORY.
 */
status plot3d_series_beside(const char *grid_path, plot3d_kind kind,
                            const plot3d_request *request, plot3d_series *out);

/* The grid in the folder of a file of values whose blocks are the same; NULL: none.
 * malloc'ed. Local. */
char *plot3d_series_grid(const char *path, plot3d_kind kind);

/* The path of the file of names beside a grid; NULL: none. malloc'ed. */
char *plot3d_series_names(const char *grid_path);

/* The file of the step with this number; NULL: none. Local. */
plot3d_member *plot3d_series_at(const plot3d_series *series, int64_t number);

void plot3d_series_clear(plot3d_series *series);

#endif
