/* Crossing a cell by its class, for many rays at a time: cross.h with a third of the
 * work, in cells that a view sees plainly.
 *
 * Seen from the eye, a plain cell shows three faces through which all rays enter, and
 * three through which all rays leave. The latter meet in one corner, the far corner. Its
 * three edges, the spokes, part the rays by the face through which they leave:
 *
 *     spoke n leads from the far corner against the rays along axis n;
 *     the face across axis n lies between the spokes n + 1 and n + 2.
 *
 * A ray lies on one side of the line through a spoke by the sign of one edge function.
 * Three of them give the face. The diagonal and two outer edges of the face give the
 * triangle. So 6 edge functions and 5 vertices take the place of 18 and 8, with the same
 * bits, as all signs are those of cross.h.
 *
 * A class is a guess, except for one thing: no ray leaves the cell twice. As seen from
 * the eye, all quadrangles are convex, so the three exits lie apart, on either side of
 * the spokes between them, and rays never leave by the other three faces
 * (classify.h). If the signs confirm a triangle of the guess, it is
 * therefore the exit. */
#ifndef RENDER_CELLS_FAR_CORNER_H
#define RENDER_CELLS_FAR_CORNER_H

#include "cross.h"

/* The class of a cell. Bits n = 0, 1, 2: rays leave through the upper face across axis n.
 * Bit n + CLASS_DIAGONAL: the diagonal of the exit face across axis n begins at the far
 * corner. Bit CLASS_STRAIGHT: no way through the cell bends
 * (render/cells/bend_classes.h). A cell that is not plain has only this bit, or only
 * CLASS_BENT. An absent cell is 0. */
enum { CLASS_BENT = 0, CLASS_STRAIGHT = 3, CLASS_DIAGONAL = 4, CLASS_PLAIN = 7 };

/* Values at the corners of a face of exit: the far corner, the ends of both spokes, and
 * the corner across. They go around the face: far, left, across, right, so that rays
 * inside have positive edges, if `turn` is taken into account. */
typedef struct far_face {
    vfloat far, left, across, right;
} far_face;

/* Where a ray passes a face of exit. */
typedef struct far_side {
    vmask by_far; /* the diagonal begins at the far corner */
    vmask before; /* the ray passes on the side of the left spoke */
} far_side;

/* Exits found by class. */
typedef struct far_exits {
    vint triangle;    /* 2 * face + half */
    vmask unsure;     /* the signs do not confirm the class, or lack digits */
    vfloat weight[3]; /* of both ends of the diagonal and of the apex; they add up to 1 */
    cross_values along, scalar;
    far_side side;
    vmask up_left, up_right; /* the far corner is the upper one along the axis of the left
                                spoke, and of the right one */
} far_exits;

/* Signs of a class as sign bits. */
IN_LOOP vint far_bit(vint cells, int n)
{
    return lanes_shift_left(cells, 31 - n);
}

/* Chooses by the axis of the face: 0, 1 or neither. */
IN_LOOP vfloat far_choose(const vmask across[2], vfloat if_0, vfloat if_1, vfloat if_2)
{
    return lanes_choose(across[0], if_0, lanes_choose(across[1], if_1, if_2));
}

IN_LOOP vint far_choose_int(const vmask across[2], vint if_0, vint if_1, vint if_2)
{
    return lanes_choose_int(across[0], if_0, lanes_choose_int(across[1], if_1, if_2));
}

/* Indices of the far corner and of the ends of the spokes, doubled. lowest, stride:
 * doubled, of the lowest vertex, and along j and k. */
IN_LOOP void far_find_corners(vint cells, vint lowest, const vint stride[3],
                              vint corners[4])
{
    vint up[3];
    corners[0] = lowest;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        up[n] = far_bit(cells, n) >> 31;
        corners[0] += up[n] & stride[n];
    }
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        corners[n + 1] = corners[0] + ((stride[n] ^ up[n]) - up[n]);
    }
}

/* One vertex of each cell. */
typedef struct far_vertex {
    vfloat u, v, along, scalar;
} far_vertex;

IN_LOOP far_vertex far_load(const float (*vertices)[4], const int32_t *at,
                            const cross_rays *rays, int axis)
{
    vfloat x[4];
    lanes_load_fours(&vertices[0][0], at, x);
    const vfloat along = x[axis];
    return (far_vertex){
        .u = (x[(axis + 1) % 3] - rays->origin[0]) - rays->shear[0] * along,
        .v = (x[(axis + 2) % 3] - rays->origin[1]) - rays->shear[1] * along,
        .along = along,
        .scalar = x[3]};
}

IN_LOOP vfloat far_edge(const far_vertex *a, const far_vertex *b)
{
    return a->u * b->v - a->v * b->u;
}

IN_LOOP far_vertex far_choose_vertex(const vmask across[2], const far_vertex *if_0,
                                     const far_vertex *if_1, const far_vertex *if_2)
{
    return (far_vertex){far_choose(across, if_0->u, if_1->u, if_2->u),
                        far_choose(across, if_0->v, if_1->v, if_2->v),
                        far_choose(across, if_0->along, if_1->along, if_2->along),
                        far_choose(across, if_0->scalar, if_1->scalar, if_2->scalar)};
}

/* What rays see of their cells: far corners and spokes. */
typedef struct far_look {
    far_vertex far, spoke[3];
    vfloat edge[3];  /* of the spokes */
    vint turn;       /* sign bit: the spokes go around to the right */
    vmask across[2]; /* the face of exit is across axis 0, or 1 */
    vint nowhere;    /* sign bit: no face fits */
    _Alignas(64) int32_t opposite[LANES]; /* the corner across the face, doubled */
} far_look;

/* Finds the index of the corner across the face of exit. */
IN_LOOP void far_aim(const int32_t (*corners)[LANES], far_look *look)
{
    const vint from = lanes_load_int(corners[0]), to_0 = lanes_load_int(corners[1]),
               to_1 = lanes_load_int(corners[2]), to_2 = lanes_load_int(corners[3]);
    lanes_store_int(look->opposite, to_0 + to_1 + to_2 - from -
                                        far_choose_int(look->across, to_0, to_1, to_2));
}

/* corners: from far_find_corners, [4][LANES]. cells->rows are not used; cells->flags are
 * classes. */
IN_LOOP void far_look_at(const cross_rays *rays, const cross_cells *cells,
                         const int32_t (*corners)[LANES], int axis, far_look *look)
{
    const vint class = cells->flags;
    look->far = far_load(cells->vertices, corners[0], rays, axis);
    vint side[3];
    /* The spokes go around to the left if rays leave through upper faces of a
     * right-handed cell. Each lower face turns that round. */
    const vint turn =
        cells->reversed ^ ~(far_bit(class, 0) ^ far_bit(class, 1) ^ far_bit(class, 2));
    look->turn = turn;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        look->spoke[n] = far_load(cells->vertices, corners[n + 1], rays, axis);
        look->edge[n] = far_edge(&look->far, &look->spoke[n]);
        side[n] = lanes_bits(look->edge[n]) ^ turn;
    }
    const vint through_0 = ~side[1] & side[2], through_1 = ~side[2] & side[0],
               through_2 = ~side[0] & side[1];
    look->across[0] = lanes_sign(lanes_from_bits(through_0));
    look->across[1] = lanes_sign(lanes_from_bits(through_1));
    look->nowhere = ~(through_0 | through_1 | through_2);
    far_aim(corners, look);
}

/* Arranges values of the faces, as cross_arrange. */
IN_LOOP cross_values far_arrange(const far_side *side, const far_face *face)
{
    const vfloat left = lanes_choose(side->by_far, face->left, face->across),
                 right = lanes_choose(side->by_far, face->right, face->far);
    return (cross_values){.p = lanes_choose(side->by_far, face->far, face->left),
                          .q = lanes_choose(side->by_far, face->across, face->right),
                          .apex = lanes_choose(side->before, left, right),
                          .beyond = lanes_choose(side->before, right, left)};
}

/* The edges around the faces of exit, by the vertices at which they begin. */
typedef struct far_edges {
    vfloat far, left, across, right, diagonal;
} far_edges;

/* The weights of the triangles, before division by their sum. Each belongs to the
 * opposite edge. */
IN_LOOP void far_weigh(const far_side *side, const far_edges *edge, vfloat weight[3])
{
    const vfloat p_before = lanes_choose(side->by_far, edge->left, edge->across),
                 p_behind = lanes_choose(side->by_far, edge->across, edge->right),
                 q_before = lanes_choose(side->by_far, edge->far, edge->left),
                 q_behind = lanes_choose(side->by_far, edge->right, edge->far);
    weight[0] = lanes_abs(lanes_choose(side->before, p_before, p_behind));
    weight[1] = lanes_abs(lanes_choose(side->before, q_before, q_behind));
    weight[2] = lanes_abs(edge->diagonal);
}

/* Divides weights by their sum. Returns the lanes that lack digits. slim: as for
 * cross_leave. */
IN_LOOP vmask far_settle(vfloat weight[3], vfloat slim)
{
    const vfloat sum = (weight[0] + weight[1]) + weight[2];
    const vfloat per_sum = lanes_float(1.0f) / sum;
    const vmask slims = cross_lacks_digits(weight, sum, slim);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        weight[n] *= per_sum;
    }
    return slims;
}

/* Finds the triangles of exit from the classes. before: sign bit, as in far_side. */
IN_LOOP void far_name(vint class, const vmask across[2], vint before, far_exits *exits)
{
    const vint face = far_choose_int(across, lanes_int(0), lanes_int(4), lanes_int(8));
    const vint bit[3] = {far_bit(class, 0), far_bit(class, 1), far_bit(class, 2)};
    const vint up = far_choose_int(across, bit[0], bit[1], bit[2]),
               left = far_choose_int(across, bit[1], bit[2], bit[0]),
               right = far_choose_int(across, bit[2], bit[0], bit[1]);
    /* The first half has the apex at the upper end along the next axis. */
    const vint second = ~(left ^ before);
    exits->triangle = face + ((up >> 31) & 2) + ((second >> 31) & 1);
    exits->up_left = lanes_sign(lanes_from_bits(left));
    exits->up_right = lanes_sign(lanes_from_bits(right));
}

/* Finds the exits. slim: as for cross_leave. */
IN_LOOP far_exits far_leave(const cross_rays *rays, const cross_cells *cells,
                            const far_look *look, int axis, vfloat slim)
{
    const vint class = cells->flags, turn = look->turn;
    const far_vertex far = look->far, *spoke = look->spoke;
    const far_vertex left =
        far_choose_vertex(look->across, &spoke[1], &spoke[2], &spoke[0]);
    const far_vertex right =
        far_choose_vertex(look->across, &spoke[2], &spoke[0], &spoke[1]);
    const far_vertex beyond = far_load(cells->vertices, look->opposite, rays, axis);
    far_exits out;
    out.side.by_far = lanes_sign(lanes_from_bits(far_choose_int(
        look->across, far_bit(class, CLASS_DIAGONAL), far_bit(class, CLASS_DIAGONAL + 1),
        far_bit(class, CLASS_DIAGONAL + 2))));
    const vfloat *e = look->edge;
    far_edges edge = {.far = far_choose(look->across, e[1], e[2], e[0]),
                      .left = far_edge(&left, &beyond),
                      .across = far_edge(&beyond, &right),
                      .right = far_choose(look->across, e[2], e[0], e[1])};
    const vmask by_far = out.side.by_far;
    const vfloat pu = lanes_choose(by_far, far.u, left.u),
                 pv = lanes_choose(by_far, far.v, left.v),
                 qu = lanes_choose(by_far, beyond.u, right.u),
                 qv = lanes_choose(by_far, beyond.v, right.v);
    edge.diagonal = pu * qv - pv * qu;
    const vint before = lanes_bits(edge.diagonal) ^ turn;
    out.side.before = lanes_sign(lanes_from_bits(before));

    /* Beside a diagonal from the far corner, a triangle has one outer edge. Else only the
     * triangle across has any, both. */
    const vint also = before ^ lanes_choose_int(by_far, lanes_int(-1), lanes_int(0));
    const vint outside = (before & (lanes_bits(edge.left) ^ turn)) |
                         (also & (lanes_bits(edge.across) ^ turn)) | look->nowhere;
    far_weigh(&out.side, &edge, out.weight);
    out.unsure =
        lanes_or(lanes_sign(lanes_from_bits(outside)), far_settle(out.weight, slim));
    const far_face along = {far.along, left.along, beyond.along, right.along},
                   scalar = {far.scalar, left.scalar, beyond.scalar, right.scalar};
    out.along = far_arrange(&out.side, &along);
    out.scalar = far_arrange(&out.side, &scalar);
    far_name(class, look->across, before, &out);
    return out;
}

/* The places of the exits on their faces, as cross_place finds them. */
IN_LOOP void far_place(const far_exits *exits, vfloat *f, vfloat *g)
{
    const vmask by_far = exits->side.by_far, before = exits->side.before;
    const vfloat none = lanes_float(0.0f), p = exits->weight[0], q = exits->weight[1],
                 r = exits->weight[2];
    const vfloat r_before = lanes_choose(before, r, none),
                 r_behind = lanes_choose(before, none, r);
    *f = lanes_choose(exits->up_left, lanes_choose(by_far, p, q),
                      lanes_choose(by_far, q, p)) +
         lanes_choose(exits->up_left, r_behind, r_before);
    *g = lanes_choose(exits->up_right, p, q) +
         lanes_choose(exits->up_right, lanes_choose(by_far, r_before, r_behind),
                      lanes_choose(by_far, r_behind, r_before));
}

#endif
