/* How a prepared transfer function looks inside, and integrating it along a ray segment
 * by segment. */
#ifndef RENDER_TRANSFER_CURSOR_H
#define RENDER_TRANSFER_CURSOR_H

#include "render/transfer.h"

enum { TRANSFER_BUCKETS = 512 }; /* of the search for a scalar's piece */

/* The part of a transfer function between two neighbouring control positions. */
typedef struct transfer_piece {
    double s0, s1;         /* scalars, infinite at the outer ends of the outer pieces */
    double color0[3];      /* at s0 */
    double slope[3];       /* of colour, per unit of s */
    double most_slope;     /* the largest magnitude among them */
    double extinction;     /* everywhere, where it is constant */
    bool is_constant;      /* extinction does not change */
    bool is_clear;         /* extinction is zero */
    double bend;           /* unit_length where alpha is linear; 0 where extinction is */
    double step, per_step; /* width of a step of the table and 1 / width */
    int steps;             /* of the table: 1 where extinction is linear */
    double *table; /* [steps + 1][2]: extinction and prefix integral at the steps */
} transfer_piece;

struct render_transfer {
    int npieces;
    transfer_piece *pieces;
    double first, per_bucket;         /* the buckets start at scalar `first` */
    int bucket[TRANSFER_BUCKETS + 1]; /* piece at the bucket's lower end */
};

/* Extinction (per unit of length) and its prefix integral at a scalar. */
typedef struct transfer_sample {
    double s, extinction, integral;
} transfer_sample;

/* Where the last segment of a ray ended: where the next one begins, mostly. */
typedef struct transfer_cursor {
    const transfer_piece *piece; /* that `at` lies in */
    transfer_sample at;
    double clear_from, clear_to; /* the piece's scalars if it is clear, else nothing */
} transfer_cursor;

/* A cursor at the lowest scalar. */
transfer_cursor render_transfer_cursor(const render_transfer *transfer);

/* Whether the cursor's own piece tells that there is nothing to see from s0 to s1. */
static inline bool transfer_cursor_is_clear(const transfer_cursor *cursor, double s0,
                                            double s1)
{
    return s0 >= cursor->clear_from && s0 < cursor->clear_to &&
           s1 >= cursor->clear_from && s1 < cursor->clear_to;
}

/* render_transfer_integrate that moves a cursor to s1; the result does not depend on
 * where the cursor was, but it comes sooner if that was s0. */
void render_transfer_advance(const render_transfer *transfer, transfer_cursor *cursor,
                             double s0, double s1, double length, double rgb[3],
                             double *transmittance);

#endif
