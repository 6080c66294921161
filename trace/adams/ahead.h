/*
 * Particles whose next step is guessed to leave their cell. Their guesses move to the
 * next cell before that step, so that it takes a single trial.
 */
#ifndef TRACE_ADAMS_AHEAD_H
#define TRACE_ADAMS_AHEAD_H

#include "lanes.h"

struct trace_particle;

/* Where a particle goes. */
typedef enum trace_destination {
    TRACE_STAYS,
    TRACE_GOES_ON,     /* to the next cell, which is in the same brick */
    TRACE_LEAVES_BRICK /* to the next cell, which is in another one */
} trace_destination;

typedef struct trace_departure {
    trace_lanes lanes;
    int lane, axes; /* axes: 2 if its place along k stays as it is, else 3 */
    struct trace_particle *particles; /* of all lanes: what these do not have */
    trace_destination to;
    trace_cell next;
    trace_corners corners; /* of the next cell in the same brick */
} trace_departure;

/* Lets a particle leave its lane: its state is that in the lane at a time, but its cell
 * that of the departure. Local. */
typedef void trace_depart(const trace_departure *departure, double time);

/* Many of them, so that the processor may fetch what is needed of all at once. */
enum { TRACE_MOST_DEPARTURES = 2 * TRACE_LANES };

typedef struct trace_departures {
    const grid_store *store;
    trace_depart *depart;
    double time;  /* of the states in lanes */
    bool is_flat; /* all bricks are flat */
    bool is_full; /* all cells of all bricks are present */
    int count;    /* 0 at first */
    trace_departure of[TRACE_MOST_DEPARTURES];
} trace_departures;

/* Notes departures of a block: bits of its lanes. `particles`: those of all its lanes. If
 * there is no room, _go comes first. Local. */
void trace_departures_note(uint32_t leaves, const trace_lanes *lanes,
                           struct trace_particle *particles, trace_departures *list);

/*
 * Moves the guesses of departures to the next cells, where these are present. A particle
 * whose next cell is on another rank leaves its lane, with the guess there: it travels at
 * its next step, and enters a lane on that rank with the same numbers. Only whole bricks
 * are entered like that, as all ranks must do the same. Local.
 */
void trace_departures_go(trace_departures *list);

/* The side of a cell on which a local coordinate lies: -1 below, 1 above, 0 inside. */
static inline int trace_ahead_side(float local)
{
    return local > 1.0F + TRACE_ADAMS_MARGIN ? 1 : local < -TRACE_ADAMS_MARGIN ? -1 : 0;
}

/* Goes on to the neighbour of `cell` that the first `axes` local coordinates point to,
 * which then are those in it; along each axis one cell at most. Returns whether they were
 * outside. Local. */
bool trace_ahead_leave_cell(const trace_guess *guess, int n, int axes, trace_cell *cell);

/* Whether two cells lie in the same brick: the second may lie outside of the block.
 * Local. */
bool trace_ahead_share_brick(const grid_layout *layout, const trace_cell *a,
                             const trace_cell *b);

#endif
