/* Means over steps: sums, and means that are kept from frame to frame. */
#ifndef IO_LOAD_MEANS_H
#define IO_LOAD_MEANS_H

#include "io/load/sweep.h"

/* Whether a mean counts a step (index): its number is among those wanted, and it has all
 * fields. Local. */
bool io_means_take(const io_source *source, const grid_made *mean, int step);

/* Sums over steps at points; values that are not finite are left out. */
typedef struct io_mean_sum {
    int64_t count;  /* points */
    double *sums;   /* [count]; malloc'ed */
    int32_t *steps; /* [count]: that have a value; behind the sums */
} io_mean_sum;

/* Allocates the sums; adds values ([count]); gives the means, NaN without a value. Local.
 * Errors: STATUS_MEMORY; there are no points then. */
status io_mean_begin(io_mean_sum *sum);
void io_mean_add(io_mean_sum *sum, const float *values);
void io_mean_end(const io_mean_sum *sum, float *out);

/* A box of vertices, or of the cells between them. */
typedef struct io_mean_box {
    int64_t block, lo[3], n[3]; /* without gaps: it is compared as bytes */
} io_mean_box;

/*
 * Means that a rank has found stay in memory with the source, for the frames to come:
 * those of the boxes that it reads. _find copies one; false if there is none. _keep adds
 * one, if there is memory; before they take more than eight times a rank's share of a
 * field and 64 MiB, it drops the others. Local.
 */
bool io_means_find(io_source *source, const grid_made *mean, const io_mean_box *box,
                   float *out);
void io_means_keep(const io_sweep *sweep, const grid_made *mean, const io_mean_box *box,
                   const float *values);

#endif
