/*
 * Shading (render/light/shade.h), a ray in each lane. Vectors are in the order of the
 * ray's own axes, cell_ray.axis, so that the ray needs no turning.
 */
#ifndef RENDER_LIGHT_SHADE_LANES_H
#define RENDER_LIGHT_SHADE_LANES_H

#include "render/cells/refine_lanes.h"
#include "shade.h"
#include "shade_way.h"

/* What lanes hold from cell to cell where the volume is shaded. */
typedef struct lane_shade {
    /* Gradients where the ray enters its cell and where it leaves it. */
    _Alignas(64) float entry[3][LANES];
    float exit[3][LANES];
} lane_shade;

/* Numbers whose squares stay numbers, and are not yet rounded to zero. */
#define SHADE_MOST  1e18f
#define SHADE_LEAST 1e-18f

/* Directions between the light and the viewer are of no use where these nearly cancel. */
#define SHADE_LEAST_BETWEEN 1e-8f

/* The ways of rays through their cells, as shade_way. */
typedef struct shade_ways {
    cross_rays rays;
    vfloat t0, t1, entry[3], exit[3];
} shade_ways;

/* A point on such a way: the place, the unit vector to the viewer, and the gradient.
 */
typedef struct shade_point {
    vfloat at[3], viewer[3], gradient[3];
} shade_point;

/* D and S but for the coefficients. */
typedef struct shade_sums {
    vfloat diffuse[3], specular[3];
} shade_sums;

IN_LOOP vfloat shade_dot(const vfloat a[3], const vfloat b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Scales a vector to length 1; shorter ones than sqrt(least) become shorter than that. */
IN_LOOP void shade_normalize(float least, vfloat a[3])
{
    const vfloat square = lanes_max(shade_dot(a, a), lanes_float(least));
    const vfloat scale = lanes_float(1.0f) / lanes_sqrt(square);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        a[n] = a[n] * scale;
    }
}

/* a^exponent, 0 <= a <= 1, by squaring: the same products in all lanes. What is too small
 * to be seen is kept from becoming denormal, which takes its time. */
IN_LOOP vfloat shade_power(vfloat a, int exponent)
{
    const vfloat least = lanes_float(SHADE_LEAST);
    vfloat power = lanes_float(1.0f);
    a = lanes_max(a, least);
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) {
            power = lanes_max(power * a, least);
        }
        a = lanes_max(a * a, least);
    }
    return power;
}

/* The unit vector to a light that is not at the viewer. */
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

/* Adds one light. `weight` is w; the gradient of the point is the normal by now. */
IN_LOOP void shade_add_light(const render_shade *shade, const render_light *light,
                             int axis, const shade_point *point, vfloat weight,
                             shade_sums *sums)
{
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
    /* Rounding must not let a power of hundreds grow. */
    facing = lanes_min(facing, one);
    mirrored = lanes_min(mirrored, one);
    const vfloat soft = (one - weight) + weight * facing;
    const vfloat gleam = weight * shade_power(mirrored, shade->shininess);
    for (int c = 0; c < 3; c++) {
        const vfloat color = lanes_float(light->color[c]);
        sums->diffuse[c] = sums->diffuse[c] + color * soft;
        sums->specular[c] = sums->specular[c] + color * gleam;
    }
}

/* D and S at a point, whose gradient becomes the normal. */
IN_LOOP void shade_light_up(const render_shade *shade, int axis, shade_point *point,
                            vfloat factors[SHADE_FACTORS])
{
    const vfloat most = lanes_float(SHADE_MOST);
    shade_sums sums;
    for (int n = 0; n < 3; n++) {
        point->gradient[n] = lanes_clamp(
            point->gradient[n] * lanes_float(shade->per_gradient), -most, most);
        sums.diffuse[n] = sums.specular[n] = lanes_float(0.0f);
    }
    const vfloat square = shade_dot(point->gradient, point->gradient);
    const vfloat weight = square / (square + lanes_float(1.0f));
    shade_normalize(SHADE_LEAST, point->gradient);
    for (int n = 0; n < shade->nlights; n++) {
        shade_add_light(shade, &shade->lights[n], axis, point, weight, &sums);
    }
    for (int c = 0; c < 3; c++) {
        factors[c] =
            lanes_float(shade->ambient) + lanes_float(shade->diffuse) * sums.diffuse[c];
        factors[3 + c] = lanes_float(shade->specular) * sums.specular[c];
    }
}

/* The points that are so far along their ways, 0 to 1. */
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

/* D and S in the middle of part `n`. */
IN_LOOP void shade_light_part(const render_shade *shade, int axis, const shade_ways *ways,
                              vfloat n, vfloat parts, vfloat factors[SHADE_FACTORS])
{
    shade_point point = shade_point_at(ways, (n + lanes_float(0.5f)) / parts);
    shade_light_up(shade, axis, &point, factors);
}

/* The largest difference of D and that of S, added up. */
IN_LOOP vfloat shade_change(const vfloat a[SHADE_FACTORS], const vfloat b[SHADE_FACTORS])
{
    vfloat change[2] = {lanes_float(0.0f), lanes_float(0.0f)};
    for (int n = 0; n < SHADE_FACTORS; n++) {
        change[n / 3] = lanes_max(change[n / 3], lanes_abs(b[n] - a[n]));
    }
    return change[0] + change[1];
}

/* Into how many parts the ways are cut: 1, 2, 4, … SHADE_MOST_PARTS. Their middles are
 * looked at, too: between two faces the gradient may turn round. */
static __attribute__((noinline, unused)) vint
shade_parts(const render_shade *shade, int axis, const shade_ways *ways)
{
    const float step = 1.0f / 64; /* of full brightness */
    vfloat at[3][SHADE_FACTORS];
    for (int n = 0; n < 3; n++) {
        shade_point point = shade_point_at(ways, lanes_float(0.5f * (float)n));
        shade_light_up(shade, axis, &point, at[n]);
    }
    const vfloat change = shade_change(at[0], at[1]) + shade_change(at[1], at[2]);
    vint parts = lanes_int(1);
    for (int most = 1; most < SHADE_MOST_PARTS; most *= 2) {
        const vmask more = lanes_less(lanes_float((float)most * step), change);
        parts = lanes_choose_int(more, lanes_int(2 * most), parts);
    }
    return parts;
}

/* Where rays leave their cells. */
typedef struct shade_exits {
    vmask active;
    vint face, lowest; /* the latter: vertices of the cells */
    vint stride[3];    /* from a vertex to the next along i, j and k */
    vfloat f, g;       /* on the face, as in cell_crossing */
} shade_exits;

/* Gradients there, on whole faces as the scalar. */
IN_LOOP void shade_exit_gradients(const march_grid *grid, int axis,
                                  const shade_exits *exits, vfloat gradient[3])
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
    vint corner[4];
    corner[0] = exits->lowest + (step[0] & (none - (face & 1)));
    corner[1] = corner[0] + step[1];
    corner[2] = corner[1] + step[2];
    corner[3] = corner[0] + step[2];
    for (int n = 0; n < 4; n++) {
        corner[n] = lanes_choose_int(exits->active, corner[n], none) * 3;
    }
    const int32_t *values = (const int32_t *)(const void *)grid->gradient;
    for (int n = 0; n < 3; n++) {
        vfloat value[4];
        for (int c = 0; c < 4; c++) {
            value[c] = lanes_from_bits(
                lanes_gather(values, corner[c] + lanes_int((axis + 1 + n) % 3)));
        }
        gradient[n] = refine_bilinear(value, exits->f, exits->g);
    }
}

#endif
