/*
 * Traces twice: every rank traces a flow once with the others, each with its part of the
 * grid, and once alone with the whole grid. Lines must be the same to the last bit, step
 * after step.
 */
#ifndef TESTS_MPI_TEST_TRACE_PAIR_H
#define TESTS_MPI_TEST_TRACE_PAIR_H

#include "test_io_support.h"

#include "../unit/trace/flow.h"

#include "trace/tracer.h"

enum { SCENARIO_BLOCKS = 48 }; /* at most */

/* The flow and its grid. */
typedef struct scenario {
    const char *name;
    int nblocks;
    int64_t n[SCENARIO_BLOCKS][3];
    flow_vertex *vertex;
    int closed; /* axis of block 0 that is closed, or -1 */
    flow_field *field;
    trace_options options;
    trace_seeds seeds;
    int steps;
    double interval;
} scenario;

typedef struct tracing {
    flow f;
    trace_tracer *tracer;
} tracing;

/* Makes the grid, or a rank's part of it, and the tracer. Collective over comm. */
bool tracing_open(const scenario *s, MPI_Comm comm, tracing *t);
void tracing_close(tracing *t);

/* Advances to a step; the first is 0. Collective. */
bool tracing_step(const scenario *s, tracing *t, int step);

/* Looks at the lines after a step. */
typedef void trace_look_at(const trace_lines *lines);

/* Traces alone and together, compares after each step, and returns the number of points
 * at the end. look_at: may be NULL. Collective over all ranks. */
int64_t trace_twice(const scenario *s, trace_look_at *look_at);

#endif
