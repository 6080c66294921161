/* Cells under the trilinear map: faces are bilinear patches, and within a cell the scalar
 * follows the map along the ray.
 *
 * The triangles of render/cells/cell.h decide which faces a ray crosses, so that no ray
 * is lost. Two steps of Newton's method, from the place on the triangle, find the
 * crossing with the patch of such a face. Both cells of the face find the same crossing.
 * Between entry and exit the map is inverted at points at equal distances. Each inversion
 * is one Newton step from the straight line between entry and exit in the cell's own
 * coordinates; the scalar is evaluated there. (Inverting the map along the ray: Frühauf
 * 1994, Raycasting of nonregularly structured volume data, Computer Graphics Forum 13(3).
 * The patches: Ramsey, Potter and Hansen 2004, Ray bilinear patch intersections.) */
#ifndef RENDER_CELLS_REFINE_LANES_H
#define RENDER_CELLS_REFINE_LANES_H

#include "cross.h"
#include "refine_cell.h"

/* After a Newton step shorter than this, the point lies on the ray: within 3e-7 of the
 * face's size. */
#define REFINE_SURE_STEP 1e-3f

/* Values at the four corners of a face, in the face's own order. */
typedef struct refine_face {
    vfloat u[4], v[4], along[4], scalar[4];
} refine_face;

/* Chooses values at the corners of the faces (0 to 5) of cells. */
IN_LOOP void refine_choose_face(vint face, const vfloat corner[8], vfloat out[4])
{
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        out[n] = corner[cross_face_corners[0][n]];
    }
#pragma GCC unroll 5
    for (int number = 1; number < CROSS_FACES; number++) {
        const vmask here = lanes_equal_int(face, lanes_int(number));
#pragma GCC unroll 4
        for (int n = 0; n < 4; n++) {
            out[n] = lanes_choose(here, corner[cross_face_corners[number][n]], out[n]);
        }
    }
}

/* Loads the faces (0 to 5) of the cells that the rays are in. */
IN_LOOP void refine_load_face(const cross_corners *at, vint face, refine_face *out)
{
    refine_choose_face(face, at->u, out->u);
    refine_choose_face(face, at->v, out->v);
    refine_choose_face(face, at->along, out->along);
    refine_choose_face(face, at->scalar, out->scalar);
}

/* The warp of a face: how far the corner beyond a parallelogram's
 * fourth corner lies off the plane of both diagonals; not a number without such a plane.
 * x: by axis, corners as in grid/brick.h. */
IN_LOOP vfloat refine_warp(const vfloat x[3][4])
{
    vfloat off[3], one[3], other[3];
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        off[axis] = (x[axis][0] - x[axis][1]) + (x[axis][2] - x[axis][3]);
        one[axis] = x[axis][2] - x[axis][0];
        other[axis] = x[axis][3] - x[axis][1];
    }
    vfloat out = lanes_float(0.0f), square = out;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const int m = (n + 1) % 3, l = (n + 2) % 3;
        const vfloat normal = one[m] * other[l] - one[l] * other[m];
        out += off[n] * normal;
        square += normal * normal;
    }
    return lanes_abs(out) / lanes_sqrt(square);
}

IN_LOOP vfloat refine_bilinear(const vfloat corner[4], vfloat f, vfloat g)
{
    vfloat low = corner[0] + f * (corner[1] - corner[0]);
    vfloat high = corner[3] + f * (corner[2] - corner[3]);
    return low + g * (high - low);
}

/* The same for scalars, which may be the largest finite numbers: differences of their
 * quarters stay finite. */
IN_LOOP vfloat refine_face_scalar(const vfloat corner[4], vfloat f, vfloat g)
{
    vfloat quarter[4];
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        quarter[n] = corner[n] * lanes_float(0.25f);
    }
    return cross_four_times(refine_bilinear(quarter, f, g));
}

IN_LOOP vfloat refine_inside(vfloat a)
{
    return lanes_clamp(a, lanes_float(0.0f), lanes_float(1.0f));
}

/* Finds the place on the patch at which the ray passes: f and g, from 0 to 1 along the
 * two axes that follow the face's own. On input they hold a guess. Returns the lanes in
 * which the place is sure: the error of the last step is at most its square. */
IN_LOOP vmask refine_patch(const refine_face *face, vfloat *f, vfloat *g)
{
    vmask sure = lanes_mask(0);
    for (int n = 0; n < 2; n++) {
        vfloat u = refine_bilinear(face->u, *f, *g), v = refine_bilinear(face->v, *f, *g);
        vfloat twist_u = (face->u[0] - face->u[1]) + (face->u[2] - face->u[3]);
        vfloat twist_v = (face->v[0] - face->v[1]) + (face->v[2] - face->v[3]);
        vfloat uf = (face->u[1] - face->u[0]) + *g * twist_u;
        vfloat vf = (face->v[1] - face->v[0]) + *g * twist_v;
        vfloat ug = (face->u[3] - face->u[0]) + *f * twist_u;
        vfloat vg = (face->v[3] - face->v[0]) + *f * twist_v;
        vfloat per_det = lanes_float(1.0f) / (uf * vg - ug * vf);
        vfloat df = (v * ug - u * vg) * per_det, dg = (u * vf - v * uf) * per_det;
        const vfloat step = lanes_abs(df) + lanes_abs(dg);
        const vfloat next_f = *f + df, next_g = *g + dg;
        const vfloat in_f = refine_inside(next_f), in_g = refine_inside(next_g);
        /* A patch seen edge-on keeps its guess. */
        vmask good = lanes_less(step, lanes_float(1.0f));
        sure = lanes_and(lanes_less(step, lanes_float(REFINE_SURE_STEP)),
                         lanes_and(lanes_equal(in_f, next_f), lanes_equal(in_g, next_g)));
        *f = lanes_choose(good, in_f, *f);
        *g = lanes_choose(good, in_g, *g);
    }
    return sure;
}

/* Whether the ray, at coordinate `along` of its axis, is outside the bounds of a face
 * across another axis. at: the corners along that axis, as the ray sees them. */
IN_LOOP vmask refine_is_beside(const refine_face *face, const vfloat at[4], vfloat shear,
                               vfloat along)
{
    vfloat off[4];
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        off[n] = at[n] + shear * (face->along[n] - along);
    }
    const vfloat none = lanes_float(0.0f);
    const vfloat least = lanes_min(lanes_min(off[0], off[1]), lanes_min(off[2], off[3]));
    const vfloat most = lanes_max(lanes_max(off[0], off[1]), lanes_max(off[2], off[3]));
    return lanes_or(lanes_less(none, least), lanes_less(most, none));
}

/* Moves crossings from triangles to patches, like render_refine_crossing. */
IN_LOOP void refine_crossing(const refine_face *face, const vfloat shear[2],
                             vfloat per_unit, vfloat *f, vfloat *g, vfloat *t)
{
    vfloat at_f = *f, at_g = *g;
    const vmask sure = refine_patch(face, &at_f, &at_g);
    const vfloat along = refine_bilinear(face->along, at_f, at_g);
    vfloat at_t = along * per_unit;
    if (__builtin_expect(lanes_mask_bits(sure) != LANES_ALL, 0)) {
        vmask beside = lanes_or(refine_is_beside(face, face->u, shear[0], along),
                                refine_is_beside(face, face->v, shear[1], along));
        beside = lanes_and_not(beside, sure);
        at_f = lanes_choose(beside, *f, at_f);
        at_g = lanes_choose(beside, *g, at_g);
        at_t = lanes_choose(beside, *t, at_t);
    }
    *f = at_f;
    *g = at_g;
    *t = at_t;
}

/* A place in a cell, 0 to 1 along i, j and k. */
typedef struct refine_place {
    vfloat x[3];
} refine_place;

/* The value and the derivatives of the trilinear map. */
typedef struct refine_map {
    vfloat value, slope[3];
} refine_map;

IN_LOOP refine_map refine_evaluate(const vfloat corner[8], const refine_place *at)
{
    const vfloat i = at->x[0], j = at->x[1], k = at->x[2];
    vfloat rise[4], edge[4];
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        rise[n] = corner[2 * n + 1] - corner[2 * n];
        edge[n] = corner[2 * n] + i * rise[n];
    }
    vfloat across0 = edge[1] - edge[0], across1 = edge[3] - edge[2];
    vfloat low = edge[0] + j * across0, high = edge[2] + j * across1;
    vfloat rise_low = rise[0] + j * (rise[1] - rise[0]);
    vfloat rise_high = rise[2] + j * (rise[3] - rise[2]);
    return (refine_map){.value = low + k * (high - low),
                        .slope = {rise_low + k * (rise_high - rise_low),
                                  across0 + k * (across1 - across0), high - low}};
}

/* The scalar at a place in a cell, from quarters as in refine_face_scalar. */
IN_LOOP vfloat refine_cell_scalar(const vfloat corner[8], const refine_place *at)
{
    vfloat quarter[8];
#pragma GCC unroll 8
    for (int n = 0; n < 8; n++) {
        quarter[n] = corner[n] * lanes_float(0.25f);
    }
    return cross_four_times(refine_evaluate(quarter, at).value);
}

/* The place at which the ray has coordinate `along` of its axis, by one Newton step from
 * a nearby place. */
IN_LOOP refine_place refine_invert(const cross_corners *at, vfloat along,
                                   const refine_place *near)
{
    refine_map u = refine_evaluate(at->u, near), v = refine_evaluate(at->v, near),
               a = refine_evaluate(at->along, near);
    const vfloat off = a.value - along;
    /* Cramer's rule: cross products of the rows. */
    vfloat va[3], au[3], uv[3];
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        int m = (n + 1) % 3, l = (n + 2) % 3;
        va[n] = v.slope[m] * a.slope[l] - v.slope[l] * a.slope[m];
        au[n] = a.slope[m] * u.slope[l] - a.slope[l] * u.slope[m];
        uv[n] = u.slope[m] * v.slope[l] - u.slope[l] * v.slope[m];
    }
    vfloat det = (u.slope[0] * va[0] + u.slope[1] * va[1]) + u.slope[2] * va[2];
    vfloat per_det = lanes_float(1.0f) / det;
    refine_place out;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        vfloat step = ((u.value * va[n] + v.value * au[n]) + off * uv[n]) * per_det;
        vmask good = lanes_less(lanes_abs(step), lanes_float(1.0f));
        out.x[n] = lanes_choose(good, refine_inside(near->x[n] - step), near->x[n]);
    }
    return out;
}

/* The place in the cell of a point on one of its faces. */
IN_LOOP refine_place refine_place_on_face(vint face, vfloat f, vfloat g)
{
    const vfloat side = lanes_convert(face & 1);
    const vint axis = face >> 1;
    const vmask is_i = lanes_equal_int(axis, lanes_int(0)),
                is_j = lanes_equal_int(axis, lanes_int(1));
    return (refine_place){.x = {lanes_choose(is_i, side, lanes_choose(is_j, g, f)),
                                lanes_choose(is_i, f, lanes_choose(is_j, side, g)),
                                lanes_choose(is_i, g, lanes_choose(is_j, f, side))}};
}

/* The scalar between entry and exit, at a share of the way from one place to the other.
 * `along`: the coordinate of the ray there, along its axis. */
IN_LOOP vfloat refine_scalar(const cross_corners *at, const refine_place *from,
                             const refine_place *to, vfloat share, vfloat along)
{
    refine_place near;
    for (int axis = 0; axis < 3; axis++) {
        near.x[axis] = from->x[axis] + share * (to->x[axis] - from->x[axis]);
    }
    const refine_place inside = refine_invert(at, along, &near);
    return refine_cell_scalar(at->scalar, &inside);
}

#endif
