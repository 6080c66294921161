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

/* Rows that do not vanish in flat cells come first (trace_adams_step). */
enum { TRACE_MAP_FLAT_ROWS = 7, TRACE_MAP_ROWS = 3 * TRACE_MAP_FACTORS };

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

/* The cell of a guess: its indices, as trace_cell, and the place of its lowest vertex. It
 * is needed where particles leave their cells, and then all of it is, so it lies in one
 * line of the cache. */
typedef struct trace_lane_cell {
    int32_t block, at[3];
    float corner[3], unused;
} trace_lane_cell;

/* What the particles of a block have in common. */
typedef struct trace_lanes_common {
    float past;      /* the time of the step before, if it is the same for all; else 0 */
    bool is_planar;  /* velocity and acceleration along z are zero, without a sign */
    char unused[59]; /* arrays of lanes begin at a line of the cache */
} trace_lanes_common;

/*
 * The state of particles that make short steps, in parts: each is an array of blocks, one
 * behind the other. So a step through all blocks reads memory from end to end. Between
 * two steps a solver fills the caches, and gaps take as long as what lies beside them,
 * since the processor fetches them, too. Steps in a plane need the first part alone,
 * those in flat grids the first two, all others three.
 *
 * A guess has cells, and places in them from which a step's end is searched for.
 */
typedef struct trace_guess_plane {
    double x[2][TRACE_LANES]; /* the particle, from the lowest vertex of the cell */
    float local[2][TRACE_LANES];
    int32_t cell[TRACE_LANES]; /* its lowest vertex in the store; -1: no particle */
    int32_t row[TRACE_LANES];  /* from vertex to vertex by j */
    float map[TRACE_MAP_FLAT_ROWS][TRACE_LANES];
} trace_guess_plane;

typedef struct trace_guess_height {
    double x[TRACE_LANES]; /* along z */
    float local[TRACE_LANES];
} trace_guess_height;

typedef struct trace_guess_space {
    float map[TRACE_MAP_ROWS - TRACE_MAP_FLAT_ROWS][TRACE_LANES];
    int32_t plane[TRACE_LANES]; /* from vertex to vertex by k */
} trace_guess_space;

typedef struct trace_lanes_plane {
    trace_lanes_common common;
    float velocity[2][TRACE_LANES];
    float bend[2][TRACE_LANES]; /* the mean acceleration in the step before */
    trace_guess_plane guess;    /* of the end of the next step */
} trace_lanes_plane;

typedef struct trace_lanes_height {
    float velocity[TRACE_LANES], bend[TRACE_LANES]; /* along z */
    trace_guess_height guess;
} trace_lanes_height;

typedef struct trace_lanes_value {
    float value[TRACE_LANES]; /* of the field; 0 without one */
} trace_lanes_value;

/* What is needed where particles leave their cells. */
typedef struct trace_lanes_rest {
    trace_lane_cell cell[TRACE_LANES]; /* of the guess */
    float past[TRACE_LANES];           /* the time of the step before, unless all have the
                                          same */
} trace_lanes_rest;

/* A guess and a block of lanes: where their parts are. */
typedef struct trace_guess {
    trace_guess_plane *plane;
    trace_guess_height *height;
    trace_guess_space *space;
    trace_lane_cell *cell; /* [TRACE_LANES] */
} trace_guess;

typedef struct trace_lanes {
    uint32_t *has; /* [1]: bit n: there is a particle in lane n */
    trace_lanes_plane *plane;
    trace_lanes_height *height;
    trace_lanes_value *value;
    trace_lanes_rest *rest;
    trace_guess guess;
} trace_lanes;

/* The lanes of all particles, all zero at first: [count] blocks. */
typedef struct trace_lanes_all {
    int64_t count;
    uint32_t *has;
    trace_lanes_plane *plane;
    trace_lanes_height *height;
    trace_guess_space *space;
    trace_lanes_value *value;
    trace_lanes_rest *rest;
} trace_lanes_all;

static inline trace_lanes trace_lanes_at(const trace_lanes_all *all, int64_t block)
{
    trace_lanes_plane *plane = all->plane + block;
    trace_lanes_height *height = all->height + block;
    trace_lanes_rest *rest = all->rest + block;
    return (trace_lanes){all->has + block,
                         plane,
                         height,
                         all->value + block,
                         rest,
                         {&plane->guess, &height->guess, all->space + block, rest->cell}};
}

/* A block and a guess apart from others. */
typedef struct trace_lanes_parts {
    uint32_t has;
    trace_lanes_plane plane;
    trace_lanes_height height;
    trace_guess_space space;
    trace_lanes_value value;
    trace_lanes_rest rest;
} trace_lanes_parts;

static inline trace_lanes trace_lanes_of(trace_lanes_parts *parts)
{
    return trace_lanes_at(&(trace_lanes_all){1, &parts->has, &parts->plane,
                                             &parts->height, &parts->space, &parts->value,
                                             &parts->rest},
                          0);
}

typedef struct trace_guess_parts {
    trace_guess_plane plane;
    trace_guess_height height;
    trace_guess_space space;
    trace_lane_cell cell[TRACE_LANES];
} trace_guess_parts;

static inline trace_guess trace_guess_of(trace_guess_parts *parts)
{
    return (trace_guess){&parts->plane, &parts->height, &parts->space, parts->cell};
}

/* Numbers of a guess and of lanes along an axis: [TRACE_LANES]. */
static inline double *trace_guess_x(const trace_guess *guess, int axis)
{
    return axis < 2 ? guess->plane->x[axis] : guess->height->x;
}

static inline float *trace_guess_local(const trace_guess *guess, int axis)
{
    return axis < 2 ? guess->plane->local[axis] : guess->height->local;
}

static inline float *trace_lanes_velocity(const trace_lanes *lanes, int axis)
{
    return axis < 2 ? lanes->plane->velocity[axis] : lanes->height->velocity;
}

static inline float *trace_lanes_bend(const trace_lanes *lanes, int axis)
{
    return axis < 2 ? lanes->plane->bend[axis] : lanes->height->bend;
}

/* The position of a particle along an axis. */
static inline double trace_lanes_x(const trace_lanes *lanes, int lane, int axis)
{
    return (double)lanes->rest->cell[lane].corner[axis] +
           trace_guess_x(&lanes->guess, axis)[lane];
}

/* The indices of the cell of a lane's guess. */
static inline trace_cell trace_lanes_cell(const trace_lanes *lanes, int lane)
{
    const trace_lane_cell *cell = &lanes->rest->cell[lane];
    return (trace_cell){cell->block, {cell->at[0], cell->at[1], cell->at[2]}};
}

static inline void trace_lanes_put_cell(const trace_cell *cell, const trace_lanes *lanes,
                                        int lane)
{
    trace_lane_cell *to = &lanes->rest->cell[lane];
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

/* A row of the map of a guess: [TRACE_LANES]. */
static inline float *trace_guess_map(const trace_guess *guess, int row)
{
    return row < TRACE_MAP_FLAT_ROWS ? guess->plane->map[row]
                                     : guess->space->map[row - TRACE_MAP_FLAT_ROWS];
}

/* ---- Making lanes, and moving them about (lanes.c); all local ---------------------- */

/* Makes room for some blocks: new ones are empty. Parts begin at lines of the cache.
 * Errors: STATUS_MEMORY. */
status trace_lanes_reserve(trace_lanes_all *all, int64_t count);
void trace_lanes_clear(trace_lanes_all *all);

/* Copies a block, or a guess. */
void trace_lanes_copy(const trace_lanes *from, const trace_lanes *to);
void trace_guess_copy(const trace_guess *from, const trace_guess *to);

/* Empties a lane. Its numbers stay, so that less memory is touched; all are finite, and
 * its cell's distances from vertex to vertex lie within the store. */
void trace_lanes_empty(const trace_lanes *lanes, int lane);

/* Notes that there is a particle in a lane. */
void trace_lanes_fill(const trace_lanes *lanes, int lane);

/* The time of the step before. */
float trace_lanes_past(const trace_lanes *lanes, int lane);
void trace_lanes_put_past(float past, const trace_lanes *lanes, int lane);

/* Moves a state to an empty lane. */
void trace_lanes_move(const trace_lanes *from, int lane, const trace_lanes *to,
                      int to_lane);

/* Copies the cell of a guess. */
void trace_guess_copy_cell(const trace_guess *from, int lane, const trace_guess *to,
                           int to_lane);

/* Lets the origin of a guess's x be the layout's. */
void trace_guess_set_origin(int lane, const trace_guess *guess);

/* Lets the guess of a lane be in the cell with these vertices. In a flat grid _flat_cell
 * does so for another cell of the same brick: along z nothing changes, and all factors
 * vanish that are not of x and y in the plane. _flat_brick is the same for another brick
 * of the block. */
void trace_guess_set_cell(const grid_store *store, const trace_corners *corners, int lane,
                          const trace_guess *guess);
void trace_guess_set_flat_cell(const grid_store *store, const trace_corners *corners,
                               int lane, const trace_guess *guess);
void trace_guess_set_flat_brick(const grid_store *store, const trace_corners *corners,
                                int lane, const trace_guess *guess);

/* Whether particle n is in a lane. */
static inline bool trace_lanes_has(const trace_lanes_all *all, int64_t n)
{
    return all->has[n / TRACE_LANES] >> n % TRACE_LANES & 1;
}

/* Whether all lanes beside that of particle n have particles, too. */
static inline bool trace_lanes_are_full(const trace_lanes_all *all, int64_t n)
{
    return all->has[n / TRACE_LANES] == UINT32_MAX;
}

/* ---- Steps ------------------------------------------------------------------------- */

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
    int axes;                    /* 2 after a step in a plane, else 3 */
    float local[3][TRACE_LANES]; /* the place at the end of the step, along these axes */
} trace_adams_outcome;

/* Local coordinates may lie that far outside of 0 to 1. */
#define TRACE_ADAMS_MARGIN 1e-5F

/* Moves those particles that have a guess and can make the step; others stay as they are.
 * `guess` may be that of the lanes. Returns true if all of these are good, and none
 * leaves its cell; otherwise `outcome` tells about them. Local. */
typedef int trace_adams_kernel(const trace_adams_step *step, const trace_guess *guess,
                               const trace_lanes *lanes, trace_adams_outcome *outcome);

trace_adams_kernel trace_adams_avx512, trace_adams_avx2, trace_adams_four,
    trace_adams_plain;

/* The kernels that this processor can run, the fastest first; NULL at the end. */
trace_adams_kernel *const *trace_adams_kernels(void);

/* ---- The flow ---------------------------------------------------------------------- */

/* Rows of vertices of a brick: `count` each, `row` numbers apart. */
typedef struct trace_put_rows {
    int count, rows;
    int64_t row;
    const float *of[3]; /* u, v, w */
} trace_put_rows;

/* Writes rows of velocities: to[rows][count][3]. Returns the bits of all w, in one
 * number. Local. */
typedef uint32_t trace_put_kernel(const trace_put_rows *rows, float *to);

trace_put_kernel trace_put_avx512, trace_put_avx2, trace_put_plain;
trace_put_kernel *const *trace_put_kernels(void);

#endif
