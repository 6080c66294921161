/*
 * Short steps of many particles. A step of a running program moves most particles by a
 * small part of a cell. For them the explicit and the implicit formula of Adams, of
 * orders 2 and 3, need the new flow at one place alone. Both use the mean acceleration of
 * the step before. J. C. Adams's formulae with local extrapolation, as L. F. Shampine and
 * M. K. Gordon describe them (Computer Solution of Ordinary Differential Equations, W. H.
 * Freeman, 1975): with velocities v0 at the beginning and v1 at the predicted place, the
 * step h, the step H before and the acceleration b in it,
 *
 *     predicted x = x0 + h v0 + h^2/2 b
 *     d = (v1 - v0) / h - b
 *     x = x0 + h/2 (v0 + v1) - e,     e = h^3 / (6 (h + H)) d
 *
 * e is the error of the formula of order 2, and is measured in cells. If it exceeds the
 * tolerance, or if there was no step before, the method of Dormand and Prince moves the
 * particle instead (trace/particle.h).
 *
 * Particles that stay in their cell are moved here, several at a time; those that cross
 * into another are moved one by one, in trace/particle.c. The grid alone decides which
 * way a particle takes.
 */
#ifndef TRACE_ADAMS_BATCH_H
#define TRACE_ADAMS_BATCH_H

#include <stdint.h>

enum { TRACE_ADAMS_BATCH = 16, TRACE_ADAMS_WIDTH = 4 };

/* Particles that move together. Arrays end with [TRACE_ADAMS_BATCH]. */
typedef struct trace_adams_batch {
    const float *vertices; /* of the store: x, y, z from at[corner] on */
    const float *flow;     /* the present one: `width` numbers from flow_at[corner] on */
    int width;
    double step, tolerance;
    double margin; /* local coordinates may lie that far outside of 0 to 1 */
    int64_t at[8][TRACE_ADAMS_BATCH], flow_at[8][TRACE_ADAMS_BATCH];
    double x[3][TRACE_ADAMS_BATCH], past[TRACE_ADAMS_BATCH];
    /* At the beginning of the step, and after it: */
    double velocity[3][TRACE_ADAMS_BATCH], bend[3][TRACE_ADAMS_BATCH];
    /* Results: */
    double to[3][TRACE_ADAMS_BATCH], value[TRACE_ADAMS_BATCH];
    int64_t good[TRACE_ADAMS_BATCH]; /* 0: results are void */
} trace_adams_batch;

typedef void trace_adams_kernel(trace_adams_batch *batch);

trace_adams_kernel trace_adams_avx512, trace_adams_avx2, trace_adams_four,
    trace_adams_plain;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
trace_adams_kernel *const *trace_adams_kernels(void);

#endif
