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

#include <stdbool.h>
#include <stdint.h>

enum { TRACE_LANES = 32 }; /* particles of a block */

/* The factors of a cell's trilinear map: local coordinates r, s, t of the cell are, from
 * its lowest vertex, at
 *
 *     R r + S s + RS r s + T t + RT r t + ST s t + RST r s t
 */
enum {
    TRACE_MAP_R,
    TRACE_MAP_S,
    TRACE_MAP_RS,
    TRACE_MAP_T,
    TRACE_MAP_RT,
    TRACE_MAP_ST,
    TRACE_MAP_RST,
    TRACE_MAP_FACTORS
};

/* Rows that do not vanish in flat cells come first (trace_adams_step). */
enum { TRACE_MAP_FLAT_ROWS = 7, TRACE_MAP_ROWS = 3 * TRACE_MAP_FACTORS };

typedef struct trace_adams_map {
    float row[TRACE_MAP_ROWS][TRACE_LANES];
} trace_adams_map;

/* The row of a factor along x, y or z. */
static inline int trace_map_row(int factor, int axis)
{
    const int twists = TRACE_MAP_FLAT_ROWS + 5;
    if (factor < TRACE_MAP_T) {
        return axis < 2 ? 2 * factor + axis : TRACE_MAP_FLAT_ROWS + factor;
    }
    if (factor == TRACE_MAP_T) {
        return axis < 2 ? TRACE_MAP_FLAT_ROWS + 3 + axis : TRACE_MAP_FLAT_ROWS - 1;
    }
    return twists + 3 * (factor - TRACE_MAP_RT) + axis;
}

/* Cells, and places in them from which a step's end is searched for. */
typedef struct trace_adams_guess {
    double x[3][TRACE_LANES]; /* the particle, from the lowest vertex of the cell */
    float local[3][TRACE_LANES];
    int32_t cell[TRACE_LANES]; /* its lowest vertex in the store; -1: no particle */
    int32_t row[TRACE_LANES];  /* from vertex to vertex by j */
    trace_adams_map map;
    int32_t plane[TRACE_LANES];   /* from vertex to vertex by k */
    float corner[3][TRACE_LANES]; /* the lowest vertex */
} trace_adams_guess;

/* The indices of a cell, as trace_cell. */
typedef struct trace_lane_cell {
    int32_t block, at[3];
} trace_lane_cell;

/* What the particles of a block have in common. */
typedef struct trace_lanes_common {
    uint32_t has;    /* bit n: there is a particle in lane n */
    float past;      /* the time of the step before, if it is the same for all; else 0 */
    bool is_planar;  /* velocity and acceleration along z are zero, without a sign */
    char unused[55]; /* arrays of lanes begin at a line of the cache */
} trace_lanes_common;

/* The state of particles that make short steps: all that such a step reads and writes.
 * Arrays end with [TRACE_LANES]. */
typedef struct trace_lanes {
    float value[TRACE_LANES];           /* of the field; 0 without one */
    trace_lane_cell index[TRACE_LANES]; /* of the guess */
    /* What a step through flat cells needs lies together: */
    float velocity[3][TRACE_LANES];
    float bend[3][TRACE_LANES]; /* the mean acceleration in the step before */
    trace_adams_guess guess;    /* of the end of the next step */
    float past[TRACE_LANES];    /* the time of that step, unless all have the same */
    trace_lanes_common common;
} trace_lanes;

/* What all particles have in common. */
typedef struct trace_adams_step {
    const float *flow; /* the present one: [nvertices][width], and TRACE_ADAMS_PADDING
                          numbers more */
    int width;
    bool is_flat; /* all cells are flat: x and y do not depend on k, z does not depend on
                     i and j, and the flow does not depend on k */
    bool is_planar; /* it is flat, and its velocity along z is zero, without a sign */
    double time;    /* of the step */
    float tolerance;
} trace_adams_step;

enum { TRACE_ADAMS_PADDING = 2 };

/* What became of a step. Bits of lanes. */
typedef struct trace_adams_outcome {
    uint32_t good;               /* the particle has made the step */
    uint32_t leaves;             /* and its next one is guessed to leave the cell */
    uint32_t is_near;            /* Newton's step was short */
    float local[3][TRACE_LANES]; /* the place at the end of the step */
} trace_adams_outcome;

/* Local coordinates may lie that far outside of 0 to 1. */
#define TRACE_ADAMS_MARGIN 1e-5F

/* Moves those particles that have a guess and can make the step; others stay as they are.
 * `guess` may be that of the lanes. Returns true if all of these are good, and none
 * leaves its cell; otherwise `outcome` tells about them. Local. */
typedef int trace_adams_kernel(const trace_adams_step *step,
                               const trace_adams_guess *guess, trace_lanes *lanes,
                               trace_adams_outcome *outcome);

trace_adams_kernel trace_adams_avx512, trace_adams_avx2, trace_adams_four,
    trace_adams_plain;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
trace_adams_kernel *const *trace_adams_kernels(void);

#endif
