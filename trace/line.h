/* Lines of points in a flow: the results of tracing. */
#ifndef TRACE_LINE_H
#define TRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
