/*
 * The motion of one particle: where steps are short the method of trace/adams, and
 * otherwise an embedded Runge-Kutta method of orders 5 and 4 in
 * physical space (J. R. Dormand and P. J. Prince, A family of embedded Runge-Kutta
 * formulae, Journal of Computational and Applied Mathematics 6(1), 1980), in double
 * precision.
 *
 * A step crosses at most one cell. Its error is measured along i, j and k of the cell in
 * which it ends, as a fraction of the cell. So the steps of a particle at a wall, in
 * cells ten thousand times as long as thick, are as accurate as the thickness requires.
 *
 * The whole state of a particle is one plain struct, even in the middle of a step. A rank
 * advances it as far as the rank's cells reach; another rank continues from there. So the
 * operations on a particle, and their order, are the same for any number of ranks.
 */
#ifndef TRACE_PARTICLE_H
#define TRACE_PARTICLE_H

#include "adams/lanes.h"
#include "lines.h"
#include "locate.h"
#include "velocity.h"

enum { TRACE_STAGES = 7 };

typedef enum trace_state {
    TRACE_PLACING, /* its place in the grid is known, its position in space not yet */
    TRACE_SEEKING, /* its position in space is known, its place in the grid not yet */
    TRACE_MOVING,
    TRACE_ARRIVED, /* at the end of the time, or of the search */
    TRACE_ENDED    /* it has left the grid, or its line is finished */
} trace_state;

/* The method of a step. */
typedef enum trace_method {
    TRACE_RUNGE_KUTTA, /* of Dormand and Prince */
    TRACE_ADAMS        /* trace/adams: stage 1 is at the predicted place, stage 2 at the
                          corrected one */
} trace_method;

typedef struct trace_particle {
    int64_t state;      /* trace_state */
    double time;        /* of the flow; of a streamline: since its beginning */
    double past;        /* the time of the step before, as far as Adams's method is
                           concerned; 0: it cannot be used */
    trace_cell cell;    /* contains x; in a lane, that of the guess */
    double x[3];        /* relative to the layout's origin */
    double velocity[3]; /* at x, once it has moved */
    double bend[3];     /* the mean acceleration in the step before */
    double value;       /* of the field at x */
    double length;      /* of a streamline so far */
    int64_t steps;      /* accepted so far, but for those in lanes of trace/adams */
    int64_t records;    /* written so far */
    int64_t number;     /* among all particles */
    /* Of the present step: */
    int64_t method; /* trace_method */
    int64_t stage;
    int64_t trials;    /* steps tried since it was released or resumed */
    double release;    /* the time of its release */
    double direction;  /* 1, or -1 against the flow */
    double cell_time;  /* time in which it would cross its cell; infinite if it stands */
    double next_step;  /* the next step to try, as a time */
    double step, most; /* the present step, and its upper limit */
    int64_t is_last;   /* the step reaches the end of the time */
    struct {
        double velocity[3], time;
        int64_t steps;             /* since then */
    } since;                       /* when it was set moving */
    int64_t to;                    /* the rank that it must travel to; -1: none */
    trace_place place;             /* of the point of the stage; between steps its local
                                      coordinates are where trace/adams begins */
    double rates[TRACE_STAGES][3]; /* the velocities at the stages */
} trace_particle;

/* Parameters common to all particles that move together. */
typedef struct trace_rule {
    const trace_locator *locator;
    const trace_velocity *velocity;
    double before, now; /* times of the two steps of the data */
    bool is_frozen;     /* all times have the flow of the present step: streamlines */
    double end;         /* the time of arrival; infinite for lines */
    double tolerance;   /* allowed error of a step, in cells */
    double most_length; /* of lines; infinite without limit */
    int64_t most_steps; /* of lines */
    bool leaves_trail;  /* a record for each step */
} trace_rule;

/* A particle whose place or position is to be found: at position x, or at these local
 * coordinates of a cell. Local. */
trace_particle trace_particle_seek(int64_t number, const double x[3]);
trace_particle trace_particle_place(int64_t number, const trace_cell *cell,
                                    const double local[3]);

/* A particle that is released at x, which lies in `cell`. Local. */
trace_particle trace_particle_release(int64_t number, const double x[3],
                                      const trace_cell *cell, double time,
                                      double direction);

/* Whether a particle that has arrived goes on: the end of the time lies ahead. */
static inline bool trace_particle_goes_on(const trace_rule *rule,
                                          const trace_particle *particle)
{
    return particle->state == TRACE_ARRIVED && particle->time < rule->end;
}

/* Whether particles may make short steps (adams.c) from `before` to `end`: through an
 * unsteady flow that is known at both times. */
static inline bool trace_adams_suits(const trace_rule *rule)
{
    return rule->velocity && !rule->is_frozen && rule->end == rule->now &&
           rule->before < rule->now;
}

/* Whether a particle is at the beginning of a step that may be short. */
static inline bool trace_adams_may_move(const trace_rule *rule,
                                        const trace_particle *particle)
{
    return trace_particle_goes_on(rule, particle) && particle->past > 0.0 &&
           trace_adams_suits(rule) && particle->time == rule->before;
}

/*
 * Advances a particle that moves or goes on as far as the bricks of this rank allow, and
 * records its points. Returns true if it has arrived or ended; otherwise a rank that has
 * brick *needed must continue. A particle ends if there is no velocity: outside the grid,
 * in absent cells, or at a velocity of NaN. It comes to rest within a thousandth of a
 * cell before that place. Local.
 */
bool trace_particle_advance(const trace_rule *rule, trace_particle *particle,
                            trace_records *records, int64_t *needed);

/* A point of its path: the present one. Local. */
trace_record trace_particle_record(const trace_particle *particle);

/* The end of a step. */
typedef struct trace_arrival {
    double x[3], velocity[3], value;
} trace_arrival;

/* Moves a particle to the end of the time in a step by Adams's method, and records its
 * points. Local. */
void trace_particle_arrive(const trace_rule *rule, trace_particle *particle,
                           const trace_arrival *to, trace_records *records);

/* ---- Short steps of many particles (adams.c) --------------------------------------- */

/* By Adams's method (adams/lanes.h). A particle that makes them has a lane: particle n of
 * a list has lane n % TRACE_LANES of block n / TRACE_LANES. While it is in the lane, the
 * lane has its state; trace_particle has the rest. */

/* Copies the state in a lane to its particle; `time`: that of the state. _leave empties
 * the lane, too. Local. */
void trace_lanes_read(const trace_lanes *lanes, int lane, double time,
                      trace_particle *particle);
void trace_lanes_leave(trace_lanes *lanes, int lane, double time,
                       trace_particle *particle);

/* Puts particle n into its lane, which is empty, if it can make short steps from now on
 * and its cell is on this rank. Local. */
void trace_adams_enter(const trace_rule *rule, int64_t n, trace_particle *particles,
                       const trace_lanes_all *lanes);

/*
 * Moves those of particles `begin` to `end` - 1 to the end of the time that may take a
 * short step and stay in their bricks, and records their points. Others, and those whose
 * cells are not on this rank, leave their lanes and stay as they are. All particles in
 * lanes are at the beginning of the step; the rule suits (trace_adams_suits). Local; any
 * number of threads with their own ranges, which begin and end at multiples of
 * TRACE_LANES or at an end of the list, and their own records.
 */
void trace_adams_move(const trace_rule *rule, int64_t begin, int64_t end,
                      trace_particle *particles, const trace_lanes_all *all,
                      trace_records *records);

#endif
