#include "fineness.h"

#include <math.h>
#include <stdlib.h>

/* For smooth functions half as many nodes would do. Twice as many would not fit into the
 * second-level cache. */
enum { LEAST_INTERVALS = 512, MOST_INTERVALS = 2048 };

/* A node that rounding has moved away from a control point by up to this share of an
 * interval is put back on it. Scalars between such nodes are looked up with the same
 * displacement. Next to a spike this is visible: 1e-3 of an interval changed opacity by
 * 1e-4. The first node is rounded to float32, like scalars. If this rounding is larger,
 * it is the limit instead, up to MOST_SNAP. */
static const double SNAP = 2e-5, MOST_SNAP = 1e-3;

double transfer_piece_extinction(const transfer_piece *piece, int step, double s)
{
    if (piece->is_constant) {
        return piece->extinction;
    }
    const double *knot = piece->table + 2 * step;
    double share = (s - piece->s0) * piece->per_step - step;
    return knot[0] + share * (knot[2] - knot[0]);
}

double transfer_piece_color(const transfer_piece *piece, int channel, double s)
{
    double slope = piece->slope[channel];
    return piece->color0[channel] + (slope == 0.0 ? 0.0 : slope * (s - piece->s0));
}

/* Change of extinction per scalar in a piece's first or last step. */
static double extinction_slope(const transfer_piece *piece, bool is_last)
{
    if (piece->is_constant) {
        return 0.0;
    }
    const double *knot = piece->table + (is_last ? 2 * (piece->steps - 1) : 0);
    return (knot[2] - knot[0]) * piece->per_step;
}

static double most_extinction(const render_transfer *transfer)
{
    double most = 0.0;
    for (int i = 0; i < transfer->npieces; i++) {
        const transfer_piece *piece = &transfer->pieces[i];
        bool is_constant = piece->is_constant;
        double first = is_constant ? piece->extinction : piece->table[0];
        double last = is_constant ? first : piece->table[2 * piece->steps];
        most = fmax(most, fmax(first, last));
    }
    return most;
}

/* Change of slope of colour and of extinction (relative to `most`) at the control
 * position between a piece and the next one, over the whole range. Infinite if either
 * jumps. */
static double control_bend(const transfer_piece *below, double range, double most)
{
    const transfer_piece *above = below + 1;
    double s = above->s0, bend = 0.0, jump = 0.0;
    for (int c = 0; c < 3; c++) {
        bend = fmax(bend, range * fabs(above->slope[c] - below->slope[c]));
        jump = fmax(jump, fabs(transfer_piece_color(above, c, s) -
                               transfer_piece_color(below, c, s)));
    }
    if (most > 0.0) {
        double slope = extinction_slope(above, false) - extinction_slope(below, true);
        double k0 = transfer_piece_extinction(below, below->steps - 1, s);
        double k1 = transfer_piece_extinction(above, 0, s);
        bend = fmax(bend, range * fabs(slope) / most);
        jump = fmax(jump, fabs(k1 - k0) / most);
    }
    return jump > 1e-9 ? INFINITY : bend;
}

double render_transfer_sharpness(const render_transfer *transfer)
{
    const int last = transfer->npieces - 1;
    const double range = transfer->pieces[last].s0 - transfer->pieces[0].s1;
    double most = 0.0;
    for (int i = 0; i < last; i++) {
        most = fmax(most,
                    control_bend(&transfer->pieces[i], range, most_extinction(transfer)));
    }
    return most;
}

/* Largest error of a straight line over an interval of this width in a piece with linear
 * alpha. The second derivative of extinction is there the square of the first one, times
 * unit_length. */
static double curvature_misfit(const transfer_piece *piece, double width)
{
    double slope =
        fmax(fabs(extinction_slope(piece, false)), fabs(extinction_slope(piece, true)));
    return slope * slope * piece->bend * width * width / 8.0;
}

double transfer_snap(double width, double rounded)
{
    return fmin(SNAP * width + rounded, MOST_SNAP * width);
}

/* Input for the choice of the number of intervals. */
typedef struct fineness {
    const render_transfer *transfer;
    transfer_range nodes;
    double most;  /* extinction */
    double *bend; /* [npieces - 1]: from control_bend */
} fineness;

/* The share of scalars in intervals where the function is not straight: it is curved
 * there, or bends or jumps at a control point between two nodes. Departures too small to
 * be visible count less. */
static double crooked_share(const fineness *of, int count)
{
    const double visible = 1e-4, weight_of_jump = 8.0;
    double width = of->nodes.range / count, sum = 0.0;
    double near = transfer_snap(width, of->nodes.rounded) / width - 0.5 * SNAP;
    for (int i = 0; i + 1 < of->transfer->npieces; i++) {
        const transfer_piece *piece = &of->transfer->pieces[i];
        double x = (piece->s1 - of->nodes.first) / width;
        if (fabs(x - floor(x + 0.5)) > near) {
            double misfit = of->bend[i] / (8.0 * count);
            sum += isinf(misfit) ? weight_of_jump : fmin(1.0, misfit / visible);
        }
        if (!piece->is_constant && piece->bend > 0.0) {
            double misfit = curvature_misfit(piece, width) / of->most;
            sum += (piece->s1 - piece->s0) / width * fmin(1.0, misfit / visible);
        }
    }
    return sum / count;
}

/* The smallest number of intervals that are straight nearly everywhere. */
static int choose_count(const fineness *of)
{
    const double enough = 0.004;
    int best = LEAST_INTERVALS;
    double least = INFINITY;
    for (int count = LEAST_INTERVALS; count <= MOST_INTERVALS && least > enough;
         count++) {
        double share = crooked_share(of, count);
        if (share < least) {
            least = share;
            best = count;
        }
    }
    return best;
}

status transfer_count_intervals(const render_transfer *transfer, transfer_range range,
                                int *count)
{
    size_t bytes = (size_t)transfer->npieces * sizeof(double);
    fineness of = {.transfer = transfer,
                   .nodes = range,
                   .most = most_extinction(transfer),
                   .bend = malloc(bytes)};
    if (!of.bend) {
        return base_fail_memory(bytes, "a transfer function");
    }
    for (int i = 0; i + 1 < transfer->npieces; i++) {
        of.bend[i] = control_bend(&transfer->pieces[i], range.range, of.most);
    }
    *count = choose_count(&of);
    free(of.bend);
    return STATUS_OK;
}
