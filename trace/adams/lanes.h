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

#include "base/status.h"
#include "trace/cells.h"

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

/* The cell of a guess: its indices, as trace_cell, and the place of its lowest vertex. It
 * is needed where particles leave their cells, and then all of it is, so it lies in one
 * line of the cache. */
typedef struct trace_lane_cell {
    int32_t block, at[3];
    float corner[3], unused;
} trace_lane_cell;

/* Cells, and places in them from which a step's end is searched for. */
typedef struct trace_guess {
    double x[3][TRACE_LANES]; /* the particle, from the lowest vertex of the cell */
    float local[3][TRACE_LANES];
    float map[TRACE_MAP_FACTORS][3][TRACE_LANES];
    int32_t cell[TRACE_LANES]; /* its lowest vertex in the store; -1: no particle */
    int32_t row[TRACE_LANES], plane[TRACE_LANES]; /* from vertex to vertex by j, by k */
    trace_lane_cell in[TRACE_LANES];
} trace_guess;

/* The state of particles that make short steps: a block. */
typedef struct trace_lanes {
    float velocity[3][TRACE_LANES];
    float bend[3][TRACE_LANES]; /* the mean acceleration in the step before */
    float past[TRACE_LANES];    /* the time of the step before */
    float value[TRACE_LANES];   /* of the field; 0 without one */
    trace_guess guess;          /* of the end of the next step */
    uint32_t has;               /* bit n: there is a particle in lane n */
    char unused[60];            /* blocks begin at a line of the cache */
} trace_lanes;

/* The lanes of all particles, all zero at first: [count] blocks. */
typedef struct trace_lanes_all {
    int64_t count;
    trace_lanes *of;
} trace_lanes_all;

/* The position of a particle along an axis. */
static inline double trace_lanes_x(const trace_lanes *lanes, int lane, int axis)
{
    return (double)lanes->guess.in[lane].corner[axis] + lanes->guess.x[axis][lane];
}

/* The indices of the cell of a lane's guess. */
static inline trace_cell trace_lanes_cell(const trace_lanes *lanes, int lane)
{
    const trace_lane_cell *cell = &lanes->guess.in[lane];
    return (trace_cell){cell->block, {cell->at[0], cell->at[1], cell->at[2]}};
}

static inline void trace_lanes_put_cell(const trace_cell *cell, trace_lanes *lanes,
                                        int lane)
{
    trace_lane_cell *to = &lanes->guess.in[lane];
    to->block = (int32_t)cell->block;
    for (int c = 0; c < 3; c++) {
        to->at[c] = (int32_t)cell->at[c]; /* below GRID_STORE_MOST_VERTICES */
    }
}

/* The lowest lane of some bits, which are not zero. */
static inline int trace_lanes_first(uint32_t bits)
{
    return __builtin_ctz(bits);
}

/* ---- Making lanes, and moving them about (lanes.c); all local ---------------------- */

/* Makes room for some blocks: new ones are empty. Errors: STATUS_MEMORY. */
status trace_lanes_reserve(trace_lanes_all *all, int64_t count);
void trace_lanes_clear(trace_lanes_all *all);

/* Empties a lane. Its numbers stay; all are finite, and its cell's distances from vertex
 * to vertex lie within the store. */
void trace_lanes_empty(trace_lanes *lanes, int lane);

/* Moves a state to an empty lane. */
void trace_lanes_move(trace_lanes *from, int lane, trace_lanes *to, int to_lane);

/* Copies the cell of a guess. */
void trace_guess_copy_cell(const trace_guess *from, int lane, trace_guess *to,
                           int to_lane);

/* Lets the origin of a guess's x be the layout's. */
void trace_guess_set_origin(int lane, trace_guess *guess);

/* Lets the guess of a lane be in the cell with these vertices. */
void trace_guess_set_cell(const grid_store *store, const trace_corners *corners, int lane,
                          trace_guess *guess);

/* Whether particle n is in a lane. */
static inline bool trace_lanes_has(const trace_lanes_all *all, int64_t n)
{
    return all->of[n / TRACE_LANES].has >> n % TRACE_LANES & 1;
}

/* Whether all lanes beside that of particle n have particles, too. */
static inline bool trace_lanes_are_full(const trace_lanes_all *all, int64_t n)
{
    return all->of[n / TRACE_LANES].has == UINT32_MAX;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* What all particles have in common. */
typedef struct trace_adams_step {
    const float *flow; /* the present one: [nvertices][width], and TRACE_ADAMS_PADDING
                          numbers more */
    int width;
    double time; /* of the step */
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
typedef int trace_adams_kernel(const trace_adams_step *step, const trace_guess *guess,
                               trace_lanes *lanes, trace_adams_outcome *outcome);

trace_adams_kernel trace_adams_avx512, trace_adams_avx2, trace_adams_four,
    trace_adams_plain;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
trace_adams_kernel *const *trace_adams_kernels(void);

#endif
