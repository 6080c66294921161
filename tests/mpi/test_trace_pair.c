#include "test_trace_pair.h"

#include <string.h>

bool tracing_open(const scenario *s, MPI_Comm comm, tracing *t)
{
    t->f = flow_create(s->nblocks, s->n, s->vertex, parallel_size(comm),
                       parallel_rank(comm));
    if (s->closed >= 0) {
        t->f.layout->blocks[0].closed[s->closed] = true;
    }
    t->tracer = NULL;
    return check_ok(
        trace_tracer_create(comm, t->f.velocity, &s->options, &s->seeds, &t->tracer),
        s->name);
}

void tracing_close(tracing *t)
{
    trace_tracer_destroy(&t->tracer);
    flow_destroy(&t->f);
}

bool tracing_step(const scenario *s, tracing *t, int step)
{
    trace_velocity_turn(t->f.velocity);
    flow_set(&t->f, s->field, step * s->interval);
    return check_ok(trace_tracer_step(t->tracer, step * s->interval), s->name);
}

static bool is_same_line(const trace_line *a, const trace_line *b)
{
    return a->seed == b->seed && a->particle == b->particle && a->first == b->first &&
           a->count == b->count && a->ended == b->ended;
}

static void compare(const scenario *s, int step, const trace_lines *a,
                    const trace_lines *b)
{
    bool same = a->nlines == b->nlines && a->npoints == b->npoints;
    check(same, "%s, step %d: %lld lines of %lld points alone, %lld of %lld together",
          s->name, step, (long long)a->nlines, (long long)a->npoints,
          (long long)b->nlines, (long long)b->npoints);
    for (int64_t n = 0; same && n < a->nlines; n++) {
        same = is_same_line(&a->lines[n], &b->lines[n]);
        check(same, "%s, step %d: line %lld is another one", s->name, step, (long long)n);
    }
    for (int64_t n = 0; same && n < a->npoints; n++) {
        same = memcmp(&a->points[n], &b->points[n], sizeof *a->points) == 0;
        check(same,
              "%s, step %d: point %lld is (%.9g %.9g %.9g) alone, not (%.9g %.9g "
              "%.9g)",
              s->name, step, (long long)n, (double)a->points[n].x[0],
              (double)a->points[n].x[1], (double)a->points[n].x[2],
              (double)b->points[n].x[0], (double)b->points[n].x[1],
              (double)b->points[n].x[2]);
    }
}

int64_t trace_twice(const scenario *s, trace_look_at *look_at)
{
    tracing alone, together;
    int64_t points = 0;
    bool good = tracing_open(s, MPI_COMM_SELF, &alone);
    good = tracing_open(s, MPI_COMM_WORLD, &together) && good;
    for (int step = 0; step < s->steps && good; step++) {
        good = tracing_step(s, &alone, step);
        good = tracing_step(s, &together, step) && good;
        if (good) {
            const trace_lines *lines = trace_tracer_lines(alone.tracer);
            compare(s, step, lines, trace_tracer_lines(together.tracer));
            points = lines->npoints;
            if (look_at) {
                look_at(lines);
            }
        }
    }
    tracing_close(&alone);
    tracing_close(&together);
    return points;
}
