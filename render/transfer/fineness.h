/* The fineness of a transfer function's table, and the places of its nodes. Private to
 * the files that make the table. */
#ifndef RENDER_TRANSFER_FINENESS_H
#define RENDER_TRANSFER_FINENESS_H

#include "table.h"

/* Extinction at scalar s, in a step of a piece. */
double transfer_piece_extinction(const transfer_piece *piece, int step, double s);

/* A channel of a piece's colour at scalar s. */
double transfer_piece_color(const transfer_piece *piece, int channel, double s);

/* The distance to a control point up to which a node is put on it. rounded: distance from
 * the first node up to the first control point. */
double transfer_snap(double width, double rounded);

/* The places of the nodes. */
typedef struct transfer_range {
    double first, range; /* scalar of the first node; distance from there to the last */
    double rounded;      /* as in transfer_snap */
} transfer_range;

/* Finds the smallest number of intervals that are straight nearly everywhere. Local.
 * Errors: STATUS_MEMORY. */
status transfer_count_intervals(const render_transfer *transfer, transfer_range range,
                                int *count);

#endif
