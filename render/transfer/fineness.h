/*
 * How fine the table of a transfer function is, and where its nodes lie. Private to the
 * files that make the table.
 */
#ifndef RENDER_TRANSFER_FINENESS_H
#define RENDER_TRANSFER_FINENESS_H

#include "table.h"

/* Extinction at scalar s, in a step of a piece. */
double transfer_piece_extinction(const transfer_piece *piece, int step, double s);

/* A channel of a piece's colour at scalar s. */
double transfer_piece_color(const transfer_piece *piece, int channel, double s);

/* How near a control point a node is put there; rounded: by how much the first node lies
 * before the first control point. */
double transfer_snap(double width, double rounded);

/* Where the nodes lie. */
typedef struct transfer_range {
    double first, range; /* the first node, and from there to the last */
    double rounded;      /* as in transfer_snap */
} transfer_range;

/* The least number of intervals that are straight nearly everywhere. Local. Errors:
 * STATUS_MEMORY. */
status transfer_count_intervals(const render_transfer *transfer, transfer_range range,
                                int *count);

#endif
