/* Integrates a transfer function along the segments of many rays at a time, like
 * render_transfer_integrate, by the table of render/transfer/table.h, in float32.
 *
 * Optical depth and the mean of colour * extinction come from prefix integrals, so that
 * all features between two scalars count, however thin. Let tau be the optical depth of
 * the segment and t the depth passed so far. Then
 *
 *     emitted = integral of c(t) exp(-t) dt = mean (1 - exp(-tau)) - (c1 - c0) W(tau).
 *
 * The mean of c over t is exact. W accounts for the larger weight of the front. It
 * assumes straight lines of colour and extinction between the segment's ends. Let p be
 * the change of extinction times the length. From the series of both,
 *
 *     W = (tau^2 / 12 - p^2 / 240) psi(tau),
 *     psi(tau) = 12 (1 - a / tau - a / 2) / tau^2,    a = 1 - exp(-tau).
 *
 * W is exact if extinction is constant, and wrong by at most 0.0015 |p| tau^2 otherwise.
 * If this is too much, or the lines are not straight (transfer_lanes_doubt), the first
 * moment N of colour over the depth, counted from its middle, is taken from the table:
 *
 *     emitted = mean (1 - exp(-tau)) - N psi(tau) + (second moment) tau^2 / 60 ….
 *
 * If this is not enough, the segment is cut into parts. If that does not help either, it
 * is integrated exactly. Sound pictures have few such segments: those that are thick and
 * pass many colours, and those that end next to a jump between two nodes. The result in a
 * lane depends on that lane alone and rounds alike for all widths. */
#ifndef RENDER_TRANSFER_LOOKUP_H
#define RENDER_TRANSFER_LOOKUP_H

#include "depth.h"
#include "moments.h"
#include "place.h"

/* Largest error of a colour for which a segment stays in one piece: a hundredth of a
 * count of 255. The bounds are wide: the actual error is about a tenth. Parts of a way
 * that is cut have the smaller tolerance, and a share in the error of the whole way
 * (cut.h). */
#define TRANSFER_LANES_TOLERANCE 4e-5f
#define TRANSFER_LANES_FINE      4e-6f

/* A segment is cut into 2 parts, then 4, and so on up to this number. The bounds fall
 * with the third power. */
enum { TRANSFER_LANES_MOST_PARTS = 64 };

/* The looked-up end of each ray's last segment, at which the next one begins in most
 * cases. */
typedef struct transfer_lanes {
    vfloat s;          /* NaN if there is no segment yet, or if s is not a float32 */
    vfloat at;         /* its distance from the first node, in half intervals */
    vfloat low;        /* digits of `at` beyond float32; undefined if the scalar is a
                          float32 */
    vint interval;     /* the interval of the scalar */
    vint integral[4];  /* up to the node: of extinction, and of colour * extinction */
    vfloat rest[4];    /* from the node to s */
    vfloat extinction; /* at s, in the table's units */
    vfloat color[3];   /* at s */
    vfloat bends, color_bends, misfit; /* as in the row */
} transfer_lanes;

/* The integrals of a segment; lengths and extinction in the table's units. */
typedef struct transfer_lanes_sum {
    vfloat mean[4]; /* of extinction, and of colour * extinction; times `share` they are
                       integrals */
    vfloat share;   /* length, or length per half interval between the ends */
    vfloat length;
    vfloat between;   /* half intervals from end to end */
    vfloat reach;     /* share * between; finite even if the share is too small for
                         float32 */
    vfloat depth;     /* optical */
    vfloat square;    /* of the depth */
    vfloat through;   /* (1 - exp(-depth)) / depth, times share */
    vfloat psi;       /* of the depth */
    vfloat rise;      /* of extinction from end to end, times length: p */
    vfloat turn[3];   /* change of colour from end to end */
    vfloat most_turn; /* the largest magnitude among them */
} transfer_lanes_sum;

/* The light of a segment, and whether it is accurate. */
typedef struct transfer_lanes_light {
    vfloat emitted[3], absorbed;
    vmask straight;        /* need not be cut into parts */
    vmask nearly_straight; /* nor do these, by first moments */
    vmask fitting;         /* the table is good enough at both ends */
} transfer_lanes_light;

/* ---- Look-ups ---------------------------------------------------------------------- */

/* Reads rows at distances g from their nodes. Leaves `s`, `at` and `low` unchanged. */
IN_LOOP void transfer_lanes_read(const transfer_table *table, vint row, vfloat g,
                                 transfer_lanes *out)
{
    int32_t index[LANES] __attribute__((aligned(64)));
    lanes_store_int(index, row << 3);
    __asm__("" : "+m"(index)); /* through memory: faster than by elements */
    const float *rows = (const float *)(const void *)table->rows;
    vfloat low[8], high[8];
    lanes_load_rows(rows, index, low);
    lanes_load_rows(rows + 8, index, high);

    out->interval = (row + lanes_int(1)) >> 1;
    const vfloat rise = low[1] * g;
    out->extinction = low[0] + rise;
    const vfloat half = (low[0] + out->extinction) * lanes_float(0.5f);
    const vfloat quarter = half * lanes_float(0.5f),
                 twelfth = rise * lanes_float(1.0f / 12.0f);
    out->rest[0] = half * g;
    out->integral[0] = lanes_bits(low[3]);
    for (int c = 0; c < 3; c++) {
        const vfloat turn = high[4 + c] * g;
        out->color[c] = high[c] + turn;
        out->rest[c + 1] = (quarter * (high[c] + out->color[c]) + twelfth * turn) * g;
        out->integral[c + 1] = lanes_bits(low[c + 4]);
    }
    out->bends = low[2];
    out->color_bends = low[7];
    out->misfit = high[3];
}

IN_LOOP transfer_lanes transfer_lanes_look_up(const transfer_table *table, vfloat s)
{
    transfer_lanes out;
    out.s = s;
    out.at = transfer_lanes_place(table, s);
    const vint row = transfer_lanes_row(table, out.at);
    transfer_lanes_read(table, row, out.at - lanes_convert(row & lanes_int(~1)), &out);
    return out;
}

/* Looks up the place at this share of the way from place `from` to place `to`. Its scalar
 * is not a float32.
 *
 * If a scalar hardly changes along a ray, the last digit of a place may be half of the
 * way. Both parts of a cut way must see the same place at the cut. So it has twice the
 * digits (Knuth's sum of two numbers and its error). */
IN_LOOP transfer_lanes transfer_lanes_look_between(const transfer_table *table,
                                                   vfloat from, vfloat to, vfloat share)
{
    const vfloat none = lanes_float(0.0f);
    const vmask at_end = lanes_equal(share, lanes_float(1.0f));
    const vfloat way = (to - from) * share, near = from + way, moved = near - from;
    const vfloat lost = (from - (near - moved)) + (way - moved);
    transfer_lanes out;
    out.s = lanes_float(NAN);
    out.at = lanes_choose(at_end, to, near);
    out.low = lanes_choose(at_end, none, lost);
    vfloat g;
    const vint row = transfer_lanes_find_row(table, out.at, out.low, &g);
    transfer_lanes_read(table, row, g, &out);
    return out;
}

/* Copies field by field, as compilers copy so large a struct byte by byte. Does not copy
 * `low`: the state that stays from step to step has none. */
IN_LOOP void transfer_lanes_copy(const transfer_lanes *from, transfer_lanes *to)
{
    to->s = from->s;
    to->at = from->at;
    to->interval = from->interval;
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        to->integral[n] = from->integral[n];
        to->rest[n] = from->rest[n];
    }
    to->extinction = from->extinction;
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++) {
        to->color[c] = from->color[c];
    }
    to->bends = from->bends;
    to->color_bends = from->color_bends;
    to->misfit = from->misfit;
}

/* State of rays without a segment so far. */
static inline transfer_lanes transfer_lanes_start(void)
{
    return (transfer_lanes){.s = lanes_float(NAN)};
}

/* ---- Segments ---------------------------------------------------------------------- */

/* Means over a segment: from straight lines within an interval, else from prefix
 * integrals. between: half intervals from a to b. */
IN_LOOP void transfer_lanes_add_up(const transfer_table *table, const transfer_lanes *a,
                                   const transfer_lanes *b, vfloat between, vfloat length,
                                   transfer_lanes_sum *sum)
{
    const vmask same = lanes_equal_int(a->interval, b->interval);
    const vfloat rise = b->extinction - a->extinction;
    const vfloat half = (a->extinction + b->extinction) * lanes_float(0.5f);
    const vfloat quarter = half * lanes_float(0.5f),
                 twelfth = rise * lanes_float(1.0f / 12.0f);
    sum->between = between;
    sum->length = length * lanes_float(table->unit);
    sum->share = sum->length / lanes_choose(same, lanes_float(1.0f), sum->between);
    sum->reach = sum->length * lanes_choose(same, sum->between, lanes_float(1.0f));
    for (int n = 0; n < 4; n++) {
        sum->mean[n] =
            lanes_convert(b->integral[n] - a->integral[n]) + (b->rest[n] - a->rest[n]);
    }
    sum->mean[0] = lanes_choose(same, half, sum->mean[0]);
    for (int c = 0; c < 3; c++) {
        sum->turn[c] = b->color[c] - a->color[c];
        const vfloat straight =
            quarter * (a->color[c] + b->color[c]) + twelfth * sum->turn[c];
        sum->mean[c + 1] = lanes_choose(same, straight, sum->mean[c + 1]);
    }
    sum->most_turn =
        lanes_max(lanes_max(lanes_abs(sum->turn[0]), lanes_abs(sum->turn[1])),
                  lanes_abs(sum->turn[2]));
    sum->depth = sum->mean[0] * sum->share;
    sum->rise = rise * sum->length;
}

/* Colour and absorption from the means. */
IN_LOOP void transfer_lanes_shine(transfer_lanes_sum *sum, transfer_lanes_light *light)
{
    vfloat mean;
    transfer_lanes_thin(sum->depth, &mean, &sum->psi);
    const vmask thin = lanes_less_equal(lanes_abs(sum->depth), lanes_float(0.125f));
    if (lanes_mask_bits(thin) != LANES_ALL) {
        /* Within these limits light is visible; beyond, numbers need only be finite. */
        const vfloat depth =
            lanes_clamp(sum->depth, lanes_float(-16.0f), lanes_float(1e6f));
        vfloat thick_mean, thick_psi;
        transfer_lanes_thick(depth, &thick_mean, &thick_psi);
        mean = lanes_choose(thin, mean, thick_mean * (depth / sum->depth));
        sum->psi = lanes_choose(thin, sum->psi, thick_psi);
        sum->depth = depth;
    }
    sum->through = sum->share * mean;
    sum->square = sum->depth * sum->depth;
    const vfloat first = (sum->square * lanes_float(1.0f / 12) -
                          sum->rise * sum->rise * lanes_float(1.0f / 240)) *
                         sum->psi;
    light->absorbed = sum->mean[0] * sum->through;
    for (int c = 0; c < 3; c++) {
        light->emitted[c] = sum->mean[c + 1] * sum->through - sum->turn[c] * first;
    }
}

/* Finds segments whose colour may be wrong.
 *
 * Lines that are not straight: a change of slope by d (per half interval) within the
 * segment moves the first moment of colour by at most 0.008 d span tau^2. A jump by J
 * moves it by J tau^2 / 12, so a jump counts as a bend of 5 J. Changes of extinction act
 * on the change of colour alike, by 0.003 instead of 0.008. The table sums the magnitudes
 * of all bends up to a scalar, times 0.01 and 0.005.
 *
 * With first moments from the table, such lines move the second moment alone: for a bend
 * by 0.065 tau of the above, for a jump by up to 0.1 tau. The error of W is there, too,
 * as it is of that order.
 *
 * The misfit is the difference of the table from the exact function. It does not depend
 * on how a ray is cut into segments, unless only some of them are integrated exactly.
 *
 * Comparisons are such that NaN is never found good. It results from scalars or lengths
 * beyond all measure, which are integrated exactly. */
IN_LOOP void transfer_lanes_doubt(const transfer_lanes *a, const transfer_lanes *b,
                                  const transfer_lanes_sum *sum, vfloat tolerance,
                                  transfer_lanes_light *light)
{
    const vfloat span = lanes_abs(sum->between), length = lanes_abs(sum->length);
    const vfloat share = lanes_abs(sum->share) * lanes_float(2.0f);
    const vfloat color = span * lanes_abs(b->color_bends - a->color_bends);
    const vfloat bends =
        lanes_abs((b->bends - a->bends) * sum->mean[0] * sum->reach) * length;
    const vfloat series = lanes_abs(sum->rise) * sum->square * lanes_float(0.0015f);
    const vfloat lines = sum->square * color + sum->most_turn * bends;
    const vfloat first = lines + sum->most_turn * series;
    const vfloat misfit = (a->misfit + b->misfit) * lanes_min(length, share);
    light->straight = lanes_less_equal(first, tolerance);
    const vfloat second =
        lanes_abs(sum->depth) * lanes_float(0.12f) * lines + sum->most_turn * series;
    light->nearly_straight = lanes_less_equal(second, tolerance);
    light->fitting = lanes_or(lanes_less_equal(misfit, tolerance * lanes_float(0.5f)),
                              lanes_equal(sum->depth, lanes_float(0.0f)));
    light->fitting = lanes_and(
        light->fitting, lanes_less(lanes_abs(light->absorbed), lanes_float(INFINITY)));
}

/* The integral of K^2 / 2 dg over a way of length 1, along which k = dK / dg rises. */
IN_LOOP vfloat transfer_lanes_square(vfloat k, vfloat rise)
{
    return k * (k * lanes_float(1.0f / 6) + rise * lanes_float(1.0f / 8)) +
           rise * rise * lanes_float(1.0f / 40);
}

/* First moments of colour over the depth of some segments from a to b, counted from the
 * middle of the depth; times the square of `share`. One segment after the other, as few
 * need them. */
IN_LOOP void transfer_lanes_moments(const transfer_table *table, const transfer_lanes *a,
                                    const transfer_lanes *b, vmask lanes,
                                    const transfer_lanes_sum *sum, vfloat out[3])
{
    int32_t row[2][LANES] __attribute__((aligned(64)));
    float place[2][LANES] __attribute__((aligned(64)));
    float moment[3][LANES] __attribute__((aligned(64)));
    vfloat g;
    lanes_store_int(row[0], transfer_lanes_find_row(table, a->at, a->low, &g));
    lanes_store(place[0], g);
    lanes_store_int(row[1], transfer_lanes_find_row(table, b->at, b->low, &g));
    lanes_store(place[1], g);
    const vmask same = lanes_equal_int(a->interval, b->interval);
    const vfloat square =
        transfer_lanes_square(a->extinction, b->extinction - a->extinction);
    const vfloat half = sum->mean[0] * lanes_float(0.5f);
    for (int c = 0; c < 3; c++) {
        const vfloat from_begin =
            b->color[c] * (half * sum->mean[0]) - sum->turn[c] * square;
        lanes_store(moment[c], from_begin - sum->mean[c + 1] * half);
    }
    for (unsigned left = lanes_mask_bits(lanes_and_not(lanes, same)); left != 0;
         left &= left - 1) {
        const int n = __builtin_ctz(left);
        const int32_t rows[2] = {row[0][n], row[1][n]};
        const float places[2] = {place[0][n], place[1][n]};
        const transfer_four found = transfer_find_moments(table, rows, places);
        for (int c = 0; c < 3; c++) {
            moment[c][n] = found[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        out[c] = lanes_load(moment[c]);
    }
}

/* Integrates some segments, of which `sum` has the means, by their first moments. What is
 * left are second moments: as if colour were a parabola over the depth, of which the ends
 * are known. Emission in other lanes has no meaning. */
IN_LOOP void transfer_lanes_refine(const transfer_table *table, const transfer_lanes *a,
                                   const transfer_lanes *b, vmask lanes,
                                   const transfer_lanes_sum *sum,
                                   transfer_lanes_light *light)
{
    vfloat moment[3];
    transfer_lanes_moments(table, a, b, lanes, sum, moment);
    const vfloat sixtieth = sum->square * lanes_float(1.0f / 60);
    const vfloat share = sum->share * sum->share;
    for (int c = 0; c < 3; c++) {
        const vfloat ends = (a->color[c] + b->color[c]) * lanes_float(0.5f);
        const vfloat curve = (ends * sum->mean[0] - sum->mean[c + 1]) * sum->share;
        const vfloat first = moment[c] * share - curve * sixtieth;
        light->emitted[c] = sum->mean[c + 1] * sum->through - first * sum->psi;
    }
    light->straight = light->nearly_straight;
}

/* The distance of two places, with all their digits. */
IN_LOOP vfloat transfer_lanes_between(const transfer_lanes *a, const transfer_lanes *b)
{
    return (b->at - a->at) + (b->low - a->low);
}

/* ---- Segments in parts ------------------------------------------------------------- */

/* A segment in each lane: a part of a way along which the scalar is linear from s0 to
 * s1. */
typedef struct transfer_lanes_segment {
    vfloat s0, s1;    /* at the ends of the way */
    vfloat from, to;  /* beginning and end of the segment on the way, 0 to 1 */
    vfloat length;    /* of the segment */
    vmask tabled;     /* it is less than the whole way, and the table is good enough for
                         the whole way */
    vfloat tolerance; /* of errors */
} transfer_lanes_segment;

/* Looks up the place at a share of the segments, 0 to 1. */
IN_LOOP transfer_lanes transfer_lanes_look_along(const transfer_table *table,
                                                 const transfer_lanes_segment *segment,
                                                 vfloat share)
{
    return transfer_lanes_look_between(table, transfer_lanes_place(table, segment->s0),
                                       transfer_lanes_place(table, segment->s1),
                                       segment->from +
                                           (segment->to - segment->from) * share);
}

/* Appends the light of the next part of a segment to that of the parts before it. */
IN_LOOP void transfer_lanes_add_part(const transfer_lanes_light *next,
                                     transfer_lanes_light *light)
{
    const vfloat through = lanes_float(1.0f) - light->absorbed;
    for (int c = 0; c < 3; c++) {
        light->emitted[c] = light->emitted[c] + through * next->emitted[c];
    }
    light->absorbed = light->absorbed + through * next->absorbed;
    light->straight = lanes_and(light->straight, next->straight);
    light->fitting = lanes_and(light->fitting, next->fitting);
}

/* Integrates some segments in equal parts, one after the other, by first moments. The
 * ends of the segments, a and b, are already looked up. */
static __attribute__((noinline, unused)) void
transfer_lanes_pass_parts(const transfer_table *table, int parts, vmask lanes,
                          const transfer_lanes *const ends[2],
                          const transfer_lanes_segment *segment,
                          transfer_lanes_light *light)
{
    const float part = 1.0f / (float)parts; /* a power of two */
    const vfloat length = segment->length * lanes_float(part);
    transfer_lanes between[2];
    const transfer_lanes *from = ends[0];
    for (int n = 1; n <= parts; n++) {
        const transfer_lanes *to = ends[1];
        if (n < parts) {
            between[n & 1] =
                transfer_lanes_look_along(table, segment, lanes_float((float)n * part));
            to = &between[n & 1];
        }
        transfer_lanes_sum sum;
        transfer_lanes_light next;
        transfer_lanes_add_up(table, from, to, transfer_lanes_between(from, to), length,
                              &sum);
        transfer_lanes_shine(&sum, &next);
        transfer_lanes_doubt(from, to, &sum, segment->tolerance, &next);
        transfer_lanes_refine(table, from, to, lanes, &sum, &next);
        if (n == 1) {
            *light = next;
        } else {
            transfer_lanes_add_part(&next, light);
        }
        from = to;
    }
}

/* Integrates some lanes exactly. */
static __attribute__((noinline, unused)) void
transfer_lanes_integrate(const render_transfer *transfer, vmask lanes,
                         const transfer_lanes_segment *segment,
                         transfer_lanes_light *light)
{
    float numbers[9][LANES] __attribute__((aligned(64)));
    float *colors[3] = {numbers[6], numbers[7], numbers[8]};
    lanes_store(numbers[0], segment->s0);
    lanes_store(numbers[1], segment->s1);
    lanes_store(numbers[2], segment->from);
    lanes_store(numbers[3], segment->to);
    lanes_store(numbers[4], segment->length);
    lanes_store(numbers[5], light->absorbed);
    for (int c = 0; c < 3; c++) {
        lanes_store(colors[c], light->emitted[c]);
    }
    const transfer_ways ways = {numbers[0], numbers[1], numbers[2], numbers[3],
                                numbers[4]};
    lanes_leave();
    render_transfer_integrate_lanes(transfer, lanes_mask_bits(lanes), &ways, colors,
                                    numbers[5]);
    light->absorbed = lanes_load(numbers[5]);
    for (int c = 0; c < 3; c++) {
        light->emitted[c] = lanes_load(colors[c]);
    }
}

/* Puts the light of some lanes in place. */
IN_LOOP void transfer_lanes_put(vmask lanes, const transfer_lanes_light *from,
                                transfer_lanes_light *to)
{
    to->absorbed = lanes_choose(lanes, from->absorbed, to->absorbed);
    for (int c = 0; c < 3; c++) {
        to->emitted[c] = lanes_choose(lanes, from->emitted[c], to->emitted[c]);
    }
}

/* Lanes with an emission that is finite. First moments have none if the scalars at the
 * ends lie further apart than squares in float32 reach. */
IN_LOOP vmask transfer_lanes_emit(const transfer_lanes_light *light)
{
    const vfloat sum = (lanes_abs(light->emitted[0]) + lanes_abs(light->emitted[1])) +
                       lanes_abs(light->emitted[2]);
    return lanes_less(sum, lanes_float(INFINITY));
}

/* Integrates doubtful segments of `active`, from ends[0] to ends[1], again with more
 * care. sum: their means. Returns the lanes that were integrated exactly. */
static __attribute__((noinline, unused)) vmask
transfer_lanes_repair(const render_transfer *transfer, vmask active,
                      const transfer_lanes *const ends[2],
                      const transfer_lanes_segment *segment,
                      const transfer_lanes_sum *sum, transfer_lanes_light *light)
{
    const transfer_table *table = &transfer->table;
    vmask exact = lanes_and_not(active, light->fitting);
    vmask crooked = lanes_and_not(lanes_and(active, light->fitting), light->straight);
    if (lanes_any(crooked)) {
        transfer_lanes_light refined = *light;
        transfer_lanes_refine(table, ends[0], ends[1], crooked, sum, &refined);
        transfer_lanes_put(crooked, &refined, light);
        crooked = lanes_and_not(crooked, refined.straight);
    }
    for (int parts = 2; parts <= TRANSFER_LANES_MOST_PARTS && lanes_any(crooked);
         parts *= 2) {
        transfer_lanes_light pieces;
        transfer_lanes_pass_parts(table, parts, crooked, ends, segment, &pieces);
        pieces.fitting = lanes_or(pieces.fitting, segment->tabled);
        transfer_lanes_put(crooked, &pieces, light);
        exact = lanes_or(exact, lanes_and_not(crooked, pieces.fitting));
        crooked = lanes_and_not(lanes_and(crooked, pieces.fitting), pieces.straight);
    }
    exact = lanes_or(exact, lanes_and_not(crooked, segment->tabled));
    exact = lanes_or(exact, lanes_and_not(active, transfer_lanes_emit(light)));
    if (lanes_any(exact)) {
        transfer_lanes_integrate(transfer, exact, segment, light);
    }
    return exact;
}

/* Segments that are whole ways; a and b are their looked-up ends. */
IN_LOOP transfer_lanes_segment transfer_lanes_whole(vfloat s0, vfloat s1, vfloat length,
                                                    transfer_lanes *a, transfer_lanes *b)
{
    a->low = b->low = lanes_float(0.0f);
    return (transfer_lanes_segment){.s0 = s0,
                                    .s1 = s1,
                                    .from = lanes_float(0.0f),
                                    .to = lanes_float(1.0f),
                                    .length = length,
                                    .tabled = lanes_mask(0),
                                    .tolerance = lanes_float(TRANSFER_LANES_TOLERANCE)};
}

/* Emission and absorption of segments: the integral of colour * extinction *
 * transmittance so far, and 1 - transmittance, which keeps its digits if it is small. */
typedef struct transfer_lanes_shown {
    vfloat emitted[3], absorbed;
} transfer_lanes_shown;

/* A segment in each lane along which the scalar is linear from s0 to s1, both finite.
 * length: in the grid's units; a negative one takes back what an inverted cell's
 * neighbours count twice. */
typedef struct transfer_lanes_stretch {
    vfloat s0, s1, length;
} transfer_lanes_stretch;

/* Returns the light of the segments of `active`, and zeros in other lanes. */
IN_LOOP void transfer_lanes_give(vmask active, const transfer_lanes_light *light,
                                 transfer_lanes_shown *out)
{
    for (int c = 0; c < 3; c++) {
        out->emitted[c] = lanes_choose(active, light->emitted[c], lanes_float(0.0f));
    }
    out->absorbed = lanes_choose(active, light->absorbed, lanes_float(0.0f));
}

/* Integrates emission and absorption along a segment in each lane of `active`, and moves
 * *last to its s1. The result does not depend on *last, but is faster if *last is at s0.
 * Other lanes give zeros and keep their state. Returns the lanes that had to be
 * integrated exactly, which is slow. */
IN_LOOP vmask transfer_lanes_advance(const render_transfer *transfer,
                                     transfer_lanes *last, vmask active,
                                     transfer_lanes_stretch segment,
                                     transfer_lanes_shown *out)
{
    const vfloat s0 = segment.s0, length = segment.length;
    const transfer_table *table = &transfer->table;
    const vfloat s1 = lanes_choose(active, segment.s1, last->s);
    if (lanes_any(lanes_and_not(active, lanes_equal(s0, last->s)))) {
        const transfer_lanes first =
            transfer_lanes_look_up(table, lanes_choose(active, s0, last->s));
        transfer_lanes_copy(&first, last);
    }
    transfer_lanes next = transfer_lanes_look_up(table, s1);
    transfer_lanes_light light;
    transfer_lanes_sum sum;
    transfer_lanes_add_up(table, last, &next, next.at - last->at, length, &sum);
    transfer_lanes_shine(&sum, &light);
    transfer_lanes_doubt(last, &next, &sum, lanes_float(TRANSFER_LANES_TOLERANCE),
                         &light);
    vmask exact = lanes_mask(0);
    if (lanes_any(lanes_and_not(active, lanes_and(light.straight, light.fitting)))) {
        const transfer_lanes_segment whole =
            transfer_lanes_whole(s0, s1, length, last, &next);
        const transfer_lanes *const ends[2] = {last, &next};
        exact = transfer_lanes_repair(transfer, active, ends, &whole, &sum, &light);
    }
    transfer_lanes_give(active, &light, out);
    transfer_lanes_copy(&next, last);
    return exact;
}

#endif
