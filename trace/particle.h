/*
 * One particle on its way: an embedded Runge-Kutta method of orders 5 and 4 in physical
 * space (J. R. Dormand and P. J. Prince, A family of embedded Runge-Kutta formulae,
 * Journal of Computational and Applied Mathematics 6(1), 1980), in double precision.
 *
 * A step goes at most as far as across one cell. Its error is measured along i, j and k
 * of the cell that it ends in, as a part of the cell: so a particle at a wall, in cells
 * ten thousand times as long as thick, is followed with the care that the thickness asks
 * for.
 *
 * Everything about a particle is in one plain struct, a step that has only been begun
 * included. A rank takes it as far as the cells go that it holds; another goes on from
 * there. So what is computed for a particle, and in which order, is the same for any
 * number of ranks.
 */
#ifndef TRACE_PARTICLE_H
#define TRACE_PARTICLE_H

#include "locate.h"
#include "records.h"
#include "velocity.h"

enum { TRACE_STAGES = 7 };

typedef enum trace_state {
    TRACE_PLACING, /* its place in the grid is known, not yet where that is in space */
    TRACE_SEEKING, /* the other way round */
    TRACE_MOVING,
    TRACE_ARRIVED, /* at the end of the time, or of the seek */
    TRACE_ENDED    /* left the grid, or is through with its line */
} trace_state;

typedef struct trace_particle {
    int64_t number;    /* its own among all particles */
    int64_t state;     /* trace_state */
    int64_t records;   /* that it has left so far */
    int64_t steps;     /* accepted so far */
    int64_t trials;    /* steps tried since it set out or resumed */
    double direction;  /* 1, or -1 against the flow */
    double x[3];       /* relative to the layout's origin */
    double time;       /* of the flow; of a line in a frozen flow: since its beginning */
    double release;    /* the time at which it set out */
    double length;     /* of its way */
    double value;      /* of the field here */
    trace_cell cell;   /* where x is */
    double cell_time;  /* in which it would cross its cell; infinite where it stands */
    double next_step;  /* to try, of time */
    double step, most; /* the one under way, and the longest that it might have been */
    int64_t is_last;   /* it ends at the end of the time */
    int64_t stage;     /* of the step */
    trace_place place; /* of the stage's point */
    double velocity[TRACE_STAGES][3]; /* at the stages */
} trace_particle;

/* What particles that move together have in common. */
typedef struct trace_rule {
    const trace_locator *locator;
    const trace_velocity *velocity;
    double before, now; /* times of the two steps of the data */
    bool is_frozen;     /* the flow is that of now at all times */
    double end;         /* the time at which to arrive; infinite for lines */
    double tolerance;   /* error of a step, in cells */
    double most_length; /* of lines; infinite without limit */
    int64_t most_steps; /* of lines */
    bool leaves_trail;  /* a record for each step, else for each arrival */
} trace_rule;

/* A particle that is to be found: at x, or, where `cell` is not NULL, at these local
 * coordinates of a cell. Local. */
trace_particle trace_particle_seek(int64_t number, const double x[3]);
trace_particle trace_particle_place(int64_t number, const trace_cell *cell,
                                    const double local[3]);

/* A particle that sets out at x, which lies in `cell`. Local. */
trace_particle trace_particle_release(int64_t number, const double x[3],
                                      const trace_cell *cell, double time,
                                      double direction);

/* Makes a particle that had arrived go on. Local. */
void trace_particle_resume(trace_particle *particle);

/*
 * Takes a particle as far as the bricks of this rank let it; records where it has been.
 * Returns true where it has arrived or ended; else it must go on on a rank that holds
 * brick *needed. A particle ends where there is no velocity (the grid ends, cells are
 * absent, the velocity is not a number): it comes to rest within a thousandth of a cell
 * in front of that. Local.
 */
bool trace_particle_advance(const trace_rule *rule, trace_particle *particle,
                            trace_records *records, int64_t *needed);

#endif
