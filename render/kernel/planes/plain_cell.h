/* Crossing a plain cell with many rays: render/cells/far_corner.h for lanes that are all
 * in the same cell. Its far corner, its spokes and its faces are the same for all lanes,
 * so nothing is chosen lane by lane but the triangle. The result is bitwise the same. */
#ifndef RENDER_KERNEL_PLANES_PLAIN_CELL_H
#define RENDER_KERNEL_PLANES_PLAIN_CELL_H

#include "cross.h"

#include "render/cells/far_corner.h"

/* A face through which rays may leave a plain cell (render/cells/far_corner.h), the same
 * for all rays. Numbers with an index belong to both ends of the diagonal, then to the
 * apex for rays on the side of the left spoke, and for the others. */
typedef struct planes_far_face {
    int number;
    float across[3];        /* the corner opposite the far one, as planes_far.corner */
    bool by_far;            /* the diagonal begins at the far corner */
    bool up_left, up_right; /* as in far_exits */
    float along[4], quarter[4], twist; /* quarter, twist: of the scalars, as in
                                          cross_between */
    int32_t triangle[2]; /* 2 * face + half: beside the right spoke, beside the left */
} planes_far_face;

/* A plain cell. */
typedef struct planes_far {
    float corner[4][3];      /* coordinates along the rays' axes: of the far corner and of
                                the ends of the spokes */
    unsigned class, turn;    /* turn: all lanes, if the spokes go around to the right */
    float slim;              /* as for cross_leave */
    planes_far_face face[3]; /* across each axis */
} planes_far;

/* A corner of the cell, as planes_far.corner. */
static inline void planes_place_corner(const planes_corners *cell, unsigned corner,
                                       float at[3])
{
    const float *vertex = cell->corner[corner];
    at[0] = vertex[cell->x];
    at[1] = vertex[cell->y];
    at[2] = vertex[cell->along];
}

static void planes_far_set(const planes_corners *cell, unsigned class, bool reversed,
                           planes_far *plain)
{
    const unsigned far = class & 7u;
    const bool lower = (__builtin_popcount(far) & 1) == 0;
    plain->class = class;
    plain->turn = lower != reversed ? LANES_ALL : 0;
    planes_place_corner(cell, far, plain->corner[0]);
    for (unsigned n = 0; n < 3; n++) {
        planes_place_corner(cell, far ^ 1u << n, plain->corner[n + 1]);
    }
}

/* Fills in the face across axis n. */
static void planes_far_know(const planes_corners *cell, unsigned n, planes_far *plain)
{
    planes_far_face *face = &plain->face[n];
    const unsigned left = (n + 1) % 3, right = (n + 2) % 3, far = plain->class & 7u;
    const unsigned corner[4] = {far, far ^ 1u << left, far ^ 1u << left ^ 1u << right,
                                far ^ 1u << right}; /* as in far_face */
    static const int ends[2][4] = {{1, 3, 2, 0}, {0, 2, 1, 3}};
    face->number = (int)(2 * n + (far >> n & 1u));
    planes_place_corner(cell, corner[2], face->across);
    face->by_far = plain->class >> (CLASS_DIAGONAL + n) & 1u;
    face->up_left = far >> left & 1u;
    face->up_right = far >> right & 1u;
    for (int end = 0; end < 4; end++) {
        const float *vertex = cell->corner[corner[ends[face->by_far][end]]];
        face->along[end] = vertex[cell->along];
        face->quarter[end] = 0.25f * vertex[3];
    }
    const float *quarter = face->quarter;
    face->twist = (quarter[0] + quarter[1]) - (quarter[2] + quarter[3]);
    face->triangle[0] = 2 * face->number + !face->up_left;
    face->triangle[1] = 2 * face->number + face->up_left;
}

/* What rays see of a plain cell: the far corner, the ends of the spokes, and the spokes.
 */
typedef struct planes_far_seen {
    vfloat u[4], v[4], edge[3];
} planes_far_seen;

IN_LOOP void planes_shear_corner(const cross_rays *rays, const float at[3], vfloat *u,
                                 vfloat *v)
{
    const vfloat along = lanes_float(at[2]);
    *u = (lanes_float(at[0]) - rays->origin[0]) - rays->shear[0] * along;
    *v = (lanes_float(at[1]) - rays->origin[1]) - rays->shear[1] * along;
}

/* Looks at a plain cell. through: filled with the lanes that leave across each axis. */
IN_LOOP void planes_far_look(const cross_rays *rays, const planes_far *plain,
                             planes_far_seen *seen, unsigned through[3])
{
    unsigned side[3];
    planes_shear_corner(rays, plain->corner[0], &seen->u[0], &seen->v[0]);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        planes_shear_corner(rays, plain->corner[n + 1], &seen->u[n + 1], &seen->v[n + 1]);
        seen->edge[n] = seen->u[0] * seen->v[n + 1] - seen->v[0] * seen->u[n + 1];
        side[n] = planes_sign_bits(seen->edge[n]) ^ plain->turn;
    }
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        through[n] = ~side[(n + 1) % 3] & side[(n + 2) % 3];
    }
}

/* Exits of rays from a plain cell through one of its faces. */
typedef struct planes_far_exits {
    vint triangle;
    vfloat t, scalar;
    far_exits found; /* weights and sides alone */
    unsigned unsure; /* lanes */
} planes_far_exits;

/* Finds the exits through the face across axis n, as far_leave. by_far: of the face. */
IN_LOOP void planes_far_leave(const cross_rays *rays, const planes_far *plain,
                              const int n, const bool by_far, const planes_far_seen *seen,
                              planes_far_exits *out)
{
    const planes_far_face *face = &plain->face[n];
    const int l = (n + 1) % 3, r = (n + 2) % 3;
    const vfloat left_u = seen->u[l + 1], left_v = seen->v[l + 1],
                 right_u = seen->u[r + 1], right_v = seen->v[r + 1];
    vfloat u, v;
    planes_shear_corner(rays, face->across, &u, &v);
    const vfloat far = seen->edge[l], right = seen->edge[r],
                 left = left_u * v - left_v * u, across = u * right_v - v * right_u;
    const vfloat diagonal =
        by_far ? seen->u[0] * v - seen->v[0] * u : left_u * right_v - left_v * right_u;
    const unsigned turn = plain->turn, before = planes_sign_bits(diagonal) ^ turn,
                   also = by_far ? ~before : before;
    const vmask at_left = lanes_mask(before & LANES_ALL);
    vfloat *weight = out->found.weight;
    weight[0] =
        lanes_abs(lanes_choose(at_left, by_far ? left : across, by_far ? across : right));
    weight[1] =
        lanes_abs(lanes_choose(at_left, by_far ? far : left, by_far ? right : far));
    weight[2] = lanes_abs(diagonal);
    out->unsure = (before & (planes_sign_bits(left) ^ turn)) |
                  (also & (planes_sign_bits(across) ^ turn)) |
                  lanes_mask_bits(far_settle(weight, lanes_float(plain->slim)));
    const float *a = face->along, *s = face->quarter;
    const vfloat p = weight[0], q = weight[1],
                 apex = lanes_choose(at_left, lanes_float(a[2]), lanes_float(a[3])),
                 apex_s = lanes_choose(at_left, lanes_float(s[2]), lanes_float(s[3]));
    out->t = ((p * lanes_float(a[0]) + q * lanes_float(a[1])) + weight[2] * apex) *
             rays->per_unit;
    out->scalar = cross_four_times(
        ((p * lanes_float(s[0]) + q * lanes_float(s[1])) + weight[2] * apex_s) -
        lanes_float(face->twist) * (p * q));
    out->triangle = lanes_choose_int(at_left, lanes_int(face->triangle[1]),
                                     lanes_int(face->triangle[0]));
    out->found.side.before = at_left;
}

/* The places of the exits on their face. */
IN_LOOP void planes_far_place(const planes_far_face *face, planes_far_exits *exits,
                              vfloat *f, vfloat *g)
{
    const vmask none = lanes_mask(0), all = lanes_mask(LANES_ALL);
    exits->found.side.by_far = face->by_far ? all : none;
    exits->found.up_left = face->up_left ? all : none;
    exits->found.up_right = face->up_right ? all : none;
    far_place(&exits->found, f, g);
}

#endif
