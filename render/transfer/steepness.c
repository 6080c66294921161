/* How steep a transfer function is between any two shares of its range. */
#include "fineness.h"

#include <math.h>

enum { SLOPES = 4 }; /* of extinction, and of colour * extinction */

/* The slopes in a row, per half interval. */
static void slopes_of(const transfer_row *row, double out[SLOPES])
{
    out[3] = (double)row->extinction_slope;
    for (int c = 0; c < 3; c++) {
        out[c] = (double)row->color[c] * (double)row->extinction_slope +
                 (double)row->color_slope[c] * (double)row->extinction;
    }
}

/* The jumps from the row below a node to that above it, as slopes across half an
 * interval. */
static void jumps_of(const transfer_row *below, double out[SLOPES])
{
    const transfer_row *above = below + 1;
    out[3] = (double)above->extinction - (double)below->extinction;
    for (int c = 0; c < 3; c++) {
        out[c] = (double)above->color[c] * (double)above->extinction -
                 (double)below->color[c] * (double)below->extinction;
    }
}

/* The least and the largest slopes in a share. */
typedef struct share_slopes {
    double least[SLOPES], most[SLOPES];
    bool is_known;
} share_slopes;

static void add_slopes(const double slope[SLOPES], share_slopes *to)
{
    for (int n = 0; n < SLOPES; n++) {
        to->least[n] = to->is_known ? fmin(to->least[n], slope[n]) : slope[n];
        to->most[n] = to->is_known ? fmax(to->most[n], slope[n]) : slope[n];
    }
    to->is_known = true;
}

/* Adds the slopes of a row, and of the jump below it, to the shares of both of its ends.
 */
static void add_row(const transfer_table *table, int row, share_slopes *shares)
{
    double slope[2][SLOPES];
    slopes_of(&table->rows[row], slope[0]);
    jumps_of(&table->rows[row % 2 ? row - 1 : row], slope[1]);
    const int first = (int)((float)(row - 1) * table->per_share),
              last = (int)((float)row * table->per_share);
    for (int n = first; n <= last && n < TRANSFER_SHARES; n++) {
        add_slopes(slope[0], &shares[n]);
        add_slopes(slope[1], &shares[n]);
    }
}

void transfer_find_steepness(transfer_table *table)
{
    const double finite = 1e30, per_slope = 0.25 * (double)table->per_scalar *
                                            (double)table->unit / TRANSFER_LEAST_BEND;
    share_slopes shares[TRANSFER_SHARES] = {0};
    table->per_share = (float)TRANSFER_SHARES / table->count;
    for (int row = 1; row <= (int)table->count; row++) {
        add_row(table, row, shares);
    }
    for (int from = 0; from < TRANSFER_SHARES; from++) {
        share_slopes all = shares[from];
        for (int to = from; to < TRANSFER_SHARES; to++) {
            double steepest = 0.0, kink = 0.0;
            if (shares[to].is_known) {
                add_slopes(shares[to].least, &all);
                add_slopes(shares[to].most, &all);
            }
            for (int n = 0; n < SLOPES; n++) {
                steepest = fmax(steepest, fmax(fabs(all.least[n]), fabs(all.most[n])));
                kink = fmax(kink, all.most[n] - all.least[n]);
            }
            table->steepness[from][to] = (float)fmin(steepest * per_slope, finite);
            table->kink[from][to] = (float)fmin(kink * per_slope, finite);
        }
    }
}
