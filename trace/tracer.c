#include "tracer.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "exchange.h"
#include "lines.h"
#include "starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trace_tracer {
    MPI_Comm comm; /* borrowed */
    trace_options options;
    trace_locator *locator;
    int *holders; /* [nbricks] */
    trace_rule rule;
    trace_starts starts; /* the same on every rank */
    trace_crowd crowd;   /* the particles on this rank at present */
    trace_records own;   /* records of this rank, of paths as far as trails reach */
    int64_t lately_kept; /* records after the last call of drop_old */
    int64_t calls;       /* of trace_tracer_advance */
    int64_t releases;    /* releases so far */
    trace_half half;     /* the first part of a step, in the grid before */
    int64_t ended;       /* particles that have ended on this rank */
    bool is_closed;      /* nothing is released */
    bool has_warned;     /* of a limit */
    double *times; /* [trail + 1]: times of the last calls, call n at n % (trail + 1) */
    double cut;    /* points before this time are dropped; -infinity: none */
    trace_counts counts;
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
        .leaves_trail = is_stream || (o->mode == TRACE_PATH && o->trail != 0),
    };
}

/* The local part of trace_tracer_create. */
static status make_parts(trace_tracer *t, const trace_velocity *velocity,
                         const trace_options *options)
{
    status s = check_options(options);
    const size_t times = options->trail > 0 ? (size_t)options->trail + 1 : 1;
    t->options = *options;
    t->cut = -INFINITY;
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

/* `seeds` NULL: none. */
static status create(MPI_Comm comm, const trace_velocity *velocity,
                     const trace_options *options, const trace_seeds *seeds,
                     trace_tracer **out)
{
    trace_tracer *made = calloc(1, sizeof *made);
    status s = made ? STATUS_OK : base_fail_memory(sizeof *made, "particles");
    if (s == STATUS_OK) {
        made->comm = comm;
        made->is_closed = !seeds;
        s = make_parts(made, velocity, options);
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = trace_exchange_holders(comm, trace_velocity_store(velocity), &made->holders);
    }
    if (s == STATUS_OK && seeds) {
        s = trace_starts_find(comm, made->locator, made->holders, seeds, &made->starts);
    }
    if (s != STATUS_OK) {
        trace_tracer_destroy(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

status trace_tracer_create(MPI_Comm comm, const trace_velocity *velocity,
                           const trace_options *options, const trace_seeds *seeds,
                           trace_tracer **out)
{
    return create(comm, velocity, options, seeds, out);
}

status trace_tracer_create_closed(MPI_Comm comm, const trace_velocity *velocity,
                                  const trace_options *options, trace_tracer **out)
{
    return create(comm, velocity, options, NULL, out);
}

void trace_tracer_destroy(trace_tracer **tracer)
{
    trace_tracer *t = *tracer;
    if (t) {
        trace_lines_clear(&t->lines);
        trace_records_clear(&t->own);
        trace_crowd_clear(&t->crowd);
        trace_locator_destroy(&t->locator);
        free(t->holders);
        trace_starts_clear(&t->starts);
        free(t->times);
        free(t);
        *tracer = NULL;
    }
}

bool trace_tracer_has_begun(const trace_tracer *tracer)
{
    return tracer->calls > 0;
}

bool trace_tracer_is_at(const trace_tracer *tracer, double time)
{
    return tracer->calls > 0 && tracer->rule.now == time;
}

const trace_lines *trace_tracer_lines(const trace_tracer *tracer)
{
    return &tracer->lines;
}

void trace_tracer_drop_lines(trace_tracer *tracer)
{
    trace_lines_clear(&tracer->lines);
}

trace_counts trace_tracer_count(const trace_tracer *tracer)
{
    return tracer->counts;
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

static status run(trace_tracer *t)
{
    status s = trace_exchange_run(t->comm, t->holders, &t->rule, &t->crowd, &t->own);
    if (t->crowd.ended > 0) { /* looking at all particles takes time */
        t->ended += trace_crowd_drop_ended(&t->crowd);
    }
    return s;
}

/* Traces streamlines through the present flow. */
static status run_streamlines(trace_tracer *t)
{
    status s = STATUS_OK;
    t->own.count = 0;
    if (t->options.direction != TRACE_BACKWARD) {
        s = release(t, 0, 0.0, 1.0);
    }
    if (s == STATUS_OK && t->options.direction != TRACE_FORWARD) {
        s = release(t, 1, 0.0, -1.0);
    }
    s = parallel_agree(t->comm, s);
    return s == STATUS_OK ? run(t) : s;
}

/* Whether a release would exceed the limit. The same on every rank. */
static bool is_full(trace_tracer *t)
{
    const int64_t most = t->options.most_particles;
    const bool is_over = most > 0 && t->counts.moving + t->starts.count > most;
    if (is_over && !t->has_warned) {
        t->has_warned = true;
        base_log_warning("particles: %lld are on the way, and no more set out until some "
                         "have left: have fewer seeds, or a longer `every`",
                         (long long)t->counts.moving);
    }
    return is_over;
}

/* Moves particles on to `time`, which is at most that of the present step, and
 * releases new ones there, if `releases`. These find their velocity and stay. */
static status run_part(trace_tracer *t, double time, bool releases)
{
    status s = STATUS_OK;
    t->rule.end = time;
    if (releases && !is_full(t)) {
        s = parallel_agree(t->comm, release(t, t->releases, time, 1.0));
    }
    t->releases += releases;
    return s == STATUS_OK ? run(t) : s;
}

/* Whether particles are released in a step, and in how many parts. */
static bool is_due(const trace_tracer *t, int *parts)
{
    const int every = t->options.every;
    const bool is_streak = t->options.mode == TRACE_STREAK;
    *parts = is_streak && every == 1 && t->calls > 0 ? t->options.per_step : 1;
    return !t->is_closed && (t->calls == 0 || (every > 0 && t->calls % every == 0));
}

/* The time of the n-th of the parts of a step that began at a time. */
static double part_time(double begin, double end, int n, int parts)
{
    return n < parts ? begin + (end - begin) * n / parts : end;
}

/* Moves particles from the previous step to this one, with the releases in between and at
 * its end. */
static status run_step(trace_tracer *t, double time)
{
    int parts;
    const bool releases = is_due(t, &parts);
    status s = STATUS_OK;
    t->rule.before = t->calls > 0 ? t->rule.now : time;
    t->rule.now = time;
    const double begin = t->half.is_done ? t->half.begin : t->rule.before;
    for (int n = t->half.parts + 1; n <= parts && s == STATUS_OK; n++) {
        s = run_part(t, part_time(begin, time, n, parts), releases);
    }
    t->half = (trace_half){.is_done = false};
    return s;
}

/* ---- Trails ------------------------------------------------------------------------ */

/* The time at which trails begin. */
static double trail_begin(const trace_tracer *t)
{
    const int64_t trail = t->options.trail, last = t->calls - 1;
    return t->options.mode != TRACE_PATH || trail < 0 || last < trail
               ? t->cut
               : fmax(t->cut, t->times[(last - trail) % (trail + 1)]);
}

/* Drops records that are older than the lines reach. */
static void drop_old(trace_tracer *t)
{
    const double since = trail_begin(t);
    int64_t kept = 0;
    for (int64_t n = 0; n < t->own.count; n++) {
        if (t->own.items[n].time >= since) {
            if (kept < n) {
                t->own.items[kept] = t->own.items[n];
            }
            kept++;
        }
    }
    t->own.count = t->lately_kept = kept;
}

/* Sums the numbers of all ranks. Collective. */
static void count_all(trace_tracer *t)
{
    const int64_t mine[3] = {t->crowd.count, t->ended, t->own.count};
    int64_t all[3];
    parallel_allreduce(mine, all, 3, MPI_INT64_T, MPI_SUM, t->comm);
    t->counts = (trace_counts){all[0], all[1], all[2]};
}

/* The time of the oldest record of all ranks. Collective. */
static double find_oldest(const trace_tracer *t)
{
    double mine = t->rule.now, all = 0.0;
    for (int64_t n = 0; n < t->own.count; n++) {
        mine = fmin(mine, t->own.items[n].time);
    }
    parallel_allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MIN, t->comm);
    return all;
}

/* Cuts trails that exceed the limit, on all ranks at the same time of the flow. */
static void limit_points(trace_tracer *t)
{
    const int64_t most = t->options.most_points;
    if (most == 0 || t->counts.points <= most) {
        return;
    }
    drop_old(t);
    count_all(t);
    if (t->counts.points > most) {
        t->cut = 0.5 * (find_oldest(t) + t->rule.now);
        drop_old(t);
        count_all(t);
        if (!t->has_warned) {
            base_log_warning("particles: their trails have more than %lld points, so "
                             "their older halves are cut off: set a shorter `trail`",
                             (long long)most);
        }
        t->has_warned = true;
    }
}

/* Sums up after a step, and drops old records whenever their number has doubled. */
static void sum_up(trace_tracer *t)
{
    enum { FEW = 1024 };
    if (t->own.count > 2 * t->lately_kept + FEW) {
        drop_old(t);
    }
    count_all(t);
    limit_points(t);
}

/* ---- The interface ----------------------------------------------------------------- */

status trace_tracer_advance(trace_tracer *tracer, double time)
{
    trace_tracer *t = tracer;
    status s = STATUS_OK;
    if (t->options.mode == TRACE_STREAM) {
        t->crowd.count = 0; /* streamlines have no lanes */
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
    if (t->options.mode == TRACE_PATH && t->options.trail >= 0) {
        t->times[t->calls % (t->options.trail + 1)] = time;
    }
    t->calls++;
    if (s == STATUS_OK) {
        sum_up(t);
    }
    return s;
}

status trace_tracer_begin_step(trace_tracer *tracer, double time)
{
    trace_tracer *t = tracer;
    const double begin = t->rule.now, middle = 0.5 * (begin + time);
    int parts;
    const bool releases = is_due(t, &parts);
    if (t->options.mode == TRACE_STREAM || t->calls == 0 || !(time > begin)) {
        return STATUS_OK;
    }
    status s = STATUS_OK;
    t->half = (trace_half){.is_done = true, .begin = begin};
    t->rule.before = begin;
    t->rule.now = middle;
    while (t->half.parts + 1 < parts && s == STATUS_OK &&
           part_time(begin, time, t->half.parts + 1, parts) <= middle) {
        s = run_part(t, part_time(begin, time, ++t->half.parts, parts), releases);
    }
    return s == STATUS_OK ? run_part(t, middle, false) : s;
}

/* Adds the points of particles without a trail to the records. */
static status add_heads(trace_tracer *t)
{
    for (int64_t n = 0; n < t->crowd.count; n++) {
        if (!t->rule.leaves_trail || t->crowd.items[n].records == 0) {
            const trace_particle p = trace_crowd_get(&t->crowd, n);
            const trace_record head = trace_particle_record(&p);
            trace_records_add(&t->own, &head);
        }
    }
    return t->own.failed ? base_fail_memory((size_t)t->crowd.count * sizeof(trace_record),
                                            "the lines of particles")
                         : STATUS_OK;
}

status trace_tracer_collect(trace_tracer *tracer)
{
    trace_tracer *t = tracer;
    void *all = NULL;
    int64_t count = 0;
    drop_old(t);
    trace_lines_clear(&t->lines);
    const int64_t kept = t->own.count;
    status s = parallel_agree(t->comm, add_heads(t));
    if (s == STATUS_OK) {
        s = trace_exchange_gather(t->comm, sizeof *t->own.items, t->own.count,
                                  t->own.items, &count, &all);
    }
    t->own.count = kept;
    if (s != STATUS_OK) {
        return s;
    }
    trace_records records = {.count = count, .capacity = count, .items = all};
    s = trace_lines_make(t->options.mode, t->starts.nseeds, &records, &t->lines);
    free(all);
    return parallel_agree(t->comm, s);
}

status trace_tracer_step(trace_tracer *tracer, double time)
{
    status s = trace_tracer_advance(tracer, time);
    return s == STATUS_OK ? trace_tracer_collect(tracer) : s;
}

/* ---- Snapshots --------------------------------------------------------------------- */

/* The number of times that the ring holds. */
static int64_t count_times(const trace_tracer *t)
{
    const bool has_ring = t->options.mode == TRACE_PATH && t->options.trail >= 0;
    const int64_t most = has_ring ? t->options.trail + 1 : 0;
    return t->calls < most ? t->calls : most;
}

status trace_tracer_export(const trace_tracer *tracer, trace_snapshot *out)
{
    const trace_tracer *t = tracer;
    const grid_layout *layout = trace_locator_store(t->locator)->layout;
    const int64_t ntimes = count_times(t);
    trace_snapshot made = {.nseeds = t->starts.nseeds,
                           .calls = t->calls,
                           .releases = t->releases,
                           .ended = t->ended,
                           .now = t->rule.now,
                           .half = t->half,
                           .ntimes = ntimes,
                           .times = malloc(((size_t)ntimes + 1) * sizeof(double))};
    status s = made.times ? trace_snapshot_keep(&made, &t->crowd, &t->own)
                          : base_fail_memory((size_t)ntimes * sizeof(double),
                                             "the state of particles");
    if (s != STATUS_OK) {
        trace_snapshot_clear(&made);
        return s;
    }
    memcpy(made.origin, layout->origin.v, sizeof made.origin);
    for (int64_t n = 0; n < ntimes; n++) {
        made.times[n] = t->times[(t->calls - ntimes + n) % (t->options.trail + 1)];
    }
    *out = made;
    return STATUS_OK;
}

/* Fills the ring of times. Times that the snapshot does not reach are -infinity. */
static void take_times(trace_tracer *t, const trace_snapshot *snapshot)
{
    const int64_t size = (int64_t)t->options.trail + 1;
    if (t->options.mode != TRACE_PATH || size < 1) {
        return;
    }
    for (int64_t n = 0; n < size; n++) {
        t->times[n] = -INFINITY;
    }
    for (int64_t n = 0; n < snapshot->ntimes; n++) {
        const int64_t call = snapshot->calls - snapshot->ntimes + n;
        if (call >= 0 && call >= snapshot->calls - size) {
            t->times[call % size] = snapshot->times[n];
        }
    }
}

static status take_snapshot(trace_tracer *t, const trace_snapshot *snapshot, bool seeks)
{
    const grid_layout *layout = trace_locator_store(t->locator)->layout;
    status s = trace_snapshot_check(snapshot);
    if (s == STATUS_OK && !t->is_closed && snapshot->nseeds != t->starts.nseeds) {
        s = base_fail(STATUS_INPUT, "the state of the particles has another number of "
                                    "seeds");
    }
    return s == STATUS_OK
               ? trace_snapshot_take(snapshot, layout, seeks, &t->crowd, &t->own)
               : s;
}

status trace_tracer_import(trace_tracer *tracer, const trace_snapshot *snapshot,
                           bool seeks)
{
    trace_tracer *t = tracer;
    status s = parallel_agree(t->comm, take_snapshot(t, snapshot, seeks));
    if (s != STATUS_OK) {
        return s;
    }
    t->starts.nseeds = snapshot->nseeds;
    t->calls = snapshot->calls;
    t->releases = snapshot->releases;
    t->ended = snapshot->ended;
    t->half = snapshot->half;
    t->rule.before = t->rule.now = t->rule.end = snapshot->now;
    take_times(t, snapshot);
    t->own.count = t->rule.leaves_trail ? t->own.count : 0;
    s = run(t); /* finds the particles that are to be searched for */
    count_all(t);
    return s;
}
