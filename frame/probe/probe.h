/* Values of fields at points. */
#ifndef FRAME_PROBE_H
#define FRAME_PROBE_H

#include "io/source.h"

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

typedef struct frame_probe frame_probe;

/*
 * Finds points in the grid of a layout, whose blocks have priorities. Each rank passes
 * the same wishes, [count]. Collective. Errors: STATUS_USAGE (a vertex outside of its
 * block), those of io_load_bricks, STATUS_MEMORY.
 */
status frame_probe_create(MPI_Comm comm, io_source *source, const grid_layout *layout,
                          int64_t count, const frame_probe_wish *wishes,
                          frame_probe **out);
void frame_probe_destroy(frame_probe **probe);

/* The points, [count]: the same on every rank. Borrowed. Local. */
const frame_probe_point *frame_probe_points(const frame_probe *probe);

/*
 * The values of a field at a step (index) at all points, the same on every rank:
 * trilinear between vertices, or those of the cells. NaN: the point is outside, or the
 * value is missing. values: [count]. Collective. Errors: those of io_load_field,
 * STATUS_MEMORY.
 */
status frame_probe_values(frame_probe *probe, const grid_recipe *recipe, int step,
                          double *values);

#endif
