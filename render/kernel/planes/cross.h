/* Crossing one cell with many rays: render/cells/cross.h for lanes that are all in the
 * same cell. The corners are read from memory once, instead of a load for each lane.
 * Diagonals and handedness are the same for all lanes. In most cells the rays cannot
 * leave through some of the faces, which are skipped. The result is bitwise the same. */
#ifndef RENDER_KERNEL_PLANES_CROSS_H
#define RENDER_KERNEL_PLANES_CROSS_H

#include "render/cells/cross.h"

/* A face as a loop that starts at an end of its diagonal, so that both diagonals share
 * one code:
 *
 *     p -> r0 -> q -> r1 -> p        half 0: p, r0, q        half 1: q, r1, p
 *
 * A ray leaves through half 0 if edges 0 and 1 have one sign and the diagonal from p to q
 * has the other. It leaves through half 1 if edges 2, 3 and the diagonal have one sign.
 * The side of the cell decides which sign. `flip` turns the sign bits of the four edges
 * and of the diagonal into "may leave through half 0" (for the diagonal: not through half
 * 1). It also accounts for edges that run against the loop. */
typedef struct planes_face {
    int corner[4], edge[4];
    unsigned flip[5];
    int number;
    bool turned;
} planes_face;

/* Makes the loop of a face. `upwards`: with the same signs in a right-handed cell, a
 * leaving ray would cross the face towards the upper end of its axis. reversed: the cell
 * looks left-handed. */
static planes_face planes_face_of(int face, bool turned, bool reversed)
{
    const bool upwards = ((face & 1) != 0) != reversed;
    planes_face out = {.number = face, .turned = turned};
    for (int n = 0; n < 4; n++) {
        const int at = (n + turned) & 3;
        out.corner[n] = cross_face_corners[face][at];
        out.edge[n] = cross_face_edges[face][at];
        out.flip[n] = (at >= 2) != upwards ? LANES_ALL : 0;
    }
    out.flip[4] = upwards ? 0 : LANES_ALL;
    return out;
}

/* A cell as seen by all rays that run fastest along one axis. */
typedef struct planes_corners {
    const float *corner[CROSS_CORNERS]; /* its vertices */
    int x, y, along;                    /* coordinates along the rays' axes 0, 1 and 2 */
    unsigned diagonals;                 /* as in render_cell_diagonals */
    int nfaces;                         /* through which rays may leave */
    const planes_face *faces[CROSS_FACES];
} planes_corners;

/* ---- Faces that rays cannot leave through ------------------------------------------ */

/* Four directions at a time. */
typedef float planes_four __attribute__((vector_size(16)));
typedef int32_t planes_four_int __attribute__((vector_size(16)));

/* A cone of directions that contains all rays of a group. */
typedef struct planes_cone {
    planes_four shear[2]; /* the corners of a rectangle */
    float largest;        /* largest magnitude of a coordinate of a ray's origin */
} planes_cone;

static inline planes_four planes_all(float a)
{
    return (planes_four){a, a, a, a};
}

static inline planes_four planes_magnitude(planes_four a)
{
    return (planes_four)((planes_four_int)a & INT32_MAX);
}

/* Lists the faces through which rays of the cone may leave.
 *
 * Seen along the shear (sx, sy), a triangle has an area that is linear in sx and sy. If
 * all corners of the cone see it wind one way, so do all rays between them, and a ray can
 * cross it in one sense only. The relevant areas are those of the rounded points that
 * rays see: they lie within `off` of the true ones. */
static void planes_list_faces(const planes_cone *cone, const planes_face (*faces)[2],
                              planes_corners *cell)
{
    planes_four u[CROSS_CORNERS], v[CROSS_CORNERS], wide = {0};
    for (int n = 0; n < CROSS_CORNERS; n++) {
        const float *vertex = cell->corner[n];
        const planes_four along = planes_all(vertex[cell->along]);
        u[n] = planes_all(vertex[cell->x]) - cone->shear[0] * along;
        v[n] = planes_all(vertex[cell->y]) - cone->shear[1] * along;
        wide += planes_magnitude(u[n] - u[0]) + planes_magnitude(v[n] - v[0]);
    }
    const float *lowest = cell->corner[0];
    const planes_four far = planes_all(cone->largest + fabsf(lowest[0]) +
                                       fabsf(lowest[1]) + fabsf(lowest[2]));
    const planes_four slip = (wide + far) * 0x1p-20f, off = slip * (wide + slip);
    cell->nfaces = 0;
    for (int face = 0; face < CROSS_FACES; face++) {
        const planes_face *f = &faces[face][cell->diagonals >> face & 1u];
        const int *c = f->corner;
        const planes_four qu = u[c[2]] - u[c[0]], qv = v[c[2]] - v[c[0]];
        const planes_four first = (u[c[1]] - u[c[0]]) * qv - (v[c[1]] - v[c[0]]) * qu;
        const planes_four second = qu * (v[c[3]] - v[c[0]]) - qv * (u[c[3]] - u[c[0]]);
        const planes_four_int in = f->flip[4] ? (first > off) & (second > off)
                                              : (first < -off) & (second < -off);
        if ((in[0] & in[1] & in[2] & in[3]) == 0) {
            cell->faces[cell->nfaces++] = f;
        }
    }
}

/* ---- All rays ---------------------------------------------------------------------- */

IN_LOOP void planes_shear(const cross_rays *rays, const planes_corners *cell,
                          cross_corners *at)
{
#pragma GCC unroll 8
    for (int n = 0; n < CROSS_CORNERS; n++) {
        const float *vertex = cell->corner[n];
        const vfloat along = lanes_float(vertex[cell->along]);
        at->u[n] =
            (lanes_float(vertex[cell->x]) - rays->origin[0]) - rays->shear[0] * along;
        at->v[n] =
            (lanes_float(vertex[cell->y]) - rays->origin[1]) - rays->shear[1] * along;
    }
}

/* Bits of a mask, kept in an ordinary register. GCC 12 tends to collect several in a
 * vector, or to compute in mask registers; both take twice the time. */
IN_LOOP unsigned planes_sign_bits(vfloat a)
{
    unsigned bits = lanes_mask_bits(lanes_sign(a));
    __asm__("" : "+r"(bits));
    return bits;
}

/* The faces through which rays leave. */
typedef struct planes_leaving {
    unsigned once, more;           /* at least once, more than once */
    unsigned second;               /* through half 1 */
    unsigned through[CROSS_FACES]; /* for each face in the list */
} planes_leaving;

/* For rays that leave through this face, copies the face's numbers into `chosen`. */
IN_LOOP void planes_choose_face(const planes_corners *cell, const vfloat *edges,
                                const planes_face *face, vfloat diagonal, unsigned here,
                                cross_chosen *chosen)
{
    const vmask mask = lanes_mask(here);
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        const float *vertex = cell->corner[face->corner[n]];
        chosen->edge[n] = lanes_choose(mask, edges[face->edge[n]], chosen->edge[n]);
        chosen->along[n] =
            lanes_choose(mask, lanes_float(vertex[cell->along]), chosen->along[n]);
        chosen->scalar[n] = lanes_choose(mask, lanes_float(vertex[3]), chosen->scalar[n]);
    }
    chosen->diagonal = lanes_choose(mask, diagonal, chosen->diagonal);
    chosen->face = lanes_choose_int(mask, lanes_int(2 * face->number), chosen->face);
}

/* The edge functions of a cell. */
typedef struct planes_edges {
    vfloat e[CROSS_EDGES];
    unsigned negative[CROSS_EDGES]; /* bits of the lanes in which the edge function is
                                       negative */
} planes_edges;

IN_LOOP void planes_measure(const cross_corners *at, planes_edges *edges, vfloat *least)
{
#pragma GCC unroll 12
    for (int n = 0; n < CROSS_EDGES; n++) {
        edges->e[n] = cross_edge(at, cross_edge_ends[n][0], cross_edge_ends[n][1]);
        edges->negative[n] = planes_sign_bits(edges->e[n]);
        *least = n == 0 ? edges->e[0] : lanes_least_magnitude(*least, edges->e[n]);
    }
}

/* Finds the rays that leave through one of the faces. */
IN_LOOP void planes_look_at_face(const cross_corners *at, const planes_corners *cell,
                                 const planes_edges *edges, int n, cross_chosen *chosen,
                                 planes_leaving *leaving)
{
    const planes_face *face = cell->faces[n];
    const int *e = face->edge;
    const unsigned *flip = face->flip, *negative = edges->negative;
    const vfloat diagonal = cross_edge(at, face->corner[0], face->corner[2]);
    const unsigned down = planes_sign_bits(diagonal) ^ flip[4];
    const unsigned half0 = (negative[e[0]] ^ flip[0]) & (negative[e[1]] ^ flip[1]) & down;
    const unsigned half1 =
        (negative[e[2]] ^ flip[2]) & (negative[e[3]] ^ flip[3]) & ~down;
    unsigned here = half0 | half1;
    __asm__("" : "+r"(here));
    leaving->through[n] = here;
    leaving->more |= here & leaving->once;
    leaving->once |= here;
    leaving->second |= half1;
    chosen->least = lanes_least_magnitude(chosen->least, diagonal);
    planes_choose_face(cell, edges->e, face, diagonal, here, chosen);
}

/* Finds the faces by which rays leave their cell. The loops of faces start at their
 * diagonals, so to the caller no diagonal is turned. */
IN_LOOP void planes_choose(const cross_rays *rays, const planes_corners *cell,
                           const int nfaces, cross_chosen *chosen,
                           planes_leaving *leaving)
{
    cross_corners at;
    planes_edges edges;
    planes_shear(rays, cell, &at);
    planes_measure(&at, &edges, &chosen->least);
    leaving->once = leaving->more = leaving->second = 0;
    const vfloat none = lanes_float(0.0f);
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        chosen->edge[n] = chosen->along[n] = chosen->scalar[n] = none;
    }
    chosen->diagonal = none;
    chosen->face = lanes_int(0);
#pragma GCC unroll 3
    for (int n = 0; n < nfaces; n++) {
        planes_look_at_face(&at, cell, &edges, n, chosen, leaving);
    }
    chosen->turned = lanes_mask(0);
    chosen->second = lanes_mask(leaving->second);
    chosen->once = lanes_int(-1);
    chosen->more = lanes_int(0);
}

/* Lanes with an edge function that is zero although the ends of its edge differ, like
 * cross_find_zeros. */
static __attribute__((noinline)) unsigned planes_find_zeros(const cross_rays *rays,
                                                            const planes_corners *cell)
{
    cross_corners at;
    planes_shear(rays, cell, &at);
    vmask zeros = lanes_mask(0);
    for (int n = 0; n < CROSS_EDGES + CROSS_FACES; n++) {
        int face = n < CROSS_EDGES ? 0 : n - CROSS_EDGES;
        unsigned turned = cell->diagonals >> face & 1u;
        const int *corners = cross_face_corners[face];
        const int ends[2] = {corners[turned], corners[turned + 2]};
        const int *e = n < CROSS_EDGES ? cross_edge_ends[n] : ends;
        vmask same = lanes_and(lanes_equal(at.u[e[0]], at.u[e[1]]),
                               lanes_equal(at.v[e[0]], at.v[e[1]]));
        vmask zero = lanes_equal(cross_edge(&at, e[0], e[1]), lanes_float(0.0f));
        zeros = lanes_or(zeros, lanes_and_not(zero, same));
    }
    return lanes_mask_bits(zeros);
}

#endif
