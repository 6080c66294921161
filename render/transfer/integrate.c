/* Integrates a transfer function along segments of a ray; prepare.c explains the pieces.
 * A segment, along which s is linear, is cut where it passes from piece to piece. Its
 * optical depth within a piece is
 *
 *     tau = length * (E(s1) - E(s0)) / (s1 - s0),
 *
 * exact for any length (Williams and Max 1992, Volume Density Optical Model; the prefix
 * integrals are the idea of pre-integration, Roettger, Kraus and Ertl 2000). Integration
 * by parts gives the colour that leaves the segment:
 *
 *     c0 (1 - exp(-tau)) + (c1 - c0) (J - exp(-tau)),
 *     J = integral over u in [0, 1] of exp(-tau(u)).
 *
 * Only J needs quadrature, and only if colour changes. */
#include "table.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Extinction (per unit of length) and its prefix integral at a scalar. */
typedef struct transfer_sample {
    double s, extinction, integral;
} transfer_sample;

/* Light that a ray has accumulated along a segment. */
typedef struct segment_sum {
    double rgb[3];
    double transmittance;
} segment_sum;

/* A part of a segment that lies in one piece. */
typedef struct segment_part {
    transfer_sample a, b; /* at its ends */
    double length;
} segment_part;

/* ---- The exponential function ------------------------------------------------------ */

/* exp(x) for |x| <= 1/16, to 6e-15: Taylor's series. */
static inline double exp_tiny(double x)
{
    double high = 1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040)));
    return 1.0 + x * (1.0 + x * (1.0 / 2 + x * (1.0 / 6 + x * high)));
}

/* exp(x) for |x| <= ln(2) / 2, to 3e-13. */
static inline double exp_small(double x)
{
    double top = 1.0 / 40320 + x * (1.0 / 362880 + x * (1.0 / 3628800));
    double high = 1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040 + x * top));
    return 1.0 + x * (1.0 + x * (1.0 / 2 + x * (1.0 / 6 + x * (1.0 / 24 + x * high))));
}

/* exp(-depth) to a relative error of 3e-13: 2^n exp(r), where n is whole and |r| is at
 * most ln(2) / 2. Unlike the C library it gives the same bits on all machines. Most
 * depths within a cell are so small that a few terms suffice. */
static inline double decay(double depth)
{
    const double per_octave = 1.44269504088896340736;      /* 1 / ln(2) */
    const double octave_high = 6.93147180369123816490e-01, /* ln(2) in two parts */
        octave_low = 1.90821492927058770002e-10;
    const double whole = 0x1.8p52; /* numbers this large have no digits after the point */
    if (fabs(depth) <= 1.0 / 16) {
        return exp_tiny(-depth);
    }
    double x = depth > 700.0 ? -700.0 : depth < -700.0 ? 700.0 : -depth;
    double n = (x * per_octave + whole) - whole;
    double r = (x - n * octave_high) - n * octave_low;
    uint64_t bits = (uint64_t)((int64_t)n + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power * exp_small(r);
}

/* ---- Parts of a segment ------------------------------------------------------------ */

static transfer_sample sample(const transfer_piece *piece, double s)
{
    if (piece->is_constant) {
        return (transfer_sample){s, piece->extinction, 0.0};
    }
    double x = (s - piece->s0) * piece->per_step;
    int i = x > 0.0 ? (int)x : 0;
    i = i < piece->steps ? i : piece->steps - 1;
    const double *knot = piece->table + 2 * i;
    double share = x - i;
    double extinction = knot[0] + share * (knot[2] - knot[0]);
    double integral = knot[1] + 0.5 * share * piece->step * (knot[0] + extinction);
    return (transfer_sample){s, extinction, integral};
}

static double optical_depth(const transfer_piece *piece, const segment_part *part)
{
    const transfer_sample *a = &part->a, *b = &part->b;
    double change = b->s - a->s;
    /* Over a tiny share of the piece, the difference of the integrals loses its digits,
     * and the extinction is linear anyway. */
    if (piece->is_constant || piece->steps == 1 ||
        fabs(change) < 1e-5 * (piece->s1 - piece->s0)) {
        return 0.5 * part->length * (a->extinction + b->extinction);
    }
    return part->length * (b->integral - a->integral) / change;
}

/* Whether the trapezoidal rule with end corrections gives the colour of a part to 2.5e-7.
 * The error in J is f''''/720 with f = exp(-tau(u)), and
 *
 *     f'''' = (t1^4 - 6 t1^2 t2 + 3 t2^2 + 4 t1 t3 - t4) f
 *
 * with the derivatives t1 … t4 of tau. t2 is the change of extinction. If alpha is
 * linear, t3 and t4 follow from the change y of ln(1 - alpha) as t2 y and 2 t2 y^2. */
static bool is_smooth(const transfer_piece *piece, const segment_part *part)
{
    const double most_error = 720 * 2.5e-7;
    double k0 = part->a.extinction, k1 = part->b.extinction;
    double length = fabs(part->length), change = fabs(k1 - k0);
    double t1 = length * (k0 > k1 ? k0 : k1), t2 = length * change;
    double y = change * piece->bend, square = t1 * t1 + 3.0 * t2;
    double color_change = piece->most_slope * fabs(part->b.s - part->a.s);
    return color_change * (square * square + t2 * y * (4.0 * t1 + 2.0 * y)) <= most_error;
}

/* J of a part that is smooth, or whose extinction is constant. */
static double mean_transmittance(const transfer_piece *piece, const segment_part *part,
                                 double tau, double through)
{
    if (piece->is_constant) {
        return fabs(tau) < 1e-4 ? 1.0 - tau * (0.5 - tau / 6.0) : (1.0 - through) / tau;
    }
    return 0.5 * (1.0 + through) +
           part->length / 12.0 * (part->b.extinction * through - part->a.extinction);
}

/* Adds a part with known J. */
static void add_smooth(const transfer_piece *piece, const segment_part *part, double tau,
                       segment_sum *sum)
{
    double through = decay(tau), mean = 0.0;
    bool is_colorful = piece->most_slope > 0.0;
    if (is_colorful) {
        mean = mean_transmittance(piece, part, tau, through);
    }
    for (int c = 0; c < 3; c++) {
        double emitted = piece->color0[c] * (1.0 - through);
        if (is_colorful) {
            double slope = piece->slope[c];
            emitted += slope * ((part->a.s - piece->s0) * (1.0 - through) +
                                (part->b.s - part->a.s) * (mean - through));
        }
        sum->rgb[c] += sum->transmittance * emitted;
    }
    sum->transmittance *= through;
}

/* Adds a part. Halves it until J is accurate, or until nothing shines through any
 * more. */
static void add_part(const transfer_piece *piece, const segment_part *part, int depth,
                     segment_sum *sum)
{
    const double least_transmittance = 1e-7; /* the rest behind is invisible */
    const double most_growth = 1e7;          /* for negative lengths, which take back
                                                all */
    enum { MOST_HALVINGS = 24 };
    double tau = optical_depth(piece, part);
    if (piece->is_constant || depth == MOST_HALVINGS || is_smooth(piece, part)) {
        add_smooth(piece, part, tau, sum);
        return;
    }
    if (sum->transmittance < least_transmittance || sum->transmittance > most_growth) {
        sum->transmittance *= decay(tau);
        return;
    }
    transfer_sample middle = sample(piece, 0.5 * (part->a.s + part->b.s));
    segment_part half = {part->a, middle, 0.5 * part->length};
    add_part(piece, &half, depth + 1, sum);
    half.a = middle;
    half.b = part->b;
    add_part(piece, &half, depth + 1, sum);
}

/* ---- Segments ---------------------------------------------------------------------- */

static bool piece_holds(const transfer_piece *piece, double s)
{
    return s >= piece->s0 && s < piece->s1;
}

/* Piece of a scalar; a boundary belongs to the piece above. */
static const transfer_piece *find_piece(const render_transfer *transfer, double s)
{
    double x = (s - transfer->first) * transfer->per_bucket;
    int b = x > 0.0 ? (x < TRANSFER_BUCKETS ? (int)x : TRANSFER_BUCKETS) : 0;
    const transfer_piece *piece = &transfer->pieces[transfer->bucket[b]];
    while (s >= piece->s1) {
        piece++;
    }
    while (s < piece->s0) {
        piece--;
    }
    return piece;
}

bool render_transfer_is_clear(const render_transfer *transfer, double lo, double hi)
{
    const transfer_piece *piece = find_piece(transfer, lo);
    while (piece->is_clear && hi >= piece->s1) {
        piece++;
    }
    return piece->is_clear;
}

static void add_in_piece(const transfer_piece *piece, const segment_part *part,
                         segment_sum *sum)
{
    if (!piece->is_clear && part->length != 0.0) {
        add_part(piece, part, 0, sum);
    }
}

/* Turns infinite values into values so large that their differences are still finite. */
static double make_finite(double s)
{
    return fmin(fmax(s, -0.25 * DBL_MAX), 0.25 * DBL_MAX);
}

void render_transfer_integrate(const render_transfer *transfer, double s0, double s1,
                               double length, double rgb[3], double *transmittance)
{
    if (!isfinite(s0 - s1)) {
        s0 = make_finite(s0);
        s1 = make_finite(s1);
    }
    const transfer_piece *piece = find_piece(transfer, s0);
    segment_part part = {.a = sample(piece, s0), .length = length};
    segment_sum sum = {.transmittance = 1.0};
    double per_change = piece_holds(piece, s1) ? 0.0 : length / (s1 - s0);
    while (!piece_holds(piece, s1)) {
        part.b = sample(piece, s1 > s0 ? piece->s1 : piece->s0);
        part.length = per_change * (part.b.s - part.a.s);
        add_in_piece(piece, &part, &sum);
        piece += s1 > s0 ? 1 : -1;
        part.a = sample(piece, part.b.s);
        part.length = per_change * (s1 - part.a.s);
    }
    part.b = sample(piece, s1);
    add_in_piece(piece, &part, &sum);
    memcpy(rgb, sum.rgb, sizeof sum.rgb);
    *transmittance = sum.transmittance;
}

/* The scalar at a share of a way, with more digits than float32 has. Two parts meet at a
 * cut, and on a steep flank the last digit is visible. */
static double scalar_along(const transfer_ways *ways, int n, float share)
{
    const double s0 = (double)ways->s0[n], s1 = (double)ways->s1[n];
    return share == 1.0f ? s1 : s0 + (double)share * (s1 - s0);
}

void render_transfer_integrate_lanes(const render_transfer *transfer, unsigned lanes,
                                     const transfer_ways *ways, float *const emitted[3],
                                     float *absorbed)
{
    for (int n = 0; lanes >> n != 0; n++) {
        if ((lanes >> n & 1) != 0) {
            double rgb[3], through;
            render_transfer_integrate(transfer, scalar_along(ways, n, ways->from[n]),
                                      scalar_along(ways, n, ways->to[n]),
                                      (double)ways->length[n], rgb, &through);
            for (int c = 0; c < 3; c++) {
                emitted[c][n] = (float)rgb[c];
            }
            absorbed[n] = (float)(1.0 - through);
        }
    }
}

void render_transfer_evaluate(const render_transfer *transfer, double scalar,
                              double rgb[3], double *extinction)
{
    scalar = make_finite(scalar);
    const transfer_piece *piece = find_piece(transfer, scalar);
    for (int c = 0; c < 3; c++) {
        /* An outer piece has an infinite end but a slope of exactly zero. */
        double slope = piece->slope[c];
        rgb[c] = piece->color0[c] + (slope == 0.0 ? 0.0 : slope * (scalar - piece->s0));
    }
    *extinction = sample(piece, scalar).extinction;
}
