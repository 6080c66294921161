/*
 * How a prepared transfer function looks inside: its exact pieces, and beside them the
 * table in which many rays look their scalars up at a time (render/transfer/lookup.h).
 */
#ifndef RENDER_TRANSFER_TABLE_H
#define RENDER_TRANSFER_TABLE_H

#include "transfer.h"

#include <stdint.h>

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

/*
 * The range of scalars is cut into intervals of equal width, over which extinction and
 * colour are taken as linear, with the exact integrals between nodes. An interval has two
 * rows, one for each half, and each half tells everything from the node at its own end:
 *
 *     node n       row 2n + 1        |        row 2n + 2       node n + 1
 *       o----------------------------+----------------------------o
 *       -> g from 0 to 1                      g from -1 to 0 <-
 *
 * Integrals from one scalar to another are the difference of those at their nodes plus
 * that of the rests. Where two scalars on either side of a node lie close together, they
 * refer to the same node: nothing is lost in a difference of large numbers.
 *
 * Below and above the range lies one row each. Units: g counts half intervals, integrals
 * are whole numbers of table->unit times the width of half an interval.
 */
typedef struct transfer_row {
    int32_t integral[4]; /* up to the node: of extinction, and of colour * extinction */
    float extinction, extinction_slope; /* at the node, and per unit of g */
    float bends, color_bends; /* departure of both from straight lines, summed up to here:
                                 see transfer_lanes_doubt */
    float color[3];           /* at the node */
    float misfit;         /* largest error of extinction, and of colour * extinction */
    float color_slope[3]; /* per unit of g */
    float unused;
} transfer_row;

typedef struct transfer_table {
    transfer_row *rows;      /* [count + 2], each a cache line */
    float first, per_scalar; /* half intervals from the first node: (s / 4 - first) *
                                that; differences of quarters are never infinite */
    float count;             /* of half intervals */
    float unit;              /* extinction in the grid's units: unit * that of the rows */
    float most_misfit;       /* of all rows */
    float
        slip; /* how far a place may be off from that of its scalar, in half intervals */
    float clear[2][2]; /* from … to: two ranges with nothing to see */
} transfer_table;

struct render_transfer {
    int npieces;
    transfer_piece *pieces;
    double first, per_bucket;         /* the buckets start at scalar `first` */
    int bucket[TRANSFER_BUCKETS + 1]; /* piece at the bucket's lower end */
    transfer_table table;
};

/* Local. Makes the table of a transfer function whose pieces are in place. Errors:
 * STATUS_MEMORY. */
status render_transfer_table_create(const render_transfer *transfer, transfer_table *out);
void render_transfer_table_destroy(transfer_table *table);

/* Parts of ways over which the scalar goes linearly from s0 to s1, in each lane. */
typedef struct transfer_ways {
    const float *s0, *s1;
    const float *from, *to; /* where the part begins and ends, 0 to 1 */
    const float *length;    /* of the part */
} transfer_ways;

/*
 * Integrates, exactly, the parts of those lanes whose bit is set in `lanes`
 * (render_transfer_integrate); the others are left alone. The arrays of ways, absorbed
 * and each of emitted: [>= highest lane + 1].
 */
void render_transfer_integrate_lanes(const render_transfer *transfer, unsigned lanes,
                                     const transfer_ways *ways, float *const emitted[3],
                                     float *absorbed);

#endif
