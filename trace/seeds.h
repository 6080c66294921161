/* Seeds: the points at which particles are released. */
#ifndef TRACE_SEEDS_H
#define TRACE_SEEDS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum trace_shape {
    TRACE_POINTS, /* the points themselves */
    TRACE_LINE,   /* between two points */
    TRACE_PLANE,  /* a parallelogram: a corner and its two neighbours */
    TRACE_BOX     /* between two opposite corners, its sides along the axes */
} trace_shape;

/* Seeds as a config describes them. */
typedef struct trace_seeds {
    trace_shape shape;
    bool in_grid; /* points are (i, j, k) in a block, counted from 0, not (x, y, z) */
    int block;    /* the block of these points */
    int64_t npoints;
    const double (*points)[3]; /* [npoints], the number that the shape needs: any, 2, 3 or
                                  2; in space relative to the layout's origin */
    int64_t counts[3]; /* seeds along the sides, ends included; 1: in the middle. A line
                          uses the first number, a plane the first two */
} trace_seeds;

/*
 * Lists the seeds; of a plane and a box the first side runs fastest. *points: malloc'ed,
 * [*count][3], the caller's. Local. Errors: STATUS_USAGE (too few points, counts below 1
 * or a product above 10^8), STATUS_MEMORY.
 */
status trace_seeds_list(const trace_seeds *seeds, int64_t *count, double (**points)[3]);

#endif
