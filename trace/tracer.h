/*
 * Particle tracing: path lines, streak lines and streamlines from seeds, traced by all
 * ranks together. D. A. Lane (UFAT: a particle tracer for time-dependent flow fields,
 * IEEE Visualization '94, 1994) describes such a tracer for a flow that is given step by
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

/* The options of a config; zero is a valid default. */
typedef struct trace_options {
    trace_mode mode;
    int every; /* steps from one release to the next; 0: a single release, of streaks one
                  at each step */
    int per_step; /* streaks released at each step: releases from one step to the next, at
                     even times, for smooth streaks; 0: 1 */
    int trail;    /* paths: number of past steps that lines cover; 0: each line is the one
                     point of its particle; -1: lines begin at the seeds */
    trace_direction direction; /* streamlines */
    double
        length; /* of a streamline in each direction, in the grid's units; 0: no limit */
    int64_t steps;    /* integration steps of a streamline in each direction; 0: 2000 */
    double tolerance; /* error of an integration step, in cells (trace/particle.h); 0:
                         1e-5 */
} trace_options;

typedef struct trace_tracer trace_tracer;

/*
 * Makes a tracer and finds the seeds. Each rank's `velocity` has the bricks of the rank;
 * together they cover every brick with cells. No bit of the result depends on the
 * distribution of bricks over the ranks. Seeds outside of all cells are counted in a
 * warning. Collective. Errors: STATUS_USAGE (no seed lies in the grid; invalid seeds or
 * options), STATUS_MEMORY.
 */
status trace_tracer_create(MPI_Comm comm, const trace_velocity *velocity,
                           const trace_options *options, const trace_seeds *seeds,
                           trace_tracer **out);
void trace_tracer_destroy(trace_tracer **tracer);

/* Number of seeds, and number of seeds outside of all cells. Local. */
void trace_tracer_seeds(const trace_tracer *tracer, int64_t *count, int64_t *outside);

/*
 * Advances to a step of the data, at `time`; its velocity components were set before.
 * Particles move from the time of the previous step to this one, through the flow between
 * the two. Then new particles are released, if due. The first call only releases. A
 * caller that begins at a later step calls this for all earlier steps, too; streamlines
 * need only the step itself. Collective. Errors: STATUS_INPUT (time does not ascend),
 * STATUS_MEMORY; after an error the tracer can only be destroyed.
 */
status trace_tracer_step(trace_tracer *tracer, double time);

/* The lines at the last step; borrowed until the next step. Local. */
const trace_lines *trace_tracer_lines(const trace_tracer *tracer);

#endif
