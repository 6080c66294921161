/*
 * Short steps of many particles. A step of a running program moves most particles by a
 * small part of a cell. For them the explicit and the implicit formula of Adams, of
 * orders 2 and 3, need the new flow at one place alone. Both use the mean acceleration of
 * the step before. J. C. Adams's formulae with local extrapolation, as L. F. Shampine and
 * M. K. Gordon describe them (Computer Solution of Ordinary Differential Equations, W. H.
 * Freeman, 1975): with velocities v0 at the beginning and v1 at the predicted place, the
 * step h, the step H before and the acceleration b in it,
 *
 *     predicted x = x0 + h (v0 + h/2 b)
 *     q = v1 - v0 - h b
 *     x = x0 + h (v0 + h/2 b + (1/2 - w) q),     w = h / (6 (h + H))
 *
 * h w q is the error of the formula of order 2, and is measured in cells. If it exceeds
 * the tolerance, or if there was no step before, the method of Dormand and Prince moves
 * the particle instead (trace/particle.h).
 *
 * The place of a particle in its cell is guessed from its drift through the cell, and
 * corrected by one step of Newton's method; if that is long, a second guess follows. The
 * velocity is read once, at the predicted place. Positions are in double precision.
 * Velocities are as precise as the flow, and so are places in cells, which only tell
 * where the velocity is read.
 *
 * The grid and the particle alone decide which way a particle takes.
 */
#ifndef TRACE_ADAMS_LANES_H
#define TRACE_ADAMS_LANES_H

#include <stdint.h>

enum { TRACE_LANES = 8 };

/* The state of eight particles that make short steps: all that such a step reads and
 * writes. Arrays end with [TRACE_LANES]. */
typedef struct trace_lanes {
    double x[3][TRACE_LANES];
    float velocity[3][TRACE_LANES];
    float bend[3][TRACE_LANES];  /* the mean acceleration in the step before */
    float past[TRACE_LANES];     /* the time of that step */
    float guess[3][TRACE_LANES]; /* local coordinates in the cell after the next step */
    float value[TRACE_LANES];    /* of the field */
    int32_t cell[TRACE_LANES];   /* its lowest vertex in the store; -1: no particle */
    int32_t row[TRACE_LANES], plane[TRACE_LANES]; /* from vertex to vertex by j, by k */
} trace_lanes;

/* What all particles have in common. */
typedef struct trace_adams_step {
    const float *vertices; /* of the store: [nvertices][4]: x, y, z and anything */
    const float *flow;     /* the present one: [nvertices][width], and one number more */
    int width;
    double time; /* of the step */
    float tolerance;
} trace_adams_step;

/* A step from guessed places. Masks are 0 or -1. */
typedef struct trace_adams_trial {
    int32_t cell[TRACE_LANES], row[TRACE_LANES], plane[TRACE_LANES];
    int32_t takes_part[TRACE_LANES];
    float local[3][TRACE_LANES]; /* the guess */
    /* Results: */
    int32_t good[TRACE_LANES]; /* the particle has made the step */
    /* Results if not all are good; `local` is then the place at the end of the step: */
    int32_t is_near[TRACE_LANES]; /* Newton's step was short */
} trace_adams_trial;

/* Local coordinates may lie that far outside of 0 to 1. */
#define TRACE_ADAMS_MARGIN 1e-5F

/* Moves those particles that take part and can make the step; others stay as they are.
 * Returns whether all that take part have made it. Local. */
typedef int trace_adams_kernel(const trace_adams_step *step, trace_lanes *lanes,
                               trace_adams_trial *trial);

trace_adams_kernel trace_adams_avx512, trace_adams_avx2, trace_adams_four,
    trace_adams_plain;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
trace_adams_kernel *const *trace_adams_kernels(void);

#endif
