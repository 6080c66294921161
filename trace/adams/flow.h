/* The flow at places in cells, for the kernels (kernel.h). */
#ifndef TRACE_ADAMS_FLOW_H
#define TRACE_ADAMS_FLOW_H

#include "lanes.h"
#include "vectors.h"

/* ---- Cells ------------------------------------------------------------------------- */

/* The cells of all lanes as indices of numbers: of the vertices at which the edges along
 * i begin, (j, k) = 00, 10, 01, 11. They fit into 32 bits (GRID_STORE_MOST_VERTICES). */
typedef struct edges {
    uint32_t at[4][SPAN];
} edges;

/* What a compiler should know of a flow: that of the step. */
typedef struct flow_shape {
    int width;
    bool is_flat;
} flow_shape;

/* Lanes without a particle get vertex 0. In a flat flow the first two edges will do. */
IN_LOOP edges find_edges(const trace_guess *guess, int first, flow_shape shape)
{
    const vint cell = load_int(guess->plane->cell + first);
    const vcount size = (vcount){0} + (uint32_t)shape.width;
    const vcount low = size * (vcount)(cell & ~(cell < 0)),
                 row = size * (vcount)load_int(guess->plane->row + first);
    const vcount at[2] = {low, low + row};
    edges e;
    memcpy(e.at, at, sizeof at);
    if (!shape.is_flat) {
        const vcount plane = size * (vcount)load_int(guess->space->plane + first);
        const vcount above[2] = {at[0] + plane, at[1] + plane};
        memcpy(e.at + 2, above, sizeof above);
    }
    __asm__(""
            : "+m"(e)); /* to be read from memory: moves between registers are slower */
    return e;
}

/* ---- Interpolation ----------------------------------------------------------------- */

/* Quads at the beginnings and the ends of edges. */
typedef struct ends {
    vreal begin, end;
} ends;

/* a + share * (b - a) */
IN_LOOP vreal blend(vreal a, vreal b, vreal share)
{
    return a + share * (b - a);
}

#ifdef WIDE

/* Loads the edges of lanes n and n + STRIDE: the quads of both ends of an edge follow
 * each other, but for a number that they share if `width` is 3. */
IN_LOOP vreal load_edges(const float *from, const edges *e, int edge, int n)
{
    const uint32_t *at = e->at[edge] + n;
    const __m512 a = _mm512_castps256_ps512(_mm256_loadu_ps(from + at[0]));
    return (vreal)_mm512_mask_broadcast_f32x8(a, 0xff00,
                                              _mm256_loadu_ps(from + at[STRIDE]));
}

/* Eight times the number of lane n, then that of lane n + STRIDE. */
IN_LOOP vreal spread_twice(vreal a, int n)
{
    const int m = n + STRIDE;
    return (vreal)_mm512_permutexvar_ps(
        _mm512_setr_epi32(n, n, n, n, n, n, n, n, m, m, m, m, m, m, m, m), (__m512)a);
}

/* The flow on the edges along i that go through the places of lanes n and n + STRIDE. */
IN_LOOP vreal blend_edges(const trace_adams_step *step, bool is_flat, const edges *e,
                          int n, const vreal local[3])
{
    const vreal s = spread_twice(local[1], n);
    const vreal low =
        blend(load_edges(step->flow, e, 0, n), load_edges(step->flow, e, 1, n), s);
    if (is_flat) {
        return low; /* a + t * (a - a) is a */
    }
    const vreal high =
        blend(load_edges(step->flow, e, 2, n), load_edges(step->flow, e, 3, n), s);
    return blend(low, high, spread_twice(local[2], n));
}

/* The ends of edges along i that go through the places of lanes n, n + STRIDE, …: the
 * flow there. */
IN_LOOP ends find_ends(const trace_adams_step *step, flow_shape shape, const edges *e,
                       int n, const vreal local[3])
{
    const vreal a = blend_edges(step, shape.is_flat, e, n, local),
                b = blend_edges(step, shape.is_flat, e, n + 2 * STRIDE, local);
    return (ends){__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19,
                                          24, 25, 26, 27),
                  shape.width == 3
                      ? __builtin_shufflevector(a, b, 3, 4, 5, 6, 11, 12, 13, 14, 19, 20,
                                                21, 22, 27, 28, 29, 30)
                      : __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21,
                                                22, 23, 28, 29, 30, 31)};
}

#else

/* Loads a quad of lanes n and n + STRIDE. */
IN_LOOP vreal load_quads(const float *from, const edges *e, int edge, int n)
{
    vhalf low, high;
    memcpy(&low, from + e->at[edge][n], sizeof low);
    memcpy(&high, from + e->at[edge][n + STRIDE], sizeof high);
    return join(low, high);
}

/* The flow at places of faces across i: `from` is at their side. */
IN_LOOP vreal blend_face(const float *from, bool is_flat, const edges *e, int n,
                         const vreal local[3])
{
    const vreal s = spread(local[1], n);
    const vreal low = blend(load_quads(from, e, 0, n), load_quads(from, e, 1, n), s);
    if (is_flat) {
        return low; /* a + t * (a - a) is a */
    }
    const vreal high = blend(load_quads(from, e, 2, n), load_quads(from, e, 3, n), s);
    return blend(low, high, spread(local[2], n));
}

/* The ends of edges along i that go through the places of lanes n and n + STRIDE: the
 * flow there. */
IN_LOOP ends find_ends(const trace_adams_step *step, flow_shape shape, const edges *e,
                       int n, const vreal local[3])
{
    const float *from = step->flow;
    return (ends){blend_face(from, shape.is_flat, e, n, local),
                  blend_face(from + shape.width, shape.is_flat, e, n, local)};
}

#endif

/* The flow at a place: u, v, w and the field; along j, then along k, then along i. */
IN_LOOP void find_flow(const trace_adams_step *step, const trace_guess *guess, int first,
                       flow_shape shape, const vreal local[3], vreal flow[4])
{
    const edges e = find_edges(guess, first, shape);
#pragma GCC unroll 4
    for (int n = 0; n < STRIDE; n++) {
        const ends both = find_ends(step, shape, &e, n, local);
        flow[n] = blend(both.begin, both.end, spread(local[0], n));
    }
    transpose(flow);
}

#endif
