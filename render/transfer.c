/*
 * A transfer function is cut into pieces at every control point of colour and opacity.
 * Within a piece colour is linear in the scalar s and the extinction k(s) is smooth, with
 * the prefix integral E(s) = integral of k from the piece's lower end. A segment of a ray
 * along which s is linear is cut where it passes from piece to piece; its optical depth
 * within a piece is
 *
 *     tau = length * (E(s1) - E(s0)) / (s1 - s0),
 *
 * exact whatever the length (Williams and Max 1992, Volume Density Optical Model; the
 * prefix integrals are the idea of pre-integration, Roettger, Kraus and Ertl 2000).
 * Integrating by parts, the colour that leaves the segment is
 *
 *     c0 - c1 exp(-tau) + (c1 - c0) J,    J = integral over u in [0, 1] of exp(-tau(u)),
 *
 * where only J needs quadrature, and only where colour changes.
 */
#include "render/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 512, /* of the search for a scalar's piece */
    MOST_STEPS =
        4096 /* of a piece's table; steeper pieces are evaluated in closed form */
};

/* Largest alpha: extinction stays finite. */
static const double ALPHA_CAP = 0.9999;

typedef struct transfer_piece {
    double s0, s1;         /* scalars, infinite at the outer ends of the outer pieces */
    double color0[3];      /* at s0 */
    double slope[3];       /* of colour, per unit of s */
    double alpha0, dalpha; /* alpha at s0 and its slope, where the table is not used */
    double extinction;     /* everywhere, where it is constant */
    bool is_constant;      /* extinction does not change */
    bool is_clear;         /* extinction is zero */
    double step, per_step; /* width of a step of the table and 1 / width */
    int steps;             /* 0: closed form */
    double *table; /* [steps + 1][2]: extinction and prefix integral at the steps */
} transfer_piece;

struct render_transfer {
    double unit_length;
    int npieces;
    transfer_piece *pieces;
    double first, per_bucket; /* the buckets start at scalar `first` */
    int bucket[BUCKETS + 1];  /* piece at the bucket's lower end */
};

/* The control points in scalars rather than in fractions of the range. */
typedef struct control_points {
    int ncolors, nopacities;
    double (*colors)[4];
    double (*opacities)[2];
} control_points;

/* Extinction (per unit of length) and its prefix integral at a scalar. */
typedef struct transfer_sample {
    double s, extinction, integral;
} transfer_sample;

/* What a ray has gathered on its way through a segment. */
typedef struct segment_sum {
    double rgb[3];
    double transmittance;
} segment_sum;

/* ---- Checking -------------------------------------------------------------------------
 */

static status check_position(const char *what, int i, double position, double before)
{
    if (!isfinite(position)) {
        return base_fail(STATUS_USAGE, "%s: point %d has a position that is not a number",
                         what, i);
    }
    if (i > 0 && position < before) {
        return base_fail(STATUS_USAGE, "%s: positions must ascend, but %g follows %g",
                         what, position, before);
    }
    return STATUS_OK;
}

static status check_opacities(const render_transfer_points *points)
{
    const char *what = points->opacities_are_extinction ? "extinction" : "opacity";
    double most = points->opacities_are_extinction ? INFINITY : 1.0;
    for (int i = 0; i < points->nopacities; i++) {
        const double *point = points->opacities[i];
        status s = check_position(what, i, point[0], i ? point[-2] : 0.0);
        if (s != STATUS_OK) {
            return s;
        }
        if (!(point[1] >= 0.0 && point[1] <= most && isfinite(point[1]))) {
            return base_fail(STATUS_USAGE, "%s: point %d has the value %g: it must be %s",
                             what, i, point[1],
                             points->opacities_are_extinction ? "0 or more" : "0 to 1");
        }
    }
    return STATUS_OK;
}

static status check_points(const render_transfer_points *points)
{
    if (points->ncolors < 1 || points->nopacities < 1) {
        return base_fail(STATUS_USAGE,
                         "a transfer function needs at least one point of colour "
                         "and one of opacity");
    }
    if (!points->positions_are_data && !(points->range[0] < points->range[1])) {
        return base_fail(STATUS_USAGE,
                         "range [%g, %g]: the first value must be below the second",
                         points->range[0], points->range[1]);
    }
    if (!(points->unit_length > 0.0 && isfinite(points->unit_length))) {
        return base_fail(STATUS_USAGE, "unit_length is %g: it must be positive",
                         points->unit_length);
    }
    for (int i = 0; i < points->ncolors; i++) {
        const double *point = points->colors[i];
        status s = check_position("colors", i, point[0], i ? point[-4] : 0.0);
        if (s != STATUS_OK) {
            return s;
        }
    }
    return check_opacities(points);
}

/* ---- Control points in scalars --------------------------------------------------------
 */

static double to_scalar(const render_transfer_points *points, double position)
{
    if (points->positions_are_data) {
        return position;
    }
    return points->range[0] + position * (points->range[1] - points->range[0]);
}

/* Copies the opacity points; where alpha passes the cap between two points, a point is
 * put, so that alpha is cut off there rather than bent in between. */
static void copy_opacities(const render_transfer_points *points, control_points *out)
{
    double cap = points->opacities_are_extinction ? INFINITY : ALPHA_CAP;
    for (int i = 0; i < points->nopacities; i++) {
        double position = to_scalar(points, points->opacities[i][0]);
        double value = points->opacities[i][1];
        if (i > 0) {
            double before = to_scalar(points, points->opacities[i - 1][0]);
            double value_before = points->opacities[i - 1][1];
            if ((value > cap) != (value_before > cap)) {
                double share = (cap - value_before) / (value - value_before);
                double *point = out->opacities[out->nopacities++];
                point[0] = before + share * (position - before);
                point[1] = cap;
            }
        }
        double *point = out->opacities[out->nopacities++];
        point[0] = position;
        point[1] = fmin(value, cap);
    }
}

static status copy_points(const render_transfer_points *points, control_points *out)
{
    size_t ncolors = (size_t)points->ncolors, nopacities = 2 * (size_t)points->nopacities;
    *out = (control_points){.colors = malloc(ncolors * sizeof *out->colors),
                            .opacities = malloc(nopacities * sizeof *out->opacities)};
    if (!out->colors || !out->opacities) {
        return base_fail_memory(ncolors * sizeof *out->colors, "a transfer function");
    }
    memcpy(out->colors, points->colors, ncolors * sizeof *out->colors);
    out->ncolors = points->ncolors;
    for (int i = 0; i < out->ncolors; i++) {
        out->colors[i][0] = to_scalar(points, out->colors[i][0]);
    }
    copy_opacities(points, out);
    return STATUS_OK;
}

/* Value in column `column` of a list of control points ([count][width], position first)
 * at s; at a step, its limit from above or from below. */
static double list_value(int count, int width, const double *list, int column, double s,
                         bool from_above)
{
    int next = 0;
    while (next < count &&
           (from_above ? list[next * width] <= s : list[next * width] < s)) {
        next++;
    }
    if (next == 0) {
        return list[column];
    }
    const double *lo = list + (next - 1) * width;
    if (next == count || lo[0] == list[next * width]) {
        return lo[column];
    }
    const double *hi = list + next * width;
    return lo[column] + (hi[column] - lo[column]) * ((s - lo[0]) / (hi[0] - lo[0]));
}

/* ---- Pieces ---------------------------------------------------------------------------
 */

/* Integral of -ln(1 - a) over a from 0. */
static double log_integral(double a)
{
    return (1.0 - a) * log1p(-a) + a;
}

/* Extinction and prefix integral in closed form, for alpha linear in s. */
static transfer_sample sample_closed(const transfer_piece *piece, double unit_length,
                                     double s)
{
    double alpha = piece->alpha0 + piece->dalpha * (s - piece->s0);
    double integral = (log_integral(alpha) - log_integral(piece->alpha0)) /
                      (piece->dalpha * unit_length);
    return (transfer_sample){s, -log1p(-alpha) / unit_length, integral};
}

static transfer_sample sample(const render_transfer *transfer,
                              const transfer_piece *piece, double s)
{
    if (piece->steps == 0) {
        return sample_closed(piece, transfer->unit_length, s);
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

/* Extinction given by its end values: one step of the table is exact. */
static status make_linear(transfer_piece *piece, double extinction0, double extinction1)
{
    piece->steps = 1;
    piece->table = malloc(4 * sizeof *piece->table);
    if (!piece->table) {
        return base_fail_memory(4 * sizeof *piece->table, "a transfer function");
    }
    piece->table[0] = extinction0;
    piece->table[1] = 0.0;
    piece->table[2] = extinction1;
    piece->table[3] = 0.5 * (extinction0 + extinction1) * (piece->s1 - piece->s0);
    return STATUS_OK;
}

/* Alpha given by its end values: steps so small that extinction is linear to 1e-6. */
static status make_logarithmic(transfer_piece *piece, double unit_length, double alpha0,
                               double alpha1)
{
    const double most_change = 0.003; /* of ln(1 - alpha) in a step */
    piece->alpha0 = alpha0;
    piece->dalpha = (alpha1 - alpha0) / (piece->s1 - piece->s0);
    double steps =
        ceil(fabs(alpha1 - alpha0) / ((1.0 - fmax(alpha0, alpha1)) * most_change));
    if (steps > MOST_STEPS) {
        return STATUS_OK;
    }
    piece->table = malloc(2 * ((size_t)steps + 1) * sizeof *piece->table);
    if (!piece->table) {
        return base_fail_memory(2 * ((size_t)steps + 1) * sizeof *piece->table,
                                "a transfer function");
    }
    /* The integral is that of the table's own straight lines: it has no jumps at the
     * knots, so that differences over any distance are right. */
    double width = (piece->s1 - piece->s0) / steps, integral = 0.0;
    for (int i = 0; i <= (int)steps; i++) {
        double *knot = piece->table + 2 * i;
        knot[0] = sample_closed(piece, unit_length, piece->s0 + i * width).extinction;
        integral += i > 0 ? 0.5 * width * (knot[-2] + knot[0]) : 0.0;
        knot[1] = integral;
    }
    piece->steps = (int)steps;
    return STATUS_OK;
}

static void set_constant(transfer_piece *piece, double extinction)
{
    piece->is_constant = true;
    piece->extinction = extinction;
    piece->is_clear = extinction == 0.0;
}

static double to_extinction(const render_transfer_points *points, double value)
{
    double per_unit = points->opacities_are_extinction ? value : -log1p(-value);
    return per_unit / points->unit_length;
}

/* The piece between the neighbouring control positions s0 < s1. */
static status make_piece(const render_transfer_points *points,
                         const control_points *controls, double s0, double s1,
                         transfer_piece *piece)
{
    *piece = (transfer_piece){.s0 = s0, .s1 = s1};
    const double *colors = controls->colors[0], *opacities = controls->opacities[0];
    for (int c = 0; c < 3; c++) {
        double lo = list_value(controls->ncolors, 4, colors, c + 1, s0, true);
        double hi = list_value(controls->ncolors, 4, colors, c + 1, s1, false);
        piece->color0[c] = lo;
        piece->slope[c] = (hi - lo) / (s1 - s0);
    }
    double lo = list_value(controls->nopacities, 2, opacities, 1, s0, true);
    double hi = list_value(controls->nopacities, 2, opacities, 1, s1, false);
    if (lo == hi) {
        set_constant(piece, to_extinction(points, lo));
        return STATUS_OK;
    }
    status s =
        points->opacities_are_extinction
            ? make_linear(piece, to_extinction(points, lo), to_extinction(points, hi))
            : make_logarithmic(piece, points->unit_length, lo, hi);
    if (piece->steps > 0) {
        piece->step = (s1 - s0) / piece->steps;
        piece->per_step = piece->steps / (s1 - s0);
    }
    return s;
}

/* What lies below the first and above the last control position. */
static transfer_piece make_outer(const render_transfer_points *points,
                                 const control_points *controls, double s0, double s1)
{
    transfer_piece piece = {.s0 = s0, .s1 = s1};
    bool below = isinf(s0);
    const double *color = controls->colors[below ? 0 : controls->ncolors - 1];
    memcpy(piece.color0, color + 1, sizeof piece.color0);
    double value = controls->opacities[below ? 0 : controls->nopacities - 1][1];
    set_constant(&piece, to_extinction(points, value));
    return piece;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The distinct positions of all control points, ascending; returns how many. */
static int collect_positions(const control_points *controls, double *positions)
{
    int count = 0;
    for (int i = 0; i < controls->ncolors; i++) {
        positions[count++] = controls->colors[i][0];
    }
    for (int i = 0; i < controls->nopacities; i++) {
        positions[count++] = controls->opacities[i][0];
    }
    qsort(positions, (size_t)count, sizeof *positions, compare_doubles);
    int distinct = 1;
    for (int i = 1; i < count; i++) {
        if (positions[i] != positions[distinct - 1]) {
            positions[distinct++] = positions[i];
        }
    }
    return distinct;
}

static status make_pieces(const render_transfer_points *points,
                          const control_points *controls, const double *positions,
                          int count, render_transfer *transfer)
{
    transfer->pieces = calloc((size_t)count + 1, sizeof *transfer->pieces);
    if (!transfer->pieces) {
        return base_fail_memory(((size_t)count + 1) * sizeof *transfer->pieces,
                                "a transfer function");
    }
    transfer->npieces = count + 1;
    transfer->pieces[0] = make_outer(points, controls, -INFINITY, positions[0]);
    transfer->pieces[count] =
        make_outer(points, controls, positions[count - 1], INFINITY);
    status s = STATUS_OK;
    for (int i = 1; i < count && s == STATUS_OK; i++) {
        s = make_piece(points, controls, positions[i - 1], positions[i],
                       &transfer->pieces[i]);
    }
    return s;
}

/* Piece of a scalar; a boundary belongs to the piece above. */
static int find_piece(const render_transfer *transfer, double s)
{
    double x = (s - transfer->first) * transfer->per_bucket;
    int b = x > 0.0 ? (x < BUCKETS ? (int)x : BUCKETS) : 0;
    int p = transfer->bucket[b];
    while (s >= transfer->pieces[p].s1) {
        p++;
    }
    while (s < transfer->pieces[p].s0) {
        p--;
    }
    return p;
}

static void fill_buckets(render_transfer *transfer)
{
    double first = transfer->pieces[0].s1;
    double last = transfer->pieces[transfer->npieces - 1].s0;
    transfer->first = first;
    transfer->per_bucket = last > first ? BUCKETS / (last - first) : 0.0;
    int p = 0;
    for (int b = 0; b <= BUCKETS; b++) {
        double lower = first + b * ((last - first) / BUCKETS);
        while (lower >= transfer->pieces[p].s1) {
            p++;
        }
        transfer->bucket[b] = p;
    }
}

status render_transfer_create(const render_transfer_points *points, render_transfer **out)
{
    status s = check_points(points);
    if (s != STATUS_OK) {
        return s;
    }
    control_points controls = {0};
    render_transfer *transfer = calloc(1, sizeof *transfer);
    s = copy_points(points, &controls);
    double *positions =
        malloc((size_t)(controls.ncolors + controls.nopacities + 1) * sizeof *positions);
    if (s == STATUS_OK && (!transfer || !positions)) {
        s = base_fail_memory(sizeof *transfer, "a transfer function");
    }
    if (s == STATUS_OK) {
        transfer->unit_length = points->unit_length;
        int count = collect_positions(&controls, positions);
        s = make_pieces(points, &controls, positions, count, transfer);
    }
    free(positions);
    free(controls.colors);
    free(controls.opacities);
    if (s != STATUS_OK) {
        render_transfer_destroy(&transfer);
        return s;
    }
    fill_buckets(transfer);
    *out = transfer;
    return STATUS_OK;
}

void render_transfer_destroy(render_transfer **transfer)
{
    if (!*transfer) {
        return;
    }
    for (int i = 0; i < (*transfer)->npieces; i++) {
        free((*transfer)->pieces[i].table);
    }
    free((*transfer)->pieces);
    free(*transfer);
    *transfer = NULL;
}

/* ---- Integration ----------------------------------------------------------------------
 */

static double piece_color(const transfer_piece *piece, int channel, double s)
{
    /* An outer piece has an infinite end but a slope of exactly zero. */
    double slope = piece->slope[channel];
    return slope == 0.0 ? piece->color0[channel]
                        : piece->color0[channel] + slope * (s - piece->s0);
}

void render_transfer_evaluate(const render_transfer *transfer, double scalar,
                              double rgb[3], double *extinction)
{
    const transfer_piece *piece = &transfer->pieces[find_piece(transfer, scalar)];
    for (int c = 0; c < 3; c++) {
        rgb[c] = piece_color(piece, c, scalar);
    }
    *extinction = piece->is_constant ? piece->extinction
                                     : sample(transfer, piece, scalar).extinction;
}

/* Adds a part of a segment with optical depth tau, colours c0 to c1 at its ends, and
 * J = integral of exp(-tau(u)). */
static void add_part(segment_sum *sum, const double c0[3], const double c1[3], double tau,
                     double j)
{
    double through = exp(-tau);
    for (int c = 0; c < 3; c++) {
        double emitted = c0[c] - c1[c] * through + (c1[c] - c0[c]) * j;
        sum->rgb[c] += sum->transmittance * emitted;
    }
    sum->transmittance *= through;
}

/* Optical depth of a part of this length between two samples of one piece. */
static double optical_depth(const transfer_piece *piece, transfer_sample a,
                            transfer_sample b, double length)
{
    double change = b.s - a.s;
    /* Over a sliver of the piece the difference of the integrals loses its digits, and
     * the extinction is linear anyway. */
    if (fabs(change) < 1e-5 * (piece->s1 - piece->s0)) {
        return 0.5 * length * (a.extinction + b.extinction);
    }
    return length * (b.integral - a.integral) / change;
}

/* J of a part whose optical depth is tau in all and tau_half up to its middle (Simpson).
 */
static double simpson(double tau, double tau_half)
{
    return (1.0 + 4.0 * exp(-tau_half) + exp(-tau)) / 6.0;
}

static void interpolate_color(const transfer_piece *piece, double s, double rgb[3])
{
    for (int c = 0; c < 3; c++) {
        rgb[c] = piece_color(piece, c, s);
    }
}

/* Adds the part between samples a and b of one piece, halved until Simpson's rule is good
 * to 1e-6 in each half, or until nothing shines through any more. */
static void add_smooth(const render_transfer *transfer, const transfer_piece *piece,
                       transfer_sample a, transfer_sample b, double length, int depth,
                       segment_sum *sum)
{
    const double most_depth = 0.35;          /* Simpson's error is depth^4 / 2880 */
    const double least_transmittance = 1e-7; /* what lies behind is not seen */
    enum { MOST_HALVINGS = 24 };
    double tau = optical_depth(piece, a, b, length);
    transfer_sample middle = sample(transfer, piece, 0.5 * (a.s + b.s));
    if (fabs(tau) > most_depth && depth < MOST_HALVINGS) {
        add_smooth(transfer, piece, a, middle, 0.5 * length, depth + 1, sum);
        if (fabs(sum->transmittance) > least_transmittance) {
            add_smooth(transfer, piece, middle, b, 0.5 * length, depth + 1, sum);
        }
        return;
    }
    double c0[3], c1[3];
    interpolate_color(piece, a.s, c0);
    interpolate_color(piece, b.s, c1);
    double tau_half = optical_depth(piece, a, middle, 0.5 * length);
    add_part(sum, c0, c1, tau, simpson(tau, tau_half));
}

/* Adds a part with constant extinction: J is known in closed form. */
static void add_constant(const transfer_piece *piece, double sa, double sb, double length,
                         segment_sum *sum)
{
    double tau = piece->extinction * length;
    double c0[3], c1[3];
    interpolate_color(piece, sa, c0);
    interpolate_color(piece, sb, c1);
    double j = fabs(tau) < 1e-4 ? 1.0 - tau * (0.5 - tau / 6.0) : -expm1(-tau) / tau;
    add_part(sum, c0, c1, tau, j);
}

/* Adds the part of a segment that lies in one piece. */
static void add_in_piece(const render_transfer *transfer, const transfer_piece *piece,
                         double sa, double sb, double length, segment_sum *sum)
{
    if (piece->is_clear || length == 0.0) {
        return;
    }
    if (piece->is_constant) {
        add_constant(piece, sa, sb, length, sum);
        return;
    }
    add_smooth(transfer, piece, sample(transfer, piece, sa), sample(transfer, piece, sb),
               length, 0, sum);
}

void render_transfer_integrate(const render_transfer *transfer, double s0, double s1,
                               double length, double rgb[3], double *transmittance)
{
    segment_sum sum = {.transmittance = 1.0};
    int p = find_piece(transfer, s0);
    int last = find_piece(transfer, s1);
    int step = s1 > s0 ? 1 : -1;
    double s = s0;
    for (; p != last; p += step) {
        const transfer_piece *piece = &transfer->pieces[p];
        double end = step > 0 ? piece->s1 : piece->s0;
        add_in_piece(transfer, piece, s, end, length * ((end - s) / (s1 - s0)), &sum);
        s = end;
    }
    double rest = s == s0 ? length : length * ((s1 - s) / (s1 - s0));
    add_in_piece(transfer, &transfer->pieces[last], s, s1, rest, &sum);
    memcpy(rgb, sum.rgb, sizeof sum.rgb);
    *transmittance = sum.transmittance;
}
