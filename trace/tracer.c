#include "trace/tracer.h"

#include "base/log.h"
#include "base/parallel.h"
#include "trace/exchange.h"
#include "trace/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A seed that was found in the grid. */
typedef struct found_seed {
    int64_t number;
    trace_cell cell;
    double x[3];
} found_seed;

struct trace_tracer {
    MPI_Comm comm; /* borrowed */
    trace_options options;
    trace_locator *locator;
    int *holders; /* [nbricks] */
    trace_rule rule;
    int64_t nseeds, nfound;
    found_seed *seeds;  /* [nfound], by number */
    trace_crowd crowd;  /* on this rank now */
    trace_records own;  /* that particles have left on this rank in this step */
    trace_records kept; /* of all ranks, of which lines are made */
    int64_t calls;      /* of trace_tracer_step */
    int64_t releases;   /* so far */
    double *times; /* [trail + 1]: of the last calls; that of call n is at n % them */
    trace_lines lines;
};

/* ---- Seeds ------------------------------------------------------------------------- */

/* Adds the n-th seed to the crowd, to be found. One beyond its block is left out. */
static status add_grid_seed(trace_tracer *t, const trace_seeds *seeds, int64_t n,
                            const double at[3])
{
    const grid_block *block =
        &trace_locator_store(t->locator)->layout->blocks[seeds->block];
    trace_cell cell = {.block = seeds->block};
    double local[3];
    for (int axis = 0; axis < 3; axis++) {
        const double last = (double)(block->n[axis] - 1);
        if (!(at[axis] >= 0.0 && at[axis] <= last)) {
            return STATUS_OK;
        }
        const double lower = fmin(floor(at[axis]), last - 1.0);
        cell.at[axis] = (int64_t)lower;
        local[axis] = at[axis] - lower;
    }
    const trace_particle seed = trace_particle_place(n, &cell, local);
    return trace_crowd_add(&t->crowd, &seed);
}

/* Adds those seeds that this rank begins to look for: every so many-th. */
static status add_seeds(trace_tracer *t, const trace_seeds *seeds)
{
    double(*points)[3] = NULL;
    const int nblocks = trace_locator_store(t->locator)->layout->nblocks;
    if (seeds->in_grid && (seeds->block < 0 || seeds->block >= nblocks)) {
        return base_fail(STATUS_USAGE,
                         "seeds of particles: there is no block %d; the grid has %d, "
                         "counted from 0",
                         seeds->block, nblocks);
    }
    status s = trace_seeds_list(seeds, &t->nseeds, &points);
    const int size = parallel_size(t->comm);
    for (int64_t n = parallel_rank(t->comm); n < t->nseeds && s == STATUS_OK; n += size) {
        if (seeds->in_grid) {
            s = add_grid_seed(t, seeds, n, points[n]);
        } else {
            const trace_particle seed = trace_particle_seek(n, points[n]);
            s = trace_crowd_add(&t->crowd, &seed);
        }
    }
    free(points);
    return s;
}

static int compare_seeds(const void *a, const void *b)
{
    const found_seed *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* Tells all ranks where the seeds of this rank's crowd were found. */
static status share_seeds(trace_tracer *t)
{
    int64_t count = 0;
    const size_t bytes = ((size_t)t->crowd.count + 1) * sizeof(found_seed);
    found_seed *mine = malloc(bytes);
    status s = mine ? STATUS_OK : base_fail_memory(bytes, "the seeds of particles");
    s = parallel_agree(t->comm, s);
    for (int64_t n = 0; s == STATUS_OK && n < t->crowd.count; n++) {
        const trace_particle *p = &t->crowd.items[n];
        if (p->state == TRACE_ARRIVED) {
            mine[count++] = (found_seed){p->number, p->cell, {p->x[0], p->x[1], p->x[2]}};
        }
    }
    if (s == STATUS_OK) {
        void *all = NULL;
        s = trace_exchange_gather(t->comm, sizeof *mine, count, mine, &t->nfound, &all);
        t->seeds = all;
    }
    free(mine);
    if (s == STATUS_OK) {
        qsort(t->seeds, (size_t)t->nfound, sizeof *t->seeds, compare_seeds);
    }
    t->crowd.count = 0;
    return s;
}

/* Says how many seeds are of no use. The same on every rank. */
static status judge_seeds(const trace_tracer *t)
{
    if (t->nfound == 0) {
        const grid_layout *layout = trace_locator_store(t->locator)->layout;
        const vec3 lo = vec3_add(layout->bounds.lo, layout->origin);
        const vec3 hi = vec3_add(layout->bounds.hi, layout->origin);
        return base_fail(STATUS_USAGE,
                         "seeds of particles: none of the %lld lies in a cell of the "
                         "grid, which spans [%g, %g, %g] to [%g, %g, %g]",
                         (long long)t->nseeds, lo.v[0], lo.v[1], lo.v[2], hi.v[0],
                         hi.v[1], hi.v[2]);
    }
    if (t->nfound < t->nseeds) {
        base_log_warning("seeds of particles: %lld of %lld lie in no cell of the grid",
                         (long long)(t->nseeds - t->nfound), (long long)t->nseeds);
    }
    return STATUS_OK;
}

static status find_seeds(trace_tracer *t, const trace_seeds *seeds)
{
    status s = parallel_agree(t->comm, add_seeds(t, seeds));
    if (s == STATUS_OK) {
        s = trace_exchange_run(t->comm, t->holders, &t->rule, &t->crowd, &t->own);
    }
    if (s == STATUS_OK) {
        s = share_seeds(t);
    }
    return s == STATUS_OK ? judge_seeds(t) : s;
}

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
        s = find_seeds(made, seeds);
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
        free(t->seeds);
        free(t->times);
        free(t);
        *tracer = NULL;
    }
}

void trace_tracer_seeds(const trace_tracer *tracer, int64_t *count, int64_t *outside)
{
    *count = tracer->nseeds;
    *outside = tracer->nseeds - tracer->nfound;
}

const trace_lines *trace_tracer_lines(const trace_tracer *tracer)
{
    return &tracer->lines;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* Adds a particle for each seed whose brick is this rank's. `number` counts releases.
 */
static status release(trace_tracer *t, int64_t number, double time, double direction)
{
    const grid_layout *layout = trace_locator_store(t->locator)->layout;
    const int rank = parallel_rank(t->comm);
    for (int64_t n = 0; n < t->nfound; n++) {
        const found_seed *seed = &t->seeds[n];
        if (t->holders[trace_cell_brick(layout, &seed->cell)] != rank) {
            continue;
        }
        const trace_particle p = trace_particle_release(
            number * t->nseeds + seed->number, seed->x, &seed->cell, time, direction);
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

/* Lines through the flow of now, all anew. */
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

/* Particles that are under way go on to `time`, at most that of now. */
static status run_onwards(trace_tracer *t, double time)
{
    t->rule.end = time;
    /* Of streaks only the last place counts. */
    t->own.count = t->rule.leaves_trail ? t->own.count : 0;
    for (int64_t n = 0; n < t->crowd.count; n++) {
        trace_particle_resume(&t->crowd.items[n]);
    }
    return run(t);
}

/* New particles set out at `time`. */
static status run_release(trace_tracer *t, double time)
{
    t->rule.end = time;
    status s = parallel_agree(t->comm, release(t, t->releases, time, 1.0));
    t->releases++;
    return s == STATUS_OK ? run(t) : s;
}

/* From the step before to this one, with the releases between the two and that at its
 * end.
 */
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

/* Forgets records that are no part of the lines any more. */
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

/* Brings the records of all ranks together and makes lines of them. */
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
            : trace_lines_make(t->options.mode, t->nseeds, &t->kept, &t->lines);
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
