/* Makes the table of a transfer function for many rays at a time; render/transfer/table.h
 * draws it. The control points determine its fineness: the table is linear between nodes,
 * so as many nodes as possible lie on control points. */
#include "fineness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit on extinctions, in the grid's units: products with any length stay finite, and
 * larger ones would look the same. */
static const double MOST_EXTINCTION = 1e15;

/* Weight of a jump as a bend, in changes of slope per half interval; and the factors by
 * which the sums of bends count: see transfer_lanes_doubt. */
static const double BENDS_OF_JUMP = 5.0, PART_OF_BENDS = 0.005,
                    PART_OF_COLOR_BENDS = 0.01;

/* An interval before it becomes rows of the table, in the grid's units. */
typedef struct interval {
    double extinction[2], color[2][3]; /* at its ends, straight in between */
    double integral[4];                /* of extinction, and of colour * extinction */
    double misfit;
    bool has_control; /* a control point lies between its ends */
} interval;

/* The intervals; the first and the last one lie outside the range. */
typedef struct interval_list {
    int count; /* inside */
    double first, width;
    double rounded;      /* distance from the first node up to the first control point */
    interval *intervals; /* [count + 2] */
} interval_list;

/* ---- Reading the exact function ---------------------------------------------------- */

/* A span: scalars over which extinction and colour are straight. */
typedef struct span {
    double s[2], extinction[2], color[2][3];
} span;

/* A place in a transfer function that is read upwards. */
typedef struct span_reader {
    const render_transfer *transfer;
    int piece, step;
} span_reader;

static double step_end(const transfer_piece *piece, int step)
{
    return step + 1 < piece->steps ? piece->s0 + (step + 1) * piece->step : piece->s1;
}

/* The span that begins at `from` and ends at `to` or earlier. */
static span next_span(span_reader *reader, double from, double to)
{
    while (from >= reader->transfer->pieces[reader->piece].s1) {
        reader->piece++;
        reader->step = 0;
    }
    const transfer_piece *piece = &reader->transfer->pieces[reader->piece];
    while (reader->step + 1 < piece->steps && from >= step_end(piece, reader->step)) {
        reader->step++;
    }
    span part = {.s = {from, fmin(to, step_end(piece, reader->step))}};
    for (int end = 0; end < 2; end++) {
        part.extinction[end] =
            transfer_piece_extinction(piece, reader->step, part.s[end]);
        for (int c = 0; c < 3; c++) {
            part.color[end][c] = transfer_piece_color(piece, c, part.s[end]);
        }
    }
    return part;
}

/* ---- Intervals --------------------------------------------------------------------- */

static void add_integrals(const span *part, double integral[4])
{
    const double *k = part->extinction;
    double width = part->s[1] - part->s[0];
    integral[0] += 0.5 * width * (k[0] + k[1]);
    for (int c = 0; c < 3; c++) {
        double c0 = part->color[0][c], c1 = part->color[1][c];
        integral[c + 1] +=
            width * (0.25 * (k[0] + k[1]) * (c0 + c1) + (k[1] - k[0]) * (c1 - c0) / 12.0);
    }
}

/* Whether a line is right to rounding although it could be moved `by` this much. Zero
 * then stays zero. */
static bool is_right(const double line[2], double by)
{
    return fabs(by) <= 1e-9 * (fabs(line[0]) + fabs(line[1]));
}

/* Shifts the line of extinction so that it has this mean. If the line would fall below 0,
 * its slope is reduced. */
static void fit_extinction(double line[2], double mean)
{
    const double middle = 0.5 * (line[0] + line[1]);
    if (!is_right(line, mean - middle)) {
        const double half = fmax(fmin(0.5 * (line[1] - line[0]), mean), -mean);
        line[0] = mean - half;
        line[1] = mean + half;
    }
}

/* Shifts a line of colour so that it has this mean over the optical depth. rise: the
 * change of extinction from end to end, over its mean. If both change, the mean over
 * scalars differs from that over the depth by
 *
 *     rise * (change of colour) / 12.
 *
 * If the line would leave 0 to 1, its slope is reduced about the mean over the depth. In
 * any case the parts of an interval add up to its integral. */
static void fit_color(double line[2], double mean, double rise)
{
    const double turn = line[1] - line[0], aside = rise * turn / 12.0;
    if (is_right(line, mean - aside - 0.5 * (line[0] + line[1]))) {
        return;
    }
    double share = 1.0;
    const double off[2] = {-aside - 0.5 * turn, -aside + 0.5 * turn};
    for (int end = 0; end < 2; end++) {
        const double room = off[end] < 0.0 ? mean : 1.0 - mean;
        share = fabs(off[end]) > room ? fmin(share, room / fabs(off[end])) : share;
    }
    for (int end = 0; end < 2; end++) {
        line[end] = mean + share * off[end];
    }
}

/* Fits the lines to the integrals of the exact function. */
static void fit_integrals(interval *at, double width)
{
    double *k = at->extinction, mean = at->integral[0] / width;
    fit_extinction(k, mean);
    for (int c = 0; c < 3 && at->integral[0] > 0.0; c++) {
        double line[2] = {at->color[0][c], at->color[1][c]};
        fit_color(line, at->integral[c + 1] / at->integral[0], (k[1] - k[0]) / mean);
        at->color[0][c] = line[0];
        at->color[1][c] = line[1];
    }
}

/* Largest difference of extinction, and of colour times extinction, from the lines. Both
 * are straight between the ends of spans. */
static double span_misfit(const interval *at, const span *part, double from, double width)
{
    double most = 0.0;
    for (int end = 0; end < 2; end++) {
        double x = (part->s[end] - from) / width;
        double k = part->extinction[end], off = 0.0;
        for (int c = 0; c < 3; c++) {
            double line = at->color[0][c] + x * (at->color[1][c] - at->color[0][c]);
            off = fmax(off, fabs(part->color[end][c] - line));
        }
        double line = at->extinction[0] + x * (at->extinction[1] - at->extinction[0]);
        most = fmax(most, fabs(k - line) + k * off);
    }
    return most;
}

/* The integrals are those of the function stretched to the interval's nominal width.
 * Moved nodes make the actual interval a little wider or narrower. */
static void make_interval(span_reader *reader, double from, double to, double width,
                          interval *at)
{
    *at = (interval){.misfit = 0.0};
    span_reader again = *reader;
    span part = {.s = {from, from}};
    while (part.s[1] < to) {
        const int piece = reader->piece;
        part = next_span(reader, part.s[1], to);
        at->has_control = at->has_control || (part.s[0] > from && reader->piece > piece);
        add_integrals(&part, at->integral);
        for (int end = part.s[0] > from; end < 2; end++) {
            at->extinction[end] = part.extinction[end];
            for (int c = 0; c < 3; c++) {
                at->color[end][c] = part.color[end][c];
            }
        }
    }
    for (int n = 0; n < 4; n++) {
        at->integral[n] *= width / (to - from);
    }
    fit_integrals(at, width);
    for (part.s[1] = from; part.s[1] < to;) {
        part = next_span(&again, part.s[1], to);
        at->misfit = fmax(at->misfit, span_misfit(at, &part, from, to - from));
    }
}

/* The interval below or above all others. It is constant, unless the exact function
 * changes there. */
static interval make_outside(const transfer_piece *piece, bool is_constant)
{
    interval outside = {.misfit = is_constant ? 0.0 : FLT_MAX};
    for (int end = 0; end < 2; end++) {
        outside.extinction[end] = piece->extinction;
        for (int c = 0; c < 3; c++) {
            outside.color[end][c] = piece->color0[c];
        }
    }
    return outside;
}

/* Place of node n: on a control point if one is near; *piece moves upwards. */
static double place_node(const render_transfer *transfer, const interval_list *list,
                         int n, int *piece)
{
    double s = list->first + n * list->width;
    double near = transfer_snap(list->width, list->rounded);
    while (transfer->pieces[*piece].s1 < s - near) {
        (*piece)++;
    }
    double control = transfer->pieces[*piece].s1;
    return control <= s + near ? control : s;
}

static void make_intervals(const render_transfer *transfer, const interval_list *list)
{
    const transfer_piece *low = &transfer->pieces[0];
    const transfer_piece *high = &transfer->pieces[transfer->npieces - 1];
    double last = list->first + list->count * list->width;
    list->intervals[0] = make_outside(low, list->first <= low->s1);
    list->intervals[list->count + 1] =
        make_outside(high, last + transfer_snap(list->width, list->rounded) >= high->s0);
    span_reader reader = {.transfer = transfer};
    int piece = 0;
    double from = place_node(transfer, list, 0, &piece);
    for (int i = 0; i < list->count; i++) {
        double to = place_node(transfer, list, i + 1, &piece);
        make_interval(&reader, from, to, list->width, &list->intervals[i + 1]);
        from = to;
    }
}

/* ---- Rows -------------------------------------------------------------------------- */

/* Adds the departures of extinction (0) and colour (1) from a straight line, from one
 * interval to the next and within the latter. */
static void count_bends(const interval *before, const interval *at, double bends[2])
{
    double jump = fabs(at->extinction[0] - before->extinction[1]);
    double slope = at->extinction[1] - at->extinction[0] - before->extinction[1] +
                   before->extinction[0];
    /* If the function is curved, its slope changes by some 8 misfits from end to end.
     * Around a control point there may be a jump. */
    double inside = 4.0 * at->misfit * (at->has_control ? BENDS_OF_JUMP : 1.0);
    bends[0] += 0.5 * fabs(slope) + BENDS_OF_JUMP * jump + inside;
    double most = 0.0;
    for (int c = 0; c < 3; c++) {
        jump = fabs(at->color[0][c] - before->color[1][c]);
        slope =
            at->color[1][c] - at->color[0][c] - before->color[1][c] + before->color[0][c];
        most = fmax(most, 0.5 * fabs(slope) + BENDS_OF_JUMP * jump);
    }
    double k = fmax(at->extinction[0], at->extinction[1]);
    bends[1] += most + (k > 0.0 ? fmin(inside / k, 4.0 * BENDS_OF_JUMP) : 0.0);
}

static transfer_row make_row(const interval *at, int end, double per_unit,
                             const double integral[4], const double bends[2])
{
    const double *k = at->extinction;
    transfer_row row = {.extinction = (float)(k[end] * per_unit),
                        .extinction_slope = (float)(0.5 * (k[1] - k[0]) * per_unit),
                        .bends = (float)(PART_OF_BENDS * bends[0] * per_unit),
                        .color_bends = (float)(PART_OF_COLOR_BENDS * bends[1]),
                        .misfit = (float)fmin(at->misfit * per_unit, FLT_MAX)};
    for (int c = 0; c < 3; c++) {
        row.color[c] = (float)at->color[end][c];
        row.color_slope[c] = (float)(0.5 * (at->color[1][c] - at->color[0][c]));
    }
    for (int n = 0; n < 4; n++) {
        row.integral[n] = (int32_t)(integral[n] + 0.5);
    }
    return row;
}

/* Sum of all integrals of extinction. The outer intervals count as half an interval
 * wide. */
static double sum_extinction(const interval_list *list)
{
    const interval *outside[2] = {list->intervals, list->intervals + list->count + 1};
    double sum =
        0.5 * list->width * (outside[0]->extinction[0] + outside[1]->extinction[0]);
    for (int i = 1; i <= list->count; i++) {
        sum += list->intervals[i].integral[0];
    }
    return sum;
}

/* Fills in the first moments of colour over the optical depth. Between two nodes it
 * counts from the first of them:
 *
 *     integral of (K - K_0) c dK = c_1 K^2 / 2 - (c_1 - c_0) (integral of K^2),
 *
 * along straight lines of c and k = dK / dg. K_0 and the integral of c dK are those of
 * the rows, whole numbers, so that they cancel in differences. */
static void fill_moments(const interval_list *list, double per_unit,
                         transfer_table *table)
{
    double sum[4] = {0};
    memcpy(table->moments[0], sum, sizeof sum);
    for (int i = 1; i <= list->count; i++) {
        const interval *at = &list->intervals[i];
        const int32_t *from = table->rows[2 * i - 1].integral;
        const int32_t *to = table->rows[2 * i].integral;
        const double k = at->extinction[0] * per_unit, width = 2.0;
        const double rise = (at->extinction[1] - at->extinction[0]) * per_unit;
        const double depth = (double)to[0] - (double)from[0];
        const double square =
            width * width * (k * k / 6.0 + k * rise / 8.0 + rise * rise / 40.0);
        for (int c = 0; c < 3; c++) {
            const double c0 = at->color[0][c], c1 = at->color[1][c];
            sum[c] += (double)from[0] * ((double)to[c + 1] - (double)from[c + 1]) +
                      0.5 * c1 * depth * depth - (c1 - c0) * square;
        }
        memcpy(table->moments[i], sum, sizeof sum);
    }
}

/* Fills the rows. The integrals are scaled to whole numbers up to 2^31. */
static void fill_rows(const interval_list *list, transfer_table *table)
{
    const double most = 2147483000.0;
    double sum = sum_extinction(list), whole = sum > 0.0 ? most / sum : 1.0;
    double per_unit = 0.5 * list->width * whole;
    table->unit = (float)fmin(1.0 / per_unit, MOST_EXTINCTION / most);
    double integral[4] = {0}, bends[2] = {0};
    const interval *at = list->intervals;
    table->rows[0] = make_row(at, 1, per_unit, integral, bends);
    for (int i = 1; i <= list->count; i++) {
        count_bends(at + i - 1, at + i, bends);
        table->rows[2 * i - 1] = make_row(at + i, 0, per_unit, integral, bends);
        for (int n = 0; n < 4; n++) {
            integral[n] += at[i].integral[n] * whole;
        }
        table->rows[2 * i] = make_row(at + i, 1, per_unit, integral, bends);
    }
    count_bends(at + list->count, at + list->count + 1, bends);
    table->rows[2 * list->count + 1] =
        make_row(at + list->count + 1, 0, per_unit, integral, bends);
    fill_moments(list, per_unit, table);
}

/* Limits a scalar to the values that a field can have. */
static double clamp_scalar(double s)
{
    return fmin(fmax(s, -(double)FLT_MAX), (double)FLT_MAX);
}

/* ---- Clear ranges ------------------------------------------------------------------ */

static bool is_clear(const interval *at)
{
    return at->extinction[0] == 0.0 && at->extinction[1] == 0.0 && at->misfit == 0.0;
}

static float position(const transfer_table *table, float s)
{
    return (0.25f * s - table->first) * table->per_scalar;
}

/* The scalar at a position, or the nearest that exists. */
static float scalar_of(const transfer_table *table, float position)
{
    double quarter = (double)table->first + (double)position / (double)table->per_scalar;
    return (float)clamp_scalar(4.0 * quarter);
}

/* clear_to: the largest scalar near a node whose position is before the node, or on it if
 * is_closed. clear_from: the smallest scalar at the node or behind it. The search may
 * stop short of the last such scalar, but never beyond. */
static float clear_to(const transfer_table *table, int node, bool is_closed)
{
    float most = 2.0f * (float)node, s = scalar_of(table, most);
    for (int n = 0; n < 8; n++) {
        s = nextafterf(s, FLT_MAX);
    }
    for (int n = 0; n < 64; n++) {
        if (is_closed ? position(table, s) <= most : position(table, s) < most) {
            return s;
        }
        s = nextafterf(s, -FLT_MAX);
    }
    return -INFINITY;
}

static float clear_from(const transfer_table *table, int node)
{
    float least = 2.0f * (float)node, s = scalar_of(table, least);
    for (int n = 0; n < 64; n++) {
        if (position(table, s) >= least) {
            return s;
        }
        s = nextafterf(s, FLT_MAX);
    }
    return INFINITY;
}

/* Keeps the two widest ranges. */
static void keep_clear(transfer_table *table, float from, float to)
{
    float width[2];
    for (int n = 0; n < 2; n++) {
        width[n] = table->clear[n][1] - table->clear[n][0];
    }
    int least = width[0] <= width[1] ? 0 : 1;
    if (to - from > width[least]) {
        table->clear[least][0] = from;
        table->clear[least][1] = to;
    }
}

/* Finds the clear ranges from the table, not from the exact function: with or without the
 * test of transfer_lanes_clear, the result is the same. */
static void find_clear(const interval_list *list, transfer_table *table)
{
    int last = list->count + 1;
    for (int n = 0; n < 2; n++) {
        table->clear[n][0] = FLT_MAX; /* an empty range: from > to */
        table->clear[n][1] = -FLT_MAX;
    }
    for (int i = 0; i <= last; i++) {
        if (!is_clear(&list->intervals[i])) {
            continue;
        }
        float from = i == 0 ? -INFINITY : clear_from(table, i - 1);
        while (i < last && is_clear(&list->intervals[i + 1])) {
            i++;
        }
        float to = i == last
                       ? INFINITY
                       : clear_to(table, i, list->intervals[i + 1].extinction[0] == 0.0);
        keep_clear(table, from, to);
    }
}

/* ---- The table --------------------------------------------------------------------- */

static float round_down(double s)
{
    float near = (float)s;
    return (double)near > s ? nextafterf(near, -FLT_MAX) : near;
}

/* Distance from the first node to the last, wide enough that half an interval has a
 * finite inverse. If all control points have the same scalar, nothing changes
 * elsewhere. */
static double node_range(const render_transfer *transfer, double first)
{
    double last = clamp_scalar(transfer->pieces[transfer->npieces - 1].s0);
    if (last <= first) {
        return fmax(fabs(first), 1.0);
    }
    return fmax(last - first, fmax(1e-6 * fabs(first), 1e-30));
}

/* The inverse of a quarter of half an interval's width, rounded up a little. So a scalar
 * at a control point never lies before the node there, but behind it, since the value at
 * a step is the one above. */
static float inverse_width(double width)
{
    return nextafterf((float)(8.0 / width * (1.0 + 0x1p-23)), FLT_MAX);
}

static status allocate(transfer_table *table, interval_list *list)
{
    size_t nrows = 2 * (size_t)list->count + 2, nintervals = (size_t)list->count + 2;
    table->rows = aligned_alloc(sizeof *table->rows, nrows * sizeof *table->rows);
    table->moments = malloc((nintervals - 1) * sizeof *table->moments);
    list->intervals = malloc(nintervals * sizeof *list->intervals);
    if (!table->rows || !table->moments || !list->intervals) {
        render_transfer_table_destroy(table);
        free(list->intervals);
        return base_fail_memory(nrows * sizeof *table->rows, "a transfer function");
    }
    return STATUS_OK;
}

/* The largest slope of extinction or of colour * extinction in a row, per half interval.
 */
static double steepest_of(const transfer_row *row)
{
    double most = fabs((double)row->extinction_slope);
    for (int c = 0; c < 3; c++) {
        const double slope = (double)row->color[c] * (double)row->extinction_slope +
                             (double)row->color_slope[c] * (double)row->extinction;
        most = fmax(most, fabs(slope));
    }
    return most;
}

/* Fills in steepness, from the slopes of the rows that lie in each share. */
static void find_steepness(transfer_table *table)
{
    const double finite = 1e30, per_slope = 0.25 * (double)table->per_scalar *
                                            (double)table->unit / TRANSFER_LEAST_BEND;
    float most[TRANSFER_SHARES] = {0.0f};
    table->per_share = (float)TRANSFER_SHARES / table->count;
    for (int row = 1; row <= (int)table->count; row++) {
        const float slope =
            (float)fmin(steepest_of(&table->rows[row]) * per_slope, finite);
        /* A row belongs to the shares of both of its ends. */
        const int first = (int)((float)(row - 1) * table->per_share),
                  last = (int)((float)row * table->per_share);
        for (int n = first; n <= last && n < TRANSFER_SHARES; n++) {
            most[n] = fmaxf(most[n], slope);
        }
    }
    for (int from = 0; from < TRANSFER_SHARES; from++) {
        float here = 0.0f;
        for (int to = from; to < TRANSFER_SHARES; to++) {
            here = fmaxf(here, most[to]);
            table->steepness[from][to] = here;
        }
    }
}

/* Finds the largest extinction of all rows. */
static void find_most_extinction(transfer_table *table)
{
    double most = 0.0;
    for (int row = 0; row < (int)table->count + 2; row++) {
        const double node = (double)table->rows[row].extinction,
                     slope = (double)table->rows[row].extinction_slope;
        most = fmax(most, fmax(node, row % 2 == 0 ? node - slope : node + slope));
    }
    table->most_extinction =
        (float)fmin(most * (double)table->unit / TRANSFER_LEAST_BEND, 1e30);
}

status render_transfer_table_create(const render_transfer *transfer, transfer_table *out)
{
    _Static_assert(sizeof(transfer_row) == 64, "a row is a cache line");
    const double lowest = clamp_scalar(transfer->pieces[0].s1);
    const float first = round_down(lowest);
    transfer_table table = {.first = 0.25f * first};
    interval_list list = {.first = (double)first, .rounded = lowest - (double)first};
    double range = node_range(transfer, list.first);
    status s = transfer_count_intervals(
        transfer, (transfer_range){list.first, range, list.rounded}, &list.count);
    if (s == STATUS_OK) {
        s = allocate(&table, &list);
    }
    if (s != STATUS_OK) {
        return s;
    }
    list.width = range / list.count;
    table.per_scalar = inverse_width(list.width);
    table.count = 2.0f * (float)list.count;
    make_intervals(transfer, &list);
    fill_rows(&list, &table);
    find_clear(&list, &table);
    free(list.intervals);
    find_steepness(&table);
    find_most_extinction(&table);
    *out = table;
    return STATUS_OK;
}

void render_transfer_table_destroy(transfer_table *table)
{
    free(table->rows);
    free(table->moments);
    table->rows = NULL;
    table->moments = NULL;
}
