/* Snapshots of tracers: all that particles need to go on later, elsewhere, or after a
 * restart. */
#ifndef TRACE_SNAPSHOT_H
#define TRACE_SNAPSHOT_H

#include "cells.h"
#include "lines.h"

/* A particle between two steps: all that it needs to go on. */
typedef struct trace_traveller {
    int64_t number;  /* of its seed, plus the number of seeds times that of its release */
    int64_t records; /* points so far */
    int64_t steps;   /* of the integration so far */
    double x[3];     /* relative to the origin of the snapshot */
    double release;  /* the time of its release */
    double length;   /* of its path */
    double value;    /* of the field */
    double next_step;     /* of the integration, as a time */
    double velocity[3];   /* at x */
    double past, bend[3]; /* the step before (trace/particle.h) */
    double guess[3];      /* of the place in its cell (trace/particle.h) */
    trace_cell cell;      /* contains x */
} trace_traveller;

/* What was done of a step in the grid before: trace_tracer_begin_step. */
typedef struct trace_half {
    bool is_done;
    double begin; /* the time of the step before */
    int parts;    /* releases in between that were made */
} trace_half;

/* A tracer between two steps. Each rank has its own particles and records,
 * in any distribution; all else is the same on every rank, but `ended`, which adds up. */
typedef struct trace_snapshot {
    double origin[3]; /* of positions */
    int64_t nseeds, calls, releases, ended;
    double now;      /* the time of the last step */
    trace_half half; /* of the next step; not in files */
    int64_t ntimes;
    double *times; /* [ntimes]: of the last steps, ascending, as far as trails reach */
    int64_t ntravellers;
    trace_traveller *travellers; /* [ntravellers] */
    trace_records records;
} trace_snapshot;

void trace_snapshot_clear(trace_snapshot *snapshot);

/* Copies a snapshot. Local. Errors: STATUS_MEMORY; *out is then empty. */
status trace_snapshot_copy(const trace_snapshot *snapshot, trace_snapshot *out);

/* ---- For tracers ------------------------------------------------------------------- */

struct trace_crowd; /* exchange.h */

/* Copies particles and records into a snapshot, whose lists are empty. Local. Errors:
 * STATUS_MEMORY. */
status trace_snapshot_keep(trace_snapshot *snapshot, const struct trace_crowd *crowd,
                           const trace_records *records);

/* Fails for counts and times that cannot be. Local. Errors: STATUS_INPUT. */
status trace_snapshot_check(const trace_snapshot *snapshot);

/*
 * Adds the particles and records of a snapshot to those of a tracer in the grid of
 * `layout`: as arrived, or with `seeks` to be searched for. Leaves out those that cannot
 * be. Local. Errors: STATUS_MEMORY.
 */
status trace_snapshot_take(const trace_snapshot *snapshot, const grid_layout *layout,
                           bool seeks, struct trace_crowd *crowd, trace_records *records);

#endif
