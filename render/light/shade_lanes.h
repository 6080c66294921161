/* Shading (render/light/shade.h), one ray in each lane. Vectors are in the order of the
 * ray's own axes (cell_ray.axis), so the ray needs no rotation. */
#ifndef RENDER_LIGHT_SHADE_LANES_H
#define RENDER_LIGHT_SHADE_LANES_H

#include "render/cells/refine_lanes.h"
#include "shade.h"
#include "shade_way.h"
#include "shadow.h"

#include <math.h>

/* Gradients that lanes keep from cell to cell if the volume is shaded. */
typedef struct lane_shade {
    /* At the ray's entry into its cell and at its exit. */
    _Alignas(64) float entry[3][LANES];
    float exit[3][LANES];
} lane_shade;

/* Squares of numbers between these neither overflow nor round to zero. */
#define SHADE_MOST  1e18f
#define SHADE_LEAST 1e-18f

/* Below this length of light plus viewer direction, the direction between them is
 * unusable: the two nearly cancel. */
#define SHADE_LEAST_BETWEEN 1e-8f

/* The ways of rays through their cells (shade_way). */
typedef struct shade_ways {
    int axis; /* along which the rays run fastest */
    cross_rays rays;
    vfloat t0, t1, entry[3], exit[3];
} shade_ways;

/* A point on such a way: its position, the unit vector to the viewer, and the
 * gradient. */
typedef struct shade_point {
    vfloat at[3], viewer[3], gradient[3];
} shade_point;

/* Sums over the lights in D and S, without the coefficients. */
typedef struct shade_sums {
    vfloat diffuse[3], specular[3];
} shade_sums;

IN_LOOP vfloat shade_dot(const vfloat a[3], const vfloat b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Scales a vector to length 1. Vectors shorter than sqrt(least) get a smaller length. */
IN_LOOP void shade_normalize(float least, vfloat a[3])
{
    const vfloat square = lanes_max(shade_dot(a, a), lanes_float(least));
    const vfloat scale = lanes_float(1.0f) / lanes_sqrt(square);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        a[n] = a[n] * scale;
    }
}

/* A number whose powers up to this exponent are normal, as denormal ones are slow. The
 * last one is too small to be visible. */
static inline float shade_least_cosine(int exponent)
{
    return exponent <= 4 ? 1e-9f : fmaxf(0.02f, 1.0f - 20.0f / (float)exponent);
}

/* a^exponent, 0 <= a <= 1, by squaring: the same products in all lanes. exponent: at
 * least 1. */
IN_LOOP vfloat shade_power(vfloat a, int exponent)
{
    a = lanes_max(a, lanes_float(shade_least_cosine(exponent)));
    vfloat power = lanes_float(1.0f);
    for (;;) {
        if (exponent & 1) {
            power = power * a;
        }
        exponent >>= 1;
        if (exponent == 0) {
            return power;
        }
        a = a * a;
    }
}

/* The unit vector to a light that is not at the viewer (not a headlight). */
IN_LOOP void shade_look_at_light(const render_light *light, int axis,
                                 const shade_point *point, vfloat to_light[3])
{
    for (int n = 0; n < 3; n++) {
        to_light[n] = lanes_float(light->at[(axis + 1 + n) % 3]);
    }
    if (light->kind == RENDER_LIGHT_POSITION) {
        for (int n = 0; n < 3; n++) {
            to_light[n] = to_light[n] - point->at[n];
        }
        shade_normalize(SHADE_LEAST, to_light);
    }
}

/* A product with (p, 1). */
IN_LOOP vfloat shade_project(const float to[4], int axis, const vfloat at[3])
{
    return ((lanes_float(to[(axis + 1) % 3]) * at[0] +
             lanes_float(to[(axis + 2) % 3]) * at[1]) +
            lanes_float(to[axis]) * at[2]) +
           lanes_float(to[3]);
}

/* Places of points between the points of a grid. */
typedef struct shade_place {
    vint lowest; /* index of the lowest point around */
    vfloat share[3];
} shade_place;

IN_LOOP shade_place shade_place_in(const shadow_grid *grid, int axis, const vfloat at[3])
{
    const vfloat none = lanes_float(0.0f), one = lanes_float(1.0f);
    vfloat per = one;
    if (grid->is_perspective) {
        const vfloat divisor = shade_project(grid->divisor, axis, at);
        per = one / lanes_max(divisor, lanes_float(SHADE_LEAST));
    }
    shade_place place = {.lowest = lanes_int(0)};
    int stride = 1;
    for (int n = 0; n < 3; n++) {
        const vfloat most = lanes_float((float)(grid->n[n] - 1));
        vfloat along = shade_project(grid->to[n], axis, at);
        if (n < 2) {
            along = along * per;
        }
        along = lanes_clamp(along, none, most);
        const vint lower = lanes_truncate(lanes_min(along, most - one));
        place.share[n] = along - lanes_convert(lower);
        place.lowest = place.lowest + lower * stride;
        stride *= grid->n[n];
    }
    return place;
}

/* The values of a grid at points, linear in between. */
static __attribute__((noinline, unused)) vfloat
shade_through(const shadow_grid *grid, int axis, const vfloat at[3])
{
    const shade_place place = shade_place_in(grid, axis, at);
    const int32_t *values = (const int32_t *)(const void *)grid->values;
    vfloat value[4];
    for (int n = 0; n < 4; n++) {
        const int row = grid->n[0] * ((n & 1) + grid->n[1] * (n >> 1));
        const vint index = place.lowest + lanes_int(row);
        const vfloat a = lanes_from_bits(lanes_gather(values, index));
        const vfloat b = lanes_from_bits(lanes_gather(values, index + lanes_int(1)));
        value[n] = a + place.share[0] * (b - a);
    }
    const vfloat c = value[0] + place.share[1] * (value[1] - value[0]);
    const vfloat d = value[2] + place.share[1] * (value[3] - value[2]);
    return c + place.share[2] * (d - c);
}

/* The light that a shadow of this strength leaves. */
IN_LOOP vfloat shade_weaken(float strength, const shadow_grid *grid, int axis,
                            const shade_point *point)
{
    const vfloat one = lanes_float(1.0f);
    if (!grid->values) {
        return one;
    }
    return one - lanes_float(strength) * (one - shade_through(grid, axis, point->at));
}

/* How much of light number n comes to points; of headlights, as much as of `sky`. */
IN_LOOP vfloat shade_visible(const render_shade *shade, int n, int axis,
                             const shade_point *point, vfloat sky)
{
    const shadow_grid *grid = &shade->shadows->lights[n].all;
    if (shade->lights[n].kind == RENDER_LIGHT_HEAD) {
        return sky;
    }
    return shade_weaken(shade->shadows->strength, grid, axis, point);
}

IN_LOOP vfloat shade_sky(const render_shade *shade, int axis, const shade_point *point)
{
    const shadow_grid *grid = &shade->shadows->sky_all;
    return shade_weaken(shade->shadows->occlusion, grid, axis, point);
}

/* Adds one light, of which the share `visible` comes there. `weight` is w;
 * point->gradient already holds the normal. */
IN_LOOP void shade_add_light(const render_shade *shade, const render_light *light,
                             int axis, const shade_point *point, const vfloat share[2],
                             shade_sums *sums)
{
    const vfloat weight = share[0], visible = share[1];
    const vfloat one = lanes_float(1.0f);
    vfloat facing = lanes_abs(shade_dot(point->gradient, point->viewer));
    vfloat mirrored = facing;
    if (light->kind != RENDER_LIGHT_HEAD) {
        vfloat to_light[3], between[3];
        shade_look_at_light(light, axis, point, to_light);
        for (int n = 0; n < 3; n++) {
            between[n] = to_light[n] + point->viewer[n];
        }
        shade_normalize(SHADE_LEAST_BETWEEN, between);
        facing = lanes_abs(shade_dot(point->gradient, to_light));
        mirrored = lanes_abs(shade_dot(point->gradient, between));
    }
    /* A cosine rounded to more than 1 would grow under a power of hundreds. */
    facing = lanes_min(facing, one);
    mirrored = lanes_min(mirrored, one);
    const vfloat soft = (one - weight) + weight * facing;
    const vfloat gleam = weight * shade_power(mirrored, shade->shininess);
    for (int c = 0; c < 3; c++) {
        const vfloat color = visible * lanes_float(light->color[c]);
        sums->diffuse[c] = sums->diffuse[c] + color * soft;
        sums->specular[c] = sums->specular[c] + color * gleam;
    }
}

/* F at gradients of this length, relative to g0. It never is 0: a way keeps a length. */
IN_LOOP vfloat shade_thicken(const render_shade *shade, vfloat size)
{
    const vfloat none = lanes_float(0.0f), one = lanes_float(1.0f);
    if (shade->nfactors == 0) {
        return one;
    }
    vfloat factor = lanes_float(shade->factor[0]);
    for (int n = 0; n + 1 < shade->nfactors; n++) {
        const vfloat share = lanes_clamp((size - lanes_float(shade->at[n])) *
                                             lanes_float(shade->per_step[n]),
                                         none, one);
        factor = factor + share * lanes_float(shade->factor[n + 1] - shade->factor[n]);
    }
    return lanes_max(factor, lanes_float(1e-30f));
}

/* Fades D and S at points into the colour of the cue. */
IN_LOOP void shade_fade(const render_cue *cue, int axis, const shade_point *point,
                        vfloat factors[SHADE_FACTORS])
{
    const vfloat none = lanes_float(0.0f), one = lanes_float(1.0f);
    vfloat depth = lanes_float(-(cue->offset + cue->near));
    for (int n = 0; n < 3; n++) {
        depth = depth + point->at[n] * lanes_float(cue->along[(axis + 1 + n) % 3]);
    }
    const vfloat share = lanes_float(cue->strength) *
                         lanes_clamp(depth * lanes_float(cue->per_length), none, one);
    for (int c = 0; c < 3; c++) {
        factors[c] = factors[c] - share * factors[c];
        factors[3 + c] =
            factors[3 + c] + share * (lanes_float(cue->color[c]) - factors[3 + c]);
    }
}

/* D, S and F at a point. Turns the point's gradient into the normal. */
IN_LOOP void shade_light_up(const render_shade *shade, int axis, bool has_shadows,
                            shade_point *point, vfloat factors[SHADE_FACTORS])
{
    const vfloat most = lanes_float(SHADE_MOST);
    shade_sums sums;
    for (int n = 0; n < 3; n++) {
        point->gradient[n] = lanes_clamp(
            point->gradient[n] * lanes_float(shade->per_gradient), -most, most);
        sums.diffuse[n] = sums.specular[n] = lanes_float(0.0f);
    }
    const vfloat square = shade_dot(point->gradient, point->gradient);
    vfloat weight = square / (square + lanes_float(1.0f));
    if (shade->is_even) {
        weight = lanes_float(0.0f);
    }
    factors[SHADE_LENGTH] = shade_thicken(shade, lanes_sqrt(square));
    shade_normalize(SHADE_LEAST, point->gradient);
    vfloat share[2] = {weight, lanes_float(1.0f)}, sky = lanes_float(1.0f);
    if (has_shadows) {
        sky = shade_sky(shade, axis, point);
    }
    for (int n = 0; n < shade->nlights; n++) {
        if (has_shadows) {
            share[1] = shade_visible(shade, n, axis, point, sky);
        }
        shade_add_light(shade, &shade->lights[n], axis, point, share, &sums);
    }
    for (int c = 0; c < 3; c++) {
        factors[c] = lanes_float(shade->ambient) * sky +
                     lanes_float(shade->diffuse) * sums.diffuse[c];
        factors[3 + c] = lanes_float(shade->specular) * sums.specular[c];
    }
    if (shade->cue.strength > 0.0f) {
        shade_fade(&shade->cue, axis, point, factors);
    }
}

/* The points at a share of their ways, 0 to 1. */
IN_LOOP shade_point shade_point_at(const shade_ways *ways, vfloat share)
{
    const cross_rays *rays = &ways->rays;
    const vfloat per_t = lanes_float(1.0f) / rays->per_unit;
    const vfloat along = (ways->t0 + share * (ways->t1 - ways->t0)) * per_t;
    shade_point point = {
        .at = {rays->origin[0] + rays->shear[0] * along,
               rays->origin[1] + rays->shear[1] * along, along},
        .viewer = {-(rays->shear[0] * per_t), -(rays->shear[1] * per_t), -per_t}};
    for (int n = 0; n < 3; n++) {
        point.gradient[n] = ways->entry[n] + share * (ways->exit[n] - ways->entry[n]);
    }
    return point;
}

/* D, S and F at a share of the ways, 0 to 1. */
IN_LOOP void shade_light_at(const render_shade *shade, bool has_shadows,
                            const shade_ways *ways, vfloat share,
                            vfloat factors[SHADE_FACTORS])
{
    shade_point point = shade_point_at(ways, share);
    shade_light_up(shade, ways->axis, has_shadows, &point, factors);
}

/* The largest difference of D plus the largest difference of S, plus that of F relative
 * to the largest F. */
IN_LOOP vfloat shade_change(const render_shade *shade, const vfloat a[SHADE_FACTORS],
                            const vfloat b[SHADE_FACTORS])
{
    vfloat change[2] = {lanes_float(0.0f), lanes_float(0.0f)};
    for (int n = 0; n < SHADE_LENGTH; n++) {
        change[n / 3] = lanes_max(change[n / 3], lanes_abs(b[n] - a[n]));
    }
    const vfloat thicker = lanes_abs(b[SHADE_LENGTH] - a[SHADE_LENGTH]);
    return (change[0] + change[1]) + thicker * lanes_float(shade->per_factor);
}

/* The light along ways, without shadows. */
typedef struct shade_course {
    shade_ways ways;
    vfloat change;              /* from the entry to the exit, all turns added up */
    vfloat mean[SHADE_FACTORS]; /* by Simpson's rule */
    vfloat fine; /* parts by the fineness of the grids of shadows; 0 without */
} shade_course;

/* The angles by which the normal turns along ways: the square of the cosine, with its
 * sign, times `product`. */
typedef struct shade_turn {
    vfloat square, product;
} shade_turn;

IN_LOOP shade_turn shade_find_turn(const render_shade *shade, const shade_ways *ways)
{
    const vfloat per_gradient = lanes_float(shade->per_gradient);
    vfloat a[3], b[3];
    for (int n = 0; n < 3; n++) {
        a[n] = ways->entry[n] * per_gradient;
        b[n] = ways->exit[n] * per_gradient;
    }
    const vfloat along = shade_dot(a, b);
    return (shade_turn){.square = along * lanes_abs(along),
                        .product = shade_dot(a, a) * shade_dot(b, b)};
}

/* Those of some ways along which the normal turns by more than the angle with this
 * cosine. */
IN_LOOP vmask shade_turns_more(const shade_turn *turn, float cosine, vmask lanes)
{
    const vfloat square = lanes_float(cosine * fabsf(cosine));
    return lanes_and(lanes, lanes_less(turn->square, square * turn->product));
}

/* The light is computed at up to so many equal steps along a way. */
enum { SHADE_MOST_STEPS = 8 };

/* The light at steps of ways. */
typedef struct shade_steps {
    vfloat at[SHADE_MOST_STEPS + 1][SHADE_FACTORS];
} shade_steps;

/* Computes the light at steps first, first + step, … */
IN_LOOP void shade_light_steps(const render_shade *shade, const shade_ways *ways,
                               int first, int step, shade_steps *out)
{
    for (int n = first; n <= SHADE_MOST_STEPS; n += step) {
        const vfloat share = lanes_float((float)n / (float)SHADE_MOST_STEPS);
        shade_light_at(shade, false, ways, share, out->at[n]);
    }
}

IN_LOOP vfloat shade_add_changes(const render_shade *shade, const shade_steps *steps,
                                 int step)
{
    vfloat sum = shade_change(shade, steps->at[0], steps->at[step]);
    for (int n = step; n < SHADE_MOST_STEPS; n += step) {
        sum = sum + shade_change(shade, steps->at[n], steps->at[n + step]);
    }
    return sum;
}

/* The change of light along ways, right in `lanes`. Where the normal turns much, more
 * steps are needed: between two far steps nobody would see a highlight, or the edge
 * behind which the other side of level sets is lit. A half of a way is one step unless
 * the normal turns there by 1.5 half-widths of a highlight, or by 30 degrees. The light
 * at the ends and in the middle is known. */
IN_LOOP vfloat shade_add_up(const render_shade *shade, const shade_ways *ways,
                            vmask lanes, shade_steps *steps)
{
    const shade_turn turn = shade_find_turn(shade, ways);
    float cosine = fmaxf(1.0f - 6.0f / (float)shade->shininess, 0.5f);
    vfloat change = shade_add_changes(shade, steps, SHADE_MOST_STEPS / 2);
    for (int step = SHADE_MOST_STEPS / 4; step > 0; step /= 2) {
        const vmask more = shade_turns_more(&turn, cosine, lanes);
        if (!lanes_any(more)) {
            break;
        }
        shade_light_steps(shade, ways, step, 2 * step, steps);
        change = lanes_choose(more, shade_add_changes(shade, steps, step), change);
        cosine = 2.0f * cosine * cosine - 1.0f; /* of twice the angle */
    }
    return change;
}

/* Finds the light along course->ways, right in `lanes`. It depends on the middle, too,
 * because the gradient may turn round between two faces. Of shadows only the fineness of
 * their grids counts: their values are rounded otherwise on other numbers of ranks, and
 * the number of parts must not be. */
static __attribute__((noinline, unused)) void
shade_follow(const render_shade *shade, vmask lanes, shade_course *course)
{
    const shade_ways *ways = &course->ways;
    const int half = SHADE_MOST_STEPS / 2;
    shade_steps steps;
    shade_light_steps(shade, ways, 0, half, &steps);
    course->change = shade_add_up(shade, ways, lanes, &steps);
    for (int n = 0; n < SHADE_FACTORS; n++) {
        course->mean[n] =
            (steps.at[0][n] + steps.at[2 * half][n]) * lanes_float(1.0f / 6) +
            steps.at[half][n] * lanes_float(2.0f / 3);
    }
    course->fine = lanes_float(0.0f);
    if (shade->shadows && shade->shadows->step > 0.0f) {
        course->fine = lanes_abs(ways->t1 - ways->t0) / lanes_float(shade->shadows->step);
    }
}

/* A way has n parts if the light times its opacity changes by up to n^2 times this, of
 * full brightness: the error of the light in the middle of a part is of second order. */
#define SHADE_STEP (1.0f / 256)

/* Equal pieces of ways, one in each lane. */
typedef struct shade_pieces {
    vfloat number, count; /* from 0 on; of the whole way */
    vfloat parts;         /* of the piece */
} shade_pieces;

/* Up to the next whole number; a is at least 0. */
IN_LOOP vfloat shade_round_up(vfloat a)
{
    const vfloat below = lanes_convert(lanes_truncate(a));
    return lanes_choose(lanes_less(below, a), below + lanes_float(1.0f), below);
}

/* Finds the parts of pieces, 1 to SHADE_MOST_PARTS. depth: the optical depths of the
 * pieces where F is 1. */
IN_LOOP void shade_cut(const render_shade *shade, const shade_course *course,
                       vfloat depth, shade_pieces *pieces)
{
    const float thickest = shade->per_factor > 0.0f ? 1.0f / shade->per_factor : 1.0f;
    const vfloat opacity = lanes_min(depth * lanes_float(thickest), lanes_float(1.0f));
    const vfloat change = course->change * opacity / pieces->count,
                 fine = course->fine / pieces->count;
    const vfloat most = lanes_float((float)SHADE_MOST_PARTS);
    const vfloat parts =
        lanes_max(lanes_sqrt(change * lanes_float(1.0f / SHADE_STEP)), fine);
    pieces->parts = lanes_max(shade_round_up(lanes_min(parts, most)), lanes_float(1.0f));
}

/* D, S and F of parts n of the pieces in some lanes, as in the middle of the part. A
 * whole way of one part has the mean along it, unless shadows may fall on it. */
IN_LOOP void shade_light_part(const render_shade *shade, const shade_course *course,
                              const shade_pieces *pieces, vmask lanes, vfloat n,
                              vfloat factors[SHADE_FACTORS])
{
    const vfloat all = pieces->count * pieces->parts;
    vmask whole = lanes_equal(all, lanes_float(1.0f));
    if (shade->shadows) {
        whole = lanes_mask(0);
    }
    for (int f = 0; f < SHADE_FACTORS; f++) {
        factors[f] = course->mean[f];
    }
    if (lanes_any(lanes_and_not(lanes, whole))) {
        vfloat lit[SHADE_FACTORS];
        const vfloat part = pieces->number * pieces->parts + (n + lanes_float(0.5f));
        shade_light_at(shade, shade->shadows != NULL, &course->ways, part / all, lit);
        for (int f = 0; f < SHADE_FACTORS; f++) {
            factors[f] = lanes_choose(whole, factors[f], lit[f]);
        }
    }
}

/* Exits of rays from their cells. */
typedef struct shade_exits {
    vmask active;
    vint face, lowest; /* lowest: the lowest vertices of the cells */
    vint stride[3];    /* vertices from one to the next along i, j and k */
    vfloat f, g;       /* on the face, as in cell_crossing */
} shade_exits;

/* Corners of the exits' faces, in the order of refine_bilinear. */
IN_LOOP void shade_exit_corners(const shade_exits *exits, vint corner[4])
{
    const vint face = exits->face, own = face >> 1, none = lanes_int(0);
    const vint *stride = exits->stride;
    vint step[3]; /* along the face's own axis and the two that follow */
    for (int n = 0; n < 3; n++) {
        step[n] =
            lanes_choose_int(lanes_equal_int(own, lanes_int(0)), stride[n],
                             lanes_choose_int(lanes_equal_int(own, lanes_int(1)),
                                              stride[(n + 1) % 3], stride[(n + 2) % 3]));
    }
    corner[0] = exits->lowest + (step[0] & (none - (face & 1)));
    corner[1] = corner[0] + step[1];
    corner[2] = corner[1] + step[2];
    corner[3] = corner[0] + step[2];
    for (int n = 0; n < 4; n++) {
        corner[n] = lanes_choose_int(exits->active, corner[n], none);
    }
}

/* Gradients at the exits along x, y and z, bilinear on whole faces like the scalar. Rows
 * of four numbers begin at even places, and those of odd vertices one number before them.
 */
IN_LOOP void shade_exit_gradients(const march_grid *grid, const shade_exits *exits,
                                  vfloat gradient[3])
{
    vint corner[4];
    _Alignas(64) int32_t at[4][LANES];
    vfloat value[3][4];
    shade_exit_corners(exits, corner);
    for (int n = 0; n < 4; n++) {
        lanes_store_int(at[n], (corner[n] * 3) >> 1);
    }
    for (int n = 0; n < 4; n++) {
        const vmask is_odd = lanes_bit(corner[n], 0);
        vfloat row[4];
        lanes_load_fours(&grid->gradient[0][0], at[n], row);
        for (int c = 0; c < 3; c++) {
            value[c][n] = lanes_choose(is_odd, row[c + 1], row[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        gradient[c] = refine_bilinear(value[c], exits->f, exits->g);
    }
}

#endif
