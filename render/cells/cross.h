/* Crossing a cell, for many rays at a time. This is the common case of render_cell_exit:
 * no edge function of the cell is zero, and the ray leaves the cell once.
 * render/cells/cell.h explains why the signs are exact, render/cells/cell.c the numbering
 * of corners, edges and faces. */
#ifndef RENDER_CELLS_CROSS_H
#define RENDER_CELLS_CROSS_H

#include "base/lanes.h"
#include "cell.h"

#include "grid/brick.h"

#include <float.h>

enum { CROSS_EDGES = 12, CROSS_FACES = 6, CROSS_CORNERS = 8 };

static const int cross_edge_ends[CROSS_EDGES][2] = {
    {0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {4, 6},
    {1, 3}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7},
};
static const int cross_face_corners[CROSS_FACES][4] = {
    {0, 2, 6, 4}, {1, 3, 7, 5}, {0, 4, 5, 1}, {2, 6, 7, 3}, {0, 1, 3, 2}, {4, 5, 7, 6},
};
static const int cross_face_edges[CROSS_FACES][4] = {
    {4, 10, 5, 8},  {6, 11, 7, 9}, {8, 2, 9, 0},
    {10, 3, 11, 1}, {0, 6, 1, 4},  {2, 7, 3, 5},
};

/* The flag that gives a face's diagonal. */
static const int cross_diagonal_bit[CROSS_FACES] = {0, 4, 1, 5, 2, 6};

/* One ray in each lane; all run fastest along the same axis. */
typedef struct cross_rays {
    vfloat origin[2], shear[2], per_unit;
} cross_rays;

/* The cells of these rays. vertices: the start of each edge along i, with doubled indices
 * as lanes_load_rows needs them. flags: those of grid/brick.h. reversed: the sign bit is
 * set if the cell looks left-handed to the ray. */
typedef struct cross_cells {
    const float (*vertices)[4];
    const int32_t (*rows)[LANES]; /* [4]: offset along j + 2 * along k */
    vint flags;
    vint reversed;
} cross_cells;

/* The corners of the cells as seen by the rays. */
typedef struct cross_corners {
    vfloat u[CROSS_CORNERS], v[CROSS_CORNERS];
    vfloat along[CROSS_CORNERS], scalar[CROSS_CORNERS];
} cross_corners;

/* Looks at corner c, x: as the grid has it, along rays. axis: the axis along which these
 * run fastest. */
IN_LOOP void cross_see(const cross_rays *rays, const vfloat x[4], int axis, int c,
                       cross_corners *corners)
{
    const vfloat along = x[axis];
    corners->u[c] = (x[(axis + 1) % 3] - rays->origin[0]) - rays->shear[0] * along;
    corners->v[c] = (x[(axis + 2) % 3] - rays->origin[1]) - rays->shear[1] * along;
    corners->along[c] = along;
    corners->scalar[c] = x[3];
}

/* axis: a constant. */
IN_LOOP void cross_load(const cross_rays *rays, const cross_cells *cells, int axis,
                        cross_corners *corners)
{
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        vfloat pair[8];
        lanes_load_rows(&cells->vertices[0][0], cells->rows[n], pair);
#pragma GCC unroll 2
        for (int end = 0; end < 2; end++) {
            cross_see(rays, pair + 4 * end, axis, 2 * n + end, corners);
        }
    }
}

/* Loads the corners as the grid has them. rows: as in cross_cells. corner: by axis; the
 * last ones are scalars. */
IN_LOOP void cross_load_grid(const float (*vertices)[4], const int32_t (*rows)[LANES],
                             vfloat corner[4][CROSS_CORNERS])
{
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        vfloat pair[8];
        lanes_load_rows(&vertices[0][0], rows[n], pair);
#pragma GCC unroll 4
        for (int axis = 0; axis < 4; axis++) {
            corner[axis][2 * n] = pair[axis];
            corner[axis][2 * n + 1] = pair[axis + 4];
        }
    }
}

/* e(A, B) of cell.h. */
IN_LOOP vfloat cross_edge(const cross_corners *at, int a, int b)
{
    return at->u[a] * at->v[b] - at->v[a] * at->u[b];
}

/* A face as seen by the rays. `turned`: its diagonal runs from corner 1 to corner 3. */
typedef struct cross_face {
    vmask turned;
    vfloat diagonal;
    vint edge[4]; /* sign bits of the loop's edges, in the loop's direction */
} cross_face;

/* Finds the signs of a face. Its edges come in the order of its halves: edges 0 and 1
 * bound half 0, edges 2 and 3 bound half 1. `reversed` flips all signs. */
IN_LOOP cross_face cross_look_at_face(const cross_corners *at, const vfloat *edges,
                                      vint flags, vint reversed, int face)
{
    const int *c = cross_face_corners[face], *e = cross_face_edges[face];
    cross_face seen;
    seen.turned = lanes_bit(flags, cross_diagonal_bit[face]);
    vfloat pu = lanes_choose(seen.turned, at->u[c[1]], at->u[c[0]]);
    vfloat pv = lanes_choose(seen.turned, at->v[c[1]], at->v[c[0]]);
    vfloat qu = lanes_choose(seen.turned, at->u[c[3]], at->u[c[2]]);
    vfloat qv = lanes_choose(seen.turned, at->v[c[3]], at->v[c[2]]);
    seen.diagonal = pu * qv - pv * qu;
    vint a = lanes_bits(edges[e[0]]) ^ reversed, b = lanes_bits(edges[e[1]]) ^ reversed;
    vint c2 = lanes_bits(edges[e[2]]) ^ ~reversed,
         d = lanes_bits(edges[e[3]]) ^ ~reversed;
    seen.edge[0] = lanes_choose_int(seen.turned, b, a);
    seen.edge[1] = lanes_choose_int(seen.turned, c2, b);
    seen.edge[2] = lanes_choose_int(seen.turned, d, c2);
    seen.edge[3] = lanes_choose_int(seen.turned, a, d);
    return seen;
}

/* Sign bits: whether the rays leave through the halves of a face. A ray crosses half 0 if
 * edges 0 and 1 have one sign and the diagonal has the other. It crosses half 1 if edges
 * 2, 3 and the diagonal have one sign. It leaves through an upper face if the edges are
 * positive, through a lower face if they are negative. */
IN_LOOP void cross_leaving(const cross_face *face, vint reversed, bool upper,
                           vint leaving[2])
{
    vint diagonal = lanes_bits(face->diagonal) ^ reversed;
    if (upper) {
        leaving[0] = lanes_match(face->edge[0], face->edge[1], diagonal, 1);
        leaving[1] = lanes_match(face->edge[2], face->edge[3], diagonal, 0);
    } else {
        leaving[0] = lanes_match(face->edge[0], face->edge[1], diagonal, 6);
        leaving[1] = lanes_match(face->edge[2], face->edge[3], diagonal, 7);
    }
}

/* render_cell_slim of `count` corners. */
IN_LOOP vfloat cross_slim(int count, const vfloat *u, const vfloat *v)
{
    vfloat most[2] = {lanes_abs(u[0]), lanes_abs(v[0])};
#pragma GCC unroll 4
    for (int n = 1; n < count; n++) {
        most[0] = lanes_max(most[0], lanes_abs(u[n]));
        most[1] = lanes_max(most[1], lanes_abs(v[n]));
    }
    return lanes_max(lanes_float(CELL_SLIM) * (most[0] * most[1]),
                     lanes_float(CELL_LEAST_WEIGHT));
}

/* Lanes in which float32 lacks digits for a crossing with these weights: the triangle is
 * a sliver, or an edge is near. */
IN_LOOP vmask cross_lacks_digits(const vfloat weight[3], vfloat sum, vfloat slim)
{
    const vfloat least = lanes_min(lanes_min(weight[0], weight[1]), weight[2]);
    return lanes_or(lanes_less(sum, slim),
                    lanes_less(least, slim * lanes_float(CELL_NEAR / CELL_SLIM)));
}

/* The same from the edge functions of a triangle. */
IN_LOOP unsigned cross_find_slim(vfloat p, vfloat q, vfloat r, vfloat slim)
{
    const vfloat weight[3] = {lanes_abs(p), lanes_abs(q), lanes_abs(r)};
    const vfloat sum = (weight[0] + weight[1]) + weight[2];
    return lanes_mask_bits(cross_lacks_digits(weight, sum, slim));
}

/* The face through which each ray leaves. */
typedef struct cross_chosen {
    vfloat edge[4], diagonal;
    vfloat along[4], scalar[4]; /* of its corners */
    vmask turned, second;       /* second: the ray leaves through half 1 */
    vint face;                  /* doubled */
    vint once, more; /* sign bits: the ray leaves at least once, more than once */
    vfloat least;    /* the smallest magnitude among all edge functions of the cell */
} cross_chosen;

IN_LOOP void cross_consider_face(const cross_corners *at, const vfloat *edges, vint flags,
                                 vint reversed, int face, cross_chosen *chosen)
{
    const int *c = cross_face_corners[face], *e = cross_face_edges[face];
    cross_face seen = cross_look_at_face(at, edges, flags, reversed, face);
    vint leaving[2];
    cross_leaving(&seen, reversed, face & 1, leaving);
    vint any = leaving[0] | leaving[1];
    chosen->more |= (leaving[0] & leaving[1]) | (any & chosen->once);
    chosen->once |= any;
    vmask here = lanes_sign(lanes_from_bits(any));
    vmask second = lanes_sign(lanes_from_bits(leaving[1]));
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        chosen->edge[n] = lanes_choose(here, edges[e[n]], chosen->edge[n]);
        chosen->along[n] = lanes_choose(here, at->along[c[n]], chosen->along[n]);
        chosen->scalar[n] = lanes_choose(here, at->scalar[c[n]], chosen->scalar[n]);
    }
    chosen->diagonal = lanes_choose(here, seen.diagonal, chosen->diagonal);
    chosen->turned = lanes_or(chosen->turned, lanes_and(here, seen.turned));
    chosen->second = lanes_or(chosen->second, second);
    chosen->face = lanes_choose_int(here, lanes_int(2 * face), chosen->face);
    chosen->least = lanes_least_magnitude(chosen->least, seen.diagonal);
}

/* Finds the faces through which rays leave their cells. */
IN_LOOP cross_chosen cross_choose(const cross_corners *at, const cross_cells *cells)
{
    vfloat edges[CROSS_EDGES];
    const vfloat none = lanes_float(0.0f);
    cross_chosen chosen = {.diagonal = none,
                           .turned = lanes_mask(0),
                           .second = lanes_mask(0),
                           .face = lanes_int(0),
                           .once = lanes_int(0),
                           .more = lanes_int(0),
                           .least = lanes_float(INFINITY)};
#pragma GCC unroll 12
    for (int n = 0; n < CROSS_EDGES; n++) {
        edges[n] = cross_edge(at, cross_edge_ends[n][0], cross_edge_ends[n][1]);
        chosen.least = lanes_least_magnitude(chosen.least, edges[n]);
    }
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        chosen.edge[n] = chosen.along[n] = chosen.scalar[n] = none;
    }
#pragma GCC unroll 6
    for (int face = 0; face < CROSS_FACES; face++) {
        cross_consider_face(at, edges, cells->flags, cells->reversed, face, &chosen);
    }
    return chosen;
}

/* The exit of each ray from its cell. */
typedef struct cross_exits {
    vint triangle;             /* 2 * face + half */
    vmask unsure;              /* not the common case: render_cell_exit must decide */
    vmask zero;                /* likewise, unless cross_find_zeros rules a zero out */
    vfloat weight[3], per_sum; /* of the ends of the diagonal and of the apex; the weights
                                  times per_sum add up to 1 */
} cross_exits;

/* The weight of each end of the diagonal belongs to the opposite edge, from or to the
 * apex:
 *
 *     half 0: p -> r -> q    half 1: q -> r -> p
 *
 * slim: render_cell_slim of the triangle, or any larger number. */
IN_LOOP cross_exits cross_leave(const cross_chosen *chosen, vfloat slim)
{
    const vmask turned = chosen->turned, second = chosen->second;
    const vfloat *e = chosen->edge;
    vfloat p = lanes_choose(second, lanes_choose(turned, e[3], e[2]),
                            lanes_choose(turned, e[2], e[1]));
    vfloat q = lanes_choose(second, lanes_choose(turned, e[0], e[3]),
                            lanes_choose(turned, e[1], e[0]));
    cross_exits exits = {
        .weight = {lanes_abs(p), lanes_abs(q), lanes_abs(chosen->diagonal)}};
    vfloat sum = (exits.weight[0] + exits.weight[1]) + exits.weight[2];
    exits.per_sum = lanes_float(1.0f) / sum;
    exits.triangle = chosen->face + lanes_choose_int(second, lanes_int(1), lanes_int(0));
    vmask strange = lanes_sign(lanes_from_bits(chosen->more | ~chosen->once));
    exits.unsure = lanes_or(strange, cross_lacks_digits(exits.weight, sum, slim));
    exits.zero = lanes_equal(chosen->least, lanes_float(0.0f));
    return exits;
}

/* Lanes in which an edge function is zero although the ends of its edge differ. (If the
 * ends coincide, the zero gets the sign that render_cell_exit gives it. This happens for
 * all edges along the view when it follows the grid's lines.) */
static __attribute__((unused)) vmask cross_find_zeros(const cross_rays *rays,
                                                      const cross_cells *cells, int axis)
{
    cross_corners at;
    cross_load(rays, cells, axis, &at);
    vmask zeros = lanes_mask(0);
    for (int n = 0; n < CROSS_EDGES + 2 * CROSS_FACES; n++) {
        /* Both diagonals of a face follow the edges, cut or not. */
        int side = n - CROSS_EDGES, turned = side & 1;
        const int *corners = cross_face_corners[side < 0 ? 0 : side / 2];
        const int ends[2] = {corners[turned], corners[turned + 2]};
        const int *e = side < 0 ? cross_edge_ends[n] : ends;
        vmask apart = lanes_mask(LANES_ALL);
        apart = lanes_and_not(apart, lanes_and(lanes_equal(at.u[e[0]], at.u[e[1]]),
                                               lanes_equal(at.v[e[0]], at.v[e[1]])));
        vfloat edge = cross_edge(&at, e[0], e[1]);
        zeros = lanes_or(zeros, lanes_and(apart, lanes_equal(edge, lanes_float(0.0f))));
    }
    return zeros;
}

/* Values of the chosen faces at the ends of the diagonal, at the apex of the crossed
 * triangle, and at the apex of the other triangle. */
typedef struct cross_values {
    vfloat p, q, apex, beyond;
} cross_values;

IN_LOOP cross_values cross_arrange(const cross_chosen *chosen, const vfloat corner[4])
{
    const vmask turned = chosen->turned, second = chosen->second;
    vfloat one = lanes_choose(turned, corner[2], corner[1]);
    vfloat other = lanes_choose(turned, corner[0], corner[3]);
    return (cross_values){.p = lanes_choose(turned, corner[1], corner[0]),
                          .q = lanes_choose(turned, corner[3], corner[2]),
                          .apex = lanes_choose(second, other, one),
                          .beyond = lanes_choose(second, one, other)};
}

/* Four times a mean of quarters of finite numbers. Rounding alone may carry it beyond the
 * largest float, so it is limited. */
IN_LOOP vfloat cross_four_times(vfloat quarter)
{
    const vfloat most = lanes_float(0.25f * FLT_MAX), size = lanes_abs(quarter);
    const vmask beyond = lanes_less(most, size);
    vfloat whole = quarter * lanes_float(4.0f);
    if (lanes_any(beyond)) {
        const vmask rounded = lanes_and(beyond, lanes_less(size, lanes_float(INFINITY)));
        const vmask below = lanes_less(quarter, lanes_float(0.0f));
        const vfloat last =
            lanes_choose(below, lanes_float(-FLT_MAX), lanes_float(FLT_MAX));
        whole = lanes_choose(rounded, last, whole);
    }
    return whole;
}

/* Interpolates within triangles, as cell.c does: t on the triangles, the scalar on the
 * whole faces. weight: of both ends of the diagonal and of the apex; they add up to 1. */
IN_LOOP void cross_between(const cross_rays *rays, const vfloat weight[3],
                           const cross_values *along, const cross_values *scalars,
                           vfloat *t, vfloat *scalar)
{
    const vfloat p = weight[0], q = weight[1], r = weight[2];
    cross_values s = *scalars;
    const vfloat quarter = lanes_float(0.25f);
    s.p *= quarter;
    s.q *= quarter;
    s.apex *= quarter;
    s.beyond *= quarter;
    *t = ((p * along->p + q * along->q) + r * along->apex) * rays->per_unit;
    const vfloat twist = (s.p + s.q) - (s.apex + s.beyond);
    *scalar = cross_four_times(((p * s.p + q * s.q) + r * s.apex) - twist * (p * q));
}

/* Interpolates at the exits. */
IN_LOOP void cross_interpolate(const cross_rays *rays, const cross_chosen *chosen,
                               const cross_exits *exits, vfloat *t, vfloat *scalar)
{
    const cross_values along = cross_arrange(chosen, chosen->along),
                       scalars = cross_arrange(chosen, chosen->scalar);
    const vfloat weight[3] = {exits->weight[0] * exits->per_sum,
                              exits->weight[1] * exits->per_sum,
                              exits->weight[2] * exits->per_sum};
    cross_between(rays, weight, &along, &scalars, t, scalar);
}

/* The places of the exits on their faces: f and g of cell_crossing. */
IN_LOOP void cross_place(const cross_chosen *chosen, const cross_exits *exits, vfloat *f,
                         vfloat *g)
{
    const vfloat none = lanes_float(0.0f);
    const vmask turned = chosen->turned, second = chosen->second;
    const vfloat p = exits->weight[0] * exits->per_sum,
                 q = exits->weight[1] * exits->per_sum,
                 r = exits->weight[2] * exits->per_sum;
    const vfloat if_first = lanes_choose(second, none, r);
    const vfloat if_second = lanes_choose(second, r, none);
    *f = lanes_choose(turned, p, q) + if_first;
    *g = q + lanes_choose(turned, if_first, if_second);
}

#endif
