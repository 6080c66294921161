/* The bend of the scalar along the ways of rays through trilinear cells.
 *
 * From the triangle of entry to that of exit the scalar is nearly a parabola: with u from
 * 0 to 1 along the way,
 *
 *     s(u) = s0 + (s1 - s0) u + 4 c u (1 - u).
 *
 * c, the bend, is the scalar in the middle less the mean of both ends. Two straight lines
 * by way of the mean + 4/3 c have the mean of the parabola, and stay within c/3 of it.
 *
 * A bend changes extinction, or extinction times colour, along its way by 2/3 |c| times
 * the slope of the transfer function, on average. If |c| times its largest slope within
 * the cell times the length of the way is below TRANSFER_LEAST_BEND, the bend is left
 * out. From there to twice the threshold it grows to its full size: so a last digit,
 * which ranks may find otherwise, never makes a visible difference. All of it follows
 * from the whole cell and the whole way, wherever a box cuts it.
 *
 * Two lines show one bend. Where the bound on bends is large, a way has more parts
 * (render/cells/bend_parts.h). */
#ifndef RENDER_CELLS_BEND_LANES_H
#define RENDER_CELLS_BEND_LANES_H

#include "refine_lanes.h"
#include "render/transfer/place.h"

/* Ways through cells: the places, distances and scalars at both ends. */
typedef struct bend_ways {
    refine_place from, to;
    vfloat t0, t1, s0, s1;
    vfloat per_unit; /* of the ray */
} bend_ways;

IN_LOOP vfloat bend_middle_of(vfloat t0, vfloat t1)
{
    return t0 + lanes_float(0.5f) * (t1 - t0);
}

/* What is known of the cells for all ways through them. */
typedef struct bend_cells {
    vfloat least, most; /* scalars */
    vfloat steepness;   /* the largest slope of the transfer function in between */
    vint bounds;        /* see bend_bounds */
} bend_cells;

/* Finds the least and the largest scalar. */
IN_LOOP void bend_range(const vfloat scalar[8], vfloat *least, vfloat *most)
{
    *least = *most = scalar[0];
#pragma GCC unroll 8
    for (int n = 1; n < CROSS_CORNERS; n++) {
        *least = lanes_min(*least, scalar[n]);
        *most = lanes_max(*most, scalar[n]);
    }
}

IN_LOOP bend_cells bend_look_at(const vfloat scalar[8], const transfer_table *table)
{
    bend_cells cells = {.bounds = lanes_int(0)};
    bend_range(scalar, &cells.least, &cells.most);
    cells.steepness = transfer_lanes_steepness(table, cells.least, cells.most);
    return cells;
}

/* Half the range of the cells: a bend on a diagonal of a face with equal values at
 * opposite corners. */
IN_LOOP vfloat bend_half_range(const bend_cells *cells)
{
    const vfloat half = lanes_float(0.5f);
    return half * cells->most - half * cells->least;
}

/* Lanes in which ways may bend visibly. bound: of the effect of bends, per length. */
IN_LOOP vmask bend_is_visible(vfloat bound, vfloat length)
{
    return lanes_less(lanes_float(1.0f), bound * lanes_abs(length));
}

/* Lanes in which ways may bend visibly, whatever the shapes of the cells. */
IN_LOOP vmask bend_is_possible(const bend_cells *cells, vfloat length)
{
    return bend_is_visible(bend_half_range(cells) * cells->steepness, length);
}

/* ---- Bounds ------------------------------------------------------------------------ */

/* How a value differs from an affine map: the mixed differences across each axis, as the
 * mean of both faces, and their change from one face to the other. */
typedef struct bend_twist {
    vfloat mean[3], change;
} bend_twist;

/* Corners a, b, c and d go around the lower face across axis n; those of the upper face
 * are a + far and so on. */
IN_LOOP bend_twist bend_twist_of(const vfloat x[8])
{
    static const int around[3][4] = {{0, 2, 6, 4}, {0, 1, 5, 4}, {0, 1, 3, 2}};
    const vfloat half = lanes_float(0.5f);
    bend_twist twist;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const int *c = around[n], far = 1 << n;
        const vfloat low = (x[c[0]] - x[c[1]]) + (x[c[2]] - x[c[3]]),
                     high = (x[c[0] + far] - x[c[1] + far]) +
                            (x[c[2] + far] - x[c[3] + far]);
        twist.mean[n] = half * (low + high);
        twist.change = high - low;
    }
    return twist;
}

/* The largest mixed difference between the faces across axis n. */
IN_LOOP vfloat bend_most_twisted(const bend_twist *twist, int n)
{
    return lanes_abs(twist->mean[n]) + lanes_float(0.5f) * lanes_abs(twist->change);
}

/* The four differences along axis n: their mean, and the largest magnitude. */
IN_LOOP vfloat bend_rise(const vfloat x[8], int n, vfloat *largest)
{
    const int far = 1 << n, m = 1 << (n + 1) % 3, l = 1 << (n + 2) % 3;
    const vfloat a = x[far] - x[0], b = x[m + far] - x[m], c = x[l + far] - x[l],
                 d = x[m + l + far] - x[m + l];
    *largest = lanes_max(lanes_max(lanes_abs(a), lanes_abs(b)),
                         lanes_max(lanes_abs(c), lanes_abs(d)));
    return lanes_float(0.25f) * ((a + b) + (c + d));
}

/* Finds by how much the warp of faces across axis n changes the scalar: it moves places
 * in the cell's own coordinates. */
IN_LOOP void bend_warp(const vfloat corner[4][8], vfloat out[3])
{
    bend_twist twist[3];
    vfloat edge[3][3], ignored;
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        twist[axis] = bend_twist_of(corner[axis]);
#pragma GCC unroll 3
        for (int n = 0; n < 3; n++) {
            edge[n][axis] = bend_rise(corner[axis], n, &ignored);
        }
    }
    vfloat det = lanes_float(0.0f);
    out[0] = out[1] = out[2] = det;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const vfloat *a = edge[(n + 1) % 3], *b = edge[(n + 2) % 3];
        const vfloat across[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                  a[0] * b[1] - a[1] * b[0]};
        det = (edge[n][0] * across[0] + edge[n][1] * across[1]) + edge[n][2] * across[2];
        bend_twist moved;
#pragma GCC unroll 3
        for (int m = 0; m < 3; m++) {
            moved.mean[m] =
                (across[0] * twist[0].mean[m] + across[1] * twist[1].mean[m]) +
                across[2] * twist[2].mean[m];
        }
        moved.change = (across[0] * twist[0].change + across[1] * twist[1].change) +
                       across[2] * twist[2].change;
        vfloat rise;
        bend_rise(corner[3], n, &rise);
#pragma GCC unroll 3
        for (int m = 0; m < 3; m++) {
            out[m] += bend_most_twisted(&moved, m) * rise;
        }
    }
    const vfloat per_det = lanes_float(1.0f) / lanes_abs(det);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        out[n] *= per_det;
    }
}

/* A bound is a byte: a float32 of two digits, rounded up, from 2^-24 to 2^39; 255 is
 * infinity. */
enum { BEND_SHIFT = 21, BEND_LEAST = (127 - 24) << 2 };

IN_LOOP vint bend_pack(vfloat bound)
{
    const vfloat huge = lanes_float(1e30f); /* also in place of a NaN */
    const vfloat finite = lanes_choose(lanes_less(bound, huge), bound, huge);
    const vint most = lanes_int(255), none = lanes_int(0);
    const vint steps = (lanes_bits(finite) >> BEND_SHIFT) + lanes_int(1 - BEND_LEAST);
    const vint some = lanes_choose_int(lanes_greater_int(steps, none), steps, none);
    return lanes_choose_int(lanes_greater_int(most, some), some, most);
}

IN_LOOP vfloat bend_unpack(vint bounds, int n)
{
    const vint byte = (bounds >> 8 * n) & 255;
    const vfloat bound =
        lanes_from_bits(lanes_shift_left(byte + lanes_int(BEND_LEAST), BEND_SHIFT));
    return lanes_choose(lanes_equal_int(byte, lanes_int(255)), lanes_float(INFINITY),
                        bound);
}

/* Bounds on the effects of bends in cells, per length of the way, in two bytes.
 *
 * The straight line from place to place in the cell's own coordinates bends by a quarter
 * of the mixed difference across each axis, times the line's steps along the other two.
 * The warp moves its middle off the ray, by the same rule. Byte 0 is the largest of the
 * three. The warp also parts both ends, on triangles, from the patches of their faces:
 * byte 1, for all ways.
 *
 * Bends are cut off at these bounds. So nobody needs the corners of a cell to see that a
 * way is straight. corner: coordinates and scalars as the grid has them, so that
 * everybody finds the same bits. */
IN_LOOP vint bend_bounds(const vfloat corner[4][8], vfloat steepness)
{
    const vfloat quarter = lanes_float(0.25f) * steepness;
    const bend_twist own = bend_twist_of(corner[3]);
    vfloat warp[3];
    bend_warp(corner, warp);
    vfloat twist = bend_most_twisted(&own, 0) + warp[0], most = warp[0];
#pragma GCC unroll 2
    for (int n = 1; n < 3; n++) {
        twist = lanes_max(twist, bend_most_twisted(&own, n) + warp[n]);
        most = lanes_max(most, warp[n]);
    }
    return bend_pack(quarter * twist) |
           lanes_shift_left(bend_pack(lanes_float(1.5f) * quarter * most), 8);
}

/* The bound for ways from one place to another. */
IN_LOOP vfloat bend_bound(vint bounds, const refine_place *from, const refine_place *to)
{
    vfloat step[3];
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        step[n] = lanes_abs(to->x[n] - from->x[n]);
    }
    const vfloat steps = (step[0] * step[1] + step[1] * step[2]) + step[2] * step[0];
    return bend_unpack(bounds, 1) + bend_unpack(bounds, 0) * steps;
}

/* The bound for all ways. */
IN_LOOP vfloat bend_any_bound(vint bounds)
{
    return bend_unpack(bounds, 1) + lanes_float(3.0f) * bend_unpack(bounds, 0);
}

/* What is known of cells, with bounds on their bends. corner: as for bend_bounds. */
IN_LOOP bend_cells bend_know(const vfloat corner[4][8], const transfer_table *table)
{
    bend_cells cells = bend_look_at(corner[3], table);
    cells.bounds = bend_bounds(corner, cells.steepness);
    return cells;
}

/* ---- Middles ----------------------------------------------------------------------- */

/* The value of the trilinear map. */
IN_LOOP vfloat bend_value(const vfloat corner[8], const vfloat x[3])
{
    vfloat edge[4];
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        edge[n] = corner[2 * n] + x[0] * (corner[2 * n + 1] - corner[2 * n]);
    }
    const vfloat low = edge[0] + x[1] * (edge[1] - edge[0]),
                 high = edge[2] + x[1] * (edge[3] - edge[2]);
    return low + x[2] * (high - low);
}

/* The change of the scalar across and along the rays: per u, per v, and per t. */
typedef struct bend_slopes {
    vfloat u, v, t;
} bend_slopes;

/* By how much the scalar on the ray, at t, differs from that at a place beside it. */
IN_LOOP vfloat bend_beside(const cross_corners *at, const vfloat x[3],
                           const bend_slopes *slopes, vfloat t, vfloat per_unit)
{
    const vfloat off_t = t - bend_value(at->along, x) * per_unit;
    return off_t * slopes->t -
           (bend_value(at->u, x) * slopes->u + bend_value(at->v, x) * slopes->v);
}

/* The bend of the ways.
 *
 * The straight line between both places in the cell's own coordinates runs beside the
 * ray, and so do its ends: a triangle is not the patch of its face, nor are its
 * coordinates those of the patch. The slopes of the scalar in the middle lead from there
 * to the ray. By Simpson's rule the mean of a parabola through the true scalars changes
 * by a sixth of the change at each end, and so by a quarter of it in terms of the bend.
 */
IN_LOOP vfloat bend_of(const cross_corners *at, const bend_ways *ways)
{
    const vfloat half = lanes_float(0.5f), quarter = lanes_float(0.25f);
    refine_place near;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        near.x[n] = half * ways->from.x[n] + half * ways->to.x[n];
    }
    const refine_map u = refine_evaluate(at->u, &near), v = refine_evaluate(at->v, &near),
                     a = refine_evaluate(at->along, &near),
                     s = refine_evaluate(at->scalar, &near);
    vfloat det = lanes_float(0.0f);
    bend_slopes slopes = {det, det, det};
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const int m = (n + 1) % 3, l = (n + 2) % 3;
        const vfloat va = v.slope[m] * a.slope[l] - v.slope[l] * a.slope[m];
        det += u.slope[n] * va;
        slopes.u += s.slope[n] * va;
        slopes.v += s.slope[n] * (a.slope[m] * u.slope[l] - a.slope[l] * u.slope[m]);
        slopes.t += s.slope[n] * (u.slope[m] * v.slope[l] - u.slope[l] * v.slope[m]);
    }
    const vfloat per_det = lanes_float(1.0f) / det;
    slopes.u *= per_det;
    slopes.v *= per_det;
    slopes.t *= per_det / ways->per_unit;
    const vfloat t = bend_middle_of(ways->t0, ways->t1);
    const vfloat off_t = t - a.value * ways->per_unit;
    const vfloat middle =
        s.value + (off_t * slopes.t - (u.value * slopes.u + v.value * slopes.v));
    const vfloat ends = bend_beside(at, ways->from.x, &slopes, ways->t0, ways->per_unit) +
                        bend_beside(at, ways->to.x, &slopes, ways->t1, ways->per_unit);
    return (middle - (half * ways->s0 + half * ways->s1)) + quarter * ends;
}

/* Finds the scalar by way of which the two lines go. It stays within the range of the
 * cell. bound: on the effect of
 * bends, per length. Returns the lanes with a bend; the scalar
 * in others has no meaning. */
IN_LOOP vmask bend_find_middle(const cross_corners *at, const bend_ways *ways,
                               const bend_cells *cells, vfloat bound, vfloat *middle)
{
    const vfloat half = lanes_float(0.5f), one = lanes_float(1.0f);
    const vfloat length = ways->t1 - ways->t0;
    const vfloat mean = half * ways->s0 + half * ways->s1;
    const vfloat most = lanes_min(bend_half_range(cells), bound / cells->steepness);
    const vfloat bend = lanes_clamp(bend_of(at, ways), -most, most);
    const vfloat effect = lanes_abs(bend * cells->steepness) * lanes_abs(length);
    const vfloat share = lanes_min(effect - one, one);
    *middle = lanes_clamp(mean + bend * (share * lanes_float(4.0f / 3)), cells->least,
                          cells->most);
    const vfloat infinite = lanes_float(INFINITY);
    const vmask finite =
        lanes_and(lanes_less(lanes_abs(mean), infinite), lanes_less(effect, infinite));
    const vmask visible =
        lanes_and(bend_is_visible(bound, length), lanes_less(one, effect));
    return lanes_and(finite, visible);
}

#endif
