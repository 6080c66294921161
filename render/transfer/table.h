/* A prepared transfer function: its exact pieces, and the table in which many rays at a
 * time look up their scalars (render/transfer/lookup.h). */
#ifndef RENDER_TRANSFER_TABLE_H
#define RENDER_TRANSFER_TABLE_H

#include "transfer.h"

#include <stdint.h>

/* Scalars off by less than this over the largest slope of a transfer function and over
 * the length of a way need not be right (render/cells/bend_lanes.h): a
 * quarter of a count of 255. */
#define TRANSFER_LEAST_BEND 1e-3

enum { TRANSFER_SHARES = 32 }; /* equal shares of the range of scalars */

enum { TRANSFER_BUCKETS = 512 }; /* they speed up the search for a scalar's piece */

/* The part of a transfer function between two neighbouring control positions. */
typedef struct transfer_piece {
    double s0, s1;         /* scalars, infinite at the outer ends of the outer pieces */
    double color0[3];      /* at s0 */
    double slope[3];       /* of colour, per unit of s */
    double most_slope;     /* the largest magnitude among them */
    double extinction;     /* if constant */
    bool is_constant;      /* extinction does not change */
    bool is_clear;         /* extinction is zero */
    double bend;           /* unit_length if alpha is linear; 0 if extinction is linear */
    double step, per_step; /* width of a step of the table and 1 / width */
    int steps;             /* of the table: 1 if extinction is linear */
    double *table; /* [steps + 1][2]: extinction and prefix integral at the steps */
} transfer_piece;

/* The range of scalars is cut into intervals of equal width. Within an interval
 * extinction and colour are linear; the integrals between nodes are exact. An interval
 * has two rows, one for each half. Each half counts everything from the node at its own
 * end:
 *
 *     node n       row 2n + 1        |        row 2n + 2       node n + 1
 *       o----------------------------+----------------------------o
 *       -> g from 0 to 1                      g from -1 to 0 <-
 *
 * The integral from one scalar to another is the difference of the integrals up to their
 * nodes plus the difference of the rests. Two close scalars on either side of a node
 * refer to the same node, so that no digits are lost in a difference of large numbers.
 *
 * One row lies below the range and one above. Units: g counts half intervals; integrals
 * are whole multiples of table->unit times the width of half an interval. */
typedef struct transfer_row {
    float extinction, extinction_slope; /* at the node, and per unit of g */
    float bends;          /* sum up to here of the departures of extinction from straight
                             lines; see transfer_lanes_doubt */
    int32_t integral[4];  /* up to the node: of extinction, and of colour * extinction */
    float color_bends;    /* as `bends`, of colour */
    float color[3];       /* at the node */
    float misfit;         /* largest error of extinction, and of colour * extinction */
    float color_slope[3]; /* per unit of g */
    float unused;
} transfer_row;

typedef struct transfer_table {
    transfer_row *rows;      /* [count + 2], each a cache line */
    double (*moments)[4];    /* [count / 2 + 1][red, green, blue, 0], at nodes: the
                                prefix integrals of depth times colour * extinction;
                                depth is the prefix integral of extinction */
    float first, per_scalar; /* the place of s is (s / 4 - first) * per_scalar, in half
                                intervals from the first node. Differences of quarters are
                                never infinite */
    float count;             /* of half intervals */
    float unit;              /* extinction in the grid's units is that of the rows times
                                unit */
    float per_share;         /* shares of the range in half an interval */
    float steepness[TRANSFER_SHARES]
                   [TRANSFER_SHARES]; /* [from][to], shares of the range:
       the largest slope in them of extinction, or of colour * extinction,
       per scalar, in the grid's units, over TRANSFER_LEAST_BEND */
    float most_extinction;            /* in the grid's units, over TRANSFER_LEAST_BEND */
    float clear[2][2]; /* from, to: the two widest ranges that are clear (fully
                          transparent) */
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

/* In each lane a part of a way along which the scalar is linear from s0 to s1. */
typedef struct transfer_ways {
    const float *s0, *s1;
    const float *from, *to; /* beginning and end of the part on the way, 0 to 1 */
    const float *length;    /* of the part */
} transfer_ways;

/* Integrates exactly (render_transfer_integrate) the parts in the lanes whose bit is set
 * in `lanes`. Other lanes do not change. The arrays of ways, absorbed and each of
 * emitted: [>= highest lane + 1]. */
void render_transfer_integrate_lanes(const render_transfer *transfer, unsigned lanes,
                                     const transfer_ways *ways, float *const emitted[3],
                                     float *absorbed);

#endif
