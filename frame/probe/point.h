/* Points at which fields have values. */
#ifndef FRAME_PROBE_POINT_H
#define FRAME_PROBE_POINT_H

#include <stdbool.h>
#include <stdint.h>

/* A point that is asked for: by its place, or as a vertex of a block. */
typedef struct frame_probe_wish {
    double x[3];   /* in the coordinates of the picture (io/view.h) */
    int block;     /* of the vertex; -1: the place counts */
    int64_t at[3]; /* the vertex, from 0 */
} frame_probe_wish;

/* Where a point is. */
typedef struct frame_probe_point {
    double x[3];
    bool is_inside;  /* of a present cell */
    int block;       /* of the cell; of the nearest vertex, if outside */
    int64_t at[3];   /* the cell's lowest vertex; the nearest vertex, if outside */
    double local[3]; /* in the cell, 0 to 1 along i, j, k */
    double distance; /* from the nearest vertex, if outside */
} frame_probe_point;

#endif
