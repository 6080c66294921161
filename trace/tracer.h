/*
 * Particle tracing: path lines, streak lines and streamlines from seeds, traced by all
 * ranks together. D. A. Lane (UFAT: a particle tracer for time-dependent flow fields,
 * IEEE Visualization '94, 1994) describes such a tracer for a flow that is given step by
 * step.
 */
#ifndef TRACE_TRACER_H
#define TRACE_TRACER_H

#include "lines.h"
#include "seeds.h"
#include "snapshot.h"
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
    int64_t most_particles; /* on the way at once, on all ranks together: more are not
                               released, with one warning; 0: no limit */
    int64_t most_points;    /* of trails, on all ranks together: beyond it the older half
                               of the time that they cover is cut off; 0: no limit */
} trace_options;

/* Numbers of a tracer, on all ranks together. */
typedef struct trace_counts {
    int64_t moving; /* particles on the way */
    int64_t ended;  /* particles that have left the flow so far */
    int64_t points; /* of trails */
} trace_counts;

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

/* The same without seeds: it releases nothing, and carries the particles of a snapshot
 * (trace_tracer_import) to their end. Collective. Errors: STATUS_USAGE (invalid options),
 * STATUS_MEMORY. */
status trace_tracer_create_closed(MPI_Comm comm, const trace_velocity *velocity,
                                  const trace_options *options, trace_tracer **out);
void trace_tracer_destroy(trace_tracer **tracer);

/*
 * Advances to a step of the data, at `time`; its velocity components were set before.
 * Particles move from the time of the previous step to this one, through the flow between
 * the two. Then new particles are released, if due. The first call only releases. A
 * caller that begins at a later step calls this for all earlier steps, too; streamlines
 * need only the step itself. Collective. Errors: STATUS_INPUT (time does not ascend),
 * STATUS_MEMORY; after an error the tracer can only be destroyed.
 */
status trace_tracer_advance(trace_tracer *tracer, double time);

/*
 * Moves particles half of the way in time to a step at which they will have another grid,
 * through the present flow. The caller then takes a snapshot, and lets a tracer on the
 * other grid go on from it and advance to the step, through the flow there. Does nothing
 * before the first step. Collective. Errors: as trace_tracer_advance.
 */
status trace_tracer_begin_step(trace_tracer *tracer, double time);

/* Whether there was a step; whether the last one was at `time`. Local. */
bool trace_tracer_has_begun(const trace_tracer *tracer);
bool trace_tracer_is_at(const trace_tracer *tracer, double time);

/* Makes the lines at the last step from the points on all ranks. Collective. Errors:
 * STATUS_MEMORY. */
status trace_tracer_collect(trace_tracer *tracer);

/* Both: advances, then makes the lines. Collective. Errors: those of both. */
status trace_tracer_step(trace_tracer *tracer, double time);

/* The lines that were made last; borrowed until the next step. Local. */
const trace_lines *trace_tracer_lines(const trace_tracer *tracer);

/* Gives the memory of the lines back; then there are none. Local. */
void trace_tracer_drop_lines(trace_tracer *tracer);

/* The numbers after the last step, the same on every rank. Local. */
trace_counts trace_tracer_count(const trace_tracer *tracer);

/* ---- Snapshots --------------------------------------------------------------------- */

/* Copies a tracer between two steps. Local. Errors: STATUS_MEMORY; *out is then empty. */
status trace_tracer_export(const trace_tracer *tracer, trace_snapshot *out);

/*
 * Lets a new tracer go on from a snapshot, before its first step. `seeks`: the grid is
 * another one, so particles are searched for by position, and those outside of all cells
 * end. Otherwise they go on with the same bits. Particles and points that cannot be are
 * left out. Collective. Errors: STATUS_INPUT (another number of seeds; a time or a count
 * that cannot be), STATUS_MEMORY.
 */
status trace_tracer_import(trace_tracer *tracer, const trace_snapshot *snapshot,
                           bool seeks);

#endif
