/* The flow at places in cells, for the kernels (kernel.h). */
#ifndef TRACE_ADAMS_FLOW_H
#define TRACE_ADAMS_FLOW_H

#include "lanes.h"
#include "vectors.h"

/* A vertex has up to four numbers. */
typedef float vquad __attribute__((vector_size(16)));

IN_LOOP vquad load_quad(const float *from)
{
    vquad a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* a + share * (b - a) */
IN_LOOP vquad blend(vquad a, vquad b, float share)
{
    return a + share * (b - a);
}

/* The flow on a face across i at local coordinates s, t; `row` and `plane`: distances of
 * numbers by j and k. */
IN_LOOP vquad blend_face(const float *from, int64_t row, int64_t plane, float s, float t)
{
    const float *above = from + plane;
    return blend(blend(load_quad(from), load_quad(from + row), s),
                 blend(load_quad(above), load_quad(above + row), s), t);
}

/* The flow at a place: u, v, w and the field; along j, then along k, then along i. Lanes
 * without a particle get vertex 0. */
IN_LOOP void find_flow(const trace_adams_step *step, int width, const trace_guess *guess,
                       int first, const vreal local[3], vreal flow[4])
{
    float quads[4][SPAN];
    for (int n = 0; n < SPAN; n++) {
        const int lane = first + n;
        const int64_t cell = guess->cell[lane] >= 0 ? guess->cell[lane] : 0,
                      row = (int64_t)width * guess->row[lane],
                      plane = (int64_t)width * guess->plane[lane];
        const float *from = step->flow + cell * width;
        const float s = local[1][n], t = local[2][n];
        const vquad at = blend(blend_face(from, row, plane, s, t),
                               blend_face(from + width, row, plane, s, t), local[0][n]);
        for (int c = 0; c < 4; c++) {
            quads[c][n] = at[c];
        }
    }
    for (int c = 0; c < 4; c++) {
        flow[c] = load(quads[c]);
    }
}

#endif
