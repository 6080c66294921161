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

/* An end of ways on faces of their cells. The scalar there is that of the bilinear patch
 * of the face; the point lies on a triangle. */
typedef struct bend_end {
    refine_place place;
    vint axis;   /* that the face lies across */
    vfloat side; /* -1/2: the lower face, 1/2: the upper one */
    vfloat off;  /* from the triangle to the patch, in mixed differences of the face */
} bend_end;

/* Ways through cells: both ends, with their distances and scalars. */
typedef struct bend_ways {
    bend_end from, to;
    vfloat t0, t1, s0, s1;
    vfloat per_unit; /* of the ray */
} bend_ways;

/* Faces whose diagonals run from corner 1 to corner 3 (cell.h). flags: of the cells. */
IN_LOOP vmask bend_is_turned(vint flags, vint face)
{
    return lanes_bit(flags >> ((face >> 1) + 4 * (face & 1)), 0);
}

IN_LOOP bend_end bend_end_of(vint face, vmask turned, vfloat f, vfloat g)
{
    const vfloat none = lanes_float(0.0f), one = lanes_float(1.0f);
    const vfloat on_triangle =
        lanes_choose(turned, lanes_max(none, (f + g) - one), lanes_min(f, g));
    return (bend_end){.place = refine_place_on_face(face, f, g),
                      .axis = face >> 1,
                      .side = lanes_convert(face & 1) - lanes_float(0.5f),
                      .off = f * g - on_triangle};
}

/* How a value differs from an affine map: the mixed differences across each axis, in the
 * middle of the cell, and their change from one face to the other. Of scalars an eighth,
 * which is finite for all finite scalars. */
typedef struct bend_twist {
    vfloat mean[3], change;
} bend_twist;

/* What is known of the cells for all ways through them. */
typedef struct bend_cells {
    vfloat least, most; /* scalars */
    vfloat steepness;   /* the largest slope of the transfer function in between */
    bend_twist rest;    /* of the scalar less its affine part in the middle of the cell */
    bend_twist warp; /* of minus that part: it comes from the shape of the cell alone */
    vint bounds;     /* see bend_bounds */
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

/* Finds the range of the scalars, and the steepness. */
IN_LOOP void bend_look_at(const vfloat scalar[8], const transfer_table *table,
                          bend_cells *cells)
{
    bend_range(scalar, &cells->least, &cells->most);
    cells->steepness = transfer_lanes_steepness(table, cells->least, cells->most);
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

/* ---- Twists ------------------------------------------------------------------------ */

/* A value of the trilinear map in the middle of the cell: its slopes, and its twist. */
typedef struct bend_map {
    vfloat slope[3];
    bend_twist twist;
} bend_map;

/* Sums and differences along i, then along j, then along k. */
IN_LOOP bend_map bend_map_of(const vfloat corner[8])
{
    const vfloat half = lanes_float(0.5f), quarter = lanes_float(0.25f);
    vfloat x[8], sum[4], rise[4], all[2], by_i[2], by_j[2], by_both[2];
#pragma GCC unroll 8
    for (int n = 0; n < CROSS_CORNERS; n++) {
        x[n] = corner[n] - corner[0];
    }
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        sum[n] = x[2 * n] + x[2 * n + 1];
        rise[n] = x[2 * n + 1] - x[2 * n];
    }
#pragma GCC unroll 2
    for (int n = 0; n < 2; n++) {
        all[n] = sum[2 * n] + sum[2 * n + 1];
        by_j[n] = sum[2 * n + 1] - sum[2 * n];
        by_i[n] = rise[2 * n] + rise[2 * n + 1];
        by_both[n] = rise[2 * n + 1] - rise[2 * n];
    }
    return (bend_map){
        .slope = {quarter * (by_i[0] + by_i[1]), quarter * (by_j[0] + by_j[1]),
                  quarter * (all[1] - all[0])},
        .twist = {.mean = {half * (by_j[1] - by_j[0]), half * (by_i[1] - by_i[0]),
                           half * (by_both[0] + by_both[1])},
                  .change = by_both[1] - by_both[0]}};
}

/* The gradient of the scalar in the middle of the cell. x: the coordinates. */
IN_LOOP void bend_gradient(const bend_map x[3], const bend_map *scalar, vfloat out[3])
{
    vfloat det = lanes_float(0.0f);
    out[0] = out[1] = out[2] = det;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const int a = (n + 1) % 3, b = (n + 2) % 3;
        vfloat across[3];
#pragma GCC unroll 3
        for (int axis = 0; axis < 3; axis++) {
            const bend_map *y = &x[(axis + 1) % 3], *z = &x[(axis + 2) % 3];
            across[axis] = y->slope[a] * z->slope[b] - z->slope[a] * y->slope[b];
            out[axis] += across[axis] * scalar->slope[n];
        }
        if (n == 0) {
            det = (x[0].slope[0] * across[0] + x[1].slope[0] * across[1]) +
                  x[2].slope[0] * across[2];
        }
    }
    const vfloat per_det = lanes_float(1.0f) / det;
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        out[axis] *= per_det;
    }
}

/* Powers of two: `down` carries the scalars of the cells below 4, so that gradients stay
 * finite; `up` makes eighths of them again. */
IN_LOOP void bend_find_scale(const bend_cells *cells, vfloat *down, vfloat *up)
{
    const vfloat size = lanes_max(lanes_abs(cells->least), lanes_abs(cells->most));
    const vint most = lanes_int(253 << 23), all = lanes_int(254 << 23);
    const vint found = lanes_bits(size) & lanes_int(255 << 23);
    const vint power = lanes_choose_int(lanes_greater_int(found, most), most, found);
    *down = lanes_from_bits(all - power);
    *up = lanes_float(0.125f) * lanes_from_bits(power);
}

/* Finds the twists of cells whose range is known. corner: coordinates and scalars as the
 * grid has them, so that everybody finds the same bits. */
IN_LOOP void bend_find_twists(const vfloat corner[4][8], bend_cells *cells)
{
    bend_map map[4];
    vfloat scaled[CROSS_CORNERS], down, up;
    bend_find_scale(cells, &down, &up);
#pragma GCC unroll 8
    for (int n = 0; n < CROSS_CORNERS; n++) {
        scaled[n] = down * corner[3][n];
    }
#pragma GCC unroll 4
    for (int axis = 0; axis < 4; axis++) {
        map[axis] = bend_map_of(axis < 3 ? corner[axis] : scaled);
    }
    vfloat gradient[3];
    bend_gradient(map, &map[3], gradient);
    const bend_twist *x = &map[0].twist, *y = &map[1].twist, *z = &map[2].twist;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const vfloat warp = -((gradient[0] * x->mean[n] + gradient[1] * y->mean[n]) +
                              gradient[2] * z->mean[n]);
        cells->warp.mean[n] = up * warp;
        cells->rest.mean[n] = up * (map[3].twist.mean[n] + warp);
    }
    const vfloat change =
        -((gradient[0] * x->change + gradient[1] * y->change) + gradient[2] * z->change);
    cells->warp.change = up * change;
    cells->rest.change = up * (map[3].twist.change + change);
}

/* The largest mixed difference of all. */
IN_LOOP vfloat bend_most_twisted(const bend_twist *twist)
{
    return lanes_max(lanes_max(lanes_abs(twist->mean[0]), lanes_abs(twist->mean[1])),
                     lanes_abs(twist->mean[2])) +
           lanes_float(0.5f) * lanes_abs(twist->change);
}

/* ---- Bounds ------------------------------------------------------------------------ */

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

/* Bounds on the effects of bends in cells, per length of the way, in two bytes: see
 * bend_of. Byte 0 is a quarter of the largest mixed difference. Byte 1, for all ways, is
 * that of the warp at both ends: no point of a triangle lies further from the patch than
 * a quarter of the face's mixed difference.
 *
 * Bends are cut off at these bounds. So nobody needs the corners of a cell to see that a
 * way is straight. */
IN_LOOP vint bend_bounds(const bend_cells *cells)
{
    const vfloat quarter = lanes_float(8.0f * 0.25f) * cells->steepness;
    const vfloat warp = bend_most_twisted(&cells->warp);
    return bend_pack(quarter * bend_most_twisted(&cells->rest)) |
           lanes_shift_left(bend_pack(lanes_float(1.5f) * quarter * warp), 8);
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

/* The bound for all ways, and more than rounding adds to it. */
IN_LOOP vfloat bend_any_bound(vint bounds)
{
    return bend_unpack(bounds, 1) + lanes_float(3.0001f) * bend_unpack(bounds, 0);
}

/* What is known of cells, with bounds on their bends. corner: as for
 * bend_find_twists. */
IN_LOOP bend_cells bend_know(const vfloat corner[4][8], const transfer_table *table)
{
    bend_cells cells;
    bend_look_at(corner[3], table, &cells);
    bend_find_twists(corner, &cells);
    cells.bounds = bend_bounds(&cells);
    return cells;
}

/* ---- Middles ----------------------------------------------------------------------- */

/* An eighth of how the scalar on the ray differs from that at the end of the way. */
IN_LOOP vfloat bend_at_end(const bend_twist *warp, const bend_end *end)
{
    const vmask is_i = lanes_equal_int(end->axis, lanes_int(0)),
                is_j = lanes_equal_int(end->axis, lanes_int(1));
    const vfloat mean = lanes_choose(is_i, warp->mean[0],
                                     lanes_choose(is_j, warp->mean[1], warp->mean[2]));
    return end->off * (mean + end->side * warp->change);
}

/* The same at both ends. */
IN_LOOP vfloat bend_ends(const bend_cells *cells, const bend_ways *ways)
{
    return bend_at_end(&cells->warp, &ways->from) + bend_at_end(&cells->warp, &ways->to);
}

/* The bend of the ways.
 *
 * An affine function of the position does not bend along a ray. So the one with the
 * gradient of the scalar in the middle of the cell is taken from the scalar. The rest
 * hardly changes from place to place there: its bend along the ray is that along the
 * straight line between both places in the cell's own coordinates, a quarter of its mixed
 * differences in the middle times the line's steps along both axes.
 *
 * The ends of the way lie on triangles, and their scalars are those of patches. By
 * Simpson's rule the mean of a parabola through the true scalars changes by a sixth of
 * the change at each end, and so by a quarter of it in terms of the bend. The middle lies
 * aside by half of it. */
IN_LOOP vfloat bend_of(const bend_cells *cells, const bend_ways *ways)
{
    const vfloat half = lanes_float(0.5f);
    vfloat step[3], middle[3], twist[3];
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const vfloat a = ways->from.place.x[n], b = ways->to.place.x[n];
        step[n] = b - a;
        middle[n] = half * (a + b) - half;
        twist[n] = cells->rest.mean[n] + middle[n] * cells->rest.change;
    }
    const vfloat line = (step[0] * step[1] * twist[2] + step[1] * step[2] * twist[0]) +
                        step[2] * step[0] * twist[1];
    const vfloat ends = bend_ends(cells, ways);
    return lanes_float(8.0f * 0.75f) * ends - lanes_float(8.0f * 0.25f) * line;
}

/* Finds the scalar by way of which the two lines go. It stays within the range of the
 * cell. bound: on the effect of bends, per length. Returns the lanes with a bend; the
 * scalar in others has no meaning. */
IN_LOOP vmask bend_find_middle(const bend_ways *ways, const bend_cells *cells,
                               vfloat bound, vfloat *middle)
{
    const vfloat half = lanes_float(0.5f), one = lanes_float(1.0f);
    const vfloat length = ways->t1 - ways->t0;
    const vfloat mean = half * ways->s0 + half * ways->s1;
    const vfloat most = lanes_min(bend_half_range(cells), bound / cells->steepness);
    const vfloat bend = lanes_clamp(bend_of(cells, ways), -most, most);
    const vfloat effect = lanes_abs(bend * cells->steepness) * lanes_abs(length);
    const vfloat share = lanes_min(effect - one, one);
    *middle = lanes_clamp(mean + bend * (share * lanes_float(4.0f / 3)), cells->least,
                          cells->most);
    const vfloat infinite = lanes_float(INFINITY);
    const vmask finite =
        lanes_and(lanes_less(lanes_abs(mean), infinite), lanes_less(effect, infinite));
    return lanes_and(finite, lanes_less(one, effect));
}

#endif
