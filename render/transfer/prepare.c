/* A transfer function is cut into pieces at every control point of colour and opacity.
 * Within a piece colour is linear in the scalar s, and the extinction k(s) is smooth. Its
 * prefix integral is E(s) = integral of k from the piece's lower end; both are tabulated.
 * render/transfer/integrate.c integrates with them. render/transfer/tabulate.c turns the
 * pieces into the table for many rays at a time. */
#include "base/array.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest alpha, which keeps extinction finite. */
static const double ALPHA_CAP = 0.9999;

/* Within a piece 1 - alpha changes at most by this factor, so that a table of a few
 * hundred steps represents its logarithm. */
static const double MOST_FADING = 2.0;

/* Most pieces between two opacity points: 1 - alpha fades from 1 to 1 - ALPHA_CAP. */
enum { MOST_RAMPS = 16 };

/* The control points in scalars rather than in fractions of the range. */
typedef struct control_points {
    int ncolors, nopacities;
    double (*colors)[4];
    double (*opacities)[2];
} control_points;

static double to_scalar(const render_transfer_points *points, double position)
{
    if (points->positions_are_data) {
        return position;
    }
    return points->range[0] + position * (points->range[1] - points->range[0]);
}

/* ---- Checking ---------------------------------------------------------------------- */

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

static status check_colors(const render_transfer_points *points)
{
    for (int i = 0; i < points->ncolors; i++) {
        const double *point = points->colors[i];
        status s = check_position("colors", i, point[0], i ? point[-4] : 0.0);
        if (s != STATUS_OK) {
            return s;
        }
        for (int c = 1; c < 4; c++) {
            if (!(point[c] >= 0.0 && point[c] <= 1.0)) {
                return base_fail(STATUS_USAGE,
                                 "colors: point %d has the value %g: it must be 0 to 1",
                                 i, point[c]);
            }
        }
    }
    return STATUS_OK;
}

/* The tables need the distance between any two control points, in scalars. */
static status check_extent(const render_transfer_points *points)
{
    const double *first_color = points->colors[0];
    const double *last_color = points->colors[points->ncolors - 1];
    const double *first_opacity = points->opacities[0];
    const double *last_opacity = points->opacities[points->nopacities - 1];
    double lo = to_scalar(points, fmin(first_color[0], first_opacity[0]));
    double hi = to_scalar(points, fmax(last_color[0], last_opacity[0]));
    if (!isfinite(hi - lo)) {
        return base_fail(STATUS_USAGE,
                         "the points of colour and opacity lie too far apart: %g to %g",
                         lo, hi);
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
    if (!points->positions_are_data && !(points->range[0] < points->range[1] &&
                                         isfinite(points->range[1] - points->range[0]))) {
        return base_fail(
            STATUS_USAGE,
            "the range is [%g, %g]: it needs two finite numbers, the smaller one first",
            points->range[0], points->range[1]);
    }
    if (!(points->unit_length > 0.0 && isfinite(points->unit_length))) {
        return base_fail(STATUS_USAGE, "unit_length is %g: it must be positive",
                         points->unit_length);
    }
    status s = check_colors(points);
    if (s == STATUS_OK) {
        s = check_opacities(points);
    }
    return s == STATUS_OK ? check_extent(points) : s;
}

/* ---- Control points in scalars ----------------------------------------------------- */

/* Appends an opacity point. Inserts points before it that lie on the line, so that alpha
 * does not fade too much within a piece. */
static void append_opacity(control_points *out, bool is_extinction, double position,
                           double value)
{
    const double *from = out->nopacities > 0 ? out->opacities[out->nopacities - 1] : NULL;
    if (from && !is_extinction && from[0] < position) {
        double fading = (1.0 - value) / (1.0 - from[1]);
        double before = from[0], before_value = from[1];
        int ramps = (int)ceil(fabs(log(fading)) / log(MOST_FADING));
        for (int n = 1; n < ramps; n++) {
            double *point = out->opacities[out->nopacities++];
            point[1] = 1.0 - (1.0 - before_value) * pow(fading, (double)n / ramps);
            double share = (point[1] - before_value) / (value - before_value);
            point[0] = before + share * (position - before);
        }
    }
    double *point = out->opacities[out->nopacities++];
    point[0] = position;
    point[1] = value;
}

/* Copies the opacity points. Between two points on either side of the cap, it inserts a
 * point at the cap. So alpha is cut off there, and the line below the cap stays. */
static void copy_opacities(const render_transfer_points *points, control_points *out)
{
    bool is_extinction = points->opacities_are_extinction;
    double cap = is_extinction ? INFINITY : ALPHA_CAP;
    for (int i = 0; i < points->nopacities; i++) {
        double position = to_scalar(points, points->opacities[i][0]);
        double value = points->opacities[i][1];
        if (i > 0) {
            double before = to_scalar(points, points->opacities[i - 1][0]);
            double value_before = points->opacities[i - 1][1];
            if ((value > cap) != (value_before > cap)) {
                double share = (cap - value_before) / (value - value_before);
                append_opacity(out, is_extinction, before + share * (position - before),
                               cap);
            }
        }
        append_opacity(out, is_extinction, position, fmin(value, cap));
    }
}

static status copy_points(const render_transfer_points *points, control_points *out)
{
    size_t ncolors = (size_t)points->ncolors;
    size_t nopacities = (MOST_RAMPS + 1) * (size_t)points->nopacities;
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

/* Value in column `column` at s of a list of control points ([count][width], position
 * first); at a step, the limit from above or from below. */
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

/* ---- Pieces ------------------------------------------------------------------------ */

/* Linear extinction, given by its end values: one step of the table is exact. */
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

/* Linear alpha, given by its end values. The steps are so small that extinction is linear
 * to 1e-7 per unit length. If alpha changes little there are still some steps, as
 * segments may be long. */
static status make_logarithmic(transfer_piece *piece, double unit_length, double alpha0,
                               double alpha1)
{
    const double most_change = 0.001; /* of ln(1 - alpha) in a step */
    const double least_steps = 32;
    double change = fabs(alpha1 - alpha0) / (1.0 - fmax(alpha0, alpha1));
    int steps = (int)ceil(fmax(change / most_change, least_steps));
    size_t bytes = 2 * ((size_t)steps + 1) * sizeof *piece->table;
    piece->table = malloc(bytes);
    if (!piece->table) {
        return base_fail_memory(bytes, "a transfer function");
    }
    /* The integral of the table's own straight lines. It has no jumps at the knots, so
     * that differences over any distance are right. */
    double width = (piece->s1 - piece->s0) / steps, integral = 0.0;
    for (int i = 0; i <= steps; i++) {
        double *knot = piece->table + 2 * i;
        double alpha = alpha0 + (alpha1 - alpha0) * ((double)i / steps);
        knot[0] = -log1p(-alpha) / unit_length;
        integral += i > 0 ? 0.5 * width * (knot[-2] + knot[0]) : 0.0;
        knot[1] = integral;
    }
    piece->steps = steps;
    piece->bend = unit_length;
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
        piece->most_slope = fmax(piece->most_slope, fabs(piece->slope[c]));
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
    if (s == STATUS_OK) {
        piece->step = (s1 - s0) / piece->steps;
        piece->per_step = piece->steps / (s1 - s0);
    }
    return s;
}

/* The piece below the first or above the last control position. */
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

/* Collects the distinct positions of all control points, ascending; returns their
 * number. */
static int collect_positions(const control_points *controls, double *positions)
{
    int count = 0;
    for (int i = 0; i < controls->ncolors; i++) {
        positions[count++] = controls->colors[i][0];
    }
    for (int i = 0; i < controls->nopacities; i++) {
        positions[count++] = controls->opacities[i][0];
    }
    qsort(positions, (size_t)count, sizeof *positions, base_array_compare_doubles);
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

static void fill_buckets(render_transfer *transfer)
{
    double first = transfer->pieces[0].s1;
    double last = transfer->pieces[transfer->npieces - 1].s0;
    transfer->first = first;
    transfer->per_bucket = last > first ? TRANSFER_BUCKETS / (last - first) : 0.0;
    int p = 0;
    for (int b = 0; b <= TRANSFER_BUCKETS; b++) {
        double lower = first + b * ((last - first) / TRANSFER_BUCKETS);
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
        int count = collect_positions(&controls, positions);
        s = make_pieces(points, &controls, positions, count, transfer);
    }
    free(positions);
    free(controls.colors);
    free(controls.opacities);
    if (s == STATUS_OK) {
        fill_buckets(transfer);
        s = render_transfer_table_create(transfer, &transfer->table);
    }
    if (s != STATUS_OK) {
        render_transfer_destroy(&transfer);
        return s;
    }
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
    render_transfer_table_destroy(&(*transfer)->table);
    free(*transfer);
    *transfer = NULL;
}
