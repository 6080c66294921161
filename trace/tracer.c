#include "tracer.h"

#include "base/parallel/parallel.h"
#include "exchange.h"
#include "lines.h"
#include "starts.h"

#include <math.h>
#include <stdlib.h>

struct trace_tracer {
    MPI_Comm comm; /* borrowed */
    trace_options options;
    trace_locator *locator;
    int *holders; /* [nbricks] */
    trace_rule rule;
    trace_starts starts; /* the same on every rank */
    trace_crowd crowd;   /* the particles on this rank at present */
    trace_records own;   /* records of this rank in this step */
    trace_records kept;  /* records of all ranks, from which lines are made */
    int64_t calls;       /* of trace_tracer_step */
    int64_t releases;    /* releases so far */
    double *times; /* [trail + 1]: times of the last calls, call n at n % (trail + 1) */
    trace_lines lines;
};

/* ---- Making ------------------------------------------------------------------------ */

static status check_options(const trace_options *o)
{
    if (o->every < 0 || o->per_step < 0 || o->trail < -1 || o->steps < 0 ||
        !(o->length >= 0.0) || !(o->tolerance >= 0.0)) {
        return base_fail(
            STATUS_USAGE,
            "particles: every, per_step, steps, length and tolerance must not be "
            "negative, and trail not below -1");
    }
    return STATUS_OK;
}

static trace_rule rule_of(const trace_options *o, const trace_locator *locator,
                          const trace_velocity *velocity)
{
    const int64_t default_steps = 2000;
    const double default_tolerance = 1e-5;
    const bool is_stream = o->mode == TRACE_STREAM;
    return (trace_rule){
        .locator = locator,
        .velocity = velocity,
        .is_frozen = is_stream,
        .end = INFINITY,
        .tolerance = o->tolerance > 0.0 ? o->tolerance : default_tolerance,
        .most_length = is_stream && o->length > 0.0 ? o->length : INFINITY,
        .most_steps = !is_stream     ? INT64_MAX
                      : o->steps > 0 ? o->steps
                                     : default_steps,
        .leaves_trail = o->mode != TRACE_STREAK,
    };
}

/* The local part of trace_tracer_create. */
static status make_parts(trace_tracer *t, const trace_velocity *velocity,
                         const trace_options *options)
{
    status s = check_options(options);
    const size_t times = options->trail > 0 ? (size_t)options->trail + 1 : 1;
    t->options = *options;
    t->options.per_step = options->per_step > 0 ? options->per_step : 1;
    if (options->mode == TRACE_STREAK && options->every == 0) {
        t->options.every = 1;
    }
    if (s == STATUS_OK) {
        t->times = calloc(times, sizeof *t->times);
        s = t->times
                ? STATUS_OK
                : base_fail_memory(times * sizeof *t->times, "the trails of particles");
    }
    if (s == STATUS_OK) {
        s = trace_locator_create(trace_velocity_store(velocity), &t->locator);
    }
    t->rule = rule_of(options, t->locator, velocity);
    return s;
}

status trace_tracer_create(MPI_Comm comm, const trace_velocity *velocity,
                           const trace_options *options, const trace_seeds *seeds,
                           trace_tracer **out)
{
    trace_tracer *made = calloc(1, sizeof *made);
    status s = made ? STATUS_OK : base_fail_memory(sizeof *made, "particles");
    if (s == STATUS_OK) {
        made->comm = comm;
        s = make_parts(made, velocity, options);
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = trace_exchange_holders(comm, trace_velocity_store(velocity), &made->holders);
    }
    if (s == STATUS_OK) {
        s = trace_starts_find(comm, made->locator, made->holders, seeds, &made->starts);
    }
    if (s != STATUS_OK) {
        trace_tracer_destroy(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

void trace_tracer_destroy(trace_tracer **tracer)
{
    trace_tracer *t = *tracer;
    if (t) {
        trace_lines_clear(&t->lines);
        trace_records_clear(&t->own);
        trace_records_clear(&t->kept);
        trace_crowd_clear(&t->crowd);
        trace_locator_destroy(&t->locator);
        free(t->holders);
        trace_starts_clear(&t->starts);
        free(t->times);
        free(t);
        *tracer = NULL;
    }
}

void trace_tracer_seeds(const trace_tracer *tracer, int64_t *count, int64_t *outside)
{
    *count = tracer->starts.nseeds;
    *outside = tracer->starts.nseeds - tracer->starts.count;
}

const trace_lines *trace_tracer_lines(const trace_tracer *tracer)
{
    return &tracer->lines;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* Adds a particle for each seed whose brick this rank holds. `number` counts releases. */
static status release(trace_tracer *t, int64_t number, double time, double direction)
{
    const grid_layout *layout = trace_locator_store(t->locator)->layout;
    const int rank = parallel_rank(t->comm);
    for (int64_t n = 0; n < t->starts.count; n++) {
        const trace_start *seed = &t->starts.items[n];
        if (t->holders[trace_cell_brick(layout, &seed->cell)] != rank) {
            continue;
        }
        const trace_particle p =
            trace_particle_release(number * t->starts.nseeds + seed->number, seed->x,
                                   &seed->cell, time, direction);
        status s = trace_crowd_add(&t->crowd, &p);
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

static void drop_ended(trace_crowd *crowd)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < crowd->count; n++) {
        if (crowd->items[n].state != TRACE_ENDED) {
            crowd->items[kept++] = crowd->items[n];
        }
    }
    crowd->count = kept;
}

static status run(trace_tracer *t)
{
    status s = trace_exchange_run(t->comm, t->holders, &t->rule, &t->crowd, &t->own);
    drop_ended(&t->crowd);
    return s;
}

/* Traces streamlines through the present flow. */
static status run_streamlines(trace_tracer *t)
{
    status s = STATUS_OK;
    if (t->options.direction != TRACE_BACKWARD) {
        s = release(t, 0, 0.0, 1.0);
    }
    if (s == STATUS_OK && t->options.direction != TRACE_FORWARD) {
        s = release(t, 1, 0.0, -1.0);
    }
    s = parallel_agree(t->comm, s);
    return s == STATUS_OK ? run(t) : s;
}

/* Moves released particles on to `time`, which is at most that of the present step. */
static status run_onwards(trace_tracer *t, double time)
{
    t->rule.end = time;
    /* For streaks only the last positions count. */
    t->own.count = t->rule.leaves_trail ? t->own.count : 0;
    for (int64_t n = 0; n < t->crowd.count; n++) {
        trace_particle_resume(&t->crowd.items[n]);
    }
    return run(t);
}

/* Releases new particles at `time`. */
static status run_release(trace_tracer *t, double time)
{
    t->rule.end = time;
    status s = parallel_agree(t->comm, release(t, t->releases, time, 1.0));
    t->releases++;
    return s == STATUS_OK ? run(t) : s;
}

/* Moves particles from the previous step to this one, with the releases in between and at
 * its end. */
static status run_step(trace_tracer *t, double time)
{
    const int every = t->options.every;
    const bool releases = t->calls == 0 || (every > 0 && t->calls % every == 0);
    const bool is_streak = t->options.mode == TRACE_STREAK;
    const int parts = is_streak && every == 1 && t->calls > 0 ? t->options.per_step : 1;
    status s = STATUS_OK;
    t->rule.before = t->calls > 0 ? t->rule.now : time;
    t->rule.now = time;
    for (int n = 1; n <= parts && s == STATUS_OK; n++) {
        const double span = time - t->rule.before;
        const double part = n < parts ? t->rule.before + span * n / parts : time;
        s = t->calls > 0 ? run_onwards(t, part) : STATUS_OK;
        if (s == STATUS_OK && releases) {
            s = run_release(t, part);
        }
    }
    return s;
}

/* Drops records that are older than the lines reach. */
static void drop_old(trace_tracer *t, double time)
{
    const int trail = t->options.trail;
    if (t->options.mode != TRACE_PATH) {
        t->kept.count = 0;
        return;
    }
    if (trail < 0) {
        return;
    }
    t->times[t->calls % (trail + 1)] = time;
    if (t->calls < trail) {
        return;
    }
    const double since = t->times[(t->calls - trail) % (trail + 1)];
    int64_t kept = 0;
    for (int64_t n = 0; n < t->kept.count; n++) {
        if (t->kept.items[n].time >= since) {
            t->kept.items[kept++] = t->kept.items[n];
        }
    }
    t->kept.count = kept;
}

/* Gathers the records of all ranks and makes lines from them. */
static status collect(trace_tracer *t, double time)
{
    void *all = NULL;
    int64_t count = 0;
    status s = trace_exchange_gather(t->comm, sizeof *t->own.items, t->own.count,
                                     t->own.items, &count, &all);
    if (s != STATUS_OK) {
        return s;
    }
    if (t->options.mode != TRACE_PATH) {
        drop_old(t, time);
    }
    const trace_record *records = all;
    for (int64_t n = 0; n < count; n++) {
        trace_records_add(&t->kept, &records[n]);
    }
    free(all);
    t->own.count = 0;
    if (t->options.mode == TRACE_PATH) {
        drop_old(t, time);
    }
    trace_lines_clear(&t->lines);
    s = t->kept.failed
            ? base_fail_memory((size_t)count * sizeof *records, "the ways of particles")
            : trace_lines_make(t->options.mode, t->starts.nseeds, &t->kept, &t->lines);
    return parallel_agree(t->comm, s);
}

status trace_tracer_step(trace_tracer *tracer, double time)
{
    trace_tracer *t = tracer;
    status s = STATUS_OK;
    if (t->options.mode == TRACE_STREAM) {
        t->crowd.count = 0;
        s = run_streamlines(t);
    } else {
        if (t->calls > 0 && !(time > t->rule.now)) {
            return base_fail(STATUS_INPUT,
                             "particles need times that ascend from step to step: %g "
                             "comes after %g",
                             time, t->rule.now);
        }
        s = run_step(t, time);
    }
    if (s == STATUS_OK) {
        s = collect(t, time);
    }
    t->calls++;
    return s;
}
