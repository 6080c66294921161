/*
 * Particles in a flow: path lines, streak lines and streamlines from seeds, traced by all
 * ranks together. D. A. Lane (UFAT: a particle tracer for time-dependent flow fields,
 * IEEE Visualization '94, 1994) describes such a tracer for a flow that comes step by
 * step.
 */
#ifndef TRACE_TRACER_H
#define TRACE_TRACER_H

#include "line.h"
#include "seeds.h"
#include "velocity.h"

#include <mpi.h>

typedef enum trace_direction {
    TRACE_BOTH,
    TRACE_FORWARD,
    TRACE_BACKWARD
} trace_direction;

/* What a config says; zero is a valid default. */
typedef struct trace_options {
    trace_mode mode;
    int every; /* steps from one release to the next; 0: only once, streaks at each step
                */
    int per_step; /* streaks that are released at each step: releases from one step to the
                     next, at even times, so that they come out smooth; 0: 1 */
    int trail;    /* paths: steps back to which lines reach; 0: only where particles are,
                     each a line of one point; -1: back to the seeds */
    trace_direction direction; /* streamlines */
    double length;    /* of a streamline either way, in the grid's units; 0: no limit */
    int64_t steps;    /* of the integration of a streamline either way; 0: 2000 */
    double tolerance; /* error of an integration step, in cells (trace/particle.h); 0:
                         1e-5 */
} trace_options;

typedef struct trace_tracer trace_tracer;

/*
 * Makes a tracer. Each rank's `velocity` has the bricks that the rank holds; together
 * they hold every brick with cells. Nothing depends on which rank holds what, to the last
 * bit. Finds the seeds; those that lie in no cell are counted in a warning. Collective.
 * Errors: STATUS_USAGE (no seed lies in the grid; seeds or options make no sense),
 * STATUS_MEMORY.
 */
status trace_tracer_create(MPI_Comm comm, const trace_velocity *velocity,
                           const trace_options *options, const trace_seeds *seeds,
                           trace_tracer **out);
void trace_tracer_destroy(trace_tracer **tracer);

/* How many seeds there are, and how many of them lie in no cell. Local. */
void trace_tracer_seeds(const trace_tracer *tracer, int64_t *count, int64_t *outside);

/*
 * Goes on to a step of the data, at `time`, whose components have been set now: particles
 * move from the time of the step before to this one, through what was before and what is
 * now; then those are released whose turn it is. The first call only releases. Whoever
 * begins at a later step calls this for all earlier ones, too. Streamlines need but the
 * step itself. Collective. Errors: STATUS_INPUT (time does not ascend), STATUS_MEMORY;
 * after one of them the tracer can only be destroyed.
 */
status trace_tracer_step(trace_tracer *tracer, double time);

/* The lines as of the last step; borrowed until the next. Local. */
const trace_lines *trace_tracer_lines(const trace_tracer *tracer);

#endif
