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
 * from the whole cell and the whole way, wherever a box cuts it. */
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
} bend_cells;

IN_LOOP bend_cells bend_look_at(const cross_corners *at, const transfer_table *table)
{
    bend_cells cells = {at->scalar[0], at->scalar[0], at->scalar[0]};
#pragma GCC unroll 8
    for (int n = 1; n < CROSS_CORNERS; n++) {
        cells.least = lanes_min(cells.least, at->scalar[n]);
        cells.most = lanes_max(cells.most, at->scalar[n]);
    }
    cells.steepness = transfer_lanes_steepness(table, cells.least, cells.most);
    return cells;
}

/* The largest bend that counts: a quarter of the range of the cells, as on a diagonal of
 * a face with equal values at opposite corners. */
IN_LOOP vfloat bend_largest(const bend_cells *cells)
{
    const vfloat quarter = lanes_float(0.25f);
    return quarter * cells->most - quarter * cells->least;
}

/* Lanes in which ways of this length may bend visibly. */
IN_LOOP vmask bend_is_possible(const bend_cells *cells, vfloat length)
{
    const vfloat effect = bend_largest(cells) * cells->steepness * lanes_abs(length);
    return lanes_less(lanes_float(1.0f), effect);
}

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

/* The scalar in the middle of the ways.
 *
 * The straight line between both places in the cell's own coordinates runs beside the
 * ray. A Newton step across that line leads to the ray. Where it meets the ray, the
 * scalar changes along it as it does between both ends. */
IN_LOOP vfloat bend_middle(const cross_corners *at, const bend_ways *ways)
{
    const vfloat half = lanes_float(0.5f);
    refine_place near;
    vfloat way[3];
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        way[n] = ways->to.x[n] - ways->from.x[n];
        near.x[n] = ways->from.x[n] + half * way[n];
    }
    const refine_map u = refine_evaluate(at->u, &near), v = refine_evaluate(at->v, &near);
    vfloat across_u[3], across_v[3];
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const int m = (n + 1) % 3, l = (n + 2) % 3;
        across_u[n] = v.slope[m] * way[l] - v.slope[l] * way[m];
        across_v[n] = way[m] * u.slope[l] - way[l] * u.slope[m];
    }
    const vfloat det =
        (u.slope[0] * across_u[0] + u.slope[1] * across_u[1]) + u.slope[2] * across_u[2];
    const vfloat per_det = lanes_float(1.0f) / det;
    const vfloat off_u = u.value * per_det, off_v = v.value * per_det;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        near.x[n] =
            refine_inside(near.x[n] - (off_u * across_u[n] + off_v * across_v[n]));
    }
    const vfloat length = ways->t1 - ways->t0;
    const vfloat t = bend_value(at->along, near.x) * ways->per_unit;
    const vfloat too_far = (t - bend_middle_of(ways->t0, ways->t1)) / length;
    return bend_value(at->scalar, near.x) - too_far * (ways->s1 - ways->s0);
}

/* Finds the scalar by way of which the two lines go. It stays within the range of the
 * cell. Returns the lanes with a bend; the scalar in others has no meaning. */
IN_LOOP vmask bend_find(const cross_corners *at, const bend_ways *ways,
                        const bend_cells *cells, vfloat *middle)
{
    const vfloat half = lanes_float(0.5f), one = lanes_float(1.0f);
    const vfloat mean = half * ways->s0 + half * ways->s1, most = bend_largest(cells);
    const vfloat bend = lanes_clamp(bend_middle(at, ways) - mean, -most, most);
    const vfloat effect =
        lanes_abs(bend * cells->steepness) * lanes_abs(ways->t1 - ways->t0);
    const vfloat share = lanes_min(effect - one, one);
    *middle = lanes_clamp(mean + bend * (share * lanes_float(4.0f / 3)), cells->least,
                          cells->most);
    const vfloat infinite = lanes_float(INFINITY);
    const vmask finite =
        lanes_and(lanes_less(lanes_abs(mean), infinite), lanes_less(effect, infinite));
    return lanes_and(finite, lanes_less(one, effect));
}

#endif
