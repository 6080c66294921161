/* Lines of points in a flow, the results of tracing, and the records of particles that
 * they are made of. */
#ifndef TRACE_LINES_H
#define TRACE_LINES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Lines ------------------------------------------------------------------------- */

typedef enum trace_mode {
    TRACE_PATH,   /* recent positions of particles */
    TRACE_STREAK, /* all particles released at the same seed, joined */
    TRACE_STREAM  /* along the flow of one step */
} trace_mode;

/* A point of a line. */
typedef struct trace_point {
    float x[3];  /* relative to the layout's origin */
    float age;   /* time since the particle left its seed; on a streamline the time that a
                    particle would take from the seed, below 0 upstream */
    float value; /* of TRACE_FIELD at that time */
} trace_point;

/* A line of consecutive points. A path ends at its particle, a streak begins with the
 * particle that was released last, a streamline runs with the flow. */
typedef struct trace_line {
    int64_t seed;         /* its number among all seeds */
    int64_t particle;     /* a number of its own; of a path that of the particle */
    int64_t first, count; /* its points; count is at least 1 */
    bool ended;           /* a path whose particle has stopped at the last point */
} trace_line;

/* Lines, by seeds (paths: by release, then by seeds); the same on every rank. */
typedef struct trace_lines {
    int64_t nlines, npoints;
    trace_line *lines;
    trace_point *points;
} trace_lines;

void trace_lines_clear(trace_lines *lines);

/* ---- Records ----------------------------------------------------------------------- */

/* One point of a particle's path. Plain data: it is sent to all ranks. */
typedef struct trace_record {
    int64_t particle;
    int64_t place; /* among the records of the particle */
    int64_t ended; /* 1: not a point, but the notice that the particle has ended */
    double x[3];   /* relative to the layout's origin */
    double time;   /* of the flow */
    double age;    /* since its release; below 0 against the flow */
    double value;  /* of the field */
} trace_record;

/* A list that grows; all zero at first. */
typedef struct trace_records {
    int64_t count, capacity;
    trace_record *items;
    bool failed; /* memory ran out: later records are lost */
} trace_records;

void trace_records_add(trace_records *records, const trace_record *record);
void trace_records_clear(trace_records *records);

/* Sorts by particle, then by place. */
void trace_records_sort(trace_records *records);

/*
 * Makes the lines of a mode from the records of all particles, and reorders these. A
 * particle's number is the number of its seed plus nseeds times that of its release
 * (streamlines: 0 with the flow, 1 against it). `out` is overwritten. Local. Errors:
 * STATUS_MEMORY, after which it is empty.
 */
status trace_lines_make(trace_mode mode, int64_t nseeds, trace_records *records,
                        trace_lines *out);

#endif
