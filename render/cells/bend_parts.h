/* Ways through trilinear cells in straight parts.
 *
 * A way that bends little has two parts (render/cells/bend_lanes.h). One that may bend
 * much has up to 16 of equal length. Their ends lie on a polynomial of degree four
 * through five scalars: those at both ends, and those of the map at a quarter, at a half
 * and at three quarters of the way. Through a parallelepiped the scalar along a ray is a
 * polynomial of degree three. The bend of the polynomial tells the number of parts. */
#ifndef RENDER_CELLS_BEND_PARTS_H
#define RENDER_CELLS_BEND_PARTS_H

#include "bend_lanes.h"

/* Bounds on the effect of a bend above which a way may have more than two parts: along
 * triangles, and along patches. A bound is some ten times as large as the effect. */
#define BEND_MUCH         1024.0f
#define BEND_MUCH_PATCHES 16.0f

/* The effect of a bend that may be left in one of many parts. */
#define BEND_LEFT         16.0f
#define BEND_LEFT_PATCHES 4.0f

/* A bound on the effect of the warp above which the map is inverted in the middle of a
 * way: bend_of takes the gradient as constant in a cell. */
#define BEND_MUCH_WARPED 32.0f

/* Numbers in polynomials are this part of scalars, so that they stay finite. */
#define BEND_SCALE 0x1p-8f

/* A way in parts. */
typedef struct bend_line {
    vfloat parts;       /* 1, 2, 4, 8 or 16 */
    vfloat middle;      /* the scalar between two parts */
    vfloat slope[5];    /* the scaled scalar at the beginning, and divided differences */
    vfloat least, most; /* of the cells, scaled */
    bool has_many;      /* some lane has more than two parts */
    vmask much;         /* ways that bend_follow shall find */
    vfloat effect;      /* the bound on the effect of their bends */
} bend_line;

/* Ways of one part. */
IN_LOOP bend_line bend_line_straight(void)
{
    return (bend_line){.parts = lanes_float(1.0f)};
}

/* Takes the ways of some lanes. */
IN_LOOP void bend_line_choose(vmask lanes, const bend_line *from, bend_line *to)
{
    to->parts = lanes_choose(lanes, from->parts, to->parts);
    to->middle = lanes_choose(lanes, from->middle, to->middle);
    if (from->has_many) {
        for (int n = 0; n < 5; n++) {
            to->slope[n] = lanes_choose(lanes, from->slope[n], to->slope[n]);
        }
        to->least = lanes_choose(lanes, from->least, to->least);
        to->most = lanes_choose(lanes, from->most, to->most);
        to->has_many = true;
    }
}

/* The bound on the effect of bends of ways; not a number if bend_bound is none. */
IN_LOOP vfloat bend_most_effect(const bend_cells *cells, const bend_ways *ways)
{
    const vfloat bound =
        lanes_min(bend_half_range(cells) * cells->steepness,
                  bend_bound(cells->bounds, &ways->from.place, &ways->to.place));
    return bound * lanes_abs(ways->t1 - ways->t0);
}

/* Number of parts of ways with this effect of their bends, so that each part is left with
 * an effect of at most `left`. A part takes the scalar as linear, so the effect falls
 * with the square of the number. */
IN_LOOP vfloat bend_many_parts(vfloat effect, float left)
{
    vfloat parts = lanes_float(2.0f);
    for (int most = 2; most < REFINE_MOST_PARTS; most *= 2) {
        const vmask more = lanes_less(lanes_float(left * (float)(most * most)), effect);
        parts = lanes_choose(more, lanes_float(2.0f * (float)most), parts);
    }
    return parts;
}

/* The scalar of the map at a share of the way, scaled. */
IN_LOOP vfloat bend_look(const cross_corners *at, const bend_ways *ways, float share)
{
    const vfloat t = ways->t0 + lanes_float(share) * (ways->t1 - ways->t0);
    return lanes_float(BEND_SCALE) *
           refine_scalar(at, &ways->from.place, &ways->to.place, lanes_float(share),
                         t * (lanes_float(1.0f) / ways->per_unit));
}

/* The largest bend that five scalars at equal distances show: that of a parabola with
 * their largest second derivative, which may lie at an end. */
IN_LOOP vfloat bend_most_curved(const vfloat s[5])
{
    vfloat second[3], most = lanes_float(0.0f), change = most;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        second[n] = (s[n] - s[n + 1]) - (s[n + 1] - s[n + 2]);
        most = lanes_max(most, lanes_abs(second[n]));
    }
#pragma GCC unroll 2
    for (int n = 0; n < 2; n++) {
        change = lanes_max(change, lanes_abs(second[n + 1] - second[n]));
    }
    return lanes_float(2.0f) * (most + change);
}

/* Finds the polynomial. middle: the scaled scalar there. Returns its largest bend. */
IN_LOOP vfloat bend_find_curve(const cross_corners *at, const bend_ways *ways,
                               vfloat middle, bend_line *line)
{
    const vfloat scale = lanes_float(BEND_SCALE);
    vfloat s[5] = {scale * ways->s0, bend_look(at, ways, 0.25f), middle,
                   bend_look(at, ways, 0.75f), scale * ways->s1};
    const vfloat bend = lanes_float(1.0f / BEND_SCALE) * bend_most_curved(s);
#pragma GCC unroll 4
    for (int n = 1; n < 5; n++) {
#pragma GCC unroll 4
        for (int m = 4; m >= n; m--) {
            s[m] = (s[m] - s[m - 1]) * lanes_float(1.0f / (float)n);
        }
    }
#pragma GCC unroll 5
    for (int n = 0; n < 5; n++) {
        line->slope[n] = s[n];
    }
    return bend;
}

/* A scaled scalar within the range of its cell; not a number remains so. */
IN_LOOP vfloat bend_limited(const bend_line *line, vfloat scaled)
{
    return lanes_float(1.0f / BEND_SCALE) *
           lanes_min(line->most, lanes_max(line->least, scaled));
}

/* The scalar at a share of ways with more than two parts. */
IN_LOOP vfloat bend_on_curve(const bend_line *line, vfloat share)
{
    const vfloat u = lanes_float(4.0f) * share;
    vfloat s = line->slope[4];
#pragma GCC unroll 4
    for (int n = 3; n >= 0; n--) {
        s = line->slope[n] + (u - lanes_float((float)n)) * s;
    }
    return bend_limited(line, s);
}

/* The scalar at a share of the way, between two parts. */
IN_LOOP vfloat bend_between(const bend_line *line, vfloat share)
{
    if (!line->has_many) {
        return line->middle;
    }
    const vmask few = lanes_less_equal(line->parts, lanes_float(2.0f));
    return lanes_choose(few, line->middle, bend_on_curve(line, share));
}

IN_LOOP void bend_limit(const bend_cells *cells, bend_line *line)
{
    line->least = lanes_float(BEND_SCALE) * cells->least;
    line->most = lanes_float(BEND_SCALE) * cells->most;
}

/* The scalar between two lines. middle: the scaled scalar of the map there. */
IN_LOOP vfloat bend_turn(const bend_ways *ways, const bend_cells *cells,
                         const bend_line *line, vfloat middle)
{
    const vfloat half = lanes_float(0.5f * BEND_SCALE);
    const vfloat mean = half * ways->s0 + half * ways->s1;
    const vfloat ends = lanes_float(8.0f * 0.25f * BEND_SCALE) * bend_ends(cells, ways);
    return bend_limited(line, mean + lanes_float(4.0f / 3) * ((middle - mean) + ends));
}

/* Finds the parts of those of some ways from triangle to triangle that may bend much, or
 * through warped cells. Returns their lanes. After bend_find. Not inlined: few ways do.
 */
static __attribute__((noinline)) vmask bend_follow(const cross_corners *at,
                                                   const bend_ways *ways,
                                                   const bend_cells *cells, vmask lanes,
                                                   bend_line *line)
{
    const vfloat middle = bend_look(at, ways, 0.5f);
    const vfloat infinite = lanes_float(INFINITY);
    vmask much = lanes_and(lanes, line->much);
    much = lanes_and(much, lanes_less(lanes_abs(middle), infinite));
    bend_limit(cells, line);
    line->parts = lanes_choose(much, lanes_float(2.0f), line->parts);
    line->middle = lanes_choose(much, bend_turn(ways, cells, line, middle), line->middle);
    vmask many = lanes_and(much, lanes_less(lanes_float(BEND_MUCH), line->effect));
    if (!lanes_any(many)) {
        return much;
    }
    const vfloat effect = bend_find_curve(at, ways, middle, line) * cells->steepness *
                          lanes_abs(ways->t1 - ways->t0);
#pragma GCC unroll 5
    for (int n = 0; n < 5; n++) {
        many = lanes_and(many, lanes_less(lanes_abs(line->slope[n]), infinite));
    }
    line->parts = lanes_choose(many, bend_many_parts(effect, BEND_LEFT), line->parts);
    line->has_many = lanes_any(many);
    return much;
}

/* Finds the parts of ways from triangle to triangle: one in lanes that are not `able`,
 * else one or two. Returns the lanes with two. bend_follow finds the parts of ways that
 * may bend much, or that the warp may bend. */
IN_LOOP vmask bend_find(const bend_ways *ways, const bend_cells *cells, vmask able,
                        bend_line *line)
{
    const vfloat length = ways->t1 - ways->t0;
    const vfloat bound = bend_bound(cells->bounds, &ways->from.place, &ways->to.place);
    able = lanes_and(able, bend_is_visible(bound, length));
    const vmask bent =
        lanes_and(able, bend_find_middle(ways, cells, bound, &line->middle));
    line->parts = lanes_choose(bent, lanes_float(2.0f), lanes_float(1.0f));
    line->has_many = false;
    line->effect = bend_most_effect(cells, ways);
    const vfloat warp = bend_unpack(cells->bounds, 1) * lanes_abs(length);
    line->much =
        lanes_and(able, lanes_or(lanes_less(lanes_float(BEND_MUCH), line->effect),
                                 lanes_less(lanes_float(BEND_MUCH_WARPED), warp)));
    return bent;
}

/* Finds more than two parts of those of some ways from patch to patch that may bend much.
 * middle: the scaled scalar of the map there. After bend_limit. */
IN_LOOP void bend_follow_on_patches(const cross_corners *at, const bend_ways *ways,
                                    bend_cells *cells, const transfer_table *table,
                                    vfloat middle, bend_line *line)
{
    cells->steepness = transfer_lanes_steepness(table, cells->least, cells->most);
    const vmask many =
        lanes_less(lanes_float(BEND_MUCH_PATCHES), bend_most_effect(cells, ways));
    line->has_many = lanes_any(many);
    if (line->has_many) {
        const vfloat effect = bend_find_curve(at, ways, middle, line) * cells->steepness *
                              lanes_abs(ways->t1 - ways->t0);
        line->parts =
            lanes_choose(many, bend_many_parts(effect, BEND_LEFT_PATCHES), line->parts);
    }
}

/* Finds the parts of ways from patch to patch, two or more. bounds: see bend_bounds. */
IN_LOOP void bend_find_on_patches(const cross_corners *at, const bend_ways *ways,
                                  vint bounds, const transfer_table *table,
                                  bend_line *line)
{
    bend_cells cells;
    cells.bounds = bounds;
    bend_range(at->scalar, &cells.least, &cells.most);
    const vfloat length = ways->t1 - ways->t0, half = lanes_float(0.5f * BEND_SCALE);
    const vfloat mean = half * ways->s0 + half * ways->s1;
    const vfloat middle = bend_look(at, ways, 0.5f);
    bend_limit(&cells, line);
    line->middle = bend_limited(line, mean + lanes_float(4.0f / 3) * (middle - mean));
    line->parts = lanes_float(2.0f);
    line->has_many = false;
    const vfloat effect =
        bend_bound(bounds, &ways->from.place, &ways->to.place) * lanes_abs(length);
    const vmask few = lanes_less_equal(effect, lanes_float(BEND_MUCH_PATCHES));
    if (lanes_mask_bits(few) != LANES_ALL) {
        bend_follow_on_patches(at, ways, &cells, table, middle, line);
    }
}

#endif
