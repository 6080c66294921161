#include "run.h"

#include "base/parallel/parallel.h"
#include "checkpoint.h"
#include "examples/solver/flow/flow.h"
#include "insitu.h"
#include "library/karman.h"
#include "monitor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The state of a run. */
typedef struct run {
    const solver_config *config;
    solver_flow *flow;
    solver_monitor *monitor;
    karman_session *session; /* NULL: no pictures */
    double cfl, end;         /* of the config, until orders change them */
    bool speaks, in_place;
    int64_t written; /* step of the last checkpoint, or -1 */
} run;

/* The initial state: the free stream, and a vortex behind the body that breaks the
 * symmetry. */
typedef struct start {
    double pressure, strength, length;
} start;

static void start_state(const void *context, const double position[3], double state[5])
{
    const start *s = context;
    double x = position[0] / s->length - 1.5, y = position[1] / s->length;
    const double disturbed[5] = {1.0, 1.0, s->strength * exp(-x * x - y * y), 0.0,
                                 s->pressure};
    memcpy(state, disturbed, sizeof disturbed);
}

/* Whether the run adds its checkpoints to the series from which it restarts, even if the
 * two paths differ. Collective. */
static bool find_in_place(MPI_Comm comm, const solver_config *c)
{
    struct stat from, to;
    int same = 0;
    if (c->output && c->restart && parallel_rank(comm) == 0) {
        same = stat(c->restart, &from) == 0 && stat(c->output, &to) == 0 &&
               from.st_dev == to.st_dev && from.st_ino == to.st_ino;
    }
    parallel_bcast(&same, 1, MPI_INT, 0, comm);
    return same;
}

/* The library shares the one message of this program (base/status.h). */
static status open_pictures(run *r)
{
    double *end = r->config->steps > 0 ? NULL : &r->end;
    const int code = solver_insitu_open(r->flow, r->config->insitu, r->in_place, &r->cfl,
                                        end, &r->session);
    return code == KARMAN_DONE
               ? STATUS_OK
               : base_fail(code == KARMAN_USAGE ? STATUS_USAGE : STATUS_OUTPUT, "%s",
                           karman_message());
}

/* Ends the pictures, and keeps the message of a failure that is still to be reported. */
static void close_pictures(run *r)
{
    char *held = strdup(base_fail_message());
    karman_close(&r->session);
    base_fail_set_message(held ? held : "");
    free(held);
}

static status begin(run *r)
{
    const solver_config *c = r->config;
    start begin_with = {solver_flow_gas(r->flow)->pressure, c->disturbance,
                        solver_config_length(c)};
    status s = STATUS_OK;
    if (c->restart) {
        s = solver_checkpoint_read(r->flow, c->restart);
    } else {
        solver_flow_start(r->flow, start_state, &begin_with);
    }
    if (s == STATUS_OK && c->output) {
        s = r->in_place ? solver_checkpoint_resume(r->flow, c->output)
                        : solver_checkpoint_create(r->flow, c->output, c->restart);
    }
    if (s == STATUS_OK) {
        s = solver_monitor_create(r->flow, solver_config_area(c), c->monitors,
                                  &r->monitor);
    }
    if (s == STATUS_OK && c->insitu) {
        s = open_pictures(r);
    }
    if (s == STATUS_OK && c->restart) {
        solver_insitu_restore(r->session, r->flow);
    }
    return s;
}

static bool is_over(const run *r)
{
    const solver_config *c = r->config;
    return c->steps > 0 ? solver_flow_steps(r->flow) >= c->steps
                        : solver_flow_time(r->flow) >= r->end;
}

static status write_checkpoint(run *r)
{
    int64_t steps = solver_flow_steps(r->flow);
    if (!r->config->output || r->written == steps) {
        return STATUS_OK;
    }
    r->written = steps;
    status s = solver_checkpoint_add(r->flow, r->config->output);
    if (s == STATUS_OK) {
        solver_insitu_save(r->session, r->flow);
    }
    return s;
}

/* Prints about one line for each unit of time. */
static void report(const run *r, double *next)
{
    const solver_sample *samples;
    int64_t n = solver_monitor_samples(r->monitor, &samples);
    if (r->speaks && n > 0 && samples[n - 1].time >= *next) {
        const solver_sample *s = &samples[n - 1];
        printf("step %lld  time %.3f  residual %.2e  drag %.4f  lift %.4f\n",
               (long long)s->steps, s->time, s->residual, s->drag, s->lift);
        fflush(stdout);
        *next = floor(s->time) + 1.0;
    }
}

/* Publishes the last sample in the run directory. */
static void publish(const run *r)
{
    const solver_sample *samples;
    int64_t n = solver_monitor_samples(r->monitor, &samples);
    if (n > 0) {
        solver_insitu_publish(r->session, &samples[n - 1]);
    }
}

static status after_step(run *r, double *next)
{
    const solver_config *c = r->config;
    int64_t steps = solver_flow_steps(r->flow);
    status s = STATUS_OK;
    if (steps % c->monitor_every == 0) {
        s = solver_monitor_take(r->monitor, r->flow);
        report(r, next);
        publish(r);
    }
    if (s == STATUS_OK && c->output_every > 0 && steps % c->output_every == 0) {
        s = write_checkpoint(r);
    }
    return s;
}

static void report_shedding(const run *r)
{
    const solver_sample *samples;
    int64_t n = solver_monitor_samples(r->monitor, &samples);
    if (!r->speaks || n < 1) {
        return;
    }
    solver_shedding shedding = solver_shedding_find(n, samples);
    if (shedding.periods < 2) {
        printf("no vortex shedding: the lift made fewer than two oscillations in the "
               "second half\n");
        return;
    }
    printf("Strouhal number %.4f over %d periods, lift +-%.3f\n",
           shedding.frequency * solver_config_length(r->config), shedding.periods,
           shedding.amplitude);
}

static status step_to_end(run *r)
{
    double next = 0.0;
    status s = begin(r);
    bool goes_on = s == STATUS_OK && solver_insitu_step(r->session, r->flow);
    while (s == STATUS_OK && goes_on && !is_over(r)) {
        s = solver_flow_step(r->flow, r->cfl);
        s = s == STATUS_OK ? after_step(r, &next) : s;
        goes_on = s == STATUS_OK && solver_insitu_step(r->session, r->flow);
    }
    s = s == STATUS_OK ? write_checkpoint(r) : s;
    if (s == STATUS_OK) {
        report_shedding(r);
    }
    return s;
}

status solver_run(MPI_Comm comm, const solver_config *config)
{
    run r = {.config = config,
             .cfl = config->cfl,
             .end = config->end,
             .speaks = parallel_rank(comm) == 0,
             .in_place = find_in_place(comm, config),
             .written = -1};
    solver_grid *grid = NULL;
    solver_conditions conditions = config->flow;
    conditions.reynolds /= solver_config_length(config);
    status s = parallel_agree(comm, solver_config_grid(config, &grid));
    if (s == STATUS_OK) {
        s = solver_flow_create(comm, grid, &conditions, &r.flow);
    }
    solver_grid_destroy(&grid);
    s = s == STATUS_OK ? step_to_end(&r) : s;
    close_pictures(&r);
    solver_monitor_destroy(&r.monitor);
    solver_flow_destroy(&r.flow);
    return s;
}
